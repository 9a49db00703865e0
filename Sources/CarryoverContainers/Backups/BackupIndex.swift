import Carryover
import CarryoverSystem

struct BackupIndex {
  private(set) var domains: [BackupDomain: BackupCount] = [:]
  private(set) var payloads: BackupPayloads
  private(set) var badRows = 0
  /// The number of files whose name does not match their domain and path.
  private(set) var misnamed = 0
  private(set) var beyondLimit = 0

  init(
    _ image: DatabaseImage, root: String, payloads: BackupPayloads, limits: ContainerLimits, observer: OpeningObserver
  ) throws(ContainerError) {
    self.payloads = payloads
    var rows = 0
    let query = TableQuery(files: BackupRow.statement, limits)
    let ending = try query.run(on: image) { row throws(ContainerError) in
      rows += 1
      if rows % Self.rowsPerReport == 0 { try observer.report(OpeningProgress(.backup, done: rows), at: root) }
      if let id = BackupRow.id(row) { self.payloads.list(id) }
      switch BackupRow.read(row) {
      case .foreign: break
      case .bad: badRows += 1
      case .row(let row): add(row)
      }
    }
    try ending.requireFinished(root)
    try observer.report(OpeningProgress(.backup, done: rows, total: rows), at: root)
  }

  private mutating func add(_ row: BackupRow) {
    guard let domain = BackupDomain(row.domain) else {
      badRows += 1
      return
    }
    if !row.isNamedByItsPath { misnamed += 1 }
    guard domains[domain] != nil || domains.count < Self.greatestDomains else {
      beyondLimit += 1
      return
    }
    var count = domains[domain] ?? BackupCount()
    if row.kind == .file {
      count.files += 1
      if !payloads.has(row.id) { count.missing += 1 }
    }
    domains[domain] = count
  }

  static let rowsPerReport = 1_000
  /// Far more than the apps, groups and extensions of a device.
  private static let greatestDomains = 20_000
}

extension TableQuery {
  init(files statement: String, _ limits: ContainerLimits) {
    // The record of a file with many attributes can be long. The time is enough for the largest lists on slow machines,
    // and the observer can cancel the work sooner.
    self.init(
      table: "Files", statement: statement, maximumSteps: limits.databaseSteps, maximumTime: .seconds(120),
      valueBytes: 4 << 20)
  }
}

extension TableQuery.Ending {
  func requireFinished(_ root: String) throws(ContainerError) {
    switch self {
    case .finished: break
    case .notPossible, .damaged: throw ContainerError(root, .backup(.damaged))
    case .tooMuch: throw ContainerError(root, .backup(.tooLarge))
    }
  }
}

struct BackupRow {
  /// The kind of a row. The raw value is the one in the list.
  enum Kind: Int64 {
    case file = 1
    case folder = 2
    case link = 4
  }

  enum Reading {
    case foreign
    case bad
    case row(BackupRow)
  }

  let id: BackupFileID
  let domain: UnsafeBufferPointer<UInt8>
  /// The path in the domain; empty for the domain itself.
  let path: UnsafeBufferPointer<UInt8>
  let kind: Kind

  static let statement = "SELECT fileID, domain, relativePath, flags FROM main.Files"
  static let statementWithFile = "SELECT fileID, domain, relativePath, flags, file FROM main.Files"

  static func read(_ row: DatabaseRow) -> Reading {
    guard let domain = row.text(1) else { return .bad }
    guard BackupDomain.isAppDomain(domain) else { return .foreign }
    guard let id = id(row), let path = row.text(2), BackupPath.isUsable(path),
      String(utf8: path) != nil,
      let kind = row.integer(3).flatMap(Kind.init(rawValue:)), !path.isEmpty || kind == .folder
    else { return .bad }
    return .row(BackupRow(id: id, domain: domain, path: path, kind: kind))
  }

  static func id(_ row: DatabaseRow) -> BackupFileID? { row.text(0).flatMap { BackupFileID($0) } }

  var isNamedByItsPath: Bool { BackupFileID(domain: domain, path: path) == id }
}

/// The list's record of a file: an archived `MBFile`. A damaged record has no values.
struct BackupFileRecord {
  private(set) var size: Int64?
  private(set) var target: String?

  init(_ bytes: [UInt8]) {
    let limits = PropertyListLimits(fileSize: 1 << 20, depth: 32, nodes: 2_000, findings: 1)
    guard let document = try? PropertyListDocument(bytes: bytes, limits: limits),
      let root = (try? KeyedArchive(document))?.root
    else { return }
    if case .plain(.integer(let number))? = root["Size"], let value = number.int64, value >= 0 { size = value }
    if case .plain(.string(let text))? = root["Target"] { target = text }
  }
}

