/// Something the terminal reports.
package enum Event: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted, as one piece: it must never act as keys. Hostile like all text; at most 64 KiB.
  case paste(String)
  /// The mouse was used.
  case mouse(Mouse)
  /// The screen has a new size.
  case resize(Size)
  /// The program runs again after it was stopped; the screen has been restored.
  case resumed
  /// A signal asks the program to end, by its number: SIGINT (also for Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM or SIGHUP.
  case signal(Int32)
  /// Nothing can be read from the terminal any more. Every later event is this one.
  case endOfInput
  /// Somebody called the terminal's waker.
  case tick
}

/// A key, as it is to be bound: shift is in the character, control in ``control(_:)``.
package enum Key: Hashable, Sendable {
  /// A printable character, of one scalar.
  case character(Character)
  /// Enter or Return.
  case enter
  /// Escape.
  case escape
  /// Tab.
  case tab
  /// Shift and Tab.
  case backTab
  /// Backspace.
  case backspace
  /// Delete.
  case delete
  /// Insert.
  case insert
  /// The upward arrow.
  case up
  /// The downward arrow.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Home.
  case home
  /// End.
  case end
  /// A function key, from 1.
  case function(Int)
  /// Control and a character, in lower case: `.control("r")`.
  case control(Character)
}

/// What was done with the mouse, and where.
package struct Mouse: Hashable, Sendable {
  /// What was done with the mouse.
  package enum Action: Hashable, Sendable {
    /// The first button was pressed.
    case select
    /// The wheel was turned away from the hand.
    case wheelUp
    /// The wheel was turned towards the hand.
    case wheelDown
  }

  /// What was done.
  package var action: Action
  /// The cell it was done at.
  package var position: Position

  /// A use of the mouse.
  package init(_ action: Action, at position: Position) {
    self.action = action
    self.position = position
  }
}
