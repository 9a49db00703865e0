/// The limits for reading an archive, and for its content. An archive beyond the latter is refused.
package struct ArchiveLimits: Hashable, Sendable {
  /// The maximum number of files, folders and links.
  package var entries: Int
  /// The maximum size of all their paths together, in bytes.
  package var nameBytes: Int
  /// The maximum unpacked size of a file, in bytes.
  package var fileBytes: Int
  /// The maximum unpacked size of all files together, in bytes.
  package var totalBytes: Int
  /// The maximum ratio of the unpacked size to the archive's size. It applies above `unsuspiciousBytes`.
  package var expansion: Int
  /// The unpacked size that is allowed for an archive of any size, in bytes.
  package var unsuspiciousBytes: Int
  /// The maximum size of a file whose bytes are read into memory.
  package var keptFileBytes: Int
  /// The maximum size of all bytes in memory.
  package var keptBytes: Int

  /// Limits. The defaults allow the backup of a full phone, but not more than a machine's memory.
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

  /// The maximum unpacked size for an archive of this size.
  func unpackedBytes(ofArchiveOf size: Int64) -> Int64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: Int64(expansion))
    let expanded = overflow ? Int64.max : product
    return min(Int64(totalBytes), max(Int64(unsuspiciousBytes), expanded))
  }

  /// Low enough that a sum of several such numbers does not overflow.
  private static let ceiling = 1 << 60
}
