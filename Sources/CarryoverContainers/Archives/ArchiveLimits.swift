/// How much of an archive is read, and how much an archive may hold before it is refused.
public struct ArchiveLimits: Hashable, Sendable {
  /// How many files, folders and links there may be.
  public var entries: Int
  /// All their paths together, in bytes.
  public var nameBytes: Int
  /// The largest single file, unpacked, in bytes.
  public var fileBytes: Int
  /// All files together, unpacked, in bytes.
  public var totalBytes: Int
  /// How many times its own size an archive may unpack to, once that is more than `unsuspiciousBytes`.
  public var expansion: Int
  /// What an archive may unpack to whatever its own size, in bytes.
  public var unsuspiciousBytes: Int
  /// The largest single file whose bytes are kept in memory.
  public var keptFileBytes: Int
  /// The bytes of all files kept in memory together.
  public var keptBytes: Int

  /// Limits as given; the defaults are beyond the backup of a full phone, and below what a machine could not hold.
  public init(
    entries: Int = 500_000, nameBytes: Int = 128 << 20, fileBytes: Int = 64 << 30, totalBytes: Int = 1 << 40,
    expansion: Int = 200, unsuspiciousBytes: Int = 64 << 20, keptFileBytes: Int = 128 << 20, keptBytes: Int = 512 << 20
  ) {
    self.entries = min(max(0, entries), Self.ceiling)
    self.nameBytes = min(max(0, nameBytes), Self.ceiling)
    self.fileBytes = min(max(0, fileBytes), Self.ceiling)
    self.totalBytes = min(max(0, totalBytes), Self.ceiling)
    self.expansion = min(max(1, expansion), Self.ceiling)
    self.unsuspiciousBytes = min(max(0, unsuspiciousBytes), Self.ceiling)
    self.keptFileBytes = min(max(0, keptFileBytes), Self.ceiling)
    self.keptBytes = min(max(0, keptBytes), Self.ceiling)
  }

  /// The most that an archive of a size may unpack to.
  func unpackedBytes(ofArchiveOf size: Int64) -> Int64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: Int64(expansion))
    let expanded = overflow ? Int64.max : product
    return min(Int64(totalBytes), max(Int64(unsuspiciousBytes), expanded))
  }

  /// Far enough below the largest number for sums of a few of them.
  private static let ceiling = 1 << 60
}
