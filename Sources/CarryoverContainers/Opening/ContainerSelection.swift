/// Which of several containers at a path is meant.
public enum ContainerSelection: Hashable, Sendable {
  /// The one at a path, relative to the path that is opened; in a backup, the app's bundle identifier.
  case path(String)
  /// The only one of the app with this bundle identifier.
  case app(String)
}
