import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// The stores as a tree of which some rows are open. Opening a row adds the rows inside, closing it removes them; a row
/// is two numbers, however large its value.
struct Outline: Sendable {
  enum Root: Sendable {
    /// Nil if the store cannot be read.
    case store(Store, InspectedValue?)
    case events(UnsentEvents)
    /// A file whose existence says something.
    case sign(StoreRemark)
    /// What the opening skipped or did not trust.
    case notice(String, Sign)
  }

  struct Folder: Sendable {
    /// Relative to the container's root; empty for no folder.
    var path: String
    var roots: [Root]
  }

  enum Item: Sendable {
    case folder(Folder)
    case root(Root)
    case value(InspectedChild)

    func value(_ limits: InspectionLimits = .default) -> InspectedValue? {
      switch self {
      case .root(.store(_, let value)): value
      case .folder, .root: nil
      case .value(let child): child.value(limits: limits)
      }
    }

    var isFolder: Bool { if case .folder = self { true } else { false } }
  }

  /// A child of an open node.
  struct Row: Hashable, Sendable {
    var node: Int
    var index: Int
  }

  private struct Node {
    /// The row of the node itself; nil for the outermost.
    var row: Row?
    var content: Content
    /// The number of listed children.
    var count: Int
    /// The branch of the filter; nil where all children are listed.
    var branch: OutlineFilter.Branch?
    /// The column in the outline where the longest name of a child ends; 0 if the children are not values.
    var namesEnd = 0

    enum Content {
      case items([Item])
      case value(ComparedValue)
    }
  }

  /// What differs from another container, by the paths of the stores; nil if none is compared.
  let differences: [StringByBytes: StoreDifference]?
  let roots: [Root]
  /// From the SDK that wrote the store, by path.
  let remarks: [StringByBytes: [StoreRemark]]
  let bundleID: String?
  private(set) var order: StoreOrder
  private(set) var filter: OutlineFilter?
  /// Folders, then notices.
  private(set) var tops: [Item] = []
  private(set) var rows: [Row] = []
  /// The column where the longest name that is listed ends, up to a limit.
  private(set) var namesEnd = 0
  private var nodes: [Int: Node] = [:]
  private var opened: [Row: Int] = [:]
  private var nextNode = 1

  private static let mostOpened = 1000
  /// The columns for names in the widest outline without details.
  private static let longestNamesEnd = 37

  /// - Parameters:
  ///   - comparison: with another container, whose removed stores are in this one.
  ///   - sentences: what to show in addition to the container's notices.
  init(
    _ container: Container, order: StoreOrder = .own, comparison: StoreComparison? = nil,
    remarks sentences: [String] = []
  ) {
    differences = comparison.map { comparison in
      Dictionary(firstOf: comparison.stores.filter(\.isListed).map { ($0.path, $0) })
    }
    let remarks = container.remarks
    let signs = remarks.filter { $0.subject == .sign }
    self.remarks = Dictionary(grouping: remarks) { StringByBytes($0.path) }
    let events = container.unsentEvents.filter { events in container.store(events.path)?.tables == nil }
    roots =
      container.stores.map { .store($0, InspectedValue($0)) } + events.map(Root.events)
      + signs.map(Root.sign) + container.notices.map { .notice($0, .warning) }
      + ([container.unread?.sentence].compactMap(\.self) + sentences).map { .notice($0, .note) }
    self.order = order
    bundleID = container.bundleID
    arrange()
  }

  /// In another order, with all folders open.
  func sorted(by order: StoreOrder) -> Outline {
    var sorted = self
    (sorted.order, sorted.filter) = (order, nil)
    sorted.arrange()
    return sorted
  }

  func narrowed(to filter: OutlineFilter) -> Outline {
    var narrowed = self
    narrowed.filter = filter
    narrowed.openFolders()
    var position = 0
    while position < narrowed.rows.count, narrowed.rows.count < Self.mostOpened {
      if narrowed.branch(of: narrowed.rows[position]) != nil { narrowed.open(at: position) }
      position += 1
    }
    return narrowed
  }

  /// Groups the roots by folder; the folder of the first root comes first.
  private mutating func arrange() {
    var places: [StringByBytes: Int] = [:]
    var folders: [Folder] = []
    for root in order.sorted(roots, bundleID: bundleID).map({ roots[$0] }) where !root.isNotice {
      let path = StringByBytes(root.folder)
      let place = places[path] ?? folders.count
      if place == folders.count { folders.append(Folder(path: root.folder, roots: [])) }
      places[path] = place
      folders[place].roots.append(root)
    }
    tops = folders.map(Item.folder) + roots.filter(\.isNotice).map(Item.root)
    openFolders()
  }

  private mutating func openFolders() {
    let indices = filter.map { $0.indices(of: $0.root, depth: 0) } ?? Array(tops.indices)
    nodes = [0: Node(content: .items(tops), count: indices.count, branch: filter?.root)]
    (opened, nextNode, namesEnd) = ([:], 1, 0)
    rows = indices.map { Row(node: 0, index: $0) }
    for position in rows.indices.reversed() where item(rows[position])?.isFolder == true { open(at: position) }
  }

