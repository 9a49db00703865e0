package import Carryover
package import CarryoverSystem
package import CarryoverTerminal

/// The whole state of a browser of stores: a value that `reduce` changes and `render` draws.
package struct BrowserState: Sendable {
  package var stack: ScreenStack

  /// How far local time is from UTC at a moment, in seconds.
  let zone: @Sendable (Moment) -> Int
  /// Whether it is a screen of the review, to which leaving it goes back.
  let isEmbedded: Bool
  var bundleID: String?
  var name: String
  /// The container's data folder, which the rows of stores leave out.
  var dataFolder: String

  /// How many files were not read; nil if none, or if they were not counted.
  let unread: String?

  var outline: Outline
  /// The position of the row with the cursor.
  var cursor = 0 {
    // Another row's details are shown from their beginning.
    didSet { if cursor != oldValue { stack.pageTop = 0 } }
  }
  /// The position of the row at the top.
  var topRow = 0
  var search: Search?
  var filter: StoreFilter?
  var index: SearchIndex?
  /// The secrets that somebody asked to see.
  var revealed: Set<InspectedPath> = []

  /// A browser of a container's stores.
  /// - Parameters:
  ///   - container: The container.
  ///   - size: The size of the screen.
  ///   - options: What drawing depends on.
  ///   - zone: How far local time is from UTC at a moment, in seconds; without it, the options' offset at every moment.
  ///   - isEmbedded: Whether it is a screen of the review.
  ///   - path: Where the cursor is at first, or as near as there is; nil for the first row.
  package init(
    _ container: Container, size: Size, options: ReviewOptions = ReviewOptions(),
    zone: (@Sendable (Moment) -> Int)? = nil, isEmbedded: Bool = false, at path: InspectedPath? = nil
  ) {
    stack = ScreenStack(.stores, size: size, options: options)
    self.zone = zone ?? { _ in options.zoneOffset }
    self.isEmbedded = isEmbedded
    let container = options.redaction?.container(container) ?? container
    bundleID = container.bundleID
    name = container.name
    dataFolder = container.dataFolder
    unread = container.unread?.brief
    outline = Outline(container, bundleID: container.bundleID)
    cursor = outline.firstStore
    if outline.roots.count == 1 { outline.open(at: cursor) }
    if let path { show(path) }
    refresh()
  }

  var layout: BrowserLayout { BrowserLayout(size: size) }

  /// The row with the cursor; nil only where there is none.
  var selectedRow: Outline.Row? { outline.rows.indices.contains(cursor) ? outline.rows[cursor] : nil }

  /// Whether the value of a row is a secret that nobody asked to see.
  func isHidden(_ row: Outline.Row) -> Bool {
    guard case .value(let child) = outline.item(row), Secrets.holds(child) else { return false }
    return !revealed.contains(outline.path(row))
  }

  /// Takes the container as it was read again. What is open stays open, and the cursor with its value, by path.
  package mutating func take(_ container: Container) {
    let container = options.redaction?.container(container) ?? container
    let (open, closed) = (outline.openPaths, outline.closedFolders)
    let old = selectedRow.map { outline.path($0) }
    bundleID = container.bundleID
    name = container.name
    dataFolder = container.dataFolder
    outline = Outline(container, order: outline.order, bundleID: bundleID)
    index = nil
    stack.revision += 1
    if let text = filter?.text {
      filter = StoreFilter(text: text, before: outline)
      filter(by: text)
    }
    outline.close(folders: closed)
    for path in open {
      if let (position, isWhole) = outline.reveal(path), isWhole { outline.open(at: position) }
    }
    let found = old.flatMap { outline.reveal($0) }
    cursor = found?.position ?? max(0, min(cursor, outline.rows.count - 1))
    if found?.isWhole != true { show(stack.screens.filter { $0 != .storesDetails }) }
    if let query = search?.query {
      find(query)
      selectMatch(search?.row ?? 0)
    }
    revealCursor()
    refresh()
  }

  /// Goes to a key of a store, or as near as there is, and opens what hides it.
  package mutating func show(store: String, key: String) {
    show(InspectedPath(store: store, labels: [.name(key)]))
  }

  private mutating func show(_ path: InspectedPath) {
    if filter != nil, outline.reveal(path)?.isWhole != true { _ = endFilter() }
    guard let (position, _) = outline.reveal(path) else { return }
    show([.stores])
    cursor = position
    revealCursor()
    refresh()
  }

  /// Puts the cursor on a row and shows it.
  mutating func select(row: Int) {
    cursor = row
    revealCursor()
  }

  /// Scrolls the outline as little as is needed for the cursor to be in it.
  mutating func revealCursor() {
    topRow = ListWindow.top(topRow, showing: cursor, of: outline.rows.count, visible: layout.rows.count)
  }
}

/// Where the parts of the outline's screen are.
struct BrowserLayout: Hashable {
  /// The rows of the screen that hold rows of the outline.
  let rows: Range<Int>
  /// The columns of the outline between its frames.
  let outline: Range<Int>
  /// The columns of the details beside it; empty where there is no room.
  let details: Range<Int>

  init(size: Size) {
    rows = 2..<max(2, size.rows - 2)
    let last = max(2, size.columns - 1)
    let middle = size.columns * 62 / 100
    if size.columns >= 100 {
      outline = 1..<middle
      details = (middle + 2)..<max(middle + 2, last - 1)
    } else {
      outline = 1..<last
      details = 0..<0
    }
  }

  var isWide: Bool { !details.isEmpty }

  /// The column of the mark that says whether a row is open, by its depth.
  func markColumn(depth: Int) -> Int {
    // Deep rows stay in sight: the indent never takes more than a third.
    outline.lowerBound + 1 + min(2 * depth, outline.count / 3)
  }
}
