import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

struct ExplainedRecipe {
  let recipe: Recipe
  let planned: RecipePlan?
  /// The fields to explain; nil for all.
  let fields: Set<StringByBytes>?
  private let places: [StringByBytes: Int]

  /// - Parameters:
  ///   - filled: the recipe with values in place of parameters.
  ///   - field: the field to explain; nil for all.
  init(recipe said: Recipe, filled: Recipe? = nil, field: String? = nil, planned: RecipePlan? = nil) throws {
    recipe = planned?.plan.definition ?? filled ?? said
    self.planned = planned
    places = Dictionary(firstOf: recipe.rules.enumerated().map { ($1.target, $0) })
    guard let field else {
      fields = nil
      return
    }
    let names = recipe.rules.map(\.target)
    // A rule for several keys has a field for each of them.
    let written = zip(recipe.rulePlaces, names).filter { place, name in
      said.rules.indices.contains(place) && said.rules[place].target.hasSameBytes(as: field)
    }
    let found = names.containsBytes(of: field) ? [field] : written.map(\.1)
    guard !found.isEmpty || said.rules.contains(where: { $0.target.hasSameBytes(as: field) }) else {
      let nearest =
        Nearest.name(to: field, among: names).map { " Did you mean \(DisplayText.visible($0, limit: 60))?" } ?? ""
      throw CommandFailure.usage(
        "The recipe has no field “\(DisplayText.visible(field, limit: 60))”.\(nearest) The fields are "
          + names.prefix(20).map { DisplayText.visible($0, limit: 60) }.joined(separator: ", ")
          + (names.count > 20 ? " and \(names.count - 20) more." : "."))
    }
    fields = Set(bytesOf: found)
  }

  var rules: [FieldRule] { recipe.rules.filter { fields?.contains($0.target) ?? true } }

  func trial(_ index: Int, of target: String) -> CandidateTrial? {
    guard let planned, let rule = places[target], planned.trials[rule].indices.contains(index) else { return nil }
    return planned.trials[rule][index]
  }
}

struct RecipePlan {
  var plan: Plan
  /// What became of each source of each field.
  var trials: [[CandidateTrial]]
}

enum RecipesOutput {
  static func writeList(_ recipes: [Recipe], to page: inout PageWriter) {
    var table = Table([.init(.whole, "", .head), .init(.path, "for")])
    for recipe in recipes {
      let reference = recipe.reference
      table.add([.text(reference.id), .text("\(reference.title), version \(reference.version)")])
      for (index, source) in recipe.sources.enumerated() {
        table.add([.text(index == 0 ? "  reads" : ""), .text(source.words)])
      }
    }
    page.add(table)
    page.blank()
    page.add("carryover recipe explain ID explains one rule by rule.")
  }

  static func write(_ explained: ExplainedRecipe, to page: inout PageWriter) {
    page.line(explained.recipe.reference.id)
    page.add("\(explained.recipe.reference.title), version \(explained.recipe.reference.version)")
    if let plan = explained.planned?.plan { page.add("Container: \(plan.container.name)") }
    var recipe = RecipePage(explained.recipe)
    recipe.only = explained.fields
    recipe.field = { explained.planned?.plan.field($0) }
    recipe.trial = explained.trial
    page.add(recipe.blocks)
  }

  static func json(_ recipes: [ExplainedRecipe]) -> JSONValue {
    .object(["schema": "carryover.recipes/1", "recipes": recipes.map(value)])
  }

  private static func value(_ explained: ExplainedRecipe) -> JSONValue {
    let recipe = explained.recipe
    let plan = explained.planned?.plan
    return .object(present: [
      "id": recipe.reference.id, "version": recipe.reference.version, "title": recipe.reference.title,
      "about": JSONValue(recipe.about), "container": plan?.container.name, "sources": recipe.sources.map(\.places),
      "target": recipe.target.words, "rules": explained.rules.map { value($0, explained) },
      "leftBehind": recipe.leftBehind.map {
        JSONValue.object(["key": $0.key, "reason": $0.reason, "secret": $0.secret])
      },
      "elsewhere": recipe.elsewhere.map { JSONValue.object(["place": $0.words, "reason": $0.reason]) },
    ])
  }

  private static func value(_ rule: FieldRule, _ explained: ExplainedRecipe) -> JSONValue {
    let field = explained.planned?.plan.field(rule.target)
    return .object(present: [
      "target": rule.target, "group": rule.group, "form": rule.form, "forEach": JSONValue(rule.forEach),
      "require": rule.requirements.map(\.words), "result": field.map(result),
      "sources": rule.candidates.enumerated().map {
        value($0.element, explained.trial($0.offset, of: rule.target))
      },
    ])
  }

  private static func result(_ field: Field) -> JSONValue {
    // The result of a secret is secret too.
    let isSecret = field.origin.map { Secrets.holds($0.source.key) } ?? false
    let value = isSecret ? nil : FieldSummary.value(field, nil)
    return .object([
      "status": field.status, "value": value.map(CodedValue.json), "source": field.origin?.source.label,
      "store": field.origin?.store, "findings": Set(field.findings.map(\.code.rawValue)).sorted(),
    ])
  }

  private static func value(_ candidate: Candidate, _ trial: CandidateTrial?) -> JSONValue {
    .object(present: [
      "key": candidate.source.key, "member": JSONValue(candidate.source.member),
      "when": candidate.conditions.map(\.words), "steps": candidate.transforms.map(\.title), "trial": trial.map(value),
    ])
  }

  private static func value(_ trial: CandidateTrial) -> JSONValue {
    func json(_ value: PropertyListValue?) -> JSONValue { Secrets.json(value, of: trial.source.key) }
    return .object([
      "outcome": trial.outcome, "store": trial.store, "value": json(trial.value), "result": json(trial.result),
      "condition": trial.condition, "failedStep": trial.failure?.step, "reason": trial.failure?.sentence,
    ])
  }
}
