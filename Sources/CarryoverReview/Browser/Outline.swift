import Carryover
import CarryoverVendors
import PropertyLists

/// The stores as a tree of which some rows are open. Opening a row adds the rows inside, closing it removes them; a row
/// is two numbers, however large its value.
struct Outline: Sendable {
  enum Root: Sendable {
    /// Nil if the store cannot be read.
    case store(Store, InspectedValue?)
    case events(UnsentEvents)
    /// A file whose existence says something.
    case sign(StoreRemark)
    /// Something left out or not trusted when the container was opened.
    case notice(String, Sign)
  }

  struct Folder: Sendable {
    /// Relative to the container's root; empty for no folder.
    var path: String
    /// Indices of its roots, in order.
    var roots: [Int]
  }

  private enum Top: Sendable {
    case folder(Folder)
    case root(Int)
  }

  enum Item {
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
  }

  /// A child of an open node.
  struct Row: Hashable, Sendable {
    var node: Int
    var index: Int
  }

  private struct Node {
    /// The row of the node itself; nil for the outermost.
    var row: Row?
    var depth: Int
    var content: Content
    /// The number of listed children.
    var count: Int
    /// The branch of the filter; nil where all children are listed.
    var branch: Int?

    enum Content {
      case top
      case folder(Folder)
      case value(InspectedValue)
    }
  }

  let roots: [Root]
  let order: StoreOrder
  let filter: OutlineFilter?
  private var tops: [Top]
  /// From the SDK that wrote the store, by path.
  let remarks: [StringByBytes: [StoreRemark]]
  private(set) var rows: [Row]
  private var nodes: [Int: Node]
  private(set) var opened: [Row: Int] = [:]
  private var nextNode = 1
  /// How many rows were ever made: what was looked into.
  private(set) var rowsMade: Int

  /// The most rows that a filter opens.
  private static let mostOpened = 1000

  init(_ container: Container, order: StoreOrder = .own, bundleID: String? = nil) {
    let remarks = container.remarks
    let signs = remarks.filter { $0.subject == .sign }
    self.remarks = Dictionary(grouping: remarks) { StringByBytes($0.path) }
    roots =
      container.stores.map { .store($0, InspectedValue($0)) } + container.unsentEvents.map(Root.events)
      + signs.map(Root.sign) + container.notices.map { .notice($0, .warning) }
      + [container.unread?.sentence].compactMap { sentence in sentence.map { .notice($0, .note) } }
    (self.order, filter, tops, nodes, rows, rowsMade) = (order, nil, [], [:], [], 0)
    arrange(order.sorted(roots, bundleID: bundleID))
    openFolders()
  }

  /// The same roots in another order, or narrowed by a filter, with all folders open.
  init(_ other: Outline, order: StoreOrder? = nil, bundleID: String? = nil, filter: OutlineFilter? = nil) {
    (roots, remarks, self.order, self.filter) = (other.roots, other.remarks, order ?? other.order, filter)
    (tops, nodes, rows, rowsMade) = (other.tops, [:], [], 0)
    if let order { arrange(order.sorted(roots, bundleID: bundleID)) }
    openFolders()
    guard filter != nil else { return }
    // Shows what the filter leaves of a store, as long as that is not too much.
    var position = 0
    while position < rows.count, rows.count < Self.mostOpened {
      if let node = nodes[rows[position].node], branch(of: rows[position], in: node) != nil { open(at: position) }
      position += 1
    }
  }

  /// Groups the roots by folder; the folder of the first root comes first.
  private mutating func arrange(_ order: [Int]) {
    var places: [StringByBytes: Int] = [:]
    tops = []
    for root in order where !roots[root].isNotice {
      let path = roots[root].folder
      if let place = places[path], case .folder(var folder) = tops[place] {
        folder.roots.append(root)
        tops[place] = .folder(folder)
      } else {
        places[path] = tops.count
        tops.append(.folder(Folder(path: path, roots: [root])))
      }
    }
    tops += roots.indices.filter { roots[$0].isNotice }.map(Top.root)
  }

  private mutating func openFolders() {
    let indices = filter.map { $0.branches[0].indices } ?? Array(tops.indices)
    nodes = [0: Node(row: nil, depth: 0, content: .top, count: indices.count, branch: filter.map { _ in 0 })]
    rows = indices.map { Row(node: 0, index: $0) }
    rowsMade = rows.count
    for row in rows.reversed() {
      if case .folder = item(row), let position = position(row) { open(at: position) }
    }
  }

  func item(_ row: Row) -> Item? {
    switch nodes[row.node]?.content {
    case .top:
      switch tops.element(row.index) {
      case .folder(let folder): return .folder(folder)
      case .root(let root): return .root(roots[root])
      case nil: return nil
      }
    case .folder(let folder): return folder.roots.element(row.index).map { .root(roots[$0]) }
    case .value(let value): return value.child(at: row.index).map(Item.value)
    case nil: return nil
    }
  }

  /// Nil for what cannot be opened.
  private static func content(_ item: Item?) -> (Node.Content, count: Int)? {
    switch item {
    case .folder(let folder): (.folder(folder), folder.roots.count)
    case .root, .value: item?.value().map { (.value($0), $0.count) }
    case nil: nil
    }
  }

