package import Carryover
import CarryoverSystem

/// A key in the stores, as text: `STORE:KEY`. STORE is a path or the end of one; KEY is a ``TypedPath``:
/// `rl_traits.address.lines[2]`.
package struct StoreLink {
  private let container: Container

  /// - Parameter container: As it is shown, masked where masks are on.
  package init(in container: Container) { self.container = container }

  package struct Failure: Error, Hashable {
    package enum Problem: Hashable {
      case noStore
      case severalStores([String])
      case noKey(store: String)
      /// With the sentence that says how to type each.
      case severalKeys(String)
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
    do throws(ChangeError) {
      return try container.value(store: store.path, key: key).path
    } catch {
      switch error {
      case .ambiguousKey: throw Failure(problem: .severalKeys(error.description))
      case .noValue(_, let nearest, _): throw Failure(problem: .noKey(store: store.path), nearest: nearest)
      default: throw Failure(problem: .noKey(store: store.path))
      }
    }
  }

  private func nearestStore(to text: String) -> String? {
    let written = text.prefix { $0 != ":" }
    return Nearest.name(to: String(written), among: container.stores.flatMap { [$0.path, $0.name] })
  }
}
