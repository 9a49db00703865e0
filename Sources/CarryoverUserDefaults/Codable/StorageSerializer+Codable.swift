public import CarryoverStorage
public import Foundation

extension StorageSerializer where Value: Codable & SendableMetatype {
  /// The JSON of a Codable type. Its members are sorted, so that the same value gives the same bytes.
  /// - Parameters:
  ///   - type: the value's type.
  ///   - encoder: makes an encoder with the app's own strategies; its members are sorted all the same.
  ///   - decoder: makes a decoder with the app's own strategies.
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
      decode: { try decoder().decode(Value.self, from: Data($0)) })
  }
}
