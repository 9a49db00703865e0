import CarryoverStorage

/// What a value is made of: the values that lie in the places of before.
public struct StorageParts: Sendable {
  private let bytes: [StoragePlace: [UInt8]]

  /// Parts by their places, as a test gives them.
  package init(_ bytes: [StoragePlace: [UInt8]]) { self.bytes = bytes }

  /// The value of a key, as its serialiser reads it; nil where there is none, or where the key is no source of the
  /// migration.
  /// - Throws: what the serialiser throws.
  public subscript<Key: StorageKey>(_ key: Key) -> Key.Value? {
    get throws { try bytes[key.place].map { try key.serializer.decode($0) } }
  }

  /// The places that hold something.
  package var places: Set<StoragePlace> { Set(bytes.keys) }
}
