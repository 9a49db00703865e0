package import Carryover

/// A small change to a recipe that its tests should notice.
///
/// A change names parts by their index, so that it fits the recipe of a file and the same recipe with values in place of
/// its parameters.
package struct RecipeMutant: Sendable {
  /// The change in words. The file's `equivalent` names a mutant by it.
  package let name: String
  /// The changed part of the file: the keys and indexes that lead to it.
  package let path: [String]
  private let change: @Sendable (inout Recipe) -> Void

  private init(_ name: String, _ path: [String], _ change: @escaping @Sendable (inout Recipe) -> Void) {
    self.name = name
    self.path = path
    self.change = change
  }

  /// The changed recipe.
  package func callAsFunction(_ recipe: Recipe) -> Recipe {
    var changed = recipe
    change(&changed)
    return changed
  }

  /// Every mutant of a recipe.
  package static func all(of recipe: Recipe) -> [RecipeMutant] {
    optOuts(recipe) + recipe.rules.enumerated().flatMap { field($1, at: $0, of: recipe) }
      + recipe.leftBehind.enumerated().map { index, key in
        RecipeMutant("not-migrated without \(key.key)", ["not-migrated", "\(index)"]) {
          $0.leftBehind.remove(at: index)
        }
      }
      + recipe.elsewhere.enumerated().map { index, place in
        RecipeMutant("elsewhere without \(place.words)", ["elsewhere", "\(index)"]) { $0.elsewhere.remove(at: index) }
      }
      + recipe.generations.indices.filter { recipe.generations[$0].mayBeOlder }.map { index in
        RecipeMutant("\(recipe.generations[index].name) without may-be-older", ["generations", "\(index)"]) {
          $0.generations[index].mayBeOlder = false
        }
      }
  }

  /// A file's recipe also knows the opt-outs of the built-in recipes. These mutants do not: a recipe names its own.
  private static func optOuts(_ recipe: Recipe) -> [RecipeMutant] {
    recipe.optOutKeys.enumerated().map { index, key in
      RecipeMutant("opt-out-keys without \(key)", ["opt-out-keys", "\(index)"]) {
        $0.optOutKeys.remove(at: index)
        $0.knownOptOuts = []
        $0.knownOptOutFiles = []
      }
    }
  }

  private static func field(_ rule: FieldRule, at index: Int, of recipe: Recipe) -> [RecipeMutant] {
    let path = ["fields", "\(index)"]
    func mutant(
      _ words: String, _ part: [String] = [], _ change: @escaping @Sendable (inout FieldRule) -> Void
    ) -> RecipeMutant {
      RecipeMutant("\(rule.target) \(words)", path + part) { change(&$0.rules[index]) }
    }
    // The order of sources decides nothing between generations.
    func generation(_ candidate: Candidate) -> Int? { recipe.declaredGeneration(of: candidate.source.key) }
    let (form, group) = (rule.form.other, rule.otherGroup)
    var mutants = [
      RecipeMutant("\(rule.target) removed", path) { $0.rules.remove(at: index) },
      mutant("under another key", ["key"]) { $0.target += "x" },
      mutant("with form \(form.rawValue)", ["form"]) { $0.form = form },
    ]
    if let forEach = rule.forEach {
      mutants.append(mutant("for each of other keys", ["for-each"]) { $0.forEach = "x" + forEach })
    }
    if let group { mutants.append(mutant("in group \(group.rawValue)", ["group"]) { $0.group = group }) }
    for (place, candidate) in rule.candidates.enumerated() {
      mutants.append(
        mutant("← \(candidate.source.label) removed", ["from", "\(place)"]) { $0.candidates.remove(at: place) })
      mutants += source(candidate).map { words, part, change in
        mutant("← \(candidate.source.label) \(words)", ["from", "\(place)"] + part) { change(&$0.candidates[place]) }
      }
    }
    for (place, pair) in zip(rule.candidates, rule.candidates.dropFirst()).enumerated()
    where pair.0 != pair.1 && (!rule.group.isOfUser || generation(pair.0) == generation(pair.1)) {
      mutants.append(
        mutant("with sources \(place + 1) and \(place + 2) swapped", ["from", "\(place)"]) {
          $0.candidates.swapAt(place, place + 1)
        })
    }
    for (place, requirement) in rule.requirements.enumerated() {
      let path = ["require", "\(place)"]
      mutants.append(mutant("without requirement \(place + 1)", path) { $0.requirements.remove(at: place) })
      mutants += requirement.changed.map { words, changed in
        mutant("with \(words) in requirement \(place + 1)", path) { $0.requirements[place] = changed }
      }
    }
    for (place, check) in rule.checks.enumerated() {
      mutants.append(
        mutant("without check \(check.check.name)", ["checks", "\(place)"]) { $0.checks.remove(at: place) })
    }
    // Tests say nothing about notes.
    if let own = rule.otherwise, own.severity > .note {
      mutants.append(mutant("without finding \(own.name)", ["otherwise"]) { $0.otherwise = nil })
    }
    return mutants
  }

  private typealias SourceChange = (words: String, path: [String], change: @Sendable (inout Candidate) -> Void)

  private static func source(_ candidate: Candidate) -> [SourceChange] {
    let steps = candidate.transforms
    var changes: [SourceChange] = [("under another key", ["key"], { $0.source.key += "x" })]
    for (index, step) in steps.enumerated() {
      changes.append(("without step \(index + 1)", ["steps", "\(index)"], { $0.transforms.remove(at: index) }))
      for (words, path, smaller) in step.smaller {
        changes.append(
          ("\(words) step \(index + 1)", ["steps", "\(index)"] + path, { $0.transforms[index] = smaller }))
      }
    }
    for (index, pair) in zip(steps, steps.dropFirst()).enumerated() where pair.0 != pair.1 {
      changes.append(
        (
          "with steps \(index + 1) and \(index + 2) swapped", ["steps", "\(index)"],
          { $0.transforms.swapAt(index, index + 1) }
        ))
    }
    for (index, condition) in candidate.conditions.enumerated() {
      let path = ["when", "\(index)"]
      changes.append(("without condition \(index + 1)", path, { $0.conditions.remove(at: index) }))
      changes += condition.test.changed.map { words, changed in
        ("with \(words) in condition \(index + 1)", path, { $0.conditions[index].test = changed })
      }
    }
    return changes
  }
}