  func item(_ row: Row) -> Item? {
    switch nodes[row.node]?.content {
    case .items(let items): items.element(row.index)
    case .value(let value): value.child(at: row.index).map(Item.value)
    case nil: nil
    }
  }

  private func branch(of row: Row) -> OutlineFilter.Branch? {
    nodes[row.node]?.branch.flatMap { filter?.branch(of: row.index, in: $0, depth: depth(row)) }
  }

  func depth(_ row: Row) -> Int { lineage(row).count - 1 }
  func isOpen(_ row: Row) -> Bool { opened[row] != nil }

  func openValue(_ row: Row) -> InspectedValue? {
    if let node = opened[row], case .value(let value) = nodes[node]?.content { value.value } else { nil }
  }

  func openCount(_ row: Row) -> Int? { opened[row].flatMap { nodes[$0]?.count } }

  /// The rows around a row, outermost first, and the row itself.
  func lineage(_ row: Row) -> [Row] {
    var lineage = [row]
    while let last = lineage.last, let parent = nodes[last.node]?.row { lineage.append(parent) }
    return lineage.reversed()
  }

  func parentPosition(of position: Int) -> Int? {
    rows.element(position).flatMap { nodes[$0.node]?.row }.flatMap { rows[..<position].lastIndex(of: $0) }
  }

  mutating func open(at position: Int) {
    guard let row = rows.element(position), opened[row] == nil, let item = item(row) else { return }
    let content: Node.Content
    var count: Int
    if case .folder(let folder) = item {
      (content, count) = (.items(folder.roots.map(Item.root)), folder.roots.count)
    } else if let value = item.value() {
      let compared = ComparedValue(value, differencesInside(row))
      (content, count) = (.value(compared), compared.count)
    } else {
      return
    }
    guard count > 0 else { return }
    let branch = branch(of: row)
    let listed = branch.flatMap { filter?.indices(of: $0, depth: depth(row) + 1) }
    count = listed?.count ?? count
    let node = nextNode
    nextNode += 1
    let namesEnd = if case .value(let value) = content { Self.namesEnd(value, depth: depth(row) + 1) } else { 0 }
    self.namesEnd = max(self.namesEnd, namesEnd)
    nodes[node] = Node(row: row, content: content, count: count, branch: branch, namesEnd: namesEnd)
    opened[row] = node
    rows.insert(contentsOf: (0..<count).map { Row(node: node, index: listed?[$0] ?? $0) }, at: position + 1)
  }

  /// Looks only at the first names of a very large value.
  private static func namesEnd(_ value: ComparedValue, depth: Int) -> Int {
    let start = BrowserLayout.nameStart(depth: depth)
    var width = 0
    for index in 0..<min(value.count, 10_000) where start + width < longestNamesEnd {
      guard case .key(let key)? = value.child(at: index)?.label, key.text.utf8.count > width else { continue }
      width = max(width, DisplayWidth.columns(of: DisplayText.visible(key.text, limit: longestNamesEnd)))
    }
    return min(start + width, longestNamesEnd)
  }

  @discardableResult
  mutating func close(at position: Int) -> Bool {
    guard let row = rows.element(position), isOpen(row) else { return false }
    // Counts open nodes, which are few, instead of rows.
    let inside = opened.filter { lineage($0.key).contains(row) }
    let gone = inside.values.reduce(0) { $0 + (nodes[$1]?.count ?? 0) }
    for (row, inner) in inside {
      opened[row] = nil
      nodes[inner] = nil
    }
    namesEnd = nodes.values.reduce(0) { max($0, $1.namesEnd) }
    rows.removeSubrange((position + 1)..<min(rows.count, position + 1 + gone))
    return true
  }

  /// Opens what hides a place, given by the index of each child from the top.
  /// - Returns: The position of the place, or of the nearest row around it.
  mutating func reveal(_ place: [Int]) -> Int {
    var (node, found) = (0, 0)
    for (step, index) in place.enumerated() {
      let row = Row(node: node, index: index)
      guard item(row) != nil, let position = rows.firstIndex(of: row) else { break }
      found = position
      if step + 1 < place.count { open(at: position) }
      guard let inner = opened[row] else { break }
      node = inner
    }
    return found
  }

  /// The index of each child from the top.
  func place(_ row: Row) -> [Int] { lineage(row).map(\.index) }
}

extension Outline.Root {
  /// Identifies it when the container is read again.
  var name: String {
    switch self {
    case .store(let store, _): store.path
    case .events(let events): events.path
    case .sign(let sign): sign.path
    case .notice(let sentence, _): sentence
    }
  }
}

// MARK: - What differs

extension Outline {
  /// Nil for a value that is in both containers.
  func difference(_ row: Row) -> ValueDifference? {
    if case .value(let value) = nodes[row.node]?.content { value.difference(at: row.index) } else { nil }
  }

