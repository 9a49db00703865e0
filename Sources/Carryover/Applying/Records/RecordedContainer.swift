import CarryoverSystem

/// Which container a run worked on. Several can share one state folder, and none may touch another's runs.
struct RecordedContainer: Hashable {
  var kind: ContainerKind
  /// The bundle identifier, where it was known.
  var bundleID: String?
  /// The file's name, for a property list by itself: its neighbours in the folder have the same root.
  var name: String?
  /// The root's path in its one spelling, where the state folder lies elsewhere. A container that holds its own state folder may be moved or
  /// copied with it.
  var root: String?

  init(kind: ContainerKind, bundleID: String?, name: String?, root: String?) {
    self.kind = kind
    self.bundleID = bundleID
    self.name = name
    self.root = root
  }

  /// A container as it is recorded.
  init(_ container: Container) {
    let isInside =
      FilePath.isWithin(container.stateDirectory, container.root) && container.stateDirectory != container.root
    self.init(
      kind: container.kind, bundleID: container.bundleID,
      name: container.kind == .propertyList ? container.name : nil, root: isInside ? nil : container.root)
  }

  /// Whether this is another container than the one recorded.
  ///
  /// The bundle identifier counts only where the root does: elsewhere it tells nothing more, and a caller who gave it to
  /// one command may leave it out of the next.
  func differs(from recorded: RecordedContainer) -> Bool {
    guard kind == recorded.kind, name == recorded.name, root == recorded.root else { return true }
    guard root != nil, let bundleID, let other = recorded.bundleID else { return false }
    return bundleID != other
  }
}

extension RunRecord {
  /// Whether a run worked on a container. Records that name none are from versions that did not share state folders.
  func belongs(to container: RecordedContainer) -> Bool {
    self.container.map { !container.differs(from: $0) } ?? true
  }
}
