import CarryoverSystem
import PropertyLists

/// How an app comes by the id of a user nobody has identified: the one that is given, else the one that is kept, else a new
/// one; and every store that is to have it has it afterwards.
///
/// The first store is the one that is trusted, a keychain as a rule; the others mirror it. An empty id is none. A store that
/// cannot be reached is passed over and named in the result: an id that could not be read is never replaced by a new one as
/// long as another store has it, and a new one is not written over what could not be read. Look-ups of one value of this
/// type, and of its copies, go one after the other, so that two at the same time come to the same new id; one that begins
/// within another's write, as by an observer of `UserDefaults`, gets its id.
public struct IdentityLookup: Sendable {
  /// Where an id is kept.
  package struct Place: Sendable {
    /// The store.
    package var store: any ByteStore
    /// The name in it.
    package var name: String

    /// A place in a store.
    package init(_ store: any ByteStore, _ name: String) {
      self.store = store
      self.name = name
    }
  }

  /// Where an id came from.
  public enum Origin: Hashable, Sendable {
    /// It was given; no store was looked at.
    case given
    /// It was kept in this place, counted from 0 in the order of trust.
    case kept(Int)
    /// It is new.
    case fresh
  }

  /// What came of it.
  public struct Identity: Sendable {
    /// The id.
    public var id: String
    /// Where it came from.
    public var origin: Origin
    /// The places that did not have it and have it now.
    package var filled: [Int]
    /// The places that hold another id, which was left as it is.
    package var differing: [Int]
    /// What failed, place by place.
    public var failures: [Int: DataStoreError]
  }

  private let places: [Place]
  private let fresh: @Sendable () -> String
  private let lock = RecursiveLock()

  /// A look-up in some places.
  /// - Parameters:
  ///   - places: where the id is kept, each a store and the name in it, the most trusted first.
  ///   - fresh: makes a new id; it may not look one up.
  public init(_ places: (store: any ByteStore, name: String)..., fresh: @escaping @Sendable () -> String) {
    self.init(places.map { Place($0.store, $0.name) }, fresh: fresh)
  }

  package init(_ places: [Place], fresh: @escaping @Sendable () -> String) {
    self.places = places
    self.fresh = fresh
  }

  /// The id.
  /// - Parameter given: the id of a user who is known; taken as it is, without a look at any store, unless it is empty.
  public func resolve(given: String? = nil) -> Identity {
    if let given, !given.isEmpty {
      return Identity(id: given, origin: .given, filled: [], differing: [], failures: [:])
    }
    return lock.withLock {
      let (kept, failures) = held()
      return settle(kept, failures)
    }
  }

  /// The id that is kept in the most trusted place that has one, and who else has another; makes none and writes nothing.
  package func current() -> Identity? {
    let (kept, failures) = held()
    guard let first = kept.keys.min(), let id = kept[first] else { return nil }
    return Identity(
      id: id, origin: .kept(first), filled: [], differing: differing(from: id, in: kept), failures: failures)
  }

  private func held() -> (kept: [Int: String], failures: [Int: DataStoreError]) {
    var kept: [Int: String] = [:]
    var failures: [Int: DataStoreError] = [:]
    for (index, place) in places.enumerated() {
      do throws(DataStoreError) {
        if let id = try place.id() { kept[index] = id }
      } catch {
        failures[index] = error
      }
    }
    return (kept, failures)
  }

  private func settle(_ kept: [Int: String], _ failures: [Int: DataStoreError]) -> Identity {
    let first = kept.keys.min()
    let id = first.flatMap { kept[$0] } ?? fresh()
    var identity = Identity(
      id: id, origin: first.map(Origin.kept) ?? .fresh, filled: [], differing: differing(from: id, in: kept),
      failures: failures)
    for (index, place) in places.enumerated() where !id.isEmpty && kept[index] == nil && failures[index] == nil {
      do {
        try place.store.set(Array(id.utf8), for: place.name)
        identity.filled.append(index)
      } catch {
        identity.failures[index] = error
      }
    }
    return identity
  }

  private func differing(from id: String, in kept: [Int: String]) -> [Int] {
    kept.filter { !$0.value.utf8.elementsEqual(id.utf8) }.keys.sorted()
  }
}

extension IdentityLookup.Place {
  /// The id that is kept there; nil for none and for an empty one.
  /// - Throws: `DataStoreError` where it cannot be read or is no text.
  package func id() throws(DataStoreError) -> String? {
    guard let bytes = try store.data(for: name), !bytes.isEmpty else { return nil }
    guard let id = String(utf8: bytes) else {
      throw DataStoreError(.read, name, in: store.label, .wrongType("text that is not UTF-8"))
    }
    return id
  }
}
