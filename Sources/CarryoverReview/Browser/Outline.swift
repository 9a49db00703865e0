import Carryover
import CarryoverVendors
import PropertyLists

/// The rows of the stores as a tree of which some nodes are open. Rows are made when a node is opened and go when it is
/// closed; a row is two numbers, however large the value it stands for.
struct Outline: Sendable {
  /// One thing directly in the container.
  enum Root: Sendable {
    /// A store, and what is in it; nil where it could not be read.
    case store(Store, InspectedValue?)
    /// A database of unsent events.
    case events(UnsentEvents)
    /// A file whose being there says something.
    case sign(StoreRemark)
    /// Something that was left out or not believed while the container was opened.
    case notice(String, Sign)
  }

  /// A folder with stores in it.
  struct Folder: Sendable {
    /// Its path, relative to the container's root; empty for what is in no folder.
    var path: String
    /// The numbers of its roots, in their order.
    var roots: [Int]
  }

  /// What is in no folder.
  private enum Top: Sendable {
    case folder(Folder)
    case root(Int)
  }

  /// What a row stands for.
  enum Item {
    case folder(Folder)
    case root(Root)
    case value(InspectedChild)

    /// The value, where there is one, unpacked within limits.
    func value(_ limits: InspectionLimits = .default) -> InspectedValue? {
      switch self {
      case .root(.store(_, let value)): value
      case .folder, .root: nil
      case .value(let child): child.value(limits: limits)
      }
    }
  }

  /// A row: a place among the children of an open node.
  struct Row: Hashable, Sendable {
    var node: Int
    var index: Int
  }

  private struct Node {
    /// The row of the node itself; nil for the outermost.
    var row: Row?
    /// How far its children are indented.
    var depth: Int
    /// What it is.
    var content: Content
    /// How many of its children are listed.
    var count: Int
    /// Which those are; nil where all are.
    var branch: Int?

    enum Content {
      /// The outermost, whose children are folders and notices.
      case top
      case folder(Folder)
      /// A value, unpacked.
      case value(InspectedValue)
    }
  }

  /// What is directly in the container.
  let roots: [Root]
  /// What the stores are listed by.
  let order: StoreOrder
  /// What narrows it; nil where everything is listed.
  let filter: OutlineFilter?
  private var tops: [Top]
  /// What is known of stores from the SDK that wrote them, by path.
  let remarks: [StringByBytes: [StoreRemark]]
  /// Every row there is, from the top.
  private(set) var rows: [Row]
  private var nodes: [Int: Node]
  private(set) var opened: [Row: Int] = [:]
  private var nextNode = 1
  /// How many rows were ever made: what was looked into.
  private(set) var rowsMade: Int

  /// The most rows that are opened because a filter lists only some of what is in them.
  private static let mostOpened = 1000

  /// - Parameters:
  ///   - order: What the stores are listed by.
  ///   - bundleID: That of the app, whose own stores come first.
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

  /// The same in another order, or as far as a filter lists it; all folders are open.
  init(_ other: Outline, order: StoreOrder? = nil, bundleID: String? = nil, filter: OutlineFilter? = nil) {
    (roots, remarks, self.order, self.filter) = (other.roots, other.remarks, order ?? other.order, filter)
    (tops, nodes, rows, rowsMade) = (other.tops, [:], [], 0)
    if let order { arrange(order.sorted(roots, bundleID: bundleID)) }
    openFolders()
    guard filter != nil else { return }
    // What the filter leaves of a store is seen at once, as far as that is not too much.
    var position = 0
    while position < rows.count, rows.count < Self.mostOpened {
      if let node = nodes[rows[position].node], branch(of: rows[position], in: node) != nil { open(at: position) }
      position += 1
    }
  }

  /// Puts the roots into their folders: the folder of the first root comes first.
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

  /// What a row stands for; nil for a row that is not there.
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

  /// What is in an item, and how much of it there is; nil for what cannot be opened.
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

  /// Folders and notices, in their order.
  var topItems: [Item] { tops.indices.compactMap { item(Row(node: 0, index: $0)) } }

