import PropertyLists

/// The list's record of a file: an archived `MBFile`.
struct BackupFileRecord {
  /// The size in bytes; nil if the record does not state it.
  let size: Int64?
  /// The target of a symbolic link; nil for other files.
  let target: String?

  /// Reads the record. A damaged record has no values.
  init(_ bytes: [UInt8]) {
    let limits = PropertyListLimits(fileSize: Self.largest, depth: 32, nodes: 2_000, findings: 1)
    guard let document = try? PropertyListDocument(bytes: bytes, limits: limits),
      let root = (try? KeyedArchive(document))?.root
    else {
      size = nil
      target = nil
      return
    }
    if case .integer(let number)? = root["Size"], let value = number.int64, value >= 0 {
      size = value
    } else {
      size = nil
    }
    if case .string(let text)? = root["Target"] { target = text } else { target = nil }
  }

  private static let largest = 1 << 20
}
