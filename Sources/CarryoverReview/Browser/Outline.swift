import Carryover
import CarryoverVendors

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
    case notice(String)
  }

  /// What a row stands for.
  enum Item {
    case root(Root)
    case value(InspectedChild)

    /// The value, where there is one, unpacked within limits.
    func value(_ limits: InspectionLimits = .default) -> InspectedValue? {
      switch self {
      case .root(.store(_, let value)): value
      case .root: nil
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
    /// What it is, unpacked; nil for the outermost, whose children are the roots.
    var value: InspectedValue?
  }

  /// What is directly in the container.
  let roots: [Root]
  /// What is known of stores from the SDK that wrote them, by path.
  let remarks: [String: [StoreRemark]]
  /// Every row there is, from the top.
  private(set) var rows: [Row]
  private var nodes: [Int: Node]
  private(set) var opened: [Row: Int] = [:]
  private var nextNode = 1
  /// How many rows were ever made: what was looked into.
  private(set) var rowsMade: Int

  init(_ container: Container) {
    let remarks = container.remarks
    let signs = remarks.filter { $0.subject == .sign }
    self.remarks = Dictionary(grouping: remarks, by: \.path)
    roots =
      container.stores.map { .store($0, InspectedValue($0)) } + container.unsentEvents.map(Root.events)
      + signs.map(Root.sign) + container.notices.map(Root.notice)
    nodes = [0: Node(row: nil, depth: 0, value: nil)]
    rows = roots.indices.map { Row(node: 0, index: $0) }
    rowsMade = rows.count
  }

  /// What a row stands for; nil for a row that is not there.
  func item(_ row: Row) -> Item? {
    if row.node == 0 { return roots.indices.contains(row.index) ? .root(roots[row.index]) : nil }
    return nodes[row.node]?.value?.child(at: row.index).map(Item.value)
  }

  /// How far a row is indented.
  func depth(_ row: Row) -> Int { nodes[row.node]?.depth ?? 0 }

  /// Whether a row is open.
  func isOpen(_ row: Row) -> Bool { opened[row] != nil }

  /// The value of a row that is open, unpacked when it was opened; nil for one that is closed.
  func openValue(_ row: Row) -> InspectedValue? { opened[row].flatMap { nodes[$0]?.value } }

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
    guard opened[row] == nil, let value = item(row)?.value(), value.count > 0 else { return nil }
    let node = nextNode
    nextNode += 1
    nodes[node] = Node(row: row, depth: depth(row) + 1, value: value)
    opened[row] = node
    rows.insert(contentsOf: (0..<value.count).map { Row(node: node, index: $0) }, at: position + 1)
    rowsMade += value.count
    return value.count
  }

  /// Closes the row at a position, and with it everything inside.
  /// - Returns: how many rows went; nil where it is not open.
  @discardableResult
  mutating func close(at position: Int) -> Int? {
    guard rows.indices.contains(position), let node = opened[rows[position]] else { return nil }
    // Counted by open nodes, of which there are few, and not row by row.
    let inside = opened.filter { isInside($0.value, node) }
    let gone = inside.values.reduce(0) { $0 + (nodes[$1]?.value?.count ?? 0) }
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
