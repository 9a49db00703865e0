import Carryover

enum FileSignature: Hashable {
  case archive(ArchiveForm)
  case database

  init?(_ bytes: [UInt8]) {
    if Self.zipMarks.contains(where: bytes.starts(with:)) {
      self = .archive(.zip)
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .archive(.gzip)
    } else if bytes.starts(with: "BZh".utf8) {
      self = .archive(.bzip2)
    } else if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) {
      self = .archive(.xz)
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .archive(.zstd)
    } else if bytes.starts(with: "SQLite format 3\0".utf8) {
      self = .database
    } else if bytes.dropFirst(Self.tarMarkOffset).starts(with: "ustar".utf8), !Self.isPropertyList(bytes) {
      self = .archive(.tar)
    } else {
      return nil
    }
  }

  /// Whether a file begins like a property list. Any bytes may follow.
  static func isPropertyList(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    return bytes.first { !spaces.contains($0) } == UInt8(ascii: "<")
  }

  /// The kind of data that a file begins like; nil if it does not look like data. Any bytes may follow.
  static func data(_ bytes: [UInt8]) -> UnreadFiles.Form? {
    if FileSignature(bytes) == .database { return .database }
    if bytes.starts(with: "bplist".utf8) || root(ofXML: bytes) == "plist" { return .propertyList }
    let text = bytes.drop(while: spaces.contains)
    let next = text.dropFirst().first { !spaces.contains($0) }
    // The first line of a log may begin with a bracket.
    switch (text.first, next) {
    case (UInt8(ascii: "{"), UInt8(ascii: "\"")?), (UInt8(ascii: "{"), UInt8(ascii: "}")?): return .json
    case (UInt8(ascii: "["), let next?) where #"[]{""#.utf8.contains(next): return .json
    default: return nil
    }
  }

  /// Whether a file begins like a preferences file of Android: XML whose root is `map`.
  static func isAndroidPreferences(_ bytes: [UInt8]) -> Bool { root(ofXML: bytes) == "map" }

  private static func root(ofXML bytes: [UInt8]) -> String? {
    var rest = bytes.prefix(length).drop(while: spaces.contains)
    while rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) {
      rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst().drop(while: spaces.contains)
    }
    guard rest.first == UInt8(ascii: "<") else { return nil }
    return String(decoding: rest.dropFirst().prefix { !endsOfName.contains($0) }, as: UTF8.self)
  }

  private static let endsOfName = Set(" \t\r\n/>".utf8)
  /// White space, and the bytes of a byte order mark.
  private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  private static let zipMarks: [[UInt8]] = [
    [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x50, 0x4B, 0x07, 0x08],
  ]
  private static let tarMarkOffset = 257

  /// The number of bytes that identify the format.
  static let length = tarMarkOffset + 5
}
