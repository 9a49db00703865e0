package import Carryover
package import CarryoverTerminal

/// What the choice among containers shows, as far as it decides which keys do what.
package enum PickerScreen: ScreenPlace {
  /// The list.
  case list
  /// A filter being typed.
  case filter
  /// Every key.
  case help
  /// The help, with a line being typed that narrows it.
  case helpSearch
  /// Why a container could not be opened.
  case failure
  /// The notice that the window is too small for anything else.
  case tooSmall

  /// The title in the frame.
  package var title: String {
    switch self {
    case .list: "Containers"
    case .filter: "Filter"
    case .help: "Help"
    case .helpSearch: "Search in the help"
    case .failure: "Not opened"
    case .tooSmall: "Too small"
    }
  }
}

/// What a key means in the choice among containers.
package enum PickerCommand: Hashable, Sendable {
  /// Move the cursor, or scroll the help.
  case move(Move)
  /// Open the container with the cursor.
  case choose
  /// Begin to type a filter.
  case filter
  /// Keep the filter that is typed.
  case keepFilter
  /// Show every container again.
  case dropFilter
  /// Move the cursor in the line being typed.
  case textMove(TypedLine.Motion)
  /// Delete from the cursor of the line being typed.
  case textDelete(TypedLine.Motion)
  /// Show every key.
  case help
  /// Look something up in the help.
  case searchHelp
  /// Keep what the help is narrowed to.
  case keepHelp
  /// Show the whole help again.
  case wholeHelp
  /// Leave the help.
  case back
  /// Choose none.
  case leave
  /// Stop the program until the shell continues it.
  case suspend
}

/// What the choice asks of the program around it.
package enum PickerEffect: Hashable, Sendable {
  /// Open this container.
  case choose(ContainerCandidate)
  /// Hand the terminal back to the shell until the process is continued.
  case suspend
  /// Sound the bell: the key does nothing here.
  case bell
  /// Leave without a choice.
  case leave
}

/// The state of a choice among the containers at a path: a value that `reduce` changes and `render` draws.
package struct PickerState: Sendable {
  /// The containers, in the order given.
  package let candidates: [ContainerCandidate]
  /// What was opened, as the user named it.
  package let place: String
  /// The size of the screen.
  package internal(set) var size: Size
  /// What drawing depends on.
  package let options: ReviewOptions

  /// The numbers of the candidates that are shown.
  var shown: [Int]
  /// The candidate with the cursor; nil where none is shown.
  var cursor: Int?
  var top = 0
  /// The filter; nil without one.
  var filter: TypedLine?
  var isTyping = false
  var showsHelp = false
  /// What the help is narrowed to.
  var helpFilter: HelpFilter?
  /// Why the container that was chosen last could not be opened.
  var failure: ReviewFailure?
  var page = Page()
  var pageTop = 0
  var message: String?
  /// The number typed in front of a key.
  var count = Count()
  let widths: CandidateWidths
  /// What each candidate is found by, in lower case.
  private let texts: [String]

  /// A choice among containers.
  /// - Parameters:
  ///   - candidates: The containers.
  ///   - place: What was opened, as the user named it.
  ///   - size: The size of the screen.
  ///   - options: What drawing depends on.
  package init(
    _ candidates: [ContainerCandidate], place: String, size: Size, options: ReviewOptions = ReviewOptions()
  ) {
    self.candidates = candidates
    self.place = place
    self.size = size
    self.options = options
    widths = CandidateWidths(candidates)
    texts = candidates.map { candidate in
      ([candidate.bundleID ?? "", candidate.name, candidate.path] + candidate.groups).joined(separator: "\n")
        .lowercased()
    }
    shown = Array(candidates.indices)
    cursor = shown.first
  }

  /// What is on the screen.
  package var screen: PickerScreen {
    if size.columns < ReviewState.minimum.columns || size.rows < ReviewState.minimum.rows { return .tooSmall }
    if failure != nil { return .failure }
    if showsHelp, helpFilter?.isTyping == true { return .helpSearch }
    return showsHelp ? .help : isTyping ? .filter : .list
  }

  /// The candidate with the cursor.
  package var selected: ContainerCandidate? { cursor.map { candidates[$0] } }

  /// The row with the cursor.
  var row: Int? { cursor.flatMap { shown.firstIndex(of: $0) } }

  /// The rows of the screen that hold candidates.
  var rows: Range<Int> { 3..<max(3, size.rows - 2) }

  /// Shows the candidates that hold every word of the filter. The cursor stays where it is, if that is still shown.
  mutating func refilter() {
    let words = (filter?.text ?? "").lowercased().split(separator: " ")
    shown = candidates.indices.filter { index in words.allSatisfy { texts[index].contains($0) } }
    if row == nil { cursor = shown.first }
    revealCursor()
  }

  mutating func revealCursor() {
    top = ListWindow.top(top, showing: row ?? 0, of: shown.count, visible: rows.count)
  }

  /// Says that the container that was chosen is being opened.
  package mutating func opening() { message = "Opening…" }

  /// Takes up the choice again where it was left.
  /// - Parameters:
  ///   - size: The size the screen has by now.
  ///   - failure: Why the container that was chosen could not be opened, or be gone on with.
  package mutating func comeBack(size: Size, failure: ReviewFailure? = nil) {
    self.size = size
    self.failure = failure
    message = nil
    pageTop = 0
    revealCursor()
    refreshPage()
  }
}
