import PropertyLists

/// A checked row of a backup's list of files.
struct BackupRow {
  /// The kind of a row. The raw value is the one in the list.
  enum Kind: Int64 {
    case file = 1
    case folder = 2
    case link = 4
  }

  /// The result of reading a row.
  enum Reading {
    /// A file that does not belong to an app.
    case foreign
    /// The row has no usable name, path or kind.
    case bad
    /// A file, folder or link of an app.
    case row(BackupRow)
  }

  let id: BackupFileID
  /// The domain's name in the list.
  let domain: UnsafeBufferPointer<UInt8>
  /// The path in the domain; empty for the domain itself.
  let path: UnsafeBufferPointer<UInt8>
  let kind: Kind

  static let statement = "SELECT fileID, domain, relativePath, flags FROM main.Files"
  static let statementWithFile = "SELECT fileID, domain, relativePath, flags, file FROM main.Files"

  /// Reads a query's current row.
  static func read(_ row: DatabaseRow) -> Reading {
    guard let domain = row.text(1) else { return .bad }
    guard BackupDomain.isAppDomain(domain) else { return .foreign }
    guard let id = id(row), let path = row.text(2), BackupPath.isUsable(path),
      String(utf8: path) != nil,
      let kind = row.integer(3).flatMap(Kind.init(rawValue:)), !path.isEmpty || kind == .folder
    else { return .bad }
    return .row(BackupRow(id: id, domain: domain, path: path, kind: kind))
  }

  /// The name of the row's file, in any domain.
  static func id(_ row: DatabaseRow) -> BackupFileID? { row.text(0).flatMap { BackupFileID($0) } }

  /// Whether the name matches the domain and the path.
  var isNamedByItsPath: Bool { BackupFileID(domain: domain, path: path) == id }
}
