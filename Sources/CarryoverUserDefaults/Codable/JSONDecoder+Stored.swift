import CarryoverStorage
import Foundation
import PropertyLists

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

  /// Decodes a value from JSON, from a property list, or from text or data that an app has set in `UserDefaults`.
  func decodeStored<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    do {
      return try decodeModel(type, from: bytes)
    } catch {
      guard let plain = plain(type, bytes) else { throw error }
      return plain
    }
  }

  /// A value whose bytes are not encoded. Nil for what may be damaged JSON: it must not pass for the value.
  private func plain<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    let first = bytes.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if first == UInt8(ascii: "\"") { return nil }
    let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if type is Data.Type {
      // With another strategy, JSON for data may begin with a bracket.
      if mayBeJSON { guard case .base64 = dataDecodingStrategy else { return nil } }
      return Data(bytes) as? Value
    }
    if type is URL.Type, let url = Self.url(bytes) { return url as? Value }
    guard let text = String(utf8: bytes) else { return nil }
    if type is String.Type { return text as? Value }
    guard !mayBeJSON, let json = try? JSONEncoder().encode(text) else { return nil }
    return try? decode(type, from: json)
  }

  /// A URL as `UserDefaults.set(_:forKey:)` stores it: the path of a file, or a keyed archive.
  private static func url(_ bytes: [UInt8]) -> URL? {
    if let document = try? PropertyListDocument(bytes: bytes) {
      guard case .string(let text)? = (try? KeyedArchive(document))?.propertyList()?.value else { return nil }
      return URL(string: text)
    }
    guard let path = String(utf8: bytes), path.hasPrefix("/") || path.hasPrefix("~") else { return nil }
    return URL(fileURLWithPath: NSString(string: path).expandingTildeInPath)
  }
}
