import Carryover
import CarryoverSystem
import CarryoverVendors

/// The limits for reading an archive, and for its content. An archive beyond the latter is refused. The defaults allow
/// the backup of a full phone, but not more than a machine's memory. Sizes are in bytes.
struct ArchiveLimits: Hashable, Sendable {
  var entries = 500_000
  var nameBytes = 128 << 20
  var fileBytes = 64 << 30
  var totalBytes = 1 << 40
  /// The ratio of the unpacked size to the archive's size. It applies above `unsuspiciousBytes`.
  var expansion = 200
  /// The unpacked size that is allowed for an archive of any size.
  var unsuspiciousBytes = 64 << 20
  /// The size of a file whose bytes are read into memory.
  var keptFileBytes = 128 << 20
  var keptBytes = 512 << 20

  /// The maximum unpacked size for an archive of this size.
  func unpackedBytes(ofArchiveOf size: Int64) -> Int64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: Int64(expansion))
    let expanded = overflow ? Int64.max : product
    return min(Int64(totalBytes), max(Int64(unsuspiciousBytes), expanded))
  }
}

/// Selects the files of an archive to read into memory: those that containers and backups are read from. Of other
/// files, only the size is known until they are extracted.
struct KeptContent {
  private let limits: ArchiveLimits
  private let recipeFiles: [NameTemplate]
  private var bytesLeft: Int
  /// Files without an extension get at most half, because files with known names may come later.
  private var payloadBytesLeft: Int

  enum Choice {
    case keep
    /// Keep the bytes if they begin like a format that is read.
    case look
    case leave
  }

  /// - Parameter files: the files that recipes read, whatever their names are.
  init(limits: ArchiveLimits, files: [StoreFile]) {
    self.limits = limits
    recipeFiles = files.filter { !$0.isSign }.map(\.path.fileName)
    bytesLeft = limits.keptBytes
    payloadBytesLeft = limits.keptBytes / 2
  }

  func choice(_ path: String, size: Int64) -> Choice {
    guard let size = Int(exactly: size), size <= bytesLeft else { return .leave }
    let parts = FilePath.components(path)
    guard let name = parts.last else { return .leave }
    // A backup has a single index file.
    if name == "Manifest.db" || name == "Manifest.db-wal" { return .keep }
    guard size <= limits.keptFileBytes else { return .leave }
    if isRead(name) || parts.dropLast().contains(".carryover") { return .keep }
    let isUnnamed = Self.isPayload(name, in: parts.dropLast().last) || Self.isUnnamedStore(parts)
    if isUnnamed, size <= payloadBytesLeft { return AsyncStorage.isValue(path) ? .keep : .look }
    return .leave
  }

  /// Whether a file without an extension with these first bytes is read.
  func isWanted(beginning: some Collection<UInt8>) -> Bool {
    Self.marks.contains(where: beginning.starts(with:)) || FileSignature.data(Array(beginning)) != nil
  }

  mutating func keep(_ count: Int, _ choice: Choice) {
    bytesLeft = max(0, bytesLeft - count)
    if case .look = choice { payloadBytesLeft = max(0, payloadBytesLeft - count) }
  }

  private func isRead(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return lowercased.utf8.reversed().starts(with: ".plist".utf8.reversed())
      || lowercased.utf8.reversed().starts(with: ".json".utf8.reversed())
      || Self.eventDatabases.contains { name.utf8.starts(with: $0.utf8) }
      || recipeFiles.contains { $0.matches(Self.withoutLog(name)) }
  }

  /// The names of event databases; a database's log begins with its name.
  private static let eventDatabases = Traces.builtIn.eventDatabases

  private static func withoutLog(_ name: String) -> String {
    let suffix = ["-wal", "-journal"].first(where: name.hasSuffix) ?? ""
    return String(name.dropLast(suffix.count))
  }

  /// Whether a path is that of a file without an extension in a place where stores are looked for.
  private static func isUnnamedStore(_ parts: [String]) -> Bool {
    guard let name = parts.last, PathText.hasNoExtension(name) else { return false }
    let folders = parts.dropLast()
    return folders.last == "Library"
      || folders.contains { ["Documents", "Preferences", "Application Support"].contains($0) }
  }

  /// Whether a path is `ab/ab…`: a folder of two hexadecimal digits, and a name of 40 that begins with the same.
  private static func isPayload(_ name: String, in folder: String?) -> Bool {
    guard let folder, folder.utf8.count == 2, name.utf8.count == 40, name.utf8.starts(with: folder.utf8) else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }

  /// The first bytes of property lists, JSON objects and arrays, and databases.
  private static let marks: [[UInt8]] = [
    "bplist", "<?xml", "<!DOCTYPE plist", "<plist", "\u{FEFF}<", "{", "[", "SQLite format 3\0",
  ].map { Array($0.utf8) }
}
