import Carryover
import CarryoverPages
import PropertyLists

/// The members of a field's value as rows. Unchanged ones are folded, and open ones stay open while members change.
struct MemberList: Sendable {
  enum Row: Hashable, Sendable {
    /// By its number in the tree.
    case member(Int)
    case unchanged(first: Int, count: Int)
  }

  let field: Field.ID
  /// The legacy value, the value to write and the target's, masked if need be.
  private(set) var tree: MemberTree
  var list = RowList<Row>()
  var revision = 0

  /// A number for each member, the same in every tree.
  private var ids: [Int] = []
  private var known: [Name: Int] = [:]
  private var open: Set<Int> = []
  /// The unchanged members that are shown one by one.
  private var unfolded: Set<Int> = []

  private struct Name: Hashable {
    let parent: Int
    let name: StringByBytes
  }

  /// So many unchanged members side by side are not folded.
  private static let fewest = 3

  init(_ field: Field.ID, _ tree: MemberTree) {
    self.field = field
    self.tree = tree
    update(tree)
  }

  mutating func update(_ tree: MemberTree) {
    let cursor = id(of: list.selected)
    self.tree = tree
    ids = []
    ids.reserveCapacity(tree.nodes.count)
    for node in tree.nodes {
      let name = Name(parent: node.parent.map { ids[$0] } ?? -1, name: StringByBytes(node.name))
      let id = known[name] ?? known.count
      if id == known.count {
        known[name] = id
        if node.isBranch, node.fate != .kept { open.insert(id) }
      }
      ids.append(id)
    }
    layOut(cursor)
  }

  /// Nil for folded members.
  func member(at row: Int) -> (index: Int, node: MemberTree.Node)? {
    guard case .member(let index) = list.rows.element(row) else { return nil }
    return (index, tree.nodes[index])
  }

  var selected: (index: Int, node: MemberTree.Node)? { member(at: list.row) }

  func isOpen(_ index: Int) -> Bool { open.contains(ids[index]) }

  /// Opens or unfolds the row; false if there is nothing to open.
  mutating func openRow() -> Bool {
    switch list.selected {
    case .member(let index) where tree.nodes[index].isBranch && !isOpen(index): open.insert(ids[index])
    case .unchanged(let first, let count):
      var next = first
      for _ in 0..<count {
        unfolded.insert(ids[next])
        next = tree.nodes[next].end
      }
    default: return false
    }
    layOut(id(of: list.selected))
    return true
  }

  /// Closes the row, or folds it with the unchanged ones around it, or goes to the member it is in.
  mutating func closeRow() {
    guard let (index, node) = selected else { return }
    if node.isBranch, isOpen(index) {
      open.remove(ids[index])
      layOut(ids[index])
    } else if unfolded.contains(ids[index]), node.fate == .kept {
      var siblings = node.parent.map { $0 + 1 } ?? 0
      let end = node.parent.map { tree.nodes[$0].end } ?? tree.nodes.count
      while siblings < end {
        unfolded.remove(ids[siblings])
        siblings = tree.nodes[siblings].end
      }
      layOut(ids[index])
    } else if let parent = node.parent, let row = list.rows.firstIndex(of: .member(parent)) {
      list.select(row)
    }
  }

  /// Keeps the row with the cursor unfolded when its member changes.
  mutating func keepSelected() { if let (index, _) = selected { unfolded.insert(ids[index]) } }

  mutating func goToChange(step: Int) -> Bool {
    var next = list.row + step
    while list.rows.indices.contains(next) {
      if let (_, node) = member(at: next), node.fate != .kept, !node.isBranch {
        list.select(next)
        return true
      }
      next += step
    }
    return false
  }

  private func id(of row: Row?) -> Int? {
    switch row {
    case .member(let index), .unchanged(let index, _): ids.element(index)
    case nil: nil
    }
  }

  private mutating func layOut(_ cursor: Int?) {
    var rows: [Row] = []
    var levels = [(next: 0, end: tree.nodes.count)]
    var found: Int?
    while let (next, end) = levels.popLast() {
      guard next < end else { continue }
      let (behind, count) = folded(from: next, to: end)
      if count > Self.fewest {
        rows.append(.unchanged(first: next, count: count))
        levels.append((behind, end))
      } else {
        if ids[next] == cursor { found = rows.count }
        rows.append(.member(next))
        levels.append((tree.nodes[next].end, end))
        if tree.nodes[next].isBranch, isOpen(next) { levels.append((next + 1, tree.nodes[next].end)) }
      }
    }
    // A folded member is in a row that begins before it.
    let place = cursor.flatMap { ids.firstIndex(of: $0) }
    list.replace(rows)
    if let row = found ?? place.flatMap({ place in rows.lastIndex { ($0.first ?? 0) <= place } }) { list.select(row) }
  }

  /// The number of members to fold side by side, and the member behind them.
  private func folded(from start: Int, to end: Int) -> (end: Int, count: Int) {
    var (next, count) = (start, 0)
    while next < end, tree.nodes[next].fate == .kept, !unfolded.contains(ids[next]) {
      count += 1
      next = tree.nodes[next].end
    }
    return (next, count)
  }
}

extension MemberList.Row {
  fileprivate var first: Int? {
    switch self {
    case .member(let index), .unchanged(let index, _): index
    }
  }
}
