import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct CleanupSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "cleanup",
    abstract:
      "Removes legacy values that are provably in the new SDK's file, after a backup. Run it after the migration.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var target: TargetArguments
  @OptionGroup var choosing: RecipeArgument
  @Option(
    help: ArgumentHelp(
      "Remove only this key, or FILE:KEY with the store's whole path if several stores have it. Repeatable.",
      valueName: "key"))
  var only: [String] = []
  @Flag(help: "Show what would be removed, and write nothing.") var dryRun = false
  @OptionGroup var live: LiveArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Do not ask before writing.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1; with --dry-run the plan, carryover.cleanup/1.")
  var json = false

  func run() throws {
    try reporting(redacting) { masking in
      let files = try TrustArgument.files(of: choosing.recipe)
      let (opened, recovered) =
        try dryRun
        ? (container.open(reading: files, masking), Recovered())
        : container.openWritable(live, asking: !yes, reading: files, masking)
      let values = choosing.parameters.values(target)
      masking.learn(values)
      if dryRun, let failure = Edge.recoveryNeeded(opened) { throw failure }
      let planner = Planner(try values.fill(recipe(for: opened), in: opened.container))
      try values.requireNaming([planner.recipe], in: opened.container)
      let options = PlannerOptions(parameters: values.naming([planner.recipe], in: opened.container))
      let plan = planner.cleanupPlan(opened.container, now: target.moment, options: options)
      let chosen = try only.isEmpty ? nil : chosenKeys(plan, planner.recipe)
      if dryRun {
        return try printing.paper.print(json: json, CleanupOutput.json(plan), masking) {
          CleanupOutput.write(plan, only: chosen, to: &$0)
        }
      }
      try Self.check(plan, chosen)
      if plan.removable.contains(where: { chosen?.contains($0.id) ?? true }) {
        try Edge.confirm(
          "Remove these legacy values?", unless: yes, for: "cleanup", or: "nothing was removed", after: recovered
        ) {
          if !json { try printing.paper.print(masking) { CleanupOutput.write(plan, only: chosen, to: &$0) } }
        }
      }
      try ThisProcess.uninterrupted {
        try reporting(masking) { try write(plan, chosen, opened, recovered, masking) }
      }
    }
  }

  /// The named recipe, else that of the newest migration in effect, else the one for the container's keys.
  private func recipe(for opened: OpenedContainer) throws -> Recipe {
    let last = try Edge.migrator(opened).history(of: opened.container).runs.first {
      $0.kind == .apply && [.holds, .partlyTakenBack].contains($0.standing)
    }
    if choosing.recipe.isEmpty, let last = last?.recipe {
      guard last.digest == nil else {
        throw CommandFailure.usage("The last migration followed a recipe file. Name the file with --recipe.")
      }
      if let recipe = Recipe(id: last.id) { return recipe }
    }
    let recipe = try choosing.recipe(
      for: opened.container, removed: Edge.migrator(opened).removedByCleanups(in: opened.container))
    if case .file(let path, false) = recipe.origin, !dryRun {
      throw CommandFailure(
        "Nothing was removed: you have not trusted “\(DisplayText.visible(path))”. Read it with carryover recipe explain FILE, "
          + "then trust it with carryover recipe trust FILE.", .error)
    }
    return recipe
  }

  private func write(
    _ plan: CleanupPlan, _ chosen: Set<KeyPlace>?, _ opened: OpenedContainer, _ recovered: Recovered,
    _ masking: Masking
  ) throws {
    let report = try Edge.migrator(opened).cleanup(plan, only: chosen, in: opened.container, allowing: live.allowed)
    for notice in opened.container.notices { Console.error("carryover: \(masking.text(notice))") }
    for store in plan.stores {
      if let problem = store.problem {
        Console.error("carryover: \(masking.text("nothing was removed from “\(store.id)”. \(problem)"))")
      }
    }
    try RunReportOutput.print(
      report, in: opened.container, recovered: recovered.runs, json: json, rollback: container.rollback(live),
      on: printing.paper, masking)
  }

  /// A key that is gone already is no error, so that a second cleanup succeeds.
  private func chosenKeys(_ plan: CleanupPlan, _ recipe: Recipe) throws -> Set<KeyPlace> {
    var chosen: Set<KeyPlace> = []
    for name in only {
      let named = plan.entries.map(\.id).filter { [$0.key, "\($0.file):\($0.key)"].containsBytes(of: name) }
      let known = recipe.knownKeys.contains { key in
        key.text.hasSameBytes(as: name) || plan.stores.contains { "\($0.id):\(key.text)".hasSameBytes(as: name) }
      }
      guard known || !named.isEmpty else {
        throw CommandFailure.usage(
          "--only names “\(name)”, which is not a legacy key of this container; --dry-run lists them.")
      }
      chosen.formUnion(named)
    }
    return chosen
  }

  /// - Throws: why nothing can be removed, or not what was chosen.
  private static func check(_ plan: CleanupPlan, _ chosen: Set<KeyPlace>?) throws {
    // "Nothing to remove" would be a guess.
    if plan.entries.isEmpty, let store = plan.stores.first(where: { $0.problem != nil }) {
      throw CommandFailure("Nothing was removed: “\(store.id)” cannot be read. \(store.problem ?? "")", .error)
    }
    let staying = plan.entries.compactMap { entry in
      if case .stays(let reason) = entry.verdict { (key: entry.id, reason: reason) } else { nil }
    }
    if let unreadable = staying.first(where: { if case .unreadableTarget = $0.reason { true } else { false } }) {
      throw CommandFailure("Nothing was removed. \(unreadable.reason.description)", .error)
    }
    if let kept = staying.first(where: { chosen?.contains($0.key) == true }) {
      throw CommandFailure("Nothing was removed: “\(kept.key.key)” must stay. \(kept.reason.description)", .error)
    }
  }
}

