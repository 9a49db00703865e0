public import CarryoverStorage
public import Foundation
import PropertyLists

extension StorageSerializer where Value: Codable & SendableMetatype {
  /// Serializes a Codable type as JSON. The keys are sorted, so that equal values give equal bytes.
  ///
  /// It also reads what an app has set in `UserDefaults` directly, from a store with
  /// ``DefaultsDataStore/readingEveryType()``: numbers, dates, arrays, dictionaries, URLs, data, and text for a type that
  /// decodes from a string, such as `String`, `UUID` or an enum. Text that begins with a quotation mark is always JSON.
  /// - Parameters:
  ///   - type: the value's type.
  ///   - encoder: creates an encoder with the app's strategies. Its keys are always sorted.
  ///   - decoder: creates a decoder with the app's strategies for JSON.
  public static func codable(
    _ type: Value.Type = Value.self, encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) -> StorageSerializer {
    StorageSerializer(
      encode: { value in
        let encoder = encoder()
        encoder.outputFormatting.insert(.sortedKeys)
        return Array(try encoder.encode(value))
      },
      decode: { try decoder().decodeStored(Value.self, from: $0) })
  }

  /// Serializes a versioned model as JSON. Data of an older version is migrated in memory when it is read; setting the
  /// value stores it in the newest version.
  ///
  /// Use a migrator with a version marker in the data. A number beside the data is neither read nor written here: if the
  /// migrator declares one, it must also declare the members of each version, which then identify it.
  /// - Parameters:
  ///   - type: the type of the newest version.
  ///   - migrator: the model's history.
  ///   - encoder: creates an encoder with the app's strategies. Its keys are always sorted.
  ///   - decoder: creates a decoder with the app's strategies for JSON.
  /// - Throws: `ModelChainError` with `besideOnly` if only a number beside the data identifies its version.
  public static func model(
    _ type: Value.Type = Value.self, _ migrator: ModelMigrator,
    encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) throws(ModelChainError) -> StorageSerializer {
    let migrator = try migrator.ofDataAlone()
    let newest = codable(type, encoder: encoder, decoder: decoder)
    return StorageSerializer(
      encode: { try migrator.marked(newest.encode($0)) }, decode: { try newest.decode(migrator.migrated(bytes: $0)) })
  }
}
