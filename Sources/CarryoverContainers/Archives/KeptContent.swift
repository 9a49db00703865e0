import Carryover
import CarryoverVendors

/// Which files of an archive are kept in memory: those that containers and backups are read from. Of the others, only the
/// sizes are known until they are extracted.
struct KeptContent {
  private let limits: ArchiveLimits
  private var bytesLeft: Int
  /// Payloads may take half, so that they leave room for what is known by its name and may come after them.
  private var payloadBytesLeft: Int

  /// What is to be done with the bytes of a file.
  enum Choice {
    case keep
    /// Keep them if they begin like something that is read.
    case look
    case leave
  }

  init(limits: ArchiveLimits) {
    self.limits = limits
    bytesLeft = limits.keptBytes
    payloadBytesLeft = limits.keptBytes / 2
  }

  /// What to do with a file, by its path and size.
  func choice(_ path: String, size: Int64) -> Choice {
    guard let size = Int(exactly: size), size <= bytesLeft else { return .leave }
    let parts = PathText.components(path)
    guard let name = parts.last else { return .leave }
    // The index of a backup is one file for all of it.
    if name == "Manifest.db" || name == "Manifest.db-wal" { return .keep }
    guard size <= limits.keptFileBytes else { return .leave }
    if Self.isRead(name) || parts.dropLast().contains(".carryover") { return .keep }
    if Self.isPayload(name, in: parts.dropLast().last), size <= payloadBytesLeft { return .look }
    return .leave
  }

  /// Whether a payload beginning with some bytes is one that is read.
  func isWanted(beginning: some Collection<UInt8>) -> Bool {
    Self.marks.contains(where: beginning.starts(with:))
  }

  /// Notes that the bytes of a file are kept.
  mutating func keep(_ count: Int, _ choice: Choice) {
    bytesLeft = max(0, bytesLeft - count)
    if case .look = choice { payloadBytesLeft = max(0, payloadBytesLeft - count) }
  }

  private static func isRead(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return lowercased.utf8.reversed().starts(with: ".plist".utf8.reversed())
      || lowercased.utf8.reversed().starts(with: ".json".utf8.reversed())
      || Traces.builtIn.eventDatabases.contains { name.utf8.starts(with: $0.utf8) }
  }

  /// `ab/ab…`: a folder of two hexadecimal digits, and in it 40 that begin with the same.
  private static func isPayload(_ name: String, in folder: String?) -> Bool {
    guard let folder, folder.utf8.count == 2, name.utf8.count == 40, name.utf8.starts(with: folder.utf8) else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }

  /// Property lists, JSON objects and arrays, databases.
  private static let marks: [[UInt8]] = [
    "bplist", "<?xml", "<!DOCTYPE plist", "<plist", "\u{FEFF}<", "{", "[", "SQLite format 3\0",
  ].map { Array($0.utf8) }
}
