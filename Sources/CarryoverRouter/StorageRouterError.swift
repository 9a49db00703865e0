import CarryoverSystem
public import PropertyLists

/// Why a router could not do what it was asked for one key.
public struct StorageRouterError: Error, Sendable {
  /// Why. Later versions may know more reasons.
  public enum Reason: Hashable, Sendable {
    /// The router was given no store for the domain, or it could not be made; the cause says why.
    case noStore
    /// The router was given no protection of this name.
    case noProtection(String)
    /// The store failed; the cause says how.
    case store
    /// The protection could not be put on or taken off.
    case protection
    /// The value could not be made bytes, or the bytes no value.
    case serializer
    /// What was written reads back differently; the sources of a migration are still there.
    case verification
    /// The migration itself failed; its sources are still there.
    case migration
    /// A migration reads the very place it writes, maybe by the name of another domain with the same store, and does more
    /// than to change how it is protected.
    case ownSource
    /// Another key takes its value from the same place: the first would take it from the second.
    case sharedSource(StoragePlace, with: StoragePlace)
    /// The key's migration brings its value to another place.
    case otherDestination(StoragePlace)
    /// Migrations of several routers would wait for each other for ever: each of these places for the next, and the last for
    /// the first.
    case circle([StoragePlace])
    /// The sources of a migration changed again and again while a value was made of them; they are still there.
    case changed
    /// A migration of the app's own sets a value that the app has set or deleted since the migration began.
    case overtaken
  }

  /// The place of the key.
  public var place: StoragePlace
  /// Why.
  public var reason: Reason
  /// The error behind it.
  public var cause: (any Error)?

  init(_ place: StoragePlace, _ reason: Reason, cause: (any Error)? = nil) {
    self.place = place
    self.reason = reason
    self.cause = cause
  }
}

extension StorageRouterError: CustomStringConvertible, Described {
  /// What happened, where, and what to do.
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
    case .verification:
      return "Verification failed: \(place) does not contain what was written. Its sources were kept."
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

extension StoragePlace: CustomStringConvertible, Described {
  /// The name and the domain, escaped for display.
  package var words: String { "\(DisplayText.quoted(name)) in \(domain)" }
}

extension StorageDomain: CustomStringConvertible, Described {
  /// The domain in words, escaped for display.
  package var words: String {
    switch self {
    case .userDefaults(nil): "the app's own defaults"
    case .userDefaults(let suite?): "the defaults of \(DisplayText.quoted(suite))"
    case .keychain(let service): "the keychain of \(DisplayText.quoted(service))"
    case .files(let folder): "the files of \(DisplayText.quoted(folder))"
    case .encryptedFiles(let folder): "the encrypted files of \(DisplayText.quoted(folder))"
    case .custom(let name): "the store \(DisplayText.quoted(name))"
    }
  }
}
