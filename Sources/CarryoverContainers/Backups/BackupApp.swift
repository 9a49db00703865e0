import PropertyLists

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

  /// The apps of a backup, by bundle identifier.
  ///
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

  /// The name that connects a group to its apps. It equals the app's identifier, or one of the two is a prefix of the
  /// other.
  var nameOfGroup: String { id.hasPrefix("group.") ? String(id.dropFirst(6)) : id }

  /// The prefixes of an identifier that end before a dot and have at least two components, shortest first. Half of all
  /// apps would share a single component.
  static func beginnings(of id: String) -> [String] {
    id.utf8.indices.filter { id.utf8[$0] == UInt8(ascii: ".") }.dropFirst().map { String(id[..<$0]) }
  }
}

extension BackupDomain {
  /// The domain with this name; nil if it is not an app's or its identifier is not valid as a folder name.
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

  /// Whether bytes are a valid file name: not empty, not `.` or `..`, without slashes and NUL.
  static func isComponent(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let dot = UInt8(ascii: ".")
    guard !name.isEmpty, name.count <= longestName else { return false }
    if name.count <= 2, name.allSatisfy({ $0 == dot }) { return false }
    return !name.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