struct BackupPayloads {
  /// By name: whether the list has the file too.
  private var isListed: [BackupFileID: Bool] = [:]

  /// Lists the folders with the content files. A link in place of a folder is not followed.
  init(root: String, fileSystem: any FileSystem, observer: OpeningObserver) throws(ContainerError) {
    for number in 0..<256 {
      try observer.report(OpeningProgress(.backup, done: 0), at: root)
      let name = (number < 16 ? "0" : "") + String(number, radix: 16)
      let folder = PathText.join(root, name)
      guard try ContainerError.reading(fileSystem.status(folder))?.kind == .directory else { continue }
      for file in try ContainerError.reading(fileSystem.list(folder)) where file.utf8.starts(with: name.utf8) {
        if let id = BackupFileID(file.utf8) { isListed[id] = false }
      }
    }
  }

  func has(_ id: BackupFileID) -> Bool { isListed[id] != nil }

  mutating func list(_ id: BackupFileID) {
    if isListed[id] != nil { isListed[id] = true }
  }

  var orphans: [String] { isListed.filter { !$0.value }.map(\.key.text).sorted(by: PathText.precedes) }
}

/// The name of a file in a backup: the SHA-1 of its domain and path, as 40 lowercase hexadecimal digits.
struct BackupFileID: Hashable {
  let text: String

  init(domain: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>) {
    text = SHA1.hexDigest(Array(domain) + [UInt8(ascii: "-")] + Array(path))
  }

  init?(_ text: some Collection<UInt8>) {
    let digits = String(decoding: text, as: UTF8.self)
    guard text.count == 40, [UInt8](hexadecimal: digits) != nil else { return nil }
    self.text = digits
  }

  var payloadPath: String { text.prefix(2) + "/" + text }
}

/// SHA-1 (FIPS 180-4), which backups use to name files. It does not authenticate them.
enum SHA1 {
  static func hexDigest(_ bytes: some Sequence<UInt8>) -> String {
    var digest: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var schedule = [UInt32](repeating: 0, count: 80)
    var length: UInt64 = 0
    var word: UInt32 = 0

    func add(_ byte: UInt8) {
      word = word << 8 | UInt32(byte)
      length &+= 1
      guard length % 4 == 0 else { return }
      schedule[Int((length / 4 &- 1) % 16)] = word
      if length % 64 == 0 { mix(&schedule, into: &digest) }
    }

    for byte in bytes { add(byte) }
    let bits = length &* 8
    add(0x80)
    while length % 64 != 56 { add(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) { add(UInt8(truncatingIfNeeded: bits >> shift)) }
    return digest.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }.hexadecimal
  }

