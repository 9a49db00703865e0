/// A container at a path, to choose from.
package struct ContainerCandidate: Hashable, Sendable {
  /// The path, relative to the opened path. In a backup, the app's bundle identifier.
  package var path: String
  /// The form of the container.
  package var kind: ContainerKind
  /// The bundle identifier of the app or the app group; nil if the container does not state it.
  package var bundleID: String?
  /// The name: the app's if it is known, otherwise that of its folder.
  package var name: String
  /// The number of files; nil if they were not counted.
  package var files: Int?
  /// The number of files that are in the backup's list but have no content.
  package var missing: Int
  /// The identifiers of its app groups.
  package var groups: [String]

  /// The name, if it says more than the path and the bundle identifier; otherwise nil.
  package var ownName: String? {
    name == bundleID || name == path || path.hasSuffix("/" + name) ? nil : name
  }

  /// Whether it belongs to an app or a group of Apple's, of which a device has hundreds.
  package var isOfSystem: Bool {
    guard let bundleID else { return false }
    return bundleID.hasPrefix("com.apple.") || bundleID.contains(".com.apple.")
  }

  /// A candidate from its parts.
  package init(
    path: String, kind: ContainerKind, bundleID: String?, name: String, files: Int? = nil, missing: Int = 0,
    groups: [String] = []
  ) {
    self.path = path
    self.kind = kind
    self.bundleID = bundleID
    self.name = name
    self.files = files
    self.missing = missing
    self.groups = groups
  }
}
