import CarryoverSystem

/// Converts an archive's bytes to the names of its entries.
enum ArchiveName {
  /// The limits of the systems that create containers: 255 bytes for a name, 1,024 for a path.
  private static let componentBytes = 255
  private static let pathBytes = 1_024

  /// The path of an entry, relative to the archive's root, whose path is empty.
  ///
  /// `.` and repeated slashes are ignored, also slashes at the start, which tools that pack a whole file system write. A
  /// backslash is an ordinary character, but no name may lead out of the archive on a system where it separates names.
  /// The library converts the backslashes of Windows tools in zip files to slashes. Bytes that are not UTF-8 become
  /// `%XX`, so that one odd name does not make an archive unreadable.
  static func path(_ bytes: [UInt8]) throws(ArchiveRefusal) -> String {
    let relative = Array(bytes.drop { $0 == slash })
    if isAbsolute(relative) { throw .absoluteName(shown(bytes)) }
    if bytes.split(whereSeparator: { $0 == slash || $0 == backslash }).contains(where: isUp) {
      throw .climbingName(shown(bytes))
    }
    let parts = components(bytes).filter { !isSame($0) }.map(text)
    let path = parts.joined(separator: "/")
    guard path.utf8.count <= pathBytes, parts.allSatisfy({ $0.utf8.count <= componentBytes }) else {
      throw .longName(shown(bytes))
    }
    return path
  }

  static func isRooted(_ bytes: [UInt8]) -> Bool { bytes.first == slash }

  /// Whether a link at a path leads to a place in the archive, even through other links.
  ///
  /// `..` is only allowed at the start: the parents of the link are folders, but a name in its target may be another
  /// link, whose parent is unknown.
  static func leadsInside(_ target: [UInt8], from path: String) -> Bool {
    if target.isEmpty || isAbsolute(target) { return false }
    let parts = components(target).filter { !isSame($0) }
    let climb = parts.prefix(while: isUp).count
    return climb < FilePath.components(path).count && !parts.dropFirst(climb).contains(where: isUp)
  }

  static func shown(_ bytes: [UInt8]) -> String { text(bytes.prefix(pathBytes)) }

  /// Bytes as text. Bytes that are not UTF-8 become `%XX`.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var result = ""
    var parser = Unicode.UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var place = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        result.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        place += encoded.count
      case .error(let length):
        for byte in bytes[place..<min(place + length, bytes.endIndex)] {
          result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        place = min(place + length, bytes.endIndex)
      case .emptyInput: return result
      }
    }
  }

  private static func isAbsolute(_ bytes: [UInt8]) -> Bool {
    if let first = bytes.first, first == slash || first == backslash { return true }
    // Windows puts a drive letter before a path.
    guard bytes.count >= 3, bytes[1] == UInt8(ascii: ":"), bytes[2] == slash || bytes[2] == backslash else {
      return false
    }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0] | 0x20)
  }

  private static func components(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split(separator: slash) }
  private static func isSame(_ part: ArraySlice<UInt8>) -> Bool { part.elementsEqual(".".utf8) }
  private static func isUp(_ part: ArraySlice<UInt8>) -> Bool { part.elementsEqual("..".utf8) }

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")
}
