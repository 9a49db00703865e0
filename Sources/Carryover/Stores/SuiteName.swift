/// The name of an analytics suite, `<bundleID>.analytics.<writeKey>`, in which the new SDK keeps its values.
package struct SuiteName: Hashable, Sendable {
  /// The app's bundle identifier.
  package var bundleID: String
  /// The key that names the analytics source.
  package var writeKey: String

  /// A suite's name from its parts.
  ///
  /// Nil unless both are valid, since the suite's name becomes a file's.
  package init?(bundleID: String, writeKey: String) {
    guard Container.isValidBundleID(bundleID), Container.isValidWriteKey(writeKey) else { return nil }
    self.bundleID = bundleID
    self.writeKey = writeKey
  }

  /// The suite's name, as `UserDefaults(suiteName:)` takes it.
  package var name: String { bundleID + Self.infix + writeKey }

  /// The suite's file, without a folder.
  package var fileName: String { name + Self.fileExtension }

  /// Every suite a file's name can stand for, the shortest bundle identifier first.
  ///
  /// There can be several, since `.analytics.` may be a part of a bundle identifier or of a write key.
  package static func readings(ofFileName name: String) -> [SuiteName] {
    guard name.hasSuffix(fileExtension) else { return [] }
    let stem = Array(name.utf8.dropLast(fileExtension.utf8.count))
    let mark = Array(infix.utf8)
    guard stem.count > mark.count, stem.count <= longestStem else { return [] }
    return (0...(stem.count - mark.count)).compactMap { start in
      guard stem[start..<(start + mark.count)].elementsEqual(mark) else { return nil }
      let bundleID = String(decoding: stem[..<start], as: UTF8.self)
      let writeKey = String(decoding: stem[(start + mark.count)...], as: UTF8.self)
      return SuiteName(bundleID: bundleID, writeKey: writeKey)
    }
  }

  private static let infix = ".analytics."
  private static let fileExtension = ".plist"
  /// No file system we meet has longer names.
  private static let longestStem = 255
}

extension Container {
  /// Whether a text can be a bundle identifier: letters, digits, `-`, `_` and single dots between them, all ASCII, at
  /// most 155 characters, which is the App Store's limit.
  ///
  /// File names are made of it, so anything else is refused, whoever says it.
  package static func isValidBundleID(_ text: String) -> Bool { isNamePart(text, limit: 155) }

  /// Whether a text can be a write key: letters, digits, `-`, `_` and single dots between them, all ASCII, at most 64
  /// characters.
  ///
  /// File names are made of it. With a bundle identifier of the longest kind the name still fits into 255 bytes.
  package static func isValidWriteKey(_ text: String) -> Bool { isNamePart(text, limit: 64) }

  private static func isNamePart(_ text: String, limit: Int) -> Bool {
    guard !text.isEmpty, text.utf8.count <= limit else { return false }
    var afterDot = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        if afterDot { return false }
        afterDot = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        afterDot = false
      default:
        return false
      }
    }
    return !afterDot
  }
}
