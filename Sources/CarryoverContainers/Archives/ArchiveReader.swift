import Carryover
import CarryoverSystem
import CarryoverVendors

/// Reads archives through libarchive: zip, and tar without compression or with gzip, bzip2, xz or zstd. It uses only
/// the decompressors in the library, and never starts a program.
enum ArchiveReader {
  /// The files of an archive, with the bytes of those that containers are read from. Links are not followed, a hard
  /// link is a file, and the metadata files of macOS, `__MACOSX` and `._name`, are not in the tree.
  /// - Parameter databases: whether the bytes of databases are wanted too.
  static func tree(
    ofArchiveAt path: String, limits: ArchiveLimits = ArchiveLimits(), files: [StoreFile] = ContainerOptions().files,
    databases: Bool = false, observer: OpeningObserver = .none, library names: [String] = ArchiveLibrary.names
  ) throws(ContainerError) -> FileTree {
    guard var pass = try ArchivePass(path, limits: limits, observer: observer, names: names) else { return FileTree() }
    var kept = KeptContent(limits: limits, files: files, databases: databases)
    while let entry = try pass.next() {
      guard entry.original == nil, case .file(let file) = entry.node else {
        try pass.skip()
        continue
      }
      let choice = kept.choice(entry.path, size: file.size)
      if let bytes = try read(file.size, choice, kept, &pass) {
        kept.keep(bytes.count, choice)
        pass.fill(entry.path, FileTree.File(size: file.size, content: .bytes(bytes)))
      }
      try pass.skip()
    }
    try pass.checkUnchanged()
    return pass.result
  }

  private static func read(
    _ size: Int64, _ choice: KeptContent.Choice, _ kept: KeptContent, _ pass: inout ArchivePass
  ) throws(ContainerError) -> [UInt8]? {
    if case .leave = choice { return nil }
    var bytes: [UInt8] = []
    var isWanted = true
    try hand(over: size, &pass) { piece in
      if bytes.isEmpty, case .look = choice { isWanted = kept.isWanted(beginning: piece) }
      bytes += piece
      return isWanted
    }
    return isWanted ? bytes : nil
  }

  /// Reads an archive again and passes the selected files to a closure, in pieces, but no folders and links.
  /// - Parameter version: the state of the file that the tree belongs to; nil for any state.
  /// - Throws: `changed`, too, if the file is no longer in that state, possibly after some parts were passed.
  static func stream(
    archiveAt path: String, as version: SourceFile.Version? = nil, limits: ArchiveLimits = ArchiveLimits(),
    selecting isSelected: (String) -> Bool, observer: OpeningObserver = .none,
    receive: (ArchivePart) throws(ContainerError) -> Void
  ) throws(ContainerError) {
    let names = ArchiveLibrary.names
    guard var pass = try ArchivePass(path, limits: limits, observer: observer, names: names, version: version)
    else { return }
    var handedOver: Set<StringByBytes> = []
    while let entry = try pass.next() {
      if case .file(let file) = entry.node, isSelected(entry.path) {
        if let original = entry.original {
          // Without its original, its bytes are not available in this pass.
          if handedOver.contains(original) { try receive(.copy(path: entry.path, of: original)) }
        } else {
          try receive(.file(path: entry.path))
          try hand(over: file.size, &pass) { (piece) throws(ContainerError) in
            try receive(.bytes(piece))
            return true
          }
          try receive(.end)
          handedOver.insert(entry.path)
        }
      }
      try pass.skip()
    }
    try pass.checkUnchanged()
  }

  /// Passes the bytes of an entry to a closure, with zeros for its holes, until the closure returns false.
  private static func hand(
    over size: Int64, _ pass: inout ArchivePass, _ receive: ([UInt8]) throws(ContainerError) -> Bool
  ) throws(ContainerError) {
    var done: Int64 = 0
    while let block = try pass.data() {
      if block.bytes.isEmpty { continue }
      let (place, count) = (block.offset, Int64(block.bytes.count))
      guard place >= done, place <= size, count <= size - place else { throw pass.refused(.damaged("")) }
      let piece = Array(block.bytes)
      guard try fill(place - done, receive), try receive(piece) else { return }
      done = place + count
    }
    guard done == size || !pass.hasNoHoles else { throw pass.refused(.truncated) }
    _ = try fill(size - done, receive)
  }

  private static func fill(
    _ count: Int64, _ receive: ([UInt8]) throws(ContainerError) -> Bool
  ) throws(ContainerError) -> Bool {
    var left = count
    while left > 0 {
      let piece = Int(min(left, 1 << 18))
      guard try receive([UInt8](repeating: 0, count: piece)) else { return false }
      left -= Int64(piece)
    }
    return true
  }
}

/// A part of an archive's selected files, in the order of the archive.
enum ArchivePart {
  /// The start of a file, whose bytes follow.
  case file(path: String)
  case bytes([UInt8])
  case end
  /// A file with the same bytes as an earlier one.
  case copy(path: String, of: String)
}

/// The limits for reading an archive; one beyond them is refused. The backup of a full phone is within them, and fits
/// into a machine's memory. Sizes are in bytes.
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
  private let databases: Bool
  private var bytesLeft: Int
  /// Files without an extension get at most half, because files with known names may come later.
  private var payloadBytesLeft: Int

  enum Choice {
    case keep
    /// Keep the bytes if they begin like a format that is read.
    case look
    case leave
  }

  init(limits: ArchiveLimits, files: [StoreFile], databases: Bool = false) {
    self.limits = limits
    self.databases = databases
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
    if databases, size <= payloadBytesLeft { return Self.withoutLog(name) == name ? .look : .keep }
    return .leave
  }

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
    return [UInt8](hexadecimal: name) != nil
  }

  /// The first bytes of property lists, JSON objects and arrays, and databases.
  private static let marks: [[UInt8]] = [
    "bplist", "<?xml", "<!DOCTYPE plist", "<plist", "\u{FEFF}<", "{", "[", "SQLite format 3\0",
  ].map { Array($0.utf8) }
}