  /// How a row differs, or what it is in was added or removed; nil if it does not differ.
  func change(_ row: Row) -> ValueDifference.Change? {
    for (step, around) in lineage(row).reversed().enumerated() {
      if case .root(let root) = item(around) {
        let change = differences?[root.name]?.change
        return step == 0 || change == .added || change == .removed ? change : nil
      }
      guard let difference = difference(around) else { continue }
      if step == 0 || difference.change == .added || difference.change == .removed { return difference.change }
    }
    return nil
  }

  private func differencesInside(_ row: Row) -> [ValueDifference] {
    guard differences != nil else { return [] }
    if case .root(let root) = item(row) { return differences?[root.name]?.keys ?? [] }
    return difference(row)?.inner ?? []
  }

  func compared(_ root: Root) -> ComparedValue? {
    root.value.map { ComparedValue($0, differences?[root.name]?.keys ?? []) }
  }

  /// The places of all that differs, in the outline's order: a secret is one place, whatever differs in it.
  func placesOfDifferences() -> [[Int]] {
    var places: [[Int]] = []
    func add(_ differences: [ValueDifference], in place: [Int]) {
      for (index, difference) in zip(ComparedValue.places(differences), differences) {
        if difference.inner.isEmpty || difference.isSecret {
          places.append(place + [index])
        } else {
          add(difference.inner, in: place + [index])
        }
      }
    }
    for (place, root) in rootPlaces {
      guard let store = differences?[root.name], filter?.lists(place) ?? true else { continue }
      if store.keys.isEmpty { places.append(place) } else { add(store.keys, in: place) }
    }
    return filter.map { filter in places.filter(filter.lists) } ?? places
  }
}

extension Outline {
  /// What of a database a row of the outline is.
  enum TablePart {
    case table(DatabaseTable)
    case row
  }

  func tablePart(_ row: Row) -> TablePart? {
    let items = lineage(row).suffix(4).compactMap { item($0) }
    guard let start = items.lastIndex(where: { if case .root = $0 { true } else { false } }),
      case .root(.store(let store, _)) = items[start], let tables = store.tables, start + 1 < items.count,
      case .value(let child) = items[start + 1]
    else { return nil }
    switch items.count - start {
    case 2: return child.label.name.flatMap(tables.table).map(TablePart.table)
    case 3: return .row
    default: return nil
    }
  }

  func path(_ row: Row) -> InspectedPath {
    var path = InspectedPath(store: "")
    for row in lineage(row) {
      switch item(row) {
      case .folder(let folder): path.store = folder.path
      case .root(let root): path.store = root.name
      case .value(let child): path.labels.append(child.label)
      case nil: break
      }
    }
    return path
  }

  /// Without folders; each after the row around it.
  var openPaths: [InspectedPath] { rows.filter { isOpen($0) && !isFolder($0) }.map(path) }

  var closedFolders: Set<StringByBytes> {
    Set(bytesOf: rows.filter { isFolder($0) && !isOpen($0) }.map { path($0).store })
  }

  private func isFolder(_ row: Row) -> Bool { item(row)?.isFolder == true }

  mutating func close(folders: Set<StringByBytes>) {
    for position in rows.indices.reversed()
    where isFolder(rows[position]) && folders.contains(path(rows[position]).store) {
      close(at: position)
    }
  }

  /// Each root with its place: the indices of its folder and of the root in it.
  var rootPlaces: [(place: [Int], root: Root)] {
    tops.enumerated().flatMap { index, top -> [(place: [Int], root: Root)] in
      switch top {
      case .folder(let folder): folder.roots.enumerated().map { ([index, $0], $1) }
      case .root(let root): [([index], root)]
      case .value: []
      }
    }
  }

  /// Goes to a path and opens what hides it.
  /// - Returns: Its position, or that of the nearest row around it, and whether that is the whole path; nil if even the
  ///   store is missing.
  mutating func reveal(_ path: InspectedPath) -> (position: Int, isWhole: Bool)? {
    guard let place = rootPlaces.first(where: { $0.root.name.hasSameBytes(as: path.store) })?.place else {
      let folder = rows.firstIndex { isFolder($0) && self.path($0).store.hasSameBytes(as: path.store) }
      return folder.map { ($0, path.labels.isEmpty) }
    }
    guard filter?.lists(place) ?? true else { return nil }
    var position = reveal(place)
    for label in path.labels {
      open(at: position)
      guard let row = rows.element(position), let node = opened[row], case .value(let value) = nodes[node]?.content,
        let index = Self.index(of: label, in: value), let next = rows.firstIndex(of: Row(node: node, index: index))
      else { return (position, false) }
      position = next
    }
    return (position, true)
  }

  private static func index(of label: InspectedChild.Label, in value: ComparedValue) -> Int? {
    if case .index(let index) = label, value.child(at: index)?.label == label { return index }
    return (0..<value.count).first { value.child(at: $0)?.label == label }
  }
}
