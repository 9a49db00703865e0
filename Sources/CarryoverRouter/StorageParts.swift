import CarryoverStorage

/// The values of a migration's sources.
public struct StorageParts: Sendable {
  private let bytes: [StoragePlace: [UInt8]]

  /// Creates parts from the bytes of each place.
  package init(_ bytes: [StoragePlace: [UInt8]]) { self.bytes = bytes }

  /// The value of a key, decoded by its serialiser; nil if there is none, or if the key is not a source of the
  /// migration.
  /// - Throws: the serialiser's error.
  public subscript<Key: StorageKey>(_ key: Key) -> Key.Value? {
    get throws { try bytes[key.place].map { try key.serializer.decode($0) } }
  }

  /// The places that have a value.
  package var places: Set<StoragePlace> { Set(bytes.keys) }
}
