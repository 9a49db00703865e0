package import Carryover
import CarryoverPages
package import CarryoverSystem
package import CarryoverTerminal

package struct BrowserState: Sendable {
  package var stack: ScreenStack
  package var effects: [BrowserEffect] = []

  /// The offset of local time from UTC at a moment, in seconds.
  let zone: @Sendable (Moment) -> Int
  /// Whether it is a screen of the review, which leaving it shows again.
  let isEmbedded: Bool
  /// The container as shown: masked, if masking is on.
  private(set) var container: Container

  /// Nil where the stores are read-only.
  let changing: StoreChanging?
  var draft: ChangeDraft {
    didSet { revision += 1 }
  }
  var editing: EditedValue?
  var runs = StoreRuns() {
    didSet { revision += 1 }
  }

  var outline: Outline {
    didSet { revision += 1 }
  }
  var cursor = 0 {
    didSet { if cursor != oldValue { stack.pageTop = 0 } }
  }
  var topRow = 0
  var search: Search?
  var filter: StoreFilter?
  var index: SearchIndex?
  /// The secrets that the user chose to see.
  var revealed: Set<InspectedPath> = [] {
    didSet { revision += 1 }
  }
  /// The values that the app changed while the container is watched, and the values around them. Emptied if there are
  /// too many.
  var changed: Set<InspectedPath> = [] {
    didSet {
      revision += 1
      if changed.count > Self.mostChanged { (changed, replaced) = ([], [:]) }
    }
  }
  /// The values that the changed ones had before the last change; nil for added ones.
  private(set) var replaced: [InspectedPath: InspectedChild?] = [:]
  /// What the user's last run wrote, until the watch reports it.
  var written: OwnWrites?
  /// Whether something waits for changes of the container.
  package var isWatched = false
  static let mostChanged = 10_000
  package private(set) var revision = 0
  /// What is compared, as the user named it; empty if nothing is.
  let comparedNames: [String]
  /// The places of all that differs, in the outline's order.
  var differencePlaces: [[Int]] = []

  /// - Parameters:
  ///   - zone: The offset of local time from UTC at a moment, in seconds; by default the options' offset.
  ///   - path: Where the cursor is at first, or the nearest place.
  package init(
    _ container: Container, size: Size, options: ReviewOptions = ReviewOptions(),
    zone: (@Sendable (Moment) -> Int)? = nil, isEmbedded: Bool = false, changing: StoreChanging? = nil,
    at path: InspectedPath? = nil
  ) {
    self.init(
      shown: options.redaction?.container(container) ?? container, size: size, options: options, zone: zone,
      isEmbedded: isEmbedded, changing: changing, draft: ChangeDraft(container))
    if let path { show(path) }
    refresh()
  }

  /// - Parameter container: As it is shown, masked where masks are on.
  init(
    shown container: Container, size: Size, options: ReviewOptions, zone: (@Sendable (Moment) -> Int)?,
    isEmbedded: Bool = false, changing: StoreChanging? = nil, draft: ChangeDraft? = nil,
    comparing compared: ComparedContainers? = nil
  ) {
    stack = ScreenStack(.stores, size: size, options: options)
    self.zone = zone ?? { _ in options.zoneOffset }
    self.isEmbedded = isEmbedded
    self.changing = changing
    self.draft = draft ?? ChangeDraft(container)
    self.container = container
    comparedNames = compared?.names ?? []
    outline = Outline(container, comparison: compared?.comparison, remarks: compared?.remarks ?? [])
    differencePlaces = outline.placesOfDifferences()
    cursor = outline.firstStore
    if outline.roots.count == 1 { outline.open(at: cursor) }
  }

  var layout: BrowserLayout {
    BrowserLayout(size: size, namesEnd: outline.namesEnd, isComparing: isComparing)
  }
  var selectedRow: Outline.Row? { outline.rows.indices.contains(cursor) ? outline.rows[cursor] : nil }

  func isHidden(_ row: Outline.Row) -> Bool {
    guard case .value(let child) = outline.item(row) else { return false }
    return isSecret(child, row) && !revealed.contains(outline.path(row))
  }

  /// Why a row is marked as changed: itself, or something inside.
  enum Marking {
    /// By the user, and not written yet.
    case drafted
    /// By the app, while the container was watched.
    case byApp
    case addedByApp

    var words: String {
      switch self {
      case .drafted: "changed, and not written yet"
      case .byApp: "changed by the app"
      case .addedByApp: "added by the app"
      }
    }
  }

  func marking(of row: Outline.Row) -> Marking? {
    guard !draft.changes.isEmpty || !changed.isEmpty else { return nil }
    let path = outline.path(row)
    if !draft.changes.isEmpty, draft.marked.contains(path) { return .drafted }
    guard changed.contains(path) else { return nil }
    if case .some(nil) = replaced[path] { return .addedByApp }
    return .byApp
  }

  /// What the preview shows, and a run writes; nil without changes.
  package var changePlan: ChangePlan? { draft.plan }

  /// Shows the container after it was read again. Open rows, the cursor and unwritten changes stay, by path. Closes a
  /// preview that no longer shows what a run would write.
  package mutating func reload(_ container: Container) {
    if let sentences = renew(container) { message = sentences }
  }

  /// - Returns: what happened to the unwritten changes; nil for nothing.
  private mutating func renew(_ container: Container) -> String? {
    guard !isComparing else { return nil }
    let old = draft
    draft = draft.renewed(container)
    arrange(draft.changed)
    var sentences: [String] = []
    if stack.screens.contains(.storesPreview), draft.plan?.changes != old.plan?.changes {
      stack.typing = nil
      show([.stores])
      sentences.append("The app changed a value. \(key("preview", .stores)) previews the changes again.")
    }
    let dropped = old.changes.count - draft.changes.count
    if dropped > 0 { sentences.append("\(counted(dropped, "change")) can no longer be made.") }
    refresh()
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  mutating func arrange(_ container: Container) {
    self.container = options.redaction?.container(container) ?? container
    let (open, closed) = (outline.openPaths, outline.closedFolders)
    let old = selectedRow.map { outline.path($0) }
    outline = Outline(self.container, order: outline.order)
    index = nil
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
    if let search {
      find(search.wanted)
      selectMatch(search.matches.row)
    }
    revealCursor()
    refresh()
  }

  /// Shows a watched container after it was read again. Marks the changes of the app; the cursor does not move.
  /// - Parameter paths: what was added or changed; for a removed value, the value that contained it.
  package mutating func reload(_ container: Container, marking paths: [InspectedPath], at moment: Moment) {
    let old = selectedRow.map { outline.path($0) }
    let paths = written?.foreign(paths, in: container) ?? paths
    let before = draft.container
    let sentences = renew(container)
    message = sentences ?? message
    for path in paths {
      // Of masked values, only the places are shown.
      if options.redaction == nil, !path.labels.isEmpty { replaced[path] = .some(before.value(at: path)) }
      let shown = self.shown(path)
      for count in 0...shown.labels.count {
        changed.insert(InspectedPath(store: shown.store, labels: Array(shown.labels.prefix(count))))
      }
    }
    guard let last = paths.last, old != nil else { return }
    let time = MomentText.seconds(moment, offset: zone(moment)).split(separator: " ").last.map(String.init) ?? ""
    let place = options.quoted(FilePath.name(of: shown(last).store))
    message =
      sentences ?? "\(counted(paths.count, "change")) at \(time), \(paths.count > 1 ? "the last " : "")in \(place)."
  }

  /// As the outline has it.
  private func shown(_ path: InspectedPath) -> InspectedPath {
    guard let redaction = options.redaction else { return path }
    let labels = path.labels.map { label in label.name.map { .name(redaction.text($0)) } ?? label }
    return InspectedPath(store: redaction.text(path.store), labels: labels)
  }

  /// Moves the cursor to a key of a store, or to the nearest row, and opens what hides it.
  package mutating func show(store: String, key: String) {
    show(InspectedPath(store: store, labels: [.name(key)]))
  }

  mutating func show(_ path: InspectedPath) {
    if filter != nil, outline.reveal(path)?.isWhole != true { endFilter() }
    guard let (position, _) = outline.reveal(path) else { return }
    show([.stores])
    cursor = position
    revealCursor()
    refresh()
  }

  mutating func select(row: Int) {
    cursor = row
    revealCursor()
  }

  mutating func revealCursor() {
    topRow = ListWindow.top(topRow, showing: cursor, of: outline.rows.count, visible: layout.rows.count)
  }
}

/// What a run of the user wrote. A watch reports it like the changes of the app.
struct OwnWrites: Sendable {
  private var paths: [InspectedPath]
  /// As it was read after the run.
  private let container: Container

  init(_ paths: [InspectedPath], _ container: Container) { (self.paths, self.container) = (paths, container) }

  /// The reported paths whose values are not those that the run wrote. Each is reported once.
  mutating func foreign(_ reported: [InspectedPath], in container: Container) -> [InspectedPath] {
    let foreign = reported.filter { path in
      guard paths.contains(where: { $0.isInOrAround(path) }) else { return true }
      return container.content(at: path) != self.container.content(at: path)
    }
    paths.removeAll { own in reported.contains { $0.isInOrAround(own) } }
    return foreign
  }
}

extension Container {
  fileprivate func value(at path: InspectedPath) -> InspectedChild? {
    store(path.store).flatMap { InspectedValue($0) }?.value(at: path.labels)
  }

  fileprivate func content(at path: InspectedPath) -> InspectedValue.Content? {
    guard path.labels.isEmpty else { return value(at: path)?.raw }
    return store(path.store).flatMap { InspectedValue($0) }?.raw
  }
}

struct BrowserLayout: Hashable {
  let rows: Range<Int>
  let outline: Range<Int>
  let details: Range<Int>
  /// The column in the outline where types begin. Names at a great depth move it.
  let typeColumn: Int

  /// The column of the marks of what differs, in front of the tree; nil if nothing is compared.
  let changeColumn: Int?

  /// - Parameters:
  ///   - namesEnd: The column where the longest name ends.
  ///   - isComparing: Whether rows show two values side by side, which leave no room for details.
  init(size: Size, namesEnd: Int, isComparing: Bool = false) {
    rows = 2..<max(2, size.rows - 2)
    let last = max(2, size.columns - 1)
    changeColumn = isComparing ? 2 : nil
    guard !isComparing else {
      outline = 1..<last
      details = 0..<0
      typeColumn = min(outline.count * 2 / 5, max(16, namesEnd + 3))
      return
    }
    let middle = size.columns * 62 / 100
    let types = max((middle - 1) * 2 / 5, namesEnd + 1)
    // Details never shorten names, and leave some room for values.
    if size.columns >= 100, types + Self.typeWidth + Self.leastValues < middle {
      outline = 1..<middle
      details = (middle + 2)..<max(middle + 2, last - 1)
      typeColumn = types
    } else {
      outline = 1..<last
      details = 0..<0
      typeColumn = outline.count * 2 / 5
    }
  }

  static let typeWidth = 8
  private static let leastValues = 24

  var isWide: Bool { !details.isEmpty }

  func markColumn(depth: Int) -> Int {
    outline.lowerBound + (changeColumn == nil ? 1 : 3) + min(2 * depth, outline.count / 3)
  }

  /// In the outline: behind the pointer, the indentation and the mark.
  static func nameStart(depth: Int) -> Int { 3 + 2 * depth }
}

/// The clipboard never gets a hidden secret, nor a container with a secret in it.
extension BrowserState {
  var copyObstacle: String? {
    guard let row = selectedRow else { return Self.noStores }
    guard case .value = outline.item(row) else {
      return "This is not a value; open it, or copy its path with \(key("copy-path", .stores))."
    }
    return isHidden(row)
      ? "This is a secret; show it with \(key("secret", .stores)) to copy it." : nil
  }

  mutating func copyValue() {
    guard let row = selectedRow, case .value(let child) = outline.item(row) else { return emit(.bell) }
    let value = child.value
    if value.isContainer, let obstacle = Self.obstacle(in: value) { return refuse(obstacle) }
    if let bytes = value.data?.count, bytes > Clipboard.limit / 2 {
      return refuse("The value is too long for the clipboard: \(ByteCount.text(bytes)) of data.")
    }
    guard let text = Self.text(of: value) else { return refuse("There is no text here to copy.") }
    copy(text, "The value")
  }

  mutating func copyPath() {
    guard let row = selectedRow else { return emit(.bell) }
    copy(outline.path(row).text, "The path")
  }

  private mutating func copy(_ text: String, _ what: String) {
    let size = text.utf8.count
    guard size <= Clipboard.limit else {
      return refuse(
        "\(what) is too long for the clipboard: \(ByteCount.text(size)), and the limit is \(ByteCount.text(Clipboard.limit))."
      )
    }
    message = "\(what) was sent to the clipboard."
    emit(.copy(text))
  }

  private static func obstacle(in value: InspectedValue) -> String? {
    var (pending, seen) = ([value], 0)
    while let next = pending.popLast() {
      seen += next.count
      guard seen <= most else { return "This is too much for the clipboard; open it and copy single values." }
      for child in next.children {
        if Secrets.holds(child) {
          let name = DisplayText.visible(InspectedPath(store: "", labels: [child.label]).labelText, limit: 40)
          return "It contains the secret \(name); open it and copy single values."
        }
        let value = child.value
        if value.isContainer { pending.append(value) }
      }
    }
    return nil
  }

  private static let most = 20_000

  /// A packed value as it was stored, any other container in the notation of its kind.
  private static func text(of value: InspectedValue) -> String? {
    if case .string(let stored) = value.stored { return stored }
    if let text = InspectedText.whole(value) { return text }
    if let bytes = value.data { return bytes.hexadecimal }
    guard value.isContainer else { return nil }
    switch value.content {
    case .json(let json): return json.text(pretty: true, visible: true)
    case .propertyList(let list):
      guard let bytes = try? PropertyListDocument.encode(list, as: .xml) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    case .keyed(let keyed): return keyed.shownJSON.text(pretty: true, visible: true)
    }
  }

  mutating func openOrEnter() {
    guard let row = selectedRow else { return }
    if outline.isOpen(row) { return goToNeighbour(1) }
    outline.open(at: cursor)
    revealOpened()
  }

  mutating func closeOrLeave() {
    if !outline.close(at: cursor) {
      guard let parent = outline.parentPosition(of: cursor) else {
        return message = "This row is not open, and no row contains it."
      }
      cursor = parent
    }
    revealCursor()
  }

  mutating func goToNeighbour(_ step: Int) {
    if !outline.rows.isEmpty { select(row: max(0, min(cursor + step, outline.rows.count - 1))) }
  }

  mutating func toggle() {
    guard let row = selectedRow else { return }
    if outline.isOpen(row) {
      outline.close(at: cursor)
      revealCursor()
    } else if openObstacle == nil {
      openOrEnter()
    } else {
      open(.storesDetails)
    }
  }

  private mutating func revealOpened() {
    guard let row = selectedRow, let count = outline.openCount(row) else { return }
    let visible = layout.rows.count
    let last = cursor + min(count, max(0, visible - 1))
    topRow = min(cursor, max(topRow, last - visible + 1))
    revealCursor()
  }

  mutating func revealSecret() {
    guard let row = selectedRow else { return }
    let path = outline.path(row)
    if revealed.remove(path) == nil {
      revealed.insert(path)
    } else {
      outline.close(at: cursor)
    }
  }

  var openObstacle: String? {
    guard let row = selectedRow else { return Self.noStores }
    if isHidden(row) { return "This is a secret; \(key("secret", .stores)) shows it." }
    if case .root(.store(let store, nil)) = outline.item(row), case .unreadable(let reason) = store.content {
      return reason
    }
    if case .folder = outline.item(row) { return nil }
    guard let value = outline.item(row)?.value(), value.isContainer else {
      return "There is nothing to open here; \(key("toggle", .stores)) shows the details."
    }
    return value.count > 0 ? nil : "This is empty."
  }
}