  private static func mix(_ schedule: inout [UInt32], into digest: inout [UInt32]) {
    for place in 16..<80 {
      let word = schedule[place - 3] ^ schedule[place - 8] ^ schedule[place - 14] ^ schedule[place - 16]
      schedule[place] = rotated(word, 1)
    }
    var (a, b, c, d, e) = (digest[0], digest[1], digest[2], digest[3], digest[4])
    for place in 0..<80 {
      let (function, constant): (UInt32, UInt32) =
        switch place {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, 5) &+ function &+ e &+ constant &+ schedule[place]
      (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
    }
    for (place, word) in [a, b, c, d, e].enumerated() { digest[place] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}

struct BackupApp: Hashable, Sendable {
  var domain: BackupDomain
  /// The number of files, including those of its groups and extensions.
  var files = 0
  /// The number of files that are in the backup's list but have no content.
  var missing = 0
  /// The identifiers of its app groups. A group can belong to several apps.
  var groups: [String] = []
  var extensions: [String] = []

  var bundleID: String { domain.id }
}

struct BackupCount: Hashable {
  var files = 0
  var missing = 0
}

extension BackupApp {
  /// The folders of the app's domains in its container: its own is the root, the others have their own folders.
  var places: [(domain: BackupDomain, folder: String)] {
    let groups = groups.map {
      (domain: BackupDomain(kind: .group, id: $0), folder: PathText.join(Self.groupsFolder, $0))
    }
    let extensions = extensions.map {
      (domain: BackupDomain(kind: .plugin, id: $0), folder: PathText.join(Self.extensionsFolder, $0))
    }
    return [(domain: domain, folder: "")] + groups + extensions
  }

  private static let groupsFolder = "AppGroups"
  private static let extensionsFolder = "PlugIns"

  /// A backup does not say which groups belong to an app; their names do, by `BackupDomain.nameOfGroup`. A group or an
  /// extension whose app is not in the backup is an item of its own.
  static func apps(in domains: [BackupDomain: BackupCount]) -> [BackupApp] {
    func ids(_ kind: BackupDomain.Kind) -> [String] {
      domains.keys.filter { $0.kind == kind }.map(\.id).sorted(by: PathText.precedes)
    }
    var members: [String: Set<BackupDomain>] = [:]
    for id in ids(.app) { members[id] = [] }
    var alone: [BackupDomain] = []

    for id in ids(.plugin) {
      let plugin = BackupDomain(kind: .plugin, id: id)
      // An app whose identifier extends another app's identifier has its own extensions.
      if let owner = BackupDomain.beginnings(of: id).last(where: { members[$0] != nil }) {
        members[owner]?.insert(plugin)
      } else {
        alone.append(plugin)
      }
    }

    var owners: [String: [String]] = [:]
    for owner in members.keys {
      for name in BackupDomain.beginnings(of: owner) + [owner] { owners[name, default: []].append(owner) }
    }
    for id in ids(.group) {
      let group = BackupDomain(kind: .group, id: id)
      let name = group.nameOfGroup
      let found = (owners[name] ?? []) + BackupDomain.beginnings(of: name).filter { members[$0] != nil }
      for owner in found { members[owner]?.insert(group) }
      if found.isEmpty { alone.append(group) }
    }

    let apps = members.map { BackupApp(domain: BackupDomain(kind: .app, id: $0.key), members: $0.value, domains) }
    return (apps + alone.map { BackupApp(domain: $0, members: [], domains) })
      .sorted { left, right in
        left.bundleID == right.bundleID
          ? left.domain.kind.rawValue < right.domain.kind.rawValue : PathText.precedes(left.bundleID, right.bundleID)
      }
  }

  private init(domain: BackupDomain, members: Set<BackupDomain>, _ counts: [BackupDomain: BackupCount]) {
    self.domain = domain
    for member in members.union([domain]) {
      files += counts[member]?.files ?? 0
      missing += counts[member]?.missing ?? 0
    }
    groups = members.filter { $0.kind == .group }.map(\.id).sorted(by: PathText.precedes)
    extensions = members.filter { $0.kind == .plugin }.map(\.id).sorted(by: PathText.precedes)
  }
}

/// The owner of a row in the backup's list, among apps, app groups and extensions.
struct BackupDomain: Hashable, Sendable {
  /// The kinds of an app's domains. The raw value is the prefix of their names.
  enum Kind: String, CaseIterable, Sendable {
    case app = "AppDomain-"
    case group = "AppDomainGroup-"
    case plugin = "AppDomainPlugin-"
  }

  let kind: Kind
  /// The identifier of the app, the app group or the extension. It is valid as a folder name.
  let id: String

  static func isAppDomain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    Kind.allCases.contains { name.starts(with: $0.rawValue.utf8) }
  }

  var name: String { kind.rawValue + id }

  /// Equals the identifier of the group's app, or one of the two is a prefix of the other.
  var nameOfGroup: String { id.hasPrefix("group.") ? String(id.dropFirst(6)) : id }

  /// The prefixes of an identifier that end before a dot and have at least two components, shortest first. Half of all
  /// apps would share a single component.
  static func beginnings(of id: String) -> [String] {
    id.utf8.indices.filter { id.utf8[$0] == UInt8(ascii: ".") }.dropFirst().map { String(id[..<$0]) }
  }
}

extension BackupDomain {
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let kind = Kind.allCases.first(where: { name.starts(with: $0.rawValue.utf8) }) else { return nil }
    let rest = UnsafeBufferPointer(rebasing: name.dropFirst(kind.rawValue.utf8.count))
    guard BackupPath.isComponent(rest[...]), let id = String(utf8: rest) else { return nil }
    self.init(kind: kind, id: id)
  }
}

enum BackupPath {
  static let longest = 1_024
  /// Far deeper than the folders of any app. Each level uses memory.
  static let deepest = 64
  private static let longestName = 255

  /// Whether a path stays inside its domain and is possible on a device. The empty path is the domain itself.
  static func isUsable(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    if path.isEmpty { return true }
    guard path.count <= longest else { return false }
    var depth = 0
    return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      depth += 1
      return depth <= deepest && isComponent($0)
    }
  }

  static func isComponent(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let dot = UInt8(ascii: ".")
    guard !name.isEmpty, name.count <= longestName else { return false }
    if name.count <= 2, name.allSatisfy({ $0 == dot }) { return false }
    return !name.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