  /// How far a row is indented.
  func depth(_ row: Row) -> Int { nodes[row.node]?.depth ?? 0 }

  /// Whether a row is open.
  func isOpen(_ row: Row) -> Bool { opened[row] != nil }

  /// The value of a row that is open, unpacked when it was opened; nil for one that is closed.
  func openValue(_ row: Row) -> InspectedValue? {
    if let node = opened[row], case .value(let value) = nodes[node]?.content { value } else { nil }
  }

  /// How many rows are directly in a row that is open.
  func openCount(_ row: Row) -> Int? { opened[row].flatMap { nodes[$0]?.count } }

  /// The row that a row is in; nil for the outermost ones.
  func parent(_ row: Row) -> Row? { nodes[row.node]?.row }

  /// The rows a row is in, outermost first, and the row itself.
  func lineage(_ row: Row) -> [Row] {
    var lineage = [row]
    while let last = lineage.last, let parent = parent(last) { lineage.append(parent) }
    return lineage.reversed()
  }

  /// Where a row stands.
  func position(_ row: Row) -> Int? { rows.firstIndex(of: row) }

  /// Where the row stands that the row at a position is in.
  func parentPosition(of position: Int) -> Int? {
    guard rows.indices.contains(position), let parent = parent(rows[position]) else { return nil }
    return rows[..<position].lastIndex(of: parent)
  }

  /// Opens the row at a position.
  /// - Returns: how many rows were added; nil where it is open already or cannot be opened.
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

  /// Closes the row at a position, and with it everything inside.
  /// - Returns: how many rows went; nil where it is not open.
  @discardableResult
  mutating func close(at position: Int) -> Int? {
    guard rows.indices.contains(position), let node = opened[rows[position]] else { return nil }
    // Counted by open nodes, of which there are few, and not row by row.
    let inside = opened.filter { isInside($0.value, node) }
    let gone = inside.values.reduce(0) { $0 + (nodes[$1]?.count ?? 0) }
    for (row, inner) in inside {
      opened[row] = nil
      nodes[inner] = nil
    }
    rows.removeSubrange((position + 1)..<min(rows.count, position + 1 + gone))
    return gone
  }

  /// Whether a node is another, or somewhere in it.
  private func isInside(_ node: Int, _ outer: Int) -> Bool {
    var node = node
    while node != outer {
      guard let row = nodes[node]?.row else { return false }
      node = row.node
    }
    return true
  }

  /// Opens whatever hides a place, given by the number of each child on the way from the outermost.
  /// - Returns: the place's position, or that of the last on the way that is there; and the rows that were opened.
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

  /// The number of each child on the way to a row.
  func place(_ row: Row) -> [Int] { lineage(row).map(\.index) }
}

extension Outline.Root {
  /// What tells it from the others when the container is read again.
  var name: String {
    switch self {
    case .store(let store, _): store.path
    case .events(let events): events.path
    case .sign(let sign): sign.path
    case .notice(let sentence, _): sentence
    }
  }
}

/// Rows by their names, which stay when the container is read again.
extension Outline {
  /// The path of a row.
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

  /// The paths of every open row but of folders, each after what it is in.
  var openPaths: [InspectedPath] { rows.filter { isOpen($0) && !isFolder($0) }.map(path) }

  /// The paths of the folders that are closed.
  var closedFolders: Set<StringByBytes> {
    Set(bytesOf: rows.filter { isFolder($0) && !isOpen($0) }.map { path($0).store })
  }

  private func isFolder(_ row: Row) -> Bool { if case .folder = item(row) { true } else { false } }

  /// Closes folders by their paths.
  mutating func close(folders: Set<StringByBytes>) {
    for position in rows.indices.reversed()
    where isFolder(rows[position]) && folders.contains(path(rows[position]).store) {
      close(at: position)
    }
  }

  /// Every place of the roots: the numbers of the folder and of the root in it.
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

  /// Goes to a path, opening what hides it.
  /// - Returns: its position, or that of the last on the way that is there, and whether that is the whole path; nil
  ///   where not even the store is there.
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
