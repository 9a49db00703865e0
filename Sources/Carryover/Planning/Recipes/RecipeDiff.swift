/// What changes from one recipe to another, by meaning: the lines of their ``RecipeSection`` that differ.
package struct RecipeDiff: Hashable, Sendable {
  /// A part of a recipe that is new, gone or different.
  package struct Change: Hashable, Sendable {
    /// The raw value is the word in JSON output.
    package enum Kind: String, CaseIterable, Sendable {
      case added, removed, changed
    }

    package var part: RecipeLine.Part
    package var kind: Kind
    /// What the part says differently, by subject.
    package var rules: [Rule]
  }

  /// A subject on which two recipes differ.
  package struct Rule: Hashable, Sendable {
    package var kind: RecipeLine.Kind
    /// All lines of both, in order.
    package var lines: [Line]
  }

  package struct Line: Hashable, Sendable {
    package enum Side: Sendable {
      case both, old, new
    }

    package var side: Side
    package var text: String
  }

  /// The recipe itself, then the fields, then the keys that are not migrated.
  package private(set) var changes: [Change] = []
  /// Whether the recipes differ although their words do not: in the order of fields, for example.
  package private(set) var hasOtherDifference = false

  /// Whether no rule differs.
  package var isEmpty: Bool { changes.isEmpty && !hasOtherDifference }

  package init(_ old: Recipe, _ new: Recipe) {
    let (before, after) = (Parts(old), Parts(new))
    for part in before.order + after.order.filter({ before.lines[$0] == nil }) {
      let (left, right) = (before.lines[part], after.lines[part])
      let rules = RecipeLine.Kind.allCases.compactMap { kind -> Rule? in
        func texts(_ lines: [RecipeLine]?) -> [String] { (lines ?? []).filter { $0.kind == kind }.map(\.text) }
        let (left, right) = (texts(left), texts(right))
        return left == right ? nil : Rule(kind: kind, lines: Line.lines(left, right))
      }
      guard !rules.isEmpty else { continue }
      changes.append(Change(part: part, kind: left == nil ? .added : right == nil ? .removed : .changed, rules: rules))
    }
    changes =
      changes.filter { $0.part.rank == 0 } + changes.filter { $0.part.rank == 1 }
      + changes.filter { $0.part.rank == 2 }
    hasOtherDifference = changes.isEmpty && old != new
  }

  /// How many changes there are of a kind, in fields or in keys that are not migrated.
  package func count(_ kind: Change.Kind, inFields: Bool) -> Int {
    changes.count { $0.kind == kind && $0.part.rank == (inFields ? 1 : 2) }
  }

  /// The lines of a recipe by part.
  private struct Parts {
    var order: [RecipeLine.Part] = []
    var lines: [RecipeLine.Part: [RecipeLine]] = [:]

    init(_ recipe: Recipe) {
      for line in recipe.sections.flatMap(\.lines) {
        if lines[line.part] == nil { order.append(line.part) }
        lines[line.part, default: []].append(line)
      }
    }
  }
}

extension RecipeLine.Part {
  fileprivate var rank: Int {
    switch self {
    case .recipe: 0
    case .field: 1
    case .notMigrated: 2
    }
  }
}

extension RecipeDiff.Line {
  /// The number of lines from which common ones are not looked for: the cost grows with the product.
  private static let most = 400

  fileprivate static func lines(_ old: [String], _ new: [String]) -> [Self] {
    guard old.count <= most, new.count <= most else {
      return old.map { Self(side: .old, text: $0) } + new.map { Self(side: .new, text: $0) }
    }
    var lines = old.map { Self(side: .both, text: $0) }
    let difference = new.difference(from: old)
    for case .remove(let offset, _, _) in difference.removals { lines[offset].side = .old }
    // The new lines come in at their places among those that stay.
    var result: [Self] = []
    var rest = lines[...]
    let inserted = Dictionary(
      difference.insertions.compactMap { change -> (Int, String)? in
        if case .insert(let offset, let text, _) = change { (offset, text) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
    for offset in new.indices {
      while let line = rest.first, line.side == .old { result.append(line); rest = rest.dropFirst() }
      if let text = inserted[offset] {
        result.append(Self(side: .new, text: text))
      } else if let line = rest.popFirst() {
        result.append(line)
      }
    }
    return result + rest
  }
}
