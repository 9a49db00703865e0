import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct PlanSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows what would be migrated, field by field, without changing anything; can save it for apply.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var deciding: DecisionArguments
  @OptionGroup var saving: SavingArguments
  @OptionGroup var launching: LaunchArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(
    help: "Print the plan as JSON, schema carryover.plan/1, of several recipes carryover.plans/1; apply reads both.")
  var json = false

  func run() throws {
    try reporting(redacting) { masking in
      try saving.check()
      guard !masking.isOn || saving.output == nil else {
        throw CommandFailure.usage(
          "-o saves a plan for apply, and apply cannot use a redacted one; print it with --json.")
      }
      let opened = try container.open(reading: planning.files, masking)
      masking.learn(planning.values)
      // Files on both sides of a run would make a plan of something that never was.
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
      let prepared = try planning.prepared(opened, needsKey: false)
      try planning.values.requireOwner(among: prepared.recipes, in: opened.container)
      let plan = masking.findings(of: try prepared.plan())
      let decisions = try deciding.allDecisions(for: plan, masking)
      masking.learn(decisions)
      let files = SavedPlanFile(fileSystem: POSIXFileSystem())
      if let file = saving.file {
        try files.requirePlace(file, outside: opened.container, targets: plan.targets.map(\.path))
      }
      let launches = plan.recipePlans.map { part in
        PlayedLaunch(plan: part, launch: launching.played(part, plan.decisions(decisions, of: part), masking))
      }
      let losses = plan.losses(ofRun: decisions)
      let noted = plan.noting(decisions) { masking.findings(of: $0) }
      let document = SavedPlans.json(
        noted,
        request: PlanRequest(
          opened.container, options: prepared.options, hasOwnStateDirectory: container.stateDir != nil),
        decisions: decisions, tool: Version.text,
        adding: { part in
          let own = losses.filter { $0.recipe == part.recipe.id }.json
          return launching.members(launches.first { $0.plan.recipe == part.recipe }?.launch)
            + (own.isEmpty ? [] : [JSONMember("appLoses", .array(own))])
        })
      if let file = saving.file { try files.write(document, to: file, replacing: saving.force) }
      let others =
        json || saving.isStandardOutput
        ? [] : try prepared.judged(plan, beside: planning.recipe, isInterrupted: false, masking).others
      let unknown =
        planning.recipe.isEmpty && plan.findsNothing(in: opened.container)
        ? try container.whole(
          container.choosing.selection(), planned: opened.container, reading: planning.files, masking) : nil
      try printing.paper.print(json: json || saving.isStandardOutput, document, masking) { page in
        if let unknown {
          page.add(unknown.unknownBlocks(at: container.path))
        } else {
          let key = planning.inferredKey(of: plan, in: opened.container)
          PlanText.write(noted, decisions: decisions, inferredKey: key, to: &page)
          for played in launches { launching.write(played, isOnly: launches.count == 1, to: &page) }
          PlanSummary.write(plan, decisions, to: &page)
          page.add(RecipeVerdict.otherBlocks(RecipeVerdict.sorted(others), option: "--recipe "))
        }
        if let file = saving.file {
          page.blank()
          page.add("Saved as \(file).")
        }
        if unknown != nil { return }
        if let wrapper = opened.container.wrapper {
          page.blank()
          page.add(wrapper.explanation)
          if !masking.isOn { page.add(.commands([extract(opened.container.name)])) }
        } else if !masking.isOn {
          // A masked command could not be pasted.
          let isBeside = saving.file.map { files.isBeside(opened.container, planAt: $0) } ?? false
          PlanSummary.writeNext(plan, decisions, apply: apply(isBeside: isBeside), to: &page)
        }
      }
    }
  }

  private func extract(_ name: String) -> ShellCommand {
    var command = container.command("extract")
    command.add("-o", name)
    return command
  }

  /// The command that applies this plan: the saved one, if it was saved.
  /// - Parameter isBeside: whether the container is in the folder of the file.
  private func apply(isBeside: Bool) -> ShellCommand {
    guard let file = saving.file else {
      var command = container.command("apply")
      planning.add(to: &command)
      deciding.add(to: &command)
      return command
    }
    var command = ShellCommand("carryover", "apply", ShellCommand.argument(file))
    if !isBeside { command.add("--container", container.path) }
    command.add("--state-dir", ifGiven: container.stateDir)
    planning.addRecipeFiles(to: &command)
    planning.addPermissions(to: &command)
    return command
  }
}

struct SavingArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Save the plan as this file, for apply; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace a saved plan that already exists.") var force = false

  var isStandardOutput: Bool { output == "-" }

  var file: String? { isStandardOutput ? nil : output }

  func check() throws {
    guard output != "" else {
      throw CommandFailure.usage("-o needs the file to save the plan as, or - for standard output; “” is not a file.")
    }
  }
}

struct LaunchArguments: ParsableArguments {
  @Flag(
    help:
      "Also simulate the next launch: what the new SDK reads and does now, after the vendor's migrator, and after this plan."
  )
  var nextLaunch = false

  @Option(help: ArgumentHelp("With --next-launch: the version of the app that starts.", valueName: "version"))
  var appVersion: String?

  @Flag(
    inversion: .prefixedNo,
    help: "With --next-launch: whether the new SDK starts sessions by itself, as it does by default.")
  var automaticSessions: Bool?

  var assumptions: NextLaunch.Assumptions {
    NextLaunch.Assumptions(appVersion: appVersion, automaticSessions: automaticSessions ?? true)
  }

  func validate() throws {
    guard nextLaunch || (appVersion == nil && automaticSessions == nil) else {
      throw ValidationError("--app-version and --[no-]automatic-sessions need --next-launch.")
    }
  }

  /// Nil if the recipe has no model of it.
  func played(_ plan: Plan, _ decisions: Decisions, _ masking: Masking) -> NextLaunch? {
    guard nextLaunch else { return nil }
    return plan.definition.nextLaunch(plan, decisions: decisions, assuming: assumptions).map {
      masking.redaction?.nextLaunch($0) ?? $0
    }
  }

  func members(_ launch: NextLaunch?) -> [JSONMember] {
    nextLaunch ? [JSONMember("nextLaunch", launch?.json(assumptions) ?? .null)] : []
  }

  /// - Parameter isOnly: whether the plan has no other recipe; otherwise the recipe's title comes first.
  func write(_ played: PlayedLaunch, isOnly: Bool, to page: inout PageWriter) {
    guard nextLaunch else { return }
    page.blank()
    if !isOnly { page.add(played.plan.recipe.title) }
    page.add("Next launch")
    page.nextLaunch(played.launch, played.plan, assumptions)
  }
}

struct PlayedLaunch {
  var plan: Plan
  /// Nil if the recipe has no model of it.
  var launch: NextLaunch?
}
