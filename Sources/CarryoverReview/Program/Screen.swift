import CarryoverPages
package import CarryoverTerminal

package struct Screen: Hashable, Sendable {
  /// The name in the configuration file, unique among all programs.
  package let name: String
  package let title: String

  init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }
}

package struct ScreenContent<State: Program>: Sendable {
  enum Kind: Sendable {
    case text
    case drawn(@Sendable (inout Canvas<State>) -> Void)
    /// A line typed in the last row, over the open screen.
    case line(prompt: String)
    /// A line typed elsewhere, in a pane over the open screen.
    case pane(@Sendable (inout Canvas<State>) -> Void)
  }

  let screen: Screen
  let kind: Kind
  /// Nil if no key of this record leaves it.
  var back: Back?
  var keys: [KeyBinding<State>] = []
  var hasHelp = true
  /// The title in the frame, where it says more than the screen's.
  var title: (@Sendable (State, Ink) -> String)?
  var page: (@Sendable (State) -> Page)?
  /// What the page is about besides the state's revision: it is laid out again when this changes.
  var subject: (@Sendable (State) -> [Int])?
  /// The page for a pager or a file: nothing is cut or wrapped.
  var whole: (@Sendable (State) -> Page)?
  /// Nil saves the whole text under the screen's name.
  var saving: Saving?
  /// The scrolled list or text; with a position, the one that the mouse wheel scrolls there.
  var scroller: (@Sendable (State, Position?) -> Scroller<State>?)?
  /// By default, a click selects a row.
  var click: (@Sendable (inout State, Position) -> Void)?
  var empty: (@Sendable (State) -> String)?
  /// Printed with the rows in the accessible mode.
  var summary: (@Sendable (State, Ink) -> String)?
  /// Whether its rows are chosen by keys of their own.
  var isMenu = false
  var line: (@Sendable (State, Int, Ink) -> String)?
  /// Other texts of a row that a search finds.
  var texts: (@Sendable (State, Int, Ink) -> [String])?
  var chosen: Chosen<State>?
  var pane: (@Sendable (inout PageWriter, State) -> Void)?
  var opened: (@Sendable (inout State) -> Void)?
  /// Called when the screen is no longer open.
  var closed: (@Sendable (inout State) -> Void)?
  /// The words behind a typed line, and whether they complain.
  var words: (@Sendable (State) -> (text: String, isFlagged: Bool))?
  var note: (@Sendable (State) -> (text: String, isFlagged: Bool))?
  /// The one line of a question in a window that is too small.
  var question: (@Sendable (State) -> String)?
  /// Whether its text is short and does not scroll.
  var isRead = false
  var isLeftByAnyKey = false
  var ownsFrame = false

  init(_ screen: Screen, _ kind: Kind, back: Back? = nil) {
    self.screen = screen
    self.kind = kind
    self.back = back
  }

  static func text(
    _ screen: Screen, back: Back? = Back(), keys: [KeyBinding<State>] = [],
    _ write: @escaping @Sendable (inout PageWriter, State) -> Void
  ) -> ScreenContent {
    var content = ScreenContent(screen, .text, back: back)
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

  static func drawn(
    _ screen: Screen, back: Back? = nil, _ draw: @escaping @Sendable (inout Canvas<State>) -> Void
  ) -> ScreenContent { ScreenContent(screen, .drawn(draw), back: back) }

  static func line(_ screen: Screen, prompt: String) -> ScreenContent {
    ScreenContent(screen, .line(prompt: prompt))
  }

  func with(_ change: (inout ScreenContent) -> Void) -> ScreenContent {
    var content = self
    change(&content)
    return content
  }

  var isTyped: Bool {
    switch kind {
    case .line, .pane: true
    case .text, .drawn: false
    }
  }

  var isMovedIn: Bool {
    switch kind {
    case .text: !isRead
    case .drawn: scroller != nil
    case .line, .pane: false
    }
  }

  struct Saving: Sendable {
    let name: String
    /// The text to save under a path; nil for the whole text.
    var text: @Sendable (State, String) -> String? = { _, _ in nil }
    var obstacle: @Sendable (State, String) -> String? = { _, _ in nil }
  }

  struct Back: Sendable {
    var label = "back"
    var keys: [Key] = [.escape, .character("q")]
    var help = "Go back."
  }
}

extension ScreenContent.Back {
  static var leftward: Self { leftward("Go back.") }

  static func leftward(_ help: String) -> Self {
    Self(keys: [.escape, .character("q"), .left, .character("h")], help: help)
  }

  static var out: Self { Self(keys: [.escape, .character("q"), .enter]) }
}

/// The part of the state that every program has.
package struct ScreenStack: Sendable {
  package internal(set) var size: Size
  package let options: ReviewOptions
  /// The program's own screen comes first.
  var screens: [Screen]
  package internal(set) var typing: LineEditor?
  /// What the last key did, for the last line, until the next key.
  package internal(set) var message: String?
  var count: Int?
  var savePath = ""
  var find: Find?
  var actions = ActionChoice()
  var page = Page()
  private var pageTops: [Screen: Int] = [:]
  var pageKey: PageKey?

  init(_ home: Screen, size: Size, options: ReviewOptions) {
    self.size = size
    self.options = options
    screens = [home]
  }

  var pageTop: Int {
    get { screens.last.flatMap { pageTops[$0] } ?? 0 }
    set { if let screen = screens.last { pageTops[screen] = newValue } }
  }

  /// A page is laid out again when this changes, not for every frame.
  struct PageKey: Hashable, Sendable {
    var screen: Screen
    var size: Size
    var revision: Int
    var subject: [Int]?
    /// What narrows the help.
    var words: String
  }

  /// The smallest window that anything is drawn in.
  package static let minimum = Size(columns: 60, rows: 16)

  var textColumns: Int { options.lineColumns ?? PageLayout(size: size).columns.count }

  /// The columns of key hints that the accessible mode prints.
  static let hintColumns = 180

  var isTooSmall: Bool { size.columns < Self.minimum.columns || size.rows < Self.minimum.rows }
}
