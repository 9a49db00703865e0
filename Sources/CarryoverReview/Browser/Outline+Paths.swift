import Carryover
import CarryoverVendors

extension Outline.Root {
  /// What tells it from the others when the container is read again.
  var name: String {
    switch self {
    case .store(let store, _): store.path
    case .events(let events): events.path
    case .sign(let sign): sign.path
    case .notice(let sentence): sentence
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
      case .root(let root): path.store = root.name
      case .value(let child): path.labels.append(child.label)
      case nil: break
      }
    }
    return path
  }

  /// The paths of every open row, each after what it is in.
  var openPaths: [InspectedPath] { rows.filter(isOpen).map(path) }

  /// Goes to a path, opening what hides it.
  /// - Returns: its position, or that of the last on the way that is there, and whether that is the whole path; nil
  ///   where not even the store is there.
  mutating func reveal(_ path: InspectedPath) -> (position: Int, isWhole: Bool)? {
    guard let root = roots.firstIndex(where: { $0.name == path.store }) else { return nil }
    var row = Row(node: 0, index: root)
    guard var position = position(row) else { return nil }
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