extension Transform {
  /// The same step without one of its values, if it has several: in words, with the value's place in the step.
  fileprivate var smaller: [(words: String, path: [String], step: Transform)] {
    func without<Value>(
      _ values: [Value], _ name: String, _ words: (Int, Value) -> String, _ step: ([Value]) -> Transform
    ) -> [(words: String, path: [String], step: Transform)] {
      guard values.count > 1 else { return [] }
      return values.enumerated().map { place, value in
        var rest = values
        rest.remove(at: place)
        return (words(place, value), [name, "\(place)"], step(rest))
      }
    }
    switch self {
    case .jsonWithoutMembers(let names):
      return without(names, "json-without", { "with \($1) in" }, Transform.jsonWithoutMembers)
    case .jsonOnlyMembers(let names):
      return without(names, "json-only", { "without \($1) in" }, Transform.jsonOnlyMembers)
    case .jsonRenamedMembers(let entries):
      return without(entries, "json-rename", { "without \($1.from) in" }, Transform.jsonRenamedMembers)
    case .map(let entries):
      return without(entries, "map", { place, _ in "without entry \(place + 1) of" }, Transform.map)
    default: return []
    }
  }
}

extension TargetForm {
  /// Another form, of the same type if there is one: a test that only looks at the type does not notice it.
  fileprivate var other: TargetForm {
    TargetForm.allCases.first { $0 != self && $0.kind == kind } ?? (self == .boolean ? .integer : .boolean)
  }
}

extension Predicate {
  /// Predicates that a little more or less meets, each in words: tests should be close to the limits.
  fileprivate var changed: [(words: String, predicate: Predicate)] {
    switch self {
    case .atMostBytes(let most) where most < Int.max: [Predicate.atMostBytes(most + 1)].map { ($0.words, $0) }
    case .range(let range):
      [
        range.lowerBound > Int64.min ? Predicate.range(range.lowerBound - 1...range.upperBound) : nil,
        range.upperBound < Int64.max ? Predicate.range(range.lowerBound...range.upperBound + 1) : nil,
      ].compactMap(\.self).map { ($0.words, $0) }
    case .oneOf(let values) where values.count > 1:
      values.indices.map { index in
        var rest = values
        rest.remove(at: index)
        return ("only \(Predicate.oneOf(rest).words)", .oneOf(rest))
      }
    default: []
    }
  }
}

extension FieldRule {
  /// Another group, if the plan can depend on it: an opt-out is one only in the group for consent.
  fileprivate var otherGroup: FieldGroup? {
    if group == .consent { return .other }
    return form == .boolean ? .consent : nil
  }
}

/// A mutant that a file lists because no test can notice it.
package struct EquivalentMutant: Hashable, Sendable {
  /// The name of the mutant.
  package var name: String
  /// The reason that the change has no effect, as a sentence.
  package var reason: String
  package var place: TextPlace
}
