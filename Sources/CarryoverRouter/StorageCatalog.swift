public import PropertyLists

/// Every key of an app, or of a part of it, so that they can be checked and migrated together.
public protocol StorageCatalog: Sendable {
  /// The keys.
  var keys: [any StorageKey] { get }
}

/// Why a catalog is refused. Nothing was migrated.
public struct StorageCatalogError: Error, Hashable, Sendable {
  /// What is wrong. Later versions may find more.
  package enum Problem: Hashable, Sendable {
    /// Two keys have the same place, in this catalog or in one that was registered before.
    case duplicate(StoragePlace)
    /// Two keys are migrated from the same place: the first would take it from the second.
    case sharedSource(StoragePlace)
    /// Values would go round: each of these is migrated from the next, and the last from the first.
    case cycle([StoragePlace])
    /// The migration of the first, a key, brings its value to the second.
    case otherDestination(StoragePlace, StoragePlace)
  }

  /// Everything that is wrong.
  package var problems: [Problem]
}

extension StorageCatalogError: CustomStringConvertible, Described {
  /// Everything that is wrong, and what to do.
  package var words: String {
    "The catalog is refused: \(problems.map(\.description).joined(separator: "; ")). Nothing was migrated."
  }
}

extension StorageCatalogError.Problem: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch self {
    case .duplicate(let place): "two keys are \(place)"
    case .sharedSource(let place): "two keys are migrated from \(place); make one value of it first"
    case .otherDestination(let place, let other): "the migration of \(place) brings its value to \(other)"
    case .cycle(let places): "values would go round: \(places.map(\.description).joined(separator: " ← "))"
    }
  }
}
