/// How an app comes by the id of a user nobody has identified: the one that is given, else the one that is kept, else a new
/// one; and every store that is to have it has it afterwards.
///
/// The first store is the one that is trusted, a keychain as a rule; the others mirror it. An empty id is none. A store that
/// cannot be reached is passed over and named in the result: an id that could not be read is never replaced by a new one as
/// long as another store has it, and a new one is not written over what could not be read.
public struct IdentityLookup: Sendable {
  /// Where an id is kept.
  public struct Place: Sendable {
    /// The store.
    public var store: any DataStore
    /// The name in it.
    public var name: String

    /// A place in a store.
    public init(_ store: any DataStore, _ name: String) {
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
    public var filled: [Int]
    /// The places that hold another id, which was left as it is.
    public var differing: [Int]
    /// What failed, place by place.
    public var failures: [Int: DataStoreError]
  }

  private let places: [Place]
  private let fresh: @Sendable () -> String

  /// - Parameters:
  ///   - places: where the id is kept, the most trusted first.
  ///   - fresh: makes a new id.
  public init(_ places: [Place], fresh: @escaping @Sendable () -> String) {
    self.places = places
    self.fresh = fresh
  }

  /// The id.
  /// - Parameter given: the id of a user who is known; taken as it is, without a look at any store, unless it is empty.
  public func resolve(given: String? = nil) -> Identity {
    if let given, !given.isEmpty {
      return Identity(id: given, origin: .given, filled: [], differing: [], failures: [:])
    }
    var failures: [Int: DataStoreError] = [:]
    var kept: [Int: String] = [:]
    for (index, place) in places.enumerated() {
      do throws(DataStoreError) {
        guard let bytes = try place.store.data(for: place.name) else { continue }
        guard let id = String(validating: bytes, as: UTF8.self) else {
          throw DataStoreError(.read, place.name, in: place.store.label, .wrongType("text that is no UTF-8"))
        }
        if !id.isEmpty { kept[index] = id }
      } catch {
        failures[index] = error
      }
    }
    let first = kept.keys.min()
    let id = first.flatMap { kept[$0] } ?? fresh()
    var identity = Identity(
      id: id, origin: first.map(Origin.kept) ?? .fresh, filled: [],
      differing: kept.filter { $0.value != id }.keys.sorted(), failures: failures)
    for (index, place) in places.enumerated() where kept[index] == nil && failures[index] == nil {
      do {
        try place.store.set(Array(id.utf8), for: place.name)
        identity.filled.append(index)
      } catch {
        identity.failures[index] = error
      }
    }
    return identity
  }
}
