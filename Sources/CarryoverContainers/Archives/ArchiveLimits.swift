/// How much of an archive is read, and how much an archive may hold before it is refused.
package struct ArchiveLimits: Hashable, Sendable {
  /// How many files, folders and links there may be.
  package var entries: Int
  /// All their paths together, in bytes.
  package var nameBytes: Int
  /// The largest single file, unpacked, in bytes.
  package var fileBytes: Int
  /// All files together, unpacked, in bytes.
  package var totalBytes: Int
  /// How many times its own size an archive may unpack to, once that is more than `unsuspiciousBytes`.
  package var expansion: Int
  /// What an archive may unpack to whatever its own size, in bytes.
  package var unsuspiciousBytes: Int
  /// The largest single file whose bytes are kept in memory.
  package var keptFileBytes: Int
  /// The bytes of all files kept in memory together.
  package var keptBytes: Int

  /// Limits as given; the defaults are beyond the backup of a full phone, and below what a machine could not hold.
  package init(
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
