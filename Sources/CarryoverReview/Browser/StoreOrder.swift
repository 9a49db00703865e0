import Carryover
import CarryoverSystem

/// What the stores are listed by.
enum StoreOrder: String, CaseIterable, Sendable {
  /// The app's own first.
  case own
  case name
  /// The largest first.
  case size
  /// The one written last first.
  case modified
  /// The one with the most keys first.
  case keys

  /// What the title says of it; nil for the order at the start.
  var words: String? {
    switch self {
    case .own: nil
    case .name: "by name"
    case .size: "by size"
    case .modified: "by time"
    case .keys: "by number of keys"
    }
  }

  /// The numbers of the roots of an outline in this order; what is not known comes last.
  func sorted(_ roots: [Outline.Root], bundleID: String?) -> [Int] {
    let ranks = roots.map { root in
      switch self {
      case .own: Self.rank(of: root.fileName, bundleID)
      case .name: 0
      case .size: root.store?.size.map { ~$0 } ?? 0
      case .modified: root.store?.modified.map { ~Int(clamping: $0.millisecondsSince1970) } ?? 0
      case .keys: root.value.map { ~$0.count } ?? 0
      }
    }
    let names = roots.map { ($0.fileName.lowercased(), $0.name) }
    return roots.indices.sorted { (ranks[$0], names[$0].0, names[$0].1) < (ranks[$1], names[$1].0, names[$1].1) }
  }

  /// The app's preferences, its suites, its other files, those of others: these have names that begin with another
  /// organisation's domain.
  private static func rank(of name: String, _ bundleID: String?) -> Int {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let bundleID else { return parts.count > 3 ? 3 : 2 }
    if name == bundleID + ".plist" { return 0 }
    let organisation = bundleID.split(separator: ".").prefix(2).joined(separator: ".") + "."
    let own = [bundleID + ".", "group." + organisation, "iCloud." + organisation, organisation]
    if own.contains(where: name.hasPrefix) { return 1 }
    return parts.count > 3 ? 3 : 2
  }
}

extension Outline.Root {
  /// The store; nil for what is none.
  var store: Store? { if case .store(let store, _) = self { store } else { nil } }

  /// What is in it, where it could be read.
  var value: InspectedValue? { if case .store(_, let value) = self { value } else { nil } }

  /// The last component of its path.
  var fileName: String { FilePath.name(of: name) }

  /// The path of the folder it is in; empty where it is in none.
  var folder: String { name.split(separator: "/").dropLast().joined(separator: "/") }

  /// Whether it is a sentence, and in no folder.
  var isNotice: Bool { if case .notice = self { true } else { false } }
}
