public import PropertyLists

/// The keys of an app, or of a part of it, which the router checks and migrates together.
public protocol StorageCatalog: Sendable {
  /// The keys of the catalog.
  var keys: [any StorageKey] { get }
}

/// Why the router refused a catalog. Nothing was migrated.
public struct StorageCatalogError: Error, Hashable, Sendable {
  /// A problem of a catalog. Later versions may add cases.
  public enum Problem: Hashable, Sendable {
    /// Two keys have the same place, in this catalog or in one that was registered before.
    case duplicate(StoragePlace)
    /// Two keys are migrated from the same place: the migration that runs first would take the value from the other.
    case sharedSource(StoragePlace)
    /// The migrations form a cycle: each of these places is migrated from the next, and the last from the first.
    case cycle([StoragePlace])
    /// The migration of the key at the first place writes to the second.
    case otherDestination(StoragePlace, StoragePlace)
  }

  /// Everything that is wrong.
  public var problems: [Problem]
}

extension StorageCatalogError: CustomStringConvertible, Described {
  /// Everything that is wrong, and what to do.
  package var words: String {
    "The catalog is refused: \(problems.map(\.description).joined(separator: "; ")). Nothing was migrated."
  }
}

extension StorageCatalogError.Problem: CustomStringConvertible, Described {
  /// What is wrong.
  package var words: String {
    switch self {
    case .duplicate(let place): "two keys are \(place)"
    case .sharedSource(let place): "two keys are migrated from \(place); make one value of it first"
    case .otherDestination(let place, let other): "the migration of \(place) writes its value to \(other)"
    case .cycle(let places): "values would go round: \(places.map(\.description).joined(separator: " ← "))"
    }
  }
}
