import Carryover

extension ContainerSummary {
  /// What titles say of a container: the app, and what the container is called where that is something else.
  package var names: [String] { containerNames(bundleID: bundleID, name: name) }
}

/// The same from its parts.
func containerNames(bundleID: String?, name: String) -> [String] {
  guard let bundleID, bundleID != name else { return [name] }
  return [bundleID, name]
}
