package import Carryover
package import CarryoverSystem
package import CarryoverTerminal
import PropertyLists

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

/// What goes to the clipboard. A secret that is hidden does not, nor does anything with one in it.
extension BrowserState {
  /// Why the selected value cannot be copied; nil when that can be tried.
  var copyObstacle: String? {
    guard let row = selectedRow else { return "The container has no stores." }
    guard case .value = outline.item(row) else {
      return "This is not a value; open it, or copy its path with \(key("copy-path", .stores))."
    }
    return isHidden(row)
      ? "This is a secret; \(key("secret", .stores)) shows it, and then it can be copied." : nil
  }

  mutating func copyValue() -> [BrowserEffect] {
    guard let row = selectedRow, case .value(let child) = outline.item(row) else { return [.bell] }
    let value = child.value
    if value.isContainer {
      switch Self.contents(of: value) {
      case .tooMany:
        message = "This is too much for the clipboard; open it and copy single values."
        return [.bell]
      case .secret(let name):
        message = "It contains the secret \(DisplayText.visible(name, limit: 40)); open it and copy single values."
        return [.bell]
      case .plain: break
      }
    }
    if let bytes = value.data?.count, bytes > Clipboard.limit / 2 {
      message = "The value is too long for the clipboard: \(sizeText(bytes)) of data."
      return [.bell]
    }
    guard let text = Self.text(of: value) else {
      message = "There is no text here to copy."
      return [.bell]
    }
    return copy(text, "The value")
  }

  mutating func copyPath() -> [BrowserEffect] {
    guard let row = selectedRow else { return [.bell] }
    return copy(outline.path(row).text, "The path")
  }

  private mutating func copy(_ text: String, _ what: String) -> [BrowserEffect] {
    let size = text.utf8.count
    guard size <= Clipboard.limit else {
      message = "\(what) is too long for the clipboard: \(sizeText(size)), and \(sizeText(Clipboard.limit)) at most."
      return [.bell]
    }
    message = "\(what) was sent to the clipboard."
    return [.copy(text)]
  }

  private enum Contents {
    case plain
    case secret(String)
    case tooMany
  }

  /// Whether a container may be copied as a whole.
  private static func contents(of value: InspectedValue) -> Contents {
    var pending = [value]
    var seen = 0
    while let next = pending.popLast() {
      seen += next.count
      guard seen <= most else { return .tooMany }
      for child in next.children {
        if Secrets.holds(child) { return .secret(InspectedPath(store: "", labels: [child.label]).labelText) }
        let value = child.value
        if value.isContainer { pending.append(value) }
      }
    }
    return .plain
  }

  /// Far more values than the clipboard has room for.
  private static let most = 20_000

  /// A value as text: a packed one as it was stored, any other container in the notation of its kind.
  private static func text(of value: InspectedValue) -> String? {
    if case .string(let stored) = value.stored { return stored }
    if let text = InspectedText.whole(value) { return text }
    if let bytes = value.data { return bytes.map { PropertyListValue.hex($0) }.joined() }
    guard value.isContainer else { return nil }
    switch value.content {
    case .json(let json): return json.text(pretty: true, visible: true)
    case .propertyList(let list):
      guard let bytes = try? PropertyListDocument.encode(list, as: .xml) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    case .keyed(let keyed): return keyed.shownJSON.text(pretty: true, visible: true)
    }
  }
}

/// Rows that are opened, closed and gone through.
extension BrowserState {
  /// Opens the row; goes into one that is open.
  mutating func openOrEnter() -> [BrowserEffect] {
    guard let row = selectedRow else { return [] }
    if outline.isOpen(row) { return goToNeighbour(1) }
    outline.open(at: cursor)
    revealOpened()
    return []
  }

  /// Closes the row; goes from one that is closed to what it is in.
  mutating func closeOrLeave() -> [BrowserEffect] {
    if outline.close(at: cursor) == nil {
      guard let parent = outline.parentPosition(of: cursor) else {
        message = "This is not open, and nothing is around it."
        return []
      }
      cursor = parent
    }
    revealCursor()
    return []
  }

  /// Goes so many rows down, or up.
  mutating func goToNeighbour(_ step: Int) -> [BrowserEffect] {
    if !outline.rows.isEmpty { select(row: max(0, min(cursor + step, outline.rows.count - 1))) }
    return []
  }

  /// Opens the row or closes it; of what cannot be opened, shows the details.
  mutating func toggle() -> [BrowserEffect] {
    guard let row = selectedRow else { return [.bell] }
    if outline.isOpen(row) {
      outline.close(at: cursor)
      revealCursor()
    } else if openObstacle == nil {
      return openOrEnter()
    } else {
      open(.storesDetails)
    }
    return []
  }

  /// Scrolls up so that what was opened is in sight, as far as there is room for it, with the cursor.
  private mutating func revealOpened() {
    guard let row = selectedRow, let count = outline.openCount(row) else { return }
    let visible = layout.rows.count
    let last = cursor + min(count, max(0, visible - 1))
    topRow = min(cursor, max(topRow, last - visible + 1))
    revealCursor()
  }

  /// Shows a secret, or hides it again.
  mutating func revealSecret() -> [BrowserEffect] {
    guard let row = selectedRow else { return [] }
    let path = outline.path(row)
    if revealed.remove(path) == nil {
      revealed.insert(path)
    } else {
      outline.close(at: cursor)
    }
    stack.revision += 1
    return []
  }

  /// Why the selected row cannot be opened; nil when it can.
  var openObstacle: String? {
    guard let row = selectedRow else { return "The container has no stores." }
    if isHidden(row) { return hiddenReason }
    if case .root(.store(let store, nil)) = outline.item(row), case .unreadable(let reason) = store.content {
      return reason
    }
    if case .folder = outline.item(row) { return nil }
    guard let value = outline.item(row)?.value(), value.isContainer else {
      return "This contains no other values; \(key("toggle", .stores)) shows all about it."
    }
    return value.count > 0 ? nil : "This is empty."
  }

  private var hiddenReason: String { "This is a secret; \(key("secret", .stores)) shows it." }
}
