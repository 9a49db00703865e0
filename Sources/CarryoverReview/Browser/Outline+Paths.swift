import Carryover
import CarryoverVendors
import PropertyLists

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
