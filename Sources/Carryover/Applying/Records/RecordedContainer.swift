import CarryoverSystem

/// The container of a run. Several containers can share a state folder, but none may change another's runs.
struct RecordedContainer: Hashable {
  var kind: ContainerKind
  /// The bundle identifier; nil if it was unknown.
  var bundleID: String?
  /// The file's name, for a single property list: other files in its folder have the same root.
  var name: String?
  /// The resolved path of the root, if the state folder is elsewhere. A container that contains its own state folder
  /// may be moved or copied with it.
  var root: String?

  init(kind: ContainerKind, bundleID: String?, name: String?, root: String?) {
    self.kind = kind
    self.bundleID = bundleID
    self.name = name
    self.root = root
  }

  /// The recorded form of a container.
  init(_ container: Container) {
    let isInside =
      FilePath.isWithin(container.stateDirectory, container.root) && container.stateDirectory != container.root
    self.init(
      kind: container.kind, bundleID: container.bundleID,
      name: container.kind == .propertyList ? container.name : nil, root: isInside ? nil : container.root)
  }

  /// Whether this is another container than the recorded one.
  ///
  /// The bundle identifier only matters if the root does. Otherwise it proves nothing, and a caller may give it to one
  /// command and not to the next.
  func differs(from recorded: RecordedContainer) -> Bool {
    guard kind == recorded.kind, name == recorded.name, root == recorded.root else { return true }
    guard root != nil, let bundleID, let other = recorded.bundleID else { return false }
    return bundleID != other
  }
}

extension RunRecord {
  /// Whether a run belongs to a container.
  func belongs(to container: RecordedContainer) -> Bool { !container.differs(from: self.container) }
}
