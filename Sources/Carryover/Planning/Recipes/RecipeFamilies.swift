import CarryoverSystem
import PropertyLists

/// Rules that stand for one field for each key of a container that begins with a text. A plan has the fields, and the
/// recipe's own words and rows name the rule.
extension FieldRule {
  /// The place of the rest of the key in the keys of such a rule.
  package static let each = "${each}"
  package var beginning: String? { forEach.map { String($0.dropLast()) } }

  fileprivate func filled(_ rest: String) -> FieldRule {
    var rule = self
    rule.forEach = nil
    rule.changeKeys { $0.replacing(Self.each, with: rest) }
    return rule
  }

  mutating func changeKeys(_ key: (String) -> String) {
    target = key(target)
    for index in candidates.indices {
      candidates[index].source.key = key(candidates[index].source.key)
      for place in candidates[index].conditions.indices {
        candidates[index].conditions[place].key = candidates[index].conditions[place].key.map(key)
      }
    }
  }
}

extension Recipe {
  /// The most keys for which a rule stands. The others are not migrated.
  package static let mostKeysOfRule = 1_000

  /// The most sources and conditions that a rule has for all of its keys.
  private static let mostPartsOfRule = 16_000

  private static let longestRest = 200

  /// The recipe with a rule for each key of a container. A recipe without such rules stays as it is.
  ///
  /// Keys that another rule reads, that are not migrated by design, or that say that the user opted out do not count.
  /// Neither do keys whose rest has hidden characters, and those whose field would write a key that another one writes:
  /// they are listed as not migrated.
  package func expanded(in container: Container, _ options: PlannerOptions) -> Recipe {
    guard rules.contains(where: { $0.forEach != nil }) else { return self }
    let keys = freeKeys(in: container.puttingBack(options.removed) ?? container, options.parameters)
    var taken = Set(bytesOf: rules.filter { $0.forEach == nil }.map(\.target))
    var recipe = self
    recipe.rules = []
    for (place, rule) in rules.enumerated() {
      guard let beginning = rule.beginning else {
        recipe.append(rule, at: place)
        continue
      }
      let matching = keys.filter { $0.utf8.starts(with: beginning.utf8) }
      let parts = rule.candidates.reduce(1) { $0 + 1 + $1.conditions.count }
      let most = min(Self.mostKeysOfRule, max(1, Self.mostPartsOfRule / parts))
      let unusable =
        "What follows \(beginning) is empty, longer than \(Self.longestRest) bytes, or has hidden characters."
      for key in matching.prefix(most) {
        let rest = String(decoding: key.utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
        let field = rule.filled(rest)
        if !Self.isUsable(rest) {
          recipe.leftBehind.append(LeftBehind(literal: key, because: unusable))
        } else if !taken.insert(field.target) {
          recipe.leftBehind.append(LeftBehind(literal: key, because: "Another field writes the key \(field.target)."))
        } else {
          recipe.append(field, at: place)
        }
      }
      if matching.count > most {
        recipe.leftBehind.append(LeftBehind(beginning + "*", because: "for-each migrates at most \(most) keys."))
      }
    }
    return recipe
  }

  private mutating func append(_ rule: FieldRule, at place: Int) {
    var rule = rule
    rule.place = place
    rules.append(rule)
  }

  /// For each rule of an expanded recipe, the place of the rule that it comes from. Without expansion, its own place.
  package var rulePlaces: [Int] { rules.enumerated().map { $0.element.place ?? $0.offset } }

  private func freeKeys(in container: Container, _ parameters: [String: String]) -> [String] {
    let named = knownKeys.union(conditionKeys).union(bytesOf: optOutKeys)
    let beginnings = rules.compactMap(\.beginning)
    // The keys of the other rules are named.
    let prefixes = leftBehind.compactMap(\.prefix)
    let target = target.path(in: container, parameters)
    var found: Set<StringByBytes> = []
    for place in LegacySources.places(self, container, parameters)
    where target.map(place.path.hasSameBytes) != true || readsTarget {
      guard let entries = try? container.store(place.path)?.entries(as: place.source) else { continue }
      for entry in entries.entries
      where !named.contains(entry.key) && beginnings.contains(where: { entry.key.utf8.starts(with: $0.utf8) })
        && !prefixes.contains(where: entry.key.beginsWithBytes)
      {
        found.insert(entry.key)
      }
    }
    return found.map(\.text).sortedByBytes()
  }

  private static func isUsable(_ rest: String) -> Bool {
    !rest.isEmpty && rest.utf8.count <= longestRest && rest.unicodeScalars.allSatisfy(DisplayText.hasShape)
      && !rest.contains("${")
  }

  /// The first for-each in a recipe that writes a file which it reads, by its place, and what is wrong with it: what one
  /// run writes, the next could read. Nil in any other recipe.
  package var familyClash: (place: Int, sentence: String)? {
    guard readsTarget, let place = rules.firstIndex(where: { $0.forEach != nil }) else { return nil }
    return (place, "The recipe writes a file that it reads, so a second run could read what the first one wrote.")
  }
}
