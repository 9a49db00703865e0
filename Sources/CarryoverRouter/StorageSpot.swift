import CarryoverStorage
import PropertyLists

/// Where a place's bytes are, regardless of protection: a value written with one key of a spot can be read with every
/// other. Only a router knows which domains have the same store, so only it creates spots.
struct StorageSpot: Hashable {
  var name: StringByBytes
  /// The representative of all domains with the same store.
  var domain: StorageDomain
}

extension StorageRouter {
  /// The spot of a place.
  func spot(of place: StoragePlace) -> StorageSpot {
    StorageSpot(name: StringByBytes(place.name), domain: representative(of: place.domain))
  }

  /// The representative of all domains with the same store. It never changes, even if a domain had no store at first,
  /// because other values are stored under it.
  private func representative(of domain: StorageDomain) -> StorageDomain {
    if let known = representatives[domain] { return known }
    let identity = (try? store(of: domain))?.identity
    let representative = identity.flatMap { identified[$0] } ?? domain
    representatives[domain] = representative
    if let identity, identified[identity] == nil { identified[identity] = domain }
    return representative
  }
}

extension StoragePlace {
  /// Whether bytes written to one place are read at the other, regardless of protection.
  func isSameSpot(as other: StoragePlace) -> Bool { name.hasSameBytes(as: other.name) && domain == other.domain }
}

extension StorageDomain {
  /// Whether the kind and the name's bytes are the same.
  public static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

  /// Feeds the kind and the name's bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(parts.kind)
    hasher.combine(parts.name)
  }

  private var parts: (kind: Int, name: StringByBytes?) {
    switch self {
    case .userDefaults(let suite): (0, suite.map { StringByBytes($0) })
    case .keychain(let service): (1, StringByBytes(service))
    case .files(let folder): (2, StringByBytes(folder))
    case .encryptedFiles(let folder): (3, StringByBytes(folder))
    case .custom(let name): (4, StringByBytes(name))
    }
  }
}
