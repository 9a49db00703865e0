import CCarryoverArchive
import Carryover
import CarryoverSystem

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

  /// A part of an entry's bytes, valid until the archive is read on.
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

  /// The first bytes of the file determine the format.
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

  func data() throws(ArchiveRefusal) -> Block? {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    switch carryover_archive_data(archive, &start, &count, &offset) {
    case carryover_archive_more:
      return Block(bytes: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), offset: offset)
    case carryover_archive_end: return nil
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

package enum ArchiveRefusal: Error, Hashable, Sendable {
  /// An entry without a name, or whose name is not in its stated encoding: its number, from 1.
  case namelessEntry(Int)
  case absoluteName(String)
  case climbingName(String)
  /// An entry whose name is longer than on any system: the start of the name.
  case longName(String)
  case linkOut(String, target: String)
  case hardLinkOut(String, target: String)
  case insideFile(String, file: String)
  case repeatedName(String)
  case specialFile(String)
  case encrypted(String)
  case tooManyEntries(limit: Int)
  case tooLongNames(limit: Int)
  case endlessDescription(limit: Int)
  case tooLargeFile(String, limit: Int)
  case tooLarge(limit: Int)
  case expandsTooMuch(times: Int)
  case severalVolumes
  case compressedTwice
  case unrecognised
  case truncated
  case changed
  /// The archive is damaged; the library's message.
  case damaged(String)
}

enum ArchiveWording {
  /// - Parameter archive: the archive's path, escaped for display.
  static func sentence(_ archive: String, _ refusal: ArchiveRefusal) -> String {
    switch refusal {
    case .namelessEntry(let number):
      "\(archive) was not opened: its entry \(number) has no readable name. Pack the files again."
    case .absoluteName(let name):
      "\(archive) was not opened: \(quoted(name)) in it is an absolute path outside of the archive. \(distrust)"
    case .climbingName(let name):
      "\(archive) was not opened: \(quoted(name)) in it leads out of the archive. \(distrust)"
    case .longName(let name):
      "\(archive) was not opened: the name \(quoted(name)) in it is too long or too deep. Pack the files again."
    case .linkOut(let name, let target):
      "\(archive) was not opened: the link \(quoted(name)) in it leads to \(quoted(target)), which may be outside."
        + " Pack the files again without that link."
    case .hardLinkOut(let name, let target):
      "\(archive) was not opened: \(quoted(name)) in it is a hard link to \(quoted(target)), which is not an earlier file of"
        + " the archive. Pack the files again."
    case .insideFile(let name, let file):
      "\(archive) was not opened: \(quoted(name)) in it is in \(quoted(file)), which is not a folder. \(distrust)"
    case .repeatedName(let name): "\(archive) was not opened: it contains \(quoted(name)) twice. Pack the files again."
    case .specialFile(let name):
      "\(archive) was not opened: \(quoted(name)) in it is a device, a pipe or a socket. Pack the files without it."
    case .encrypted(let name):
      "\(archive) was not opened: \(quoted(name)) in it is encrypted. Extract it with its password, then give the folder."
    case .tooManyEntries(let limit):
      "\(archive) was not opened: it has more than \(limit) entries. Pack only the app's container."
    case .tooLongNames(let limit):
      "\(archive) was not opened: the names in it are longer than \(size(limit)) in total. Pack only the app's container."
    case .endlessDescription(let limit):
      "\(archive) was not opened: the description of one file is longer than \(size(limit))."
        + " \(distrust)"
    case .tooLargeFile(let name, let limit):
      "\(archive) was not opened: \(quoted(name)) in it is larger than \(size(limit)). Pack the files without it."
    case .tooLarge(let limit):
      "\(archive) was not opened: it unpacks to more than \(size(limit)). Pack only the app's container."
    case .expandsTooMuch(let times):
      "\(archive) was not opened: it unpacks to more than \(times) times its size, as archives made to fill a disk do."
        + " If you trust it, extract it first, then give the folder."
    case .severalVolumes:
      "\(archive) is one of several volumes, which cannot be opened: join them, or pack the files into one archive."
    case .compressedTwice: "\(archive) is compressed more than once: decompress it once, then open the result."
    case .unrecognised:
      "\(archive) is a damaged archive, or a compressed file of another kind: extract it first, or ask for it again."
    case .truncated: "\(archive) is truncated. Ask for the file again."
    case .changed: "\(archive) changed while it was read: wait until nothing writes to it, and try again."
    case .damaged(let cause):
      "\(archive) is a damaged archive\(cause.isEmpty ? "" : " (\(shown(cause)))"). Ask for the file again."
    }
  }

  static let rootedNames =
    "Names in the archive begin with a slash, as in a copy of a whole file system: they are shown without it."

  static func missingLibrary(_ archive: String) -> String {
    "\(archive) is an archive, and libarchive, which opens them, was not found: install it (on Debian and Ubuntu the"
      + " package libarchive13; macOS has it), or extract the archive and give the folder."
  }

  private static let distrust = "Do not extract it; ask where it comes from."

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 30 ? "\(bytes >> 30) GiB" : bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
  }

  private static func quoted(_ text: String) -> String { "“" + shown(text) + "”" }

  private static func shown(_ text: String) -> String {
    let limit = 300
    let scalars = text.unicodeScalars
    return DisplayText.harmless(String(String.UnicodeScalarView(scalars.prefix(limit))))
      + (scalars.count > limit ? "…" : "")
  }
}
