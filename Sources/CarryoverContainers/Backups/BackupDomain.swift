import PropertyLists

/// Whose files a row of the backup's list speaks of, among those that belong to apps.
struct BackupDomain: Hashable, Sendable {
  /// The kinds of an app's domains. The raw value is what their names begin with.
  enum Kind: String, CaseIterable, Sendable {
    case app = "AppDomain-"
    case group = "AppDomainGroup-"
    case plugin = "AppDomainPlugin-"
  }

  let kind: Kind
  /// The identifier of the app, the app group or the extension. It can be the name of a folder.
  let id: String

  /// Whether a domain's name begins as those of apps do.
  static func isAppDomain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    Kind.allCases.contains { name.starts(with: $0.rawValue.utf8) }
  }

  /// A domain from its parts.
  init(kind: Kind, id: String) {
    self.kind = kind
    self.id = id
  }

  /// The domain with a name; nil where that is no app's or its identifier cannot be the name of a folder.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let kind = Kind.allCases.first(where: { name.starts(with: $0.rawValue.utf8) }) else { return nil }
    let rest = UnsafeBufferPointer(rebasing: name.dropFirst(kind.rawValue.utf8.count))
    guard BackupPath.isComponent(rest[...]), let id = String(utf8: rest) else { return nil }
    self.kind = kind
    self.id = id
  }

  /// Its name in the list.
  var name: String { kind.rawValue + id }

  /// The name by which a group is known to belong to apps: it is the app's identifier, or one of the two is a beginning
  /// of the other.
  var nameOfGroup: String { id.hasPrefix("group.") ? String(id.dropFirst(6)) : id }

  /// The beginnings of an identifier that end before a dot and have two components at least, shortest first. One
  /// component would be shared by half of all apps.
  static func beginnings(of id: String) -> [String] {
    id.utf8.indices.filter { id.utf8[$0] == UInt8(ascii: ".") }.dropFirst().map { String(id[..<$0]) }
  }
}

/// Paths as a backup's list has them.
enum BackupPath {
  /// The longest path on the devices that make backups.
  static let longest = 1_024
  /// Far deeper than apps nest their folders; each folder on the way costs memory.
  static let deepest = 64
  private static let longestName = 255

  /// Whether a path stays inside its domain and can be one on a device; the empty one stands for the domain itself.
  static func isUsable(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    if path.isEmpty { return true }
    guard path.count <= longest else { return false }
    var depth = 0
    return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      depth += 1
      return depth <= deepest && isComponent($0)
    }
  }

  /// Whether bytes can be the name of a file: not empty, not `.` or `..`, without slashes and NUL.
  static func isComponent(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let dot = UInt8(ascii: ".")
    guard !name.isEmpty, name.count <= longestName else { return false }
    if name.count <= 2, name.allSatisfy({ $0 == dot }) { return false }
    return !name.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
