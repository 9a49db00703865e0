package import Carryover
import CarryoverSystem

/// A key in the stores, as text: `STORE:KEY`. STORE is a path or the end of one; KEY is written as paths are shown:
/// `rl_traits.address.lines[2]`. A name with other characters is quoted, except at the end.
package struct StoreLink {
  private let container: Container

  static let mostLevels = 64

  /// - Parameter container: As it is shown, masked where masks are on.
  package init(in container: Container) { self.container = container }

  package struct Failure: Error, Hashable {
    package enum Problem: Hashable {
      case noStore
      case severalStores([String])
      case noKey(store: String)
    }

    package var problem: Problem
    package var nearest: String?
  }

  package func path(_ text: String) throws(Failure) -> InspectedPath {
    var stores = container.stores(named: text)
    var key = ""
    // A store's path may contain a colon.
    for colon in text.indices where stores.isEmpty && text[colon] == ":" {
      stores = container.stores(named: String(text[..<colon]))
      key = String(text[text.index(after: colon)...].drop { $0 == " " })
    }
    guard let store = stores.first else { throw Failure(problem: .noStore, nearest: nearestStore(to: text)) }
    guard stores.count == 1 else { throw Failure(problem: .severalStores(stores.map(\.path))) }
    guard !key.isEmpty else { return InspectedPath(store: store.path) }
    guard let root = InspectedValue(store) else { throw Failure(problem: .noKey(store: store.path)) }
    let (labels, nearest) = Self.labels(key, in: root)
    guard let labels else { throw Failure(problem: .noKey(store: store.path), nearest: nearest) }
    return InspectedPath(store: store.path, labels: labels)
  }

  private func nearestStore(to text: String) -> String? {
    let written = text.prefix { $0 != ":" }
    return Nearest.name(to: String(written), among: container.stores.flatMap { [$0.path, $0.name] })
  }

  /// The labels of a key; for an unknown key, the nearest name.
  private static func labels(
    _ text: String, in root: InspectedValue
  ) -> (labels: [InspectedChild.Label]?, nearest: String?) {
    var labels: [InspectedChild.Label] = []
    var rest = Substring(text)
    var value = root
    while labels.count < mostLevels {
      let isFirst = labels.isEmpty
      let found = value.children.lazy.compactMap { child -> (child: InspectedChild, rest: Substring)? in
        remainder(of: rest, after: child.label, isFirst: isFirst).map { (child, $0) }
      }.first
      guard let found else {
        let names = value.children.compactMap(\.label.name)
        let wanted = (rest.first == "." ? rest.dropFirst() : rest).prefix { $0 != "." && $0 != "[" }
        return (nil, Nearest.name(to: String(wanted), among: names))
      }
      labels.append(found.child.label)
      rest = found.rest
      if rest.isEmpty { return (labels, nil) }
      value = found.child.value
    }
    return (nil, nil)
  }

  /// The rest of a text behind a label; nil if it does not begin with the label.
  private static func remainder(of text: Substring, after label: InspectedChild.Label, isFirst: Bool) -> Substring? {
    var rest = text
    if !isFirst, label.name != nil {
      guard rest.first == "." else { return nil }
      rest = rest.dropFirst()
    }
    if let name = label.name, rest.utf8.elementsEqual(name.utf8) { return "" }
    let shown = InspectedPath(store: "", labels: [label]).labelText
    guard !shown.isEmpty, rest.utf8.starts(with: shown.utf8) else { return nil }
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: shown.utf8.count)...]
    return rest.isEmpty || rest.first == "." || rest.first == "[" ? rest : nil
  }
}
