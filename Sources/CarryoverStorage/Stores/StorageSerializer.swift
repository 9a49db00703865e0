import CarryoverSystem
// The steps of a model change JSON values, so an app that imports this module needs their members too.
@_exported public import PropertyLists

/// Converts a value to bytes and back, or throws: bytes that do not decode are never treated as missing.
public struct StorageSerializer<Value: Sendable>: Sendable {
  /// Encodes a value as bytes.
  public let encode: @Sendable (Value) throws -> [UInt8]
  /// Decodes a value from bytes.
  public let decode: @Sendable ([UInt8]) throws -> Value

  /// Creates a serialiser from its two directions.
  public init(
    encode: @escaping @Sendable (Value) throws -> [UInt8], decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension StorageSerializer<[UInt8]> {
  /// The bytes, unchanged.
  public static var bytes: StorageSerializer { StorageSerializer(encode: { $0 }, decode: { $0 }) }
}

extension StorageSerializer<String> {
  /// Text as UTF-8.
  public static var text: StorageSerializer {
    StorageSerializer(
      encode: { Array($0.utf8) },
      decode: { bytes in
        guard let text = String(utf8: bytes) else { throw StorageProblem("the bytes are not UTF-8 text") }
        return text
      })
  }
}

extension StorageSerializer<Bool> {
  /// `true` or `false`. Decoding also accepts `1` and `0`, which older apps wrote.
  public static var boolean: StorageSerializer {
    StorageSerializer(
      encode: { Array(($0 ? "true" : "false").utf8) },
      decode: { bytes in
        switch String(decoding: bytes, as: UTF8.self) {
        case "true", "1": return true
        case "false", "0": return false
        default: throw StorageProblem("the text is neither true nor false")
        }
      })
  }
}

extension StorageSerializer<Int> {
  /// A whole number as decimal text.
  public static var integer: StorageSerializer {
    StorageSerializer(
      encode: { Array(String($0).utf8) },
      decode: { bytes in
        guard let number = Int(String(decoding: bytes, as: UTF8.self)) else {
          throw StorageProblem("the text is not a whole number that fits")
        }
        return number
      })
  }
}

extension StorageSerializer<JSONValue> {
  /// JSON text. Members keep their order, and numbers their text.
  public static var json: StorageSerializer {
    StorageSerializer(
      encode: { Array($0.text().utf8) },
      // The text is a user's data, and errors end up in logs.
      decode: { bytes in try converting(try JSONText(bytes: bytes).value) { (error: JSONError) in error.withoutText } })
  }
}
