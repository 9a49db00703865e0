import Carryover
import CarryoverSystem
import PropertyLists

/// The keys that a draft has, and those that it does not have.
struct DraftKeys {
  /// A source with the keys that were chosen in it.
  struct Chosen {
    var source: DraftSource
    /// The keys that no source before it has.
    var items: [DraftSource.Item]
  }

  /// The sources that have a chosen key, even if an earlier source has it.
  private(set) var chosen: [Chosen] = []
  private(set) var omitted = Omitted()

  /// Why keys are not in a draft, and how many.
  struct Omitted {
    /// Keys with personal data, masked.
    var personal: [String] = []
    /// The system's keys.
    var ofSystem = 0
    /// Keys that a recipe cannot name.
    var unusable = 0
    /// Keys whose name a key of another source has.
    var repeated = 0
    /// Members of JSON that cannot be fields.
    var members = 0
    /// Keys beyond the limit.
    var beyond = 0
  }

  /// The maximum number of keys in a draft. With stand-ins of their size, the text is within the limits of a recipe file.
  static let most = 100
  /// The longest key, in bytes as it is written.
  private static let longest = 200
  /// The prefixes of keys that iOS itself writes into an app's defaults.
  private static let systemPrefixes = ["Apple", "NS", "WebKit", "com.apple."]

  /// - Parameter patterns: the keys that are wanted; all but the system's if there are none.
  init(_ sources: [DraftSource], matching patterns: [Glob], _ redaction: Redaction) {
    var known: [StringByBytes: SourceKey] = [:]
    for source in sources {
      var (items, isCopy): ([DraftSource.Item], Bool) = ([], false)
      for var item in source.items where Self.isWanted(item, patterns) {
        item.isSecret = redaction.isSecret(key: item.name)
        if patterns.isEmpty, Self.systemPrefixes.contains(where: item.name.hasPrefix) {
          omitted.ofSystem += 1
        } else if known[item.name] == nil, known.count == Self.most {
          omitted.beyond += 1
        } else if !Self.isUsable(item.name) || !Self.isUsable(item.source.key) {
          omitted.unusable += 1
        } else if redaction.isPersonal(item.name) {
          omitted.personal.append(redaction.text(item.name))
        } else if item.hasNoPlace {
          omitted.members += 1
        } else if let other = known[item.name] {
          if other == item.source { isCopy = true } else { omitted.repeated += 1 }
        } else {
          known[item.name] = item.source
          items.append(item)
        }
      }
      if isCopy || !items.isEmpty { chosen.append(Chosen(source: source, items: items)) }
    }
  }

  /// How many keys of a source are wanted.
  static func count(in source: DraftSource, matching patterns: [Glob]) -> Int {
    source.items.count { isWanted($0, patterns) }
  }

  private static func isWanted(_ item: DraftSource.Item, _ patterns: [Glob]) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(item.name) }
  }

  /// Whether a recipe can name a key: it is text without the sign of a parameter.
  private static func isUsable(_ key: String) -> Bool {
    !key.isEmpty && !key.contains("${") && key.utf8.count <= longest && YAMLWriter.scalar(key).utf8.count <= longest
  }
}
