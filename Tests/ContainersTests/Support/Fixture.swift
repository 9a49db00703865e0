import CCarryoverSQLite

extension TemporaryFolder {
  func callAsFunction(_ relative: String) -> String { path(relative) }

  func write(_ relative: String, _ bytes: some Sequence<UInt8>) throws { try place(relative, bytes) }

  func write(
    _ relative: String, plist: [String: Any], format: PropertyListSerialization.PropertyListFormat = .binary
  ) throws {
    try write(relative, PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0))
  }

  func makeFolder(_ relative: String) throws {
    try FileManager.default.createDirectory(atPath: self(relative), withIntermediateDirectories: true)
  }

  func link(_ relative: String, to destination: String) throws {
    try makeFolder((relative as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(atPath: self(relative), withDestinationPath: destination)
  }

  func open(_ relative: String = "", _ options: ContainerOptions = ContainerOptions()) throws(ContainerError)
    -> Container
  {
    try ContainerOpener(fileSystem: POSIXFileSystem()).open(self(relative), options: options)
  }

  func refusal(_ relative: String = "", _ options: ContainerOptions = ContainerOptions()) -> ContainerError.Kind? {
    thrown { () throws(ContainerError) in try open(relative, options) }?.kind
  }

  /// The paths of the containers that something in the folder holds; nil when it is refused otherwise, or opened.
  func held(_ relative: String = "") -> [String]? {
    if case .holdsContainers(let candidates, _)? = refusal(relative) { candidates.map(\.path) } else { nil }
  }

  func listing() throws -> [String: String] {
    var result: [String: String] = [:]
    for relative in try FileManager.default.subpathsOfDirectory(atPath: path) + [""] {
      let attributes = try FileManager.default.attributesOfItem(atPath: self(relative))
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
      result[relative] =
        "\(attributes[.type] ?? "") \(attributes[.size] ?? "") \(attributes[.posixPermissions] ?? "") \(time)"
    }
    return result
  }

  func makePackage(_ name: String = "Shop.xcappdata", bundleID: String? = "com.acme.shop") throws {
    if let bundleID { try write(name + "/AppDataInfo.plist", plist: ["CFBundleIdentifier": bundleID]) }
    try makeDataContainer(name + "/AppData")
  }

  func makeDataContainer(_ name: String) throws {
    try write(name + "/Library/Preferences/com.acme.shop.plist", plist: ["rl_anonymous_id": "a", "theme": "dark"])
    try write(name + "/Library/rsDefaultsPersistence.plist", plist: ["rl_anonymous_id": "a"], format: .xml)
    try makeFolder(name + "/Documents")
  }
}

extension Store {
  var isJSON: Bool { if case .json = content { true } else { false } }
}

extension Container {
  var owner: (String?, BundleIDOrigin?) { (bundleID, bundleIDOrigin) }

  func hasOneNotice(_ words: String) -> Bool { notices.count == 1 && notices.first?.contains(words) == true }

  func reason(_ path: String) -> String? {
    if case .unreadable(let sentence) = store(path)?.content { sentence } else { nil }
  }
}

final class Database {
  struct Failure: Error { var message: String }

  private let connection: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw Failure(message: "cannot open \(path)")
    }
    connection = opened
  }

  deinit { sqlite3_close(connection) }

  func run(_ statements: [String]) throws {
    for statement in statements where sqlite3_exec(connection, statement, nil, nil, nil) != SQLITE_OK {
      throw Failure(message: String(cString: sqlite3_errmsg(connection)))
    }
  }

  func rows(_ query: String) throws -> [String] {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    guard sqlite3_prepare_v2(connection, query, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(connection)))
    }
    var rows: [String] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(prepared)).map { column in
            sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? "none"
          }.joined(separator: " "))
      case SQLITE_DONE: return rows
      default: throw Failure(message: String(cString: sqlite3_errmsg(connection)))
      }
    }
  }

  static func make(_ path: String, _ statements: [String]) throws { try Database(path).run(statements) }

  static func rows(_ path: String, _ query: String) throws -> [String] { try Database(path).rows(query) }
}

/// The live file system, with chosen paths denied, that writes nothing and remembers what it was asked.
///
/// Denied paths fail for every user: the superuser, whom the system lets read anything, included.
final class GuardedFileSystem: FileSystemLayer {
  let base: any FileSystem = POSIXFileSystem()
  private let denied: Set<String>
  private let log = Locked<[String]>([])
  private let statuses = Locked<[String]>([])
  private let afterReading: @Sendable (String) -> Void

  /// - Parameter afterReading: what somebody does right after a file was read.
  init(denying denied: Set<String> = [], afterReading: @escaping @Sendable (String) -> Void = { _ in }) {
    self.denied = denied
    self.afterReading = afterReading
  }

  var read: [String] { log.withLock { $0 } }
  /// The paths whose status was asked for.
  var asked: [String] { statuses.withLock { $0 } }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    statuses.withLock { $0.append(path) }
    return try base.status(path)
  }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    log.withLock { $0.append(path) }
    try deny(.read, path)
    defer { afterReading(path) }
    return try base.read(path, limit: limit)
  }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try deny(.read, path)
    return try base.read(path, from: offset, count: count)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try deny(.list, path)
    return try base.list(path)
  }

  private func deny(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
    if denied.contains(path) { throw FileSystemError(operation, path, .system(Self.accessDenied)) }
  }

  func check(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) {
    throw FileSystemError(operation, path, .system(Self.readOnly))
  }

  private static let accessDenied: Int32 = 13
  private static let readOnly: Int32 = 30
}

extension ContainerOptions {
  init(limits: ContainerLimits) {
    self.init()
    self.limits = limits
  }
}
