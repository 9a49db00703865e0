import CarryoverSystem
import PropertyLists

extension Container {
  /// The place that a store's name and a typed key lead to, whether or not there is a value.
  package func place(store name: String, key: String) throws(ChangeError) -> InspectedPath {
    let store = try onlyStore(named: name)
    guard let root = InspectedValue(store) else {
      throw .refused(InspectedPath(store: store.path), reason: DisplayText.harmless(store.problem ?? ""))
    }
    return InspectedPath(store: store.path, labels: try TypedPath(key, in: root).labels)
  }

  /// The value that a store's name and a typed key lead to.
  package func value(store name: String, key: String) throws(ChangeError) -> (
    path: InspectedPath, child: InspectedChild
  ) {
    let path = try place(store: name, key: key)
    guard let root = store(path.store).flatMap({ InspectedValue($0) }) else { throw .noValue(path, nearest: nil) }
    var known: [InspectedChild.Label] = []
    var around = root
    for label in path.labels {
      known.append(label)
      guard let child = around.index(of: label).flatMap({ around.child(at: $0) }) else {
        let names = (0..<around.count).lazy.compactMap { around.child(at: $0)?.label.name }.prefix(Self.mostNames)
        throw .noValue(
          InspectedPath(store: path.store, labels: known),
          nearest: label.name.flatMap { Nearest.name(to: $0, among: Array(names)) })
      }
      if known.count == path.labels.count { return (path, child) }
      around = child.value
    }
    throw .noValue(path, nearest: nil)
  }

  private static let mostNames = 10_000
}
