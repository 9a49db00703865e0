package import CarryoverTerminal

/// A screen, or a line typed over one, by the name that the configuration file has for it.
package struct Screen: Hashable, Sendable {
  /// What the configuration file calls it: no two of all programs have the same.
  package let name: String
  /// The title in its frame, and in the help.
  package let title: String

  init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }
}

/// What a screen shows, and how keys and mouse move in it. A screen of text is one record with its text; one that draws
/// itself says how.
package struct ScreenContent<State: Program>: Sendable {
  /// What it is.
  enum Kind: Sendable {
    /// Lines that scroll in a frame.
    case text
    /// Something else, which it draws itself.
    case drawn(@Sendable (inout Canvas<State>) -> Void)
    /// A line that is typed in the last row, behind a prompt, over whatever is open.
    case line(prompt: String)
    /// A line that is typed elsewhere.
    case pane
    /// One line in the middle of a window that has room for no more.
    case notice
  }

  let screen: Screen
  let kind: Kind
  /// How it is left; nil where no key of this record does.
  var back: Back? = Back()
  /// What opens it, and its own keys.
  var keys: [KeyBinding<State>] = []
  /// Whether `?` opens the help on it.
  var hasHelp = true
  /// The title in the frame, where it says more than the screen's.
  var title: (@Sendable (State, Ink) -> String)?
  /// Lays out its text.
  var page: (@Sendable (State) -> Page)?
  /// The same for a pager or a file: nothing is cut, and a line is as long as it is.
  var whole: (@Sendable (State) -> Page)?
  /// How its text is saved, where that is more than the whole text under the screen's name.
  var saving: Saving?
  /// What is scrolled: by keys, or, where a cell is given, by a wheel turned there.
  var scroller: (@Sendable (State, Position?) -> Scroller<State>?)?
  /// Moves in it, where that is more than scrolling.
  var move: (@Sendable (inout State, Move) -> Void)?
  /// What a click in it does; by default it selects a row.
  var click: (@Sendable (inout State, Position) -> [State.Effect])?
  /// What is said where it has no rows.
  var empty: (@Sendable (State) -> String)?
  /// What is said of all its rows, for who reads line by line.
  var summary: (@Sendable (State, Ink) -> String)?
  /// Whether its rows are chosen by keys of their own.
  var isMenu = false
  /// One of its rows in words, for who reads line by line.
  var line: (@Sendable (State, Int, Ink) -> String)?
  /// What else a search finds in one of its rows.
  var texts: (@Sendable (State, Int, Ink) -> [String])?
  /// Which of the things in its text is chosen.
  var chosen: Chosen<State>?
  /// All about the row with the cursor, for who reads line by line.
  var pane: (@Sendable (inout PageWriter, State) -> Void)?
  /// Draws over its text.
  var overlay: (@Sendable (inout Canvas<State>) -> Void)?
  /// Sets it up when it is opened.
  var opened: (@Sendable (inout State) -> Void)?
  /// Drops what only this screen needs, once it is no longer open.
  var closed: (@Sendable (inout State) -> Void)?
  /// What stands behind a line that is typed, and whether it is a complaint.
  var words: (@Sendable (State) -> (text: String, isFlagged: Bool))?
  /// What stands in the frame above a line that is typed.
  var note: (@Sendable (State) -> (text: String, isFlagged: Bool))?
  /// What is asked where the window has room for one line alone.
  var question: (@Sendable (State) -> String)?
  /// Whether its text is short and not moved in.
  var isRead = false
  /// Whether any key leaves it.
  var isLeftByAnyKey = false
  /// Whether it draws the title bar and the last line, too.
  var ownsFrame = false

  init(_ screen: Screen, _ kind: Kind) {
    self.screen = screen
    self.kind = kind
  }

  /// A screen of text.
  static func text(
    _ screen: Screen, back: Back? = Back(), keys: [KeyBinding<State>] = [],
    _ write: @escaping @Sendable (inout PageWriter, State) -> Void
  ) -> ScreenContent {
    var content = ScreenContent(screen, .text)
    content.back = back
    content.keys = keys
    content.page = { state in
      let ink = Ink(state.options, cutWords: "\(state.key("pager", screen)) shows all of it")
      var writer = PageWriter(columns: state.stack.textColumns, ink: ink)
      write(&writer, state)
      return writer.page
    }
    content.whole = { state in
      var writer = PageWriter(columns: 100, ink: Ink(state.options, isWhole: true))
      write(&writer, state)
      return writer.page
    }
    return content
  }

  /// A screen that draws itself.
  static func drawn(
    _ screen: Screen, back: Back? = nil, _ draw: @escaping @Sendable (inout Canvas<State>) -> Void
  ) -> ScreenContent {
    var content = ScreenContent(screen, .drawn(draw))
    content.back = back
    return content
  }

  /// A line that is typed in the last row.
  static func line(_ screen: Screen, prompt: String) -> ScreenContent {
    var content = ScreenContent(screen, .line(prompt: prompt))
    content.back = nil
    content.hasHelp = false
    return content
  }

  /// A copy with changed properties.
  func with(_ change: (inout ScreenContent) -> Void) -> ScreenContent {
    var content = self
    change(&content)
    return content
  }

  /// Whether lines or rows are moved in.
  var isMovedIn: Bool {
    switch kind {
    case .text: !isRead
    case .drawn: scroller != nil
    case .line, .pane, .notice: false
    }
  }

  /// How the text of a screen is saved.
  struct Saving: Sendable {
    /// The name that is proposed for the file.
    let name: String
    /// What is saved under a path; nil for the whole text.
    var text: @Sendable (State, String) -> String? = { _, _ in nil }
    /// Why nothing can be saved under a path; nil where it can.
    var obstacle: @Sendable (State, String) -> String? = { _, _ in nil }
  }

  /// How a screen is left.
  struct Back: Sendable {
    var label = "back"
    var keys: [Key] = [.escape, .character("q")]
    var help = "Go back."
  }
}

