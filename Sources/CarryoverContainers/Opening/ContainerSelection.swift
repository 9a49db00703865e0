/// Selects one of several containers at a path.
public enum ContainerSelection: Hashable, Sendable {
  /// The container at this path, relative to the opened path. In a backup, the app's bundle identifier.
  case path(String)
  /// The only container of the app with this bundle identifier.
  case app(String)
}
