import CarryoverSystem
import PropertyLists

/// Looks up the id of an anonymous user: the given id, otherwise the stored one, otherwise a new one. A stored or new
/// id is written to every store that has none.
///
/// The first store is the most trusted, usually a keychain; the others mirror it. An empty id counts as none. A look-up
/// skips a store that fails and reports it in the result. It never writes to that store, and makes a new id only if no
/// other store has one. Look-ups of one value of this type and its copies run one at a time, so two at the same time
/// return the same new id. A look-up that begins during another's write, for example in an observer of `UserDefaults`,
/// returns that id. Two processes also return the same new id, and store no other, if the most trusted store can store
/// bytes only where there are none, as files and the keychain can; see ``ByteStore/setIfAbsent(_:for:)``.
public struct IdentityLookup: Sendable {
  package struct Place: Sendable {
    package var store: any ByteStore
    package var name: String

    package init(_ store: any ByteStore, _ name: String) { (self.store, self.name) = (store, name) }
  }

  /// Where an id came from.
  public enum Origin: Hashable, Sendable {
    /// It was given; no store was read.
    case given
    /// It was stored in this place, counted from 0, the most trusted first.
    case kept(Int)
    /// It is new.
    case fresh
  }

  /// The result of a look-up.
  public struct Identity: Sendable {
    /// The id.
    public var id: String
    /// Where it came from.
    public var origin: Origin
    /// The places that did not have it and have it now.
    package var filled: [Int]
    /// The places that have another id, which was not changed.
    package var differing: [Int]
    /// The errors by place, counted from 0.
    public var failures: [Int: DataStoreError]
  }

  private let places: [Place]
  private let fresh: @Sendable () -> String
  private let lock = RecursiveLock()

  /// Creates a look-up in some places.
  /// - Parameters:
  ///   - places: the stores, each with the id's name in it, the most trusted first.
  ///   - fresh: makes a new id; it must not start a look-up.
  public init(_ places: (store: any ByteStore, name: String)..., fresh: @escaping @Sendable () -> String) {
    self.init(places.map { Place($0.store, $0.name) }, fresh: fresh)
  }

  package init(_ places: [Place], fresh: @escaping @Sendable () -> String) {
    self.places = places
    self.fresh = fresh
  }

  /// Returns the id, and writes it to every store that has none.
  /// - Parameter given: the id of a known user; unless empty, it is returned unchanged, without a read or a write.
  public func resolve(given: String? = nil) -> Identity {
    if let given, !given.isEmpty {
      return Identity(id: given, origin: .given, filled: [], differing: [], failures: [:])
    }
    return lock.withLock {
      let (kept, failures) = held()
      return settle(kept, failures)
    }
  }

  /// The id from the most trusted place that has one, and the places with another; nil if there is none. Writes
  /// nothing.
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

  private func settle(_ found: [Int: String], _ failures: [Int: DataStoreError]) -> Identity {
    var kept = found
    let first = kept.keys.min()
    var identity = Identity(
      id: first.flatMap { kept[$0] } ?? fresh(), origin: first.map(Origin.kept) ?? .fresh, filled: [], differing: [],
      failures: failures)
    for (index, place) in places.enumerated()
    where !identity.id.isEmpty && found[index] == nil && failures[index] == nil {
      do {
        let stored = try place.fill(with: identity.id)
        kept[index] = stored
        if stored.utf8.elementsEqual(identity.id.utf8) {
          identity.filled.append(index)
        } else if kept.keys.min() == index {
          // Another process was faster, and no place that is trusted more has an id.
          (identity.id, identity.origin) = (stored, .kept(index))
        }
      } catch {
        identity.failures[index] = error
      }
    }
    identity.differing = differing(from: identity.id, in: kept)
    return identity
  }

  private func differing(from id: String, in kept: [Int: String]) -> [Int] {
    kept.filter { !$0.value.utf8.elementsEqual(id.utf8) }.keys.sorted()
  }
}

extension IdentityLookup.Place {
  /// Stores an id, unless another process has stored one meanwhile.
  /// - Returns: the stored id.
  fileprivate func fill(with id: String) throws(DataStoreError) -> String {
    if try store.setIfAbsent(Array(id.utf8), for: name) { return id }
    if let other = try self.id() { return other }
    // An empty id counts as none.
    try store.set(Array(id.utf8), for: name)
    return try self.id() ?? id
  }

  /// The stored id; nil if there is none or it is empty.
  /// - Throws: `DataStoreError` if it cannot be read or is not UTF-8 text.
  package func id() throws(DataStoreError) -> String? {
    guard let bytes = try store.data(for: name), !bytes.isEmpty else { return nil }
    guard let id = String(utf8: bytes) else {
      throw DataStoreError(.read, name, in: store.label, .wrongType("text that is not UTF-8"))
    }
    return id
  }
}