extension ScreenContent.Back {
  /// With the arrow that leads out of it, too.
  static var leftward: Self { leftward("Go back.") }

  /// The same with what it says.
  static func leftward(_ help: String) -> Self {
    Self(keys: [.escape, .character("q"), .left, .character("h")], help: help)
  }

  /// What is read and left, by enter too.
  static var out: Self { Self(keys: [.escape, .character("q"), .enter]) }
}

/// Rows with a cursor, or lines without one, of which some are in sight.
package struct Scroller<State: Sendable>: Sendable {
  /// How many there are.
  var count: Int
  /// The rows of the screen they stand in.
  var rows: Range<Int>
  /// The columns in which a click selects a row.
  var columns: Range<Int> = 0..<0
  /// The one at the top.
  var top: Int
  /// The row with the cursor; nil for a text.
  var row: Int?
  /// Puts the cursor on a row, and shows it; for a text, puts a line at the top.
  var select: @Sendable (inout State, Int) -> Void
  /// Puts a row at the top of the list, wherever the cursor is.
  var scroll: @Sendable (inout State, Int) -> Void = { _, _ in }
}

/// What every program on the screen has: the screens that are open, the text of the one on top, the line being typed.
package struct ScreenStack: Sendable {
  /// The size of the screen.
  package internal(set) var size: Size
  /// What drawing depends on.
  package let options: ReviewOptions
  /// The screens opened one over the other; the first is the program's own.
  var screens: [Screen]
  /// The line being typed, over whatever is open.
  package internal(set) var typing: LineEditor?
  /// What the last key did, for the last line, until the next key.
  package internal(set) var message: String?
  /// The number typed in front of a key.
  var count = Count()
  /// The file that a text was to be saved as last.
  var savePath = ""
  /// The search on one of the screens.
  var find: Find?
  /// The list of actions: what it is narrowed to, and which is chosen.
  var actions = ActionChoice()
  /// The text of the screen on top, laid out for the present width.
  var page = Page()
  /// The line at the top of each screen's text.
  private var pageTops: [Screen: Int] = [:]
  var pageKey: PageKey?
  /// Raised whenever something that a page shows changes.
  var revision = 0

  init(_ home: Screen, size: Size, options: ReviewOptions) {
    self.size = size
    self.options = options
    screens = [home]
  }

  /// The line at the top of the text of the screen on top.
  var pageTop: Int {
    get { screens.last.flatMap { pageTops[$0] } ?? 0 }
    set { if let screen = screens.last { pageTops[screen] = newValue } }
  }

  /// What a laid-out page depends on; it is laid out again when this changes, not for every frame.
  struct PageKey: Hashable, Sendable {
    var screen: Screen
    var size: Size
    var revision: Int
    /// What it is about.
    var subject: [Int]
  }

  /// The smallest window that anything is drawn in.
  package static let minimum = Size(columns: 60, rows: 16)

  /// The columns that a page of text is laid out for.
  var textColumns: Int { options.lineColumns ?? PageLayout(size: size).columns.count }

  /// How much of the keys is printed where they are read line by line.
  static let hintColumns = 180

  var isTooSmall: Bool { size.columns < Self.minimum.columns || size.rows < Self.minimum.rows }
}
