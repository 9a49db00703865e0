/// One of the containers that lie at a path, to choose from.
package struct ContainerCandidate: Hashable, Sendable {
  /// Where it lies, relative to what was opened; in a backup, the app's bundle identifier.
  package var path: String
  /// Its form.
  package var kind: ContainerKind
  /// The app's bundle identifier, or an app group's; nil where the container does not say it.
  package var bundleID: String?
  /// What it is called: the app's name where that is known, else the name of its folder.
  package var name: String
  /// How many files it has; nil where that was not counted.
  package var files: Int?
  /// How many of them the backup lists without having their content.
  package var missing: Int
  /// The app groups that come with it, by identifier.
  package var groups: [String]

  /// What it is called, where that says more than its path and its bundle identifier do.
  package var ownName: String? {
    name == bundleID || name == path || path.hasSuffix("/" + name) ? nil : name
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
