import CarryoverSystem
public import PropertyLists

/// Why a router's call for a key failed.
public struct StorageRouterError: Error, Sendable, CustomStringConvertible, Described {
  /// A reason for the failure. Later versions may add cases.
  public enum Reason: Hashable, Sendable {
    /// The router has no store for the domain, or it could not be created; the cause says why.
    case noStore
    /// The router has no protection of this name.
    case noProtection(String)
    /// The store failed; the cause says why.
    case store
    /// The bytes could not be protected or unprotected; the cause says why.
    case protection
    /// The value could not be encoded, or the bytes could not be decoded; the cause says why.
    case serializer
    /// The place does not contain what was written. The router did not remove the sources of a migration.
    case verification
    /// The migration failed; the cause says why. The router did not remove its sources.
    case migration
    /// A migration reads the place that it writes, perhaps through another domain with the same store, and changes more
    /// than its protection.
    case ownSource
    /// Another key's migration has the same source: the migration that runs first would take the value from the other.
    case sharedSource(StoragePlace, with: StoragePlace)
    /// The key's migration writes to this other place.
    case otherDestination(StoragePlace)
    /// Migrations of several routers would wait for each other forever: each of these places for the next, and the last
    /// for the first.
    case circle([StoragePlace])
    /// The sources of a migration changed repeatedly while a value was made from them. They were not removed.
    case changed
    /// The app's own migration sets a key that the app has set or deleted since the migration began.
    case overtaken
  }

  /// The place of the key.
  public var place: StoragePlace
  /// The reason for the failure.
  public var reason: Reason
  /// The underlying error.
  public var cause: (any Error)?

  init(_ place: StoragePlace, _ reason: Reason, cause: (any Error)? = nil) {
    self.place = place
    self.reason = reason
    self.cause = cause
  }

  package var words: String {
    let because = cause.map { ": \(ErrorText.withoutValues($0))" } ?? "."
    switch reason {
    case .noStore where cause != nil: return "\(place) cannot be reached: its store could not be made\(because)"
    case .noStore: return "\(place) cannot be reached: the router was given no store for its domain. Give it one."
    case .noProtection(let name):
      return
        "\(place) cannot be read or written: the router was given no protection \(DisplayText.quoted(name)). Give it"
        + " one."
    case .store: return "\(place) could not be reached\(because)"
    case .protection: return "\(place) could not be protected or unprotected\(because)"
    case .serializer: return "\(place) does not contain what its key says\(because)"
    case .verification: return "Verification failed: \(place) does not contain what was written. Its sources were kept."
    case .migration: return "\(place) could not be migrated; its sources were kept\(because)"
    case .ownSource:
      return
        "The migration of \(place) reads the place it writes. Its value was not changed; give it another source, or each"
        + " domain its own store."
    case .sharedSource(let source, let other):
      return
        "\(place) is migrated from \(source), and so is \(other). Make one value of them first; the source was kept."
    case .otherDestination(let other):
      return "The migration of \(place) writes to \(other). Use a migration to the key itself."
    case .circle(let places):
      let names = (places + places.prefix(1)).map(\.description).joined(separator: " → ")
      return
        "\(place) was not migrated: migrations of several routers wait for each other, \(names). Have one of them read what"
        + " it needs with bytes(at:), or migrate it before; nothing was changed."
    case .changed:
      return "The sources of \(place) changed again and again while it was migrated; they were kept. Ask for it again."
    case .overtaken:
      return "The app set or deleted \(place) while it was migrated. The app's change was kept; nothing was written."
    }
  }
}

/// An event of a router. Later versions may add cases.
public enum StorageEvent: Sendable {
  /// A value was stored.
  case stored(StoragePlace)
  /// A value was deleted.
  case deleted(StoragePlace)
  /// The migration of a key ended with this result.
  case migrated(StoragePlace, MigrationResult)
  /// A key could not be migrated, or its old value could not be removed.
  case failed(StorageRouterError)
  /// A sweep ended.
  case swept(StorageSweep)
}
