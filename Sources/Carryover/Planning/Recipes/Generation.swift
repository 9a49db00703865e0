import PropertyLists

/// The keys and files that one version of an SDK writes.
///
/// A plan takes the user's identity and traits from one generation only. The values of two would make up a person who
/// never existed, such as the user id of one who has logged out beside the device id of the next.
package struct Generation: Hashable, Sendable {
  /// The name of the version in sentences: "mixpanel-iphone 4 and 5".
  package var name: String
  /// Its keys. One that ends with `*` stands for every key that begins so. Empty for every key of its files.
  package var keys: [String]
  /// Its files, each a source of the recipe. Empty for all of them.
  package var files: [SourceStore]
  /// Whether a later generation can be newer, and nothing in a container shows which one is.
  package var mayBeOlder: Bool
  /// Whether the vendor's migrator, though it migrates the fields, does not read these values.
  package var isUnreadByMigrator: Bool
  /// When the vendor's migrator moves these values, if it moves them: it takes one only if the new SDK's file has no
  /// value, not even an empty one, and erases it in any case. The raw value is the word in recipe files.
  package enum Move: String, CaseIterable, Sendable {
    case beforeOthers = "before-the-others"
    case afterOthers = "after-the-others"
  }
  package var move: Move?
  /// Whether the new SDK keeps its own values in these files too. One that its own file has as well is no legacy value.
  package var isNewSDKs: Bool

  package init(
    _ name: String, keys: [String] = [], files: [SourceStore] = [], mayBeOlder: Bool = false,
    isUnreadByMigrator: Bool = false, move: Move? = nil, isNewSDKs: Bool = false
  ) {
    self.name = name
    self.keys = keys
    self.files = files
    self.mayBeOlder = mayBeOlder
    self.isUnreadByMigrator = isUnreadByMigrator
    self.move = move
    self.isNewSDKs = isNewSDKs
  }

  fileprivate func has(_ key: String, in source: SourceStore) -> Bool {
    (files.isEmpty || files.contains(source))
      && (keys.isEmpty
        || keys.contains { pattern in
          pattern.hasSuffix("*") ? key.utf8.starts(with: pattern.utf8.dropLast()) : key.utf8.elementsEqual(pattern.utf8)
        })
  }
}

/// A file without the ids that the vendor's migrator moves.
struct MovedFile: Hashable, Sendable {
  let path: String
  let move: Generation.Move
}

/// The generation of each value of a recipe's identity and traits. Numbers begin with 0, the most trusted generation.
struct Generations {
  private let declared: [Generation]
  /// Without declared generations, that of each key.
  private let places: [StringByBytes: Int]

  /// If a recipe declares no generations, the first sources of its fields are one generation, the second ones the next.
  /// A key that several fields read belongs to the generation of its first place. A single field mixes nothing.
  init(_ recipe: Recipe) {
    declared = recipe.generations
    var places: [StringByBytes: Int] = [:]
    let rules = recipe.rules.filter(\.group.isOfUser)
    if declared.isEmpty, rules.count > 1 {
      for rule in rules {
        for (place, candidate) in rule.candidates.enumerated() {
          let key = StringByBytes(candidate.source.key)
          places[key] = min(place, places[key] ?? place)
        }
      }
    }
    self.places = places
  }

  /// Nil for a key that belongs to none.
  func number(of key: String, in source: SourceStore) -> Int? {
    declared.isEmpty ? places[StringByBytes(key)] : declared.firstIndex { $0.has(key, in: source) }
  }

  func move(of source: SourceStore) -> Generation.Move? { declared.first { $0.files.contains(source) }?.move }
}

extension Recipe {
  /// The first field with sources of several generations, if the recipe declares none; otherwise nil.
  package var ruleOfSeveralGenerations: FieldRule? {
    guard generations.isEmpty, let source = sources.first else { return nil }
    let generations = Generations(self)
    return rules.first { rule in
      rule.group.isOfUser && rule.candidates.contains { generations.number(of: $0.source.key, in: source) ?? 0 > 0 }
    }
  }

  /// The first declared generation that can have a key; nil if there is none.
  package func declaredGeneration(of key: String) -> Int? {
    generations.firstIndex { generation in
      (generation.files.isEmpty ? sources : generation.files).contains { generation.has(key, in: $0) }
    }
  }
}

extension FieldGroup {
  package var isOfUser: Bool { self == .identity || self == .traits }
}
