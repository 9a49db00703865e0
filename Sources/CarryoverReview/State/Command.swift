/// What a key means: one intention, without the key.
package enum Command: Hashable, Sendable {
  /// Move the cursor, or scroll a page of text.
  case move(Move)
  /// Go to the next match of a search, or without one to the next field the apply waits for.
  case next
  /// Go to the one before.
  case previous
  /// Go to the next field the apply waits for.
  case nextToDecide
  /// Go to the one before.
  case previousToDecide
  /// Go to the next field, from within its details.
  case nextField
  /// Go to the one before.
  case previousField

  /// Decide for the proposal, or take that back.
  case confirm
  /// Decide to write nothing, or take that back.
  case skip
  /// Decide for what the target holds, or take that back.
  case keep
  /// Type another value.
  case edit
  /// Decide for one of the field's other values, counted from 0.
  case take(Int)
  /// Take the last decision back.
  case undo
  /// Take the last undo back.
  case redo

  /// Let a pane receive the keys; open the details as a screen where they are no pane.
  case focus(Pane)
  /// Let the next pane receive the keys.
  case nextPane
  /// Let the one before receive them.
  case previousPane
  /// Change the size of a pane.
  case resize(PaneChange)
  /// Type the number of a row, or of a line, to go to.
  case goTo
  /// Explain a finding: the chosen one, or the field's first.
  case explain
  /// Explain the next finding.
  case nextFinding
  /// Explain the one before.
  case previousFinding
  /// Go to the field of the finding that is explained.
  case goToField
  /// Look something up in the help.
  case searchHelp
  /// Begin a range of rows at the cursor, or leave it.
  case toggleRange
  /// Show ways to decide many fields at once.
  case decideMany
  /// Do what stands at the cursor of a menu.
  case pick
  /// Do what a menu has under a key.
  case pickKey(Character)

  /// Begin to type a search.
  case search
  /// Put an earlier search, or a later one, into the line.
  case recall(older: Bool)
  /// Begin to type a filter.
  case filter
  /// Complete the word being typed.
  case complete
  /// Show the filters there are, with counts.
  case filterMenu
  /// Leave the range, or else the search, or else the filter.
  case leaveFinding

  /// Show a screen.
  case open(Screen)
  /// Leave the screen.
  case back
  /// Apply what the preview shows.
  case apply
  /// Show the stores of the container.
  case browse
  /// Show the runs of the container.
  case showHistory
  /// Show what taking the run with the cursor back would do, key by key.
  case openRun
  /// Ask whether to take the last run back.
  case askForLastRun
  /// Choose the key with the cursor for going back, or leave it out; for a conflict, the next way to decide it.
  case choose
  /// Choose every key that needs no decision, or none.
  case chooseAll
  /// Go to the next conflict that is undecided.
  case nextConflict
  /// Go to the one before.
  case previousConflict
  /// Take back what the question shows.
  case rollBack
  /// Put the field's value on the clipboard.
  case copy
  /// Stop the program until the shell continues it.
  case suspend
  /// Leave the review; asks where decisions are not applied.
  case quit
  /// Leave the review without asking.
  case quitForCertain
  /// Leave the review, and keep none of its decisions.
  case quitForgetting
  /// Take up the decisions of an earlier review that fit.
  case takeUp
  /// Leave the decisions of an earlier review out.
  case leaveOut

  /// Move the cursor in the line being typed.
  case textMove(TypedLine.Motion)
  /// Delete from the cursor of the line being typed.
  case textDelete(TypedLine.Motion)
  /// Decide for the value that was typed.
  case accept
  /// Forget what was typed.
  case cancel
  /// Put the field's next other value into the line: an earlier one that was typed, or one that comes from somewhere.
  case textOlder
  /// Put the one before into the line.
  case textNewer
}

/// How far the cursor moves.
package enum Move: Hashable, Sendable {
  case up, down, pageUp, pageDown, first, last
}
