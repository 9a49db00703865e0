package import CarryoverTerminal

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