  private func branch(of row: Row, in node: Node) -> Int? {
    node.branch.flatMap { filter?.branch(of: row.index, in: $0) }
  }

  var topItems: [Item] { tops.indices.compactMap { item(Row(node: 0, index: $0)) } }

  func depth(_ row: Row) -> Int { nodes[row.node]?.depth ?? 0 }

  func isOpen(_ row: Row) -> Bool { opened[row] != nil }

  /// The value of an open row, unpacked when it was opened.
  func openValue(_ row: Row) -> InspectedValue? {
    if let node = opened[row], case .value(let value) = nodes[node]?.content { value } else { nil }
  }

  func openCount(_ row: Row) -> Int? { opened[row].flatMap { nodes[$0]?.count } }

  func parent(_ row: Row) -> Row? { nodes[row.node]?.row }

  /// The rows around a row, outermost first, and the row itself.
  func lineage(_ row: Row) -> [Row] {
    var lineage = [row]
    while let last = lineage.last, let parent = parent(last) { lineage.append(parent) }
    return lineage.reversed()
  }

  func position(_ row: Row) -> Int? { rows.firstIndex(of: row) }

  func parentPosition(of position: Int) -> Int? {
    guard rows.indices.contains(position), let parent = parent(rows[position]) else { return nil }
    return rows[..<position].lastIndex(of: parent)
  }

  /// - Returns: How many rows were added; nil if it is open already or cannot be opened.
  @discardableResult
  mutating func open(at position: Int) -> Int? {
    guard rows.indices.contains(position) else { return nil }
    let row = rows[position]
    guard opened[row] == nil, let (content, all) = Self.content(item(row)), all > 0 else { return nil }
    let node = nextNode
    nextNode += 1
    let branch = nodes[row.node].flatMap { self.branch(of: row, in: $0) }
    let listed = branch.flatMap { filter?.branches[$0].indices }
    let count = listed?.count ?? all
    nodes[node] = Node(row: row, depth: depth(row) + 1, content: content, count: count, branch: branch)
    opened[row] = node
    rows.insert(contentsOf: (0..<count).map { Row(node: node, index: listed?[$0] ?? $0) }, at: position + 1)
    rowsMade += count
    return count
  }

  /// - Returns: How many rows were removed; nil if it is not open.
  @discardableResult
  mutating func close(at position: Int) -> Int? {
    guard rows.indices.contains(position), let node = opened[rows[position]] else { return nil }
    // Counts open nodes, which are few, instead of rows.
    let inside = opened.filter { isInside($0.value, node) }
    let gone = inside.values.reduce(0) { $0 + (nodes[$1]?.count ?? 0) }
    for (row, inner) in inside {
      opened[row] = nil
      nodes[inner] = nil
    }
    rows.removeSubrange((position + 1)..<min(rows.count, position + 1 + gone))
    return gone
  }

  private func isInside(_ node: Int, _ outer: Int) -> Bool {
    var node = node
    while node != outer {
      guard let row = nodes[node]?.row else { return false }
      node = row.node
    }
    return true
  }

  /// Opens what hides a place, given by the index of each child from the top.
  /// - Returns: The position of the place, or of the nearest row around it.
  mutating func reveal(_ place: [Int]) -> (position: Int, opened: [Row]) {
    var node = 0
    var newlyOpened: [Row] = []
    var found = 0
    for (step, index) in place.enumerated() {
      let row = Row(node: node, index: index)
      guard item(row) != nil, let position = position(row) else { break }
      found = position
      guard step + 1 < place.count else { break }
      if opened[row] == nil {
        guard open(at: position) != nil else { break }
        newlyOpened.append(row)
      }
      guard let inner = opened[row] else { break }
      node = inner
    }
    return (found, newlyOpened)
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

extension Outline {
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

  private func isFolder(_ row: Row) -> Bool { if case .folder = item(row) { true } else { false } }

  mutating func close(folders: Set<StringByBytes>) {
    for position in rows.indices.reversed()
    where isFolder(rows[position]) && folders.contains(path(rows[position]).store) {
      close(at: position)
    }
  }

  /// Each root with its place: the indices of its folder and of the root in it.
  var rootPlaces: [(place: [Int], root: Root)] {
    var places: [(place: [Int], root: Root)] = []
    for (index, top) in topItems.enumerated() {
      switch top {
      case .folder(let folder):
        for (number, root) in folder.roots.enumerated() { places.append(([index, number], roots[root])) }
      case .root(let root): places.append(([index], root))
      case .value: break
      }
    }
    return places
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
    var position = reveal(place).position
    var row = rows[position]
    for label in path.labels {
      open(at: position)
      guard let value = openValue(row), let node = opened[row], let index = Self.index(of: label, in: value) else {
        return (position, false)
      }
      row = Row(node: node, index: index)
      guard let next = self.position(row) else { return (position, false) }
      position = next
    }
    return (position, true)
  }

  private static func index(of label: InspectedChild.Label, in value: InspectedValue) -> Int? {
    if case .index(let index) = label, value.child(at: index)?.label == label { return index }
    return (0..<value.count).first { value.child(at: $0)?.label == label }
  }
}
