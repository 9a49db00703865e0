import CCarryoverArchive

/// An archive that is read from start to end, entry by entry. Its statements are not checked here.
final class OpenArchive {
  struct Entry {
    var name: [UInt8]?
    var form: Form
    var isEncrypted: Bool
  }

  enum Form {
    case folder
    case file(size: Int64)
    case link(target: [UInt8])
    case hardLink(target: [UInt8])
    case special
    /// The rest of a file that starts in another volume.
    case part
  }

  struct Block {
    var bytes: UnsafeRawBufferPointer
    var offset: Int64
  }

  private let library: ArchiveLibrary
  private let file: SourceFile
  private let archive: OpaquePointer
  private var hasEntries = false
  /// Whether the archive is a zip file; if not, it is a tar archive.
  let isZip: Bool
  /// Whether the whole archive is compressed. There is at most one such layer, and its content is read as tar.
  let isCompressed: Bool

  /// An archive in an open file. Its first bytes determine the format.
  /// - Throws: `unrecognised` if the file is not an archive, or if there is not enough memory.
  init(_ file: SourceFile, library: ArchiveLibrary) throws(ArchiveRefusal) {
    let form =
      switch FileSignature(file.head(FileSignature.length)) {
      case .archive(.zip): carryover_archive_zip
      case .archive(.tar), .database, nil: carryover_archive_tar
      case .archive(.gzip): carryover_archive_gzip_tar
      case .archive(.bzip2): carryover_archive_bzip2_tar
      case .archive(.xz): carryover_archive_xz_tar
      case .archive(.zstd): carryover_archive_zstd_tar
      }
    guard let archive = carryover_archive_new(library.pointer, file.descriptor, file.size, form) else {
      throw .unrecognised
    }
    self.library = library
    self.file = file
    self.archive = archive
    isZip = form == carryover_archive_zip
    isCompressed = !isZip && form != carryover_archive_tar
    guard carryover_archive_begin(archive) else { throw holdsAnotherArchive ? .compressedTwice : .unrecognised }
  }

  deinit { carryover_archive_free(archive) }

  /// The next entry; nil at the end.
  /// - Parameter allowance: how many bytes may be read to find it. In a zip file, all names precede the first entry.
  func next(allowance: Int) throws(ArchiveRefusal) -> Entry? {
    var found = carryover_archive_entry()
    switch carryover_archive_next(archive, Int64(allowance), &found) {
    case carryover_archive_more:
      hasEntries = true
      return entry(found)
    case carryover_archive_end: return nil
    default:
      if carryover_archive_is_over_allowance(archive) {
        throw isZip ? .tooLongNames(limit: allowance) : .endlessDescription(limit: allowance)
      }
      throw failure()
    }
  }

  func data(_ body: (Block) -> Void) throws(ArchiveRefusal) -> Bool {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    switch carryover_archive_data(archive, &start, &count, &offset) {
    case carryover_archive_more:
      body(Block(bytes: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), offset: offset))
      return true
    case carryover_archive_end: return false
    default: throw failure()
    }
  }

  func skip() throws(ArchiveRefusal) {
    guard carryover_archive_skip(archive) else { throw failure() }
  }

  var consumed: Int64 { carryover_archive_consumed(archive) }
  var produced: Int64 { carryover_archive_produced(archive) }
  /// Whether a tar archive has its end mark. Without it, the archive was truncated between two entries.
  var hasEndMark: Bool { carryover_archive_has_end_mark(archive) }

  private func entry(_ found: carryover_archive_entry) -> Entry {
    Entry(name: found.name.map(bytes), form: form(found), isEncrypted: found.encrypted)
  }

  private func form(_ found: carryover_archive_entry) -> Form {
    if let target = found.hard_link { return .hardLink(target: bytes(target)) }
    switch found.kind {
    case carryover_archive_folder: return .folder
    case carryover_archive_file: return .file(size: found.size)
    case carryover_archive_symlink: return .link(target: found.link.map(bytes) ?? [])
    case carryover_archive_part: return .part
    default: return .special
    }
  }

  private func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    var result: [UInt8] = []
    var place = text
    while place.pointee != 0 {
      result.append(UInt8(bitPattern: place.pointee))
      place += 1
    }
    return result
  }

  private func failure() -> ArchiveRefusal {
    if holdsAnotherArchive { return .compressedTwice }
    return Self.refusal(String(cString: carryover_archive_message(archive)))
  }

  /// Whether the decompressed data is not a tar archive, but compressed again or a zip file.
  private var holdsAnotherArchive: Bool {
    var count = 0
    let start = carryover_archive_beginning(archive, &count)
    guard !hasEntries else { return false }
    return switch FileSignature(Array(UnsafeBufferPointer(start: start, count: count))) {
    case .archive(.tar), .database, nil: false
    case .archive: true
    }
  }

  /// The refusal for a message of the library. Some messages end with a newline.
  static func refusal(_ message: String) -> ArchiveRefusal {
    if message.lowercased().contains("truncated") { return .truncated }
    let end = message.lastIndex { !$0.isNewline }.map(message.index(after:)) ?? message.startIndex
    return .damaged(String(message[..<end]))
  }
}

/// libarchive, loaded when the first archive is opened, so that the command starts fast and runs without the library.
final class ArchiveLibrary {
  let pointer: OpaquePointer

  /// Loads the first of the named libraries that exists; nil if none does.
  init?(names: [String] = ArchiveLibrary.names) {
    let loaded = names.lazy.compactMap { carryover_archive_library_load($0) }.first
    guard let loaded else { return nil }
    pointer = loaded
  }

  var version: String? { carryover_archive_library_version(pointer).map { String(cString: $0) } }

  deinit { carryover_archive_library_free(pointer) }

  #if canImport(Darwin)
    static let names = [
      "/usr/lib/libarchive.2.dylib", "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib",
      "/usr/local/opt/libarchive/lib/libarchive.13.dylib",
    ]
  #else
    static let names = ["libarchive.so.13", "libarchive.so"]
  #endif
}

package enum ArchiveSupport {
  /// The name and version of the library that reads archives; nil if it cannot be loaded.
  package static var library: String? { ArchiveLibrary().map { $0.version ?? "libarchive" } }
}
