/// Paths of this machine as text, compared byte by byte: a combining mark after a slash does not hide the slash.
package enum FilePath {
  package static let slash = UInt8(ascii: "/")

  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: slash) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component; the path itself if it has none.
  package static func name(of path: String) -> String {
    guard let last = path.utf8.lastIndex(where: { $0 != slash }) else { return path }
    let before = path.utf8[..<last].lastIndex(of: slash)
    return String(path[(before.map(path.utf8.index(after:)) ?? path.startIndex)..<path.utf8.index(after: last)])
  }

  package static func components(_ path: String, omittingEmpty: Bool = true) -> [String] {
    path.utf8.split(separator: slash, omittingEmptySubsequences: omittingEmpty).map { String(Substring($0)) }
  }

  package static func join(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }

  /// The path from a folder to a path inside it: empty for the folder itself; nil for a path outside it, or with an
  /// empty component, `.` or `..` on the way, which may lead out again.
  static func below(_ folder: String, _ path: String) -> String? {
    guard isWithin(path, folder) else { return nil }
    let below = path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
    let isPlain =
      below.isEmpty
      || below.split(separator: slash, omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
      }
    return isPlain ? String(below) : nil
  }

  /// Whether a path is a folder or inside it; both must be canonical.
  package static func isWithin(_ path: String, _ folder: String) -> Bool {
    guard path.utf8.starts(with: folder.utf8) else { return false }
    return folder == "/" || path.utf8.count == folder.utf8.count
      || path.utf8.dropFirst(folder.utf8.count).first == slash
  }
}

extension FileSystem {
  /// The canonical path: the real path of the folder that contains it, with the last component unchanged.
  ///
  /// A link in the last component is kept, for code that refuses links. If the last component is `.` or `..`, which
  /// cannot be a link, the whole path is resolved. The folder must exist, but the path need not.
  /// - Throws: the system's error, with the original path.
  package func location(of path: String) throws(FileSystemError) -> String {
    do {
      guard let last = path.utf8.lastIndex(where: { $0 != FilePath.slash }) else { return try resolve(path) }
      let trimmed = String(path[..<path.utf8.index(after: last)])
      let name = FilePath.name(of: trimmed)
      if name == "." || name == ".." { return try resolve(trimmed) }
      return FilePath.join(try resolve(FilePath.folder(of: trimmed)), name)
    } catch {
      throw FileSystemError(error.operation, path, error.reason)
    }
  }

  /// The kind of the item at a path below a folder; nil if there is none, or if a folder on the way is something else,
  /// such as a link.
  package func kind(at path: String, below folder: String) -> FileKind? {
    var place = folder
    var kind: FileKind?
    for part in FilePath.components(path) {
      guard place == folder || kind == .directory else { return nil }
      place = FilePath.join(place, part)
      kind = (try? status(place))?.kind
    }
    return kind
  }
}

/// Names and paths of files as text, also those whose bytes are not UTF-8.
///
/// A byte that is not UTF-8 is a scalar for private use, U+10FF80 to U+10FFFF, which is shown as an escape. A name's own
/// scalars of this range count as such bytes. So the text of every name is that name's alone, and opens its file.
package enum SystemName {
  /// The text of a name that ends with NUL.
  package static func text(_ characters: UnsafePointer<CChar>) -> String {
    var length = 0
    while characters[length] != 0 { length += 1 }
    return text(UnsafeRawBufferPointer(start: characters, count: length))
  }

  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.utf8.elementsEqual(bytes) || text.unicodeScalars.contains(where: isByte) else { return text }
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var rest = bytes[...]
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if isByte(scalar) {
          for byte in rest.prefix(encoded.count) { result.append(Self.scalar(byte)) }
        } else {
          result.append(scalar)
        }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { result.append(scalar(byte)) }
        rest = rest.dropFirst(length)
      case .emptyInput: return String(result)
      }
    }
  }

  /// The bytes of a name's or a path's text, with a final NUL.
  package static func bytes(_ text: String) -> [CChar] {
    guard text.unicodeScalars.contains(where: isByte) else { return Array(text.utf8CString) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isByte(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether a scalar is a byte that is not UTF-8: the lowest of its own.
  package static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10_FF80 }

  /// The scalar of a byte from 0x80: no other byte is invalid by itself.
  private static func scalar(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(0x10_FF00 + UInt32(byte)) ?? "\u{FFFD}" }
}
