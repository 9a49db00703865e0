package import CarryoverTerminal

/// What the browser of stores shows, as far as it decides which keys do what.
package enum BrowserScreen: ScreenPlace {
  /// The outline of the stores.
  case outline
  /// A search being typed over the outline.
  case search
  /// All about one value.
  case details
  /// Every key.
  case help
  /// The help, with a line being typed that narrows it.
  case helpSearch
  /// The notice that the window is too small for anything else.
  case tooSmall

  /// The title in the frame.
  package var title: String {
    switch self {
    case .outline: "Stores"
    case .search: "Search"
    case .details: "Details"
    case .help: "Help"
    case .helpSearch: "Search in the help"
    case .tooSmall: "Too small"
    }
  }
}

/// What a key means in the browser of stores.
package enum BrowserCommand: Hashable, Sendable {
  /// Move the cursor, or scroll a page of text.
  case move(Move)
  /// Open what is selected; what is open already, enter it.
  case open
  /// Close what is selected; from what is closed, go to what it is in.
  case close
  /// Open what is selected or close it; of what cannot be opened, show the details.
  case activate
  /// Show all about what is selected.
  case showDetails
  /// Show the details of the row below, or above, without going back.
  case neighbour(Move)
  /// Begin to type a search.
  case search
  /// Keep the search that is typed and leave its line.
  case keepSearch
  /// Give the search up; while it is typed, go back to where it began.
  case endSearch
  /// Go to the next match.
  case nextMatch
  /// Go to the match before.
  case previousMatch
  /// Move the cursor in the line being typed.
  case textMove(TypedLine.Motion)
  /// Delete from the cursor of the line being typed.
  case textDelete(TypedLine.Motion)
  /// Show a secret, or hide it again.
  case reveal
  /// Put the value on the clipboard.
  case copyValue
  /// Put the path of the value on the clipboard.
  case copyPath
  /// Show every key.
  case help
  /// Look something up in the help.
  case searchHelp
  /// Keep what the help is narrowed to.
  case keepHelp
  /// Show the whole help again.
  case wholeHelp
  /// Leave the details or the help.
  case back
  /// Leave the browser.
  case leave
  /// Stop the program until the shell continues it.
  case suspend
}

/// What happens to the browser of stores.
package enum BrowserAction: Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted. It is typed into a search and never acts as keys.
  case paste(String)
  /// The mouse was used.
  case mouse(Mouse)
  /// The screen has this size now.
  case resized(Size)

  /// What an event means to the browser; nil for those that concern only the loop around it.
  package init?(_ event: Event) {
    switch event {
    case .key(let key): self = .key(key)
    case .paste(let text): self = .paste(text)
    case .resize(let size): self = .resized(size)
    case .mouse(let mouse): self = .mouse(mouse)
    case .resumed, .signal, .endOfInput, .tick: return nil
    }
  }
}

/// What the browser asks of the program around it.
package enum BrowserEffect: Hashable, Sendable {
  /// Put a text on the clipboard.
  case copy(String)
  /// Hand the terminal back to the shell until the process is continued.
  case suspend
  /// Sound the bell: the key does nothing here.
  case bell
  /// Leave the browser.
  case leave
}