enum CleanupOutput {
  static func write(_ plan: CleanupPlan, only: Set<KeyPlace>?, to page: inout PageWriter) {
    page.add(PlanText.title(plan.container, plan.recipe.title))
    page.line("target: " + (plan.target.map { $0.path + ($0.exists ? "" : " (not there)") } ?? "none"))
    for store in plan.stores {
      page.blank()
      page.line(store.id)
      if let problem = store.problem { page.add(.error, "unreadable: \(problem)", indent: 2) }
      var table = Table(
        [
          .init(.whole, "", .head), .init(.name, "", .head), .init(.value, "value", isOptional: true),
          .init(.whole, "", .head), .init(.sentence, "why"),
        ], indent: 2)
      for entry in plan.entries where entry.id.file.hasSameBytes(as: store.id) {
        let isChosen = only?.contains(entry.id) ?? true
        let isRemoved = isChosen && entry.verdict.isRemovable
        table.add([
          .sign(isRemoved ? .ready : .omitted), .name(entry.id.key),
          entry.isSecret ? .text(Secrets.standIn) : .value(entry.value),
          .text(isRemoved ? "remove" : "stays", isRemoved ? .plain : .muted),
          .place(entry.verdict.sentence(isChosen: isChosen)),
        ])
      }
      page.add(table)
    }
    page.blank()
    let count = plan.removable.count { entry in only.map { $0.contains(entry.id) } ?? true }
    page.add("Cleanup: \(count) to remove, \(plan.entries.count - count) unchanged.")
  }

  static func json(_ plan: CleanupPlan) -> JSONValue {
    .object([
      "schema": "carryover.cleanup/1",
      "recipe": JSONValue.object(["id": plan.recipe.id, "version": plan.recipe.version]),
      "container": plan.container.identity, "target": plan.target?.path,
      "stores": plan.stores.map { JSONValue.object(["path": $0.id, "problem": $0.problem]) },
      "entries": plan.entries.map(entry),
    ])
  }

  private static func entry(_ entry: CleanupEntry) -> JSONValue {
    let (verdict, fields, reason): (String, [String], CleanupReason?) =
      switch entry.verdict {
      case .removable(let fields): ("removable", fields, nil)
      case .stays(let reason): ("stays", reason.fields, reason)
      }
    return .object(present: [
      "file": entry.id.file, "key": entry.id.key,
      "value": entry.isSecret ? .null : CodedValue.json(entry.value), "secret": entry.isSecret ? true : nil,
      "verdict": verdict, "fields": fields, "reason": JSONValue(reason.map(json)),
    ])
  }

  private static func json(_ reason: CleanupReason) -> JSONValue {
    .object(["code": reason.code, "parts": reason.parts, "message": reason.description])
  }
}

extension CleanupEntry {
  /// Whether the value is a secret or contains one.
  fileprivate var isSecret: Bool { secret || Secrets.areIn(value) }
}
