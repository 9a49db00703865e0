import PropertyLists

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

  /// Whether a name has the prefix of an app's domain.
  static func isAppDomain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    Kind.allCases.contains { name.starts(with: $0.rawValue.utf8) }
  }

  /// A domain from its parts.
  init(kind: Kind, id: String) {
    self.kind = kind
    self.id = id
  }

  /// The domain with this name; nil if it is not an app's or its identifier is not valid as a folder name.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let kind = Kind.allCases.first(where: { name.starts(with: $0.rawValue.utf8) }) else { return nil }
    let rest = UnsafeBufferPointer(rebasing: name.dropFirst(kind.rawValue.utf8.count))
    guard BackupPath.isComponent(rest[...]), let id = String(utf8: rest) else { return nil }
    self.kind = kind
    self.id = id
  }

  /// The domain's name in the list.
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

/// Paths in a backup's list.
enum BackupPath {
  /// The maximum length of a path on iOS devices.
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
