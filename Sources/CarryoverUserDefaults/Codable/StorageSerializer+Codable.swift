public import CarryoverStorage
public import Foundation
import PropertyLists

extension StorageSerializer where Value: Codable & SendableMetatype {
  /// The JSON of a Codable type. Its members are sorted, so that the same value gives the same bytes.
  ///
  /// It also reads property lists: numbers, dates, arrays and dictionaries of `UserDefaults`, from a store with
  /// ``DefaultsDataStore/readingEveryType()``.
  /// - Parameters:
  ///   - type: the value's type.
  ///   - encoder: makes an encoder with the app's own strategies; its members are sorted all the same.
  ///   - decoder: makes a decoder with the app's own strategies for JSON.
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

  /// The JSON of a versioned model. Data of an older version is migrated in memory when it is read, and stored in the newest
  /// when the value is set.
  ///
  /// The version should be in the data. If the migrator's version is beside the data, only the members identify it.
  /// - Parameters:
  ///   - type: the type in use, which is that of the newest version.
  ///   - migrator: the model's history.
  ///   - encoder: makes an encoder with the app's own strategies.
  ///   - decoder: makes a decoder with the app's own strategies.
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
  /// A value from JSON, or from a property list.
  func decodeModel<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    guard ModelForm(of: bytes) != .json else { return try decode(type, from: Data(bytes)) }
    // In an array, since a decoder of property lists takes no date by itself.
    let list = PropertyListValue.array([try PropertyListDocument(bytes: bytes).root])
    let data = Data(try PropertyListDocument.encode(list, as: .binary))
    guard let value = try PropertyListDecoder().decode([Value].self, from: data).first else {
      throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "the list is empty"))
    }
    return value
  }
}
