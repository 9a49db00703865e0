public import CarryoverStorage
public import Foundation
import PropertyLists

extension StorageSerializer where Value: Codable & SendableMetatype {
  /// Serializes a Codable type as JSON. The keys are sorted, so that equal values give equal bytes.
  ///
  /// It also reads property lists: numbers, dates, arrays and dictionaries of `UserDefaults`, from a store with
  /// ``DefaultsDataStore/readingEveryType()``.
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
      decode: { try decoder().decodeModel(Value.self, from: $0) })
  }

  /// Serializes a versioned model as JSON. Data of an older version is migrated in memory when it is read; setting the
  /// value stores it in the newest version.
  ///
  /// Use a migrator with a version marker in the data. A version beside the data is not available here, so only the
  /// members identify the version then.
  /// - Parameters:
  ///   - type: the type of the newest version.
  ///   - migrator: the model's history.
  ///   - encoder: creates an encoder with the app's strategies. Its keys are always sorted.
  ///   - decoder: creates a decoder with the app's strategies for JSON.
  public static func model(
    _ type: Value.Type = Value.self, _ migrator: ModelMigrator,
    encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) -> StorageSerializer {
    let newest = codable(type, encoder: encoder, decoder: decoder)
    return StorageSerializer(
      encode: { try migrator.marked(newest.encode($0)) }, decode: { try newest.decode(migrator.migrated(bytes: $0)) })
  }
}

extension JSONDecoder {
  /// Decodes a value from JSON or from a property list.
  func decodeModel<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    guard ModelForm(of: bytes) != .json else { return try decode(type, from: Data(bytes)) }
    // In an array, because a property list decoder rejects a date as the root.
    let list = PropertyListValue.array([try PropertyListDocument(bytes: bytes).root])
    let data = Data(try PropertyListDocument.encode(list, as: .binary))
    guard let value = try PropertyListDecoder().decode([Value].self, from: data).first else {
      throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "the list is empty"))
    }
    return value
  }
}
