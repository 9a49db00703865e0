import CCarryoverArchive

/// An archive that is read from its start to its end, entry by entry. What it says is not checked here.
final class OpenArchive {
  /// An entry as the archive describes it.
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
    /// The rest of a file that began in another volume.
    case part
  }

  /// Bytes of an entry, and their place in it.
  struct Block {
    var bytes: UnsafeRawBufferPointer
    var offset: Int64
  }

  private let library: ArchiveLibrary
  private let file: SourceFile
  private let archive: OpaquePointer
  private var hasEntries = false
  /// Whether it is a zip file; it is a tar archive otherwise.
  let isZip: Bool
  /// Whether a compression lies around the whole archive. There is never more than one: what is in it is read as tar.
  let isCompressed: Bool

  /// An archive in an open file, of the form that its first bytes say.
  /// - Throws: `unrecognised` where it is none, or where memory is short.
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
  /// - Parameter allowance: how many bytes may be read to find it: all names of a zip file are read before the first.
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

  /// Gives the next bytes of the entry to a function; false where there are no more.
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

  /// Passes over the rest of the entry.
  func skip() throws(ArchiveRefusal) {
    guard carryover_archive_skip(archive) else { throw failure() }
  }

  /// The place in the file up to which it was read.
  var consumed: Int64 { carryover_archive_consumed(archive) }
  /// How many bytes have come out of the compression around the whole archive.
  var produced: Int64 { carryover_archive_produced(archive) }
  /// Whether a tar archive has its end; without it, it was cut off between two entries.
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

  /// Whether what came out of the compression is no tar archive, but compressed again, or a zip file.
  private var holdsAnotherArchive: Bool {
    var count = 0
    let start = carryover_archive_beginning(archive, &count)
    guard !hasEntries else { return false }
    return switch FileSignature(Array(UnsafeBufferPointer(start: start, count: count))) {
    case .archive(.tar), .database, nil: false
    case .archive: true
    }
  }

  /// What the library's message means. Some of its messages end with a line end.
  static func refusal(_ message: String) -> ArchiveRefusal {
    if message.lowercased().contains("truncated") { return .truncated }
    let end = message.lastIndex { !$0.isNewline }.map(message.index(after:)) ?? message.startIndex
    return .damaged(String(message[..<end]))
  }
}
