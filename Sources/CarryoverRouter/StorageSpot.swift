import CarryoverStorage
import PropertyLists

/// A place, however it is protected and whatever its domain is called: what is written to one of its keys is read by every
/// other. Only a router knows which domains are one store, so it makes them.
struct StorageSpot: Hashable {
  var name: StringByBytes
  /// The domain that stands for all with the same store.
  var domain: StorageDomain
}

extension StorageRouter {
  /// Where a place's bytes are.
  func spot(of place: StoragePlace) -> StorageSpot {
    StorageSpot(name: StringByBytes(place.name), domain: representative(of: place.domain))
  }

  /// The domain that stands for all with the same store. What is remembered under it must be found again, so the answer
  /// stays what it was, even where there was no store yet.
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
  /// Whether bytes written to one are read at the other, however they are protected.
  func isSameSpot(as other: StoragePlace) -> Bool { name.hasSameBytes(as: other.name) && domain == other.domain }
}

extension StorageDomain: CustomHashable {
  /// Whether the kind and the name's bytes are the same.
  package func isEqual(to other: StorageDomain) -> Bool { parts == other.parts }

  package func feed(_ hasher: inout Hasher) {
    hasher.combine(parts.kind)
    hasher.combine(parts.name)
  }

  private var parts: (kind: Int, name: StringByBytes?) {
    switch self {
    case .userDefaults(let suite): (0, suite.map(StringByBytes.init))
    case .keychain(let service): (1, StringByBytes(service))
    case .files(let folder): (2, StringByBytes(folder))
    case .encryptedFiles(let folder): (3, StringByBytes(folder))
    case .custom(let name): (4, StringByBytes(name))
    }
  }
}
