import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverVendors

struct RollbackSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Rolls back the last run, or some of its keys; later changes of other keys stay.",
    discussion: """
      FIELD is a key, RECIPE/FIELD in a run of several recipes, or FILE:KEY if several files have the key.

      --batch rolls back what one apply did in many containers, in each separately. A failure in one does not stop the \
      others. The exit status is the worst of all: 5, 1, 64, 4, 3, 2, then 0.
      """)

  @OptionGroup var container: ContainerArguments
  @Argument(
    help: ArgumentHelp("With --batch: more containers, and folders of containers.", valueName: "path"),
    completion: .file())
  var more: [String] = []
  @Option(
    name: .customLong("run"), help: ArgumentHelp("The run to roll back, instead of the last one.", valueName: "id"))
  var runID: String?
  @Option(
    help: ArgumentHelp(
      "Roll back the runs of this batch, in every container at the paths; carryover history shows it.", valueName: "id")
  )
  var batch: BatchID?
  @OptionGroup var deciding: RollbackArguments
  @OptionGroup var live: LiveArguments
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Show what would be rolled back, and write nothing.") var dryRun = false
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Do not ask before writing. Never decides a conflict.") var yes = false
  @Flag(
    help:
      "Print what was done as JSON, schema carryover.report/1; of a batch, carryover.batch/1; with --dry-run what would be, carryover.rollback/1."
  )
  var json = false

  func run() throws {
    try reporting(redacting) { masking in
      if let batch { return try self.batch(batch).run() }
      guard more.isEmpty else { throw try severalContainers(masking) }
      do {
        if dryRun { return try preview(masking) }
        try rollBack(masking)
      } catch let error as ContainerError where container.isFolder(of: error) {
        throw try severalContainers(masking)
      }
    }
  }

  private func rollBack(_ masking: Masking) throws {
    let (opened, recovered) = try container.openWritable(live, asking: !yes, masking)
    let migrator = Edge.migrator(opened)
    let plan = try migrator.rollbackPlan(in: opened.container, runID: runID)
    masking.learn([plan.run])
    let resolution = try deciding.checked(plan, or: recovered.nothingElse, masking)
    let effects = Self.effects(of: resolution, opened)
    if resolution.changesFiles {
      try Edge.confirm(
        "Roll back run \(plan.run.id)?", unless: yes, for: "rollback", or: "nothing was rolled back", after: recovered
      ) {
        if !json { try printing.paper.print(masking) { RollbackText.write(resolution, effects, to: &$0) } }
      }
    }
    try ThisProcess.uninterrupted {
      try reporting(masking) { try write(resolution, effects, opened, recovered, masking) }
    }
  }

  /// Lists the batches to choose from, as the history does.
  private func severalContainers(_ masking: Masking) throws -> CommandFailure {
    let paths = [container.path] + more
    let listing = try BatchListing(container.inputs(paths), isMasked: masking.isOn)
    if !json {
      try printing.paper.print(masking) { $0.add(listing.blocks(rollback: container.rollback(live, ofBatchAt: paths))) }
    }
    return .usage("Several containers are rolled back with --batch, which names their runs.")
  }

  /// Ends as the rollback would.
  private func preview(_ masking: Masking) throws {
    let opened = try container.open(masking)
    if let failure = Edge.recoveryNeeded(opened) { throw failure }
    let migrator = Edge.migrator(opened)
    let plan = try migrator.rollbackPlan(in: opened.container, runID: runID)
    masking.learn([plan.run])
    let resolution = try deciding.resolution(of: plan)
    let preview = migrator.rollbackPreview(resolution, in: opened.container, allowing: live.allowed)
    let refusal = preview.refusal.map { error in
      if case .rollbackConflict = error,
        let conflicts = RollbackText.conflicts(resolution, or: Recovered().nothingElse, masking)
      {
        return conflicts
      }
      return CommandFailure(error)
    }
    let output = RollbackPreviewOutput(
      resolution: resolution, effects: Self.effects(of: resolution, opened), preview: preview, refusal: refusal,
      masking: masking)
    try printing.paper.print(json: json, output.json, masking) { output.write(to: &$0) }
    if let refusal { throw refusal }
  }

  /// What each SDK's user loses, by the container as it is.
  private static func effects(of resolution: RollbackResolution, _ opened: OpenedContainer) -> [RollbackEffect] {
    let sdks = Edge.migrator(opened).sdks(of: resolution.plan, in: opened.container, now: Console.now)
    return resolution.plan.effects(of: resolution.restored) { id in sdks.first { $0.recipe.reference.id == id } }
  }

  private func write(
    _ resolution: RollbackResolution, _ effects: [RollbackEffect], _ opened: OpenedContainer, _ recovered: Recovered,
    _ masking: Masking
  ) throws {
    let plan = resolution.plan
    let report = try Edge.migrator(opened).rollback(
      plan, only: deciding.chosen(in: plan), decisions: deciding.decisions(in: plan),
      onConflict: deciding.onConflict, in: opened.container, allowing: live.allowed)
    try RunReportOutput.print(
      report, in: opened.container, recovered: recovered.runs, json: json, rollback: container.rollback(live),
      notes: effects.isEmpty ? [] : [.blank] + RollbackPage.blocks(effects, of: plan.entries),
      on: printing.paper, masking)
  }

  /// It is a batch of its own, which can be rolled back too.
  func batch(_ batch: BatchID) throws -> ContainerBatch {
    guard runID == nil, !dryRun else {
      throw CommandFailure.usage("\(dryRun ? "--dry-run" : "--run") is about one run; give it without --batch.")
    }
    let paths = [container.path] + more
    return ContainerBatch(
      kind: .rollback, inputs: try container.inputs(paths), rollback: container.rollback(live, ofBatchAt: paths),
      redacting: redacting, yes: yes, json: json, paper: printing.paper
    ) { container, id, masking in
      try Self.step(container, deciding, live, of: id, masking, without: .notInBatch) {
        try Self.run(in: $0) { $0.batch == batch }
      }
    }
  }

  /// Rolls back the last run of a container.
  static func lastRunStep(
    _ container: ContainerArguments, _ live: LiveArguments, of id: BatchID, _ masking: Masking
  ) throws -> BatchStep {
    var all = RollbackArguments()
    (all.only, all.skip, all.onConflict) = ([], [], .fail)
    return try step(container, all, live, of: id, masking, without: .nothing([])) {
      // A record that cannot be read may be that of the last run.
      _ = try Edge.migrator($0).lastRun(in: $0.container)
      return try run(in: $0) { $0.kind != .rollback && $0.standing != .cameAlong }
    }
  }

  /// - Parameters:
  ///   - none: of a container without such a run, which is not touched, even if another run was interrupted.
  ///   - run: asked again once an interrupted run is recovered.
  private static func step(
    _ container: ContainerArguments, _ deciding: RollbackArguments, _ live: LiveArguments, of id: BatchID,
    _ masking: Masking, without none: BatchStep, run: (OpenedContainer) throws -> RunSummary?
  ) throws -> BatchStep {
    guard try run(container.open(masking)) != nil else { return none }
    let (opened, recovered) = try container.openWritable(live, asking: false, masking)
    guard let run = try run(opened), run.standing != .takenBack else { return .nothing(recovered.runs) }
    let migrator = Edge.migrator(opened)
    let plan = try migrator.rollbackPlan(in: opened.container, runID: run.id)
    masking.learn([plan.run])
    let resolution = try deciding.checked(plan, or: recovered.nothingElse, masking)
    guard resolution.changesFiles else { return .nothing(recovered.runs) }
    let keys = ValueWording.counted(resolution.restored.count, "key")
    return .write(
      BatchJob(
        basis: resolution, words: "Run \(run.id): \(keys) in \(plan.files.map(\.id).joined(separator: ", "))",
        fields: resolution.restored.count, recovered: recovered.runs
      ) {
        try migrator.recording(id).rollback(
          plan, only: deciding.chosen(in: plan), decisions: deciding.decisions(in: plan),
          onConflict: deciding.onConflict, in: opened.container, allowing: live.allowed)
      })
  }

  /// The newest of these runs in effect, else any; nil if the container has none.
  /// - Throws: why a record cannot be read, which may be that of the run.
  private static func run(in opened: OpenedContainer, where isMeant: (RunSummary) -> Bool) throws -> RunSummary? {
    let listing = try Edge.migrator(opened).history(of: opened.container)
    let runs = listing.runs.filter(isMeant)
    if runs.isEmpty, let problem = listing.problems.first { throw problem }
    return runs.first { $0.standing == .holds || $0.standing == .partlyTakenBack } ?? runs.first
  }
}

extension BatchID: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

struct RollbackArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Roll back only this key. Repeatable.", valueName: "field"))
  var only: [String] = []

  @Option(help: ArgumentHelp("Skip this key, which keeps its current value. Repeatable.", valueName: "field"))
  var skip: [String] = []

  @Option(help: "What to do with a key that changed after the run.")
  var onConflict: ConflictPolicy = .fail

  /// - Throws: what keeps the run from being rolled back.
  func checked(_ plan: RollbackPlan, or nothing: String, _ masking: Masking) throws -> RollbackResolution {
    let resolution = try resolution(of: plan)
    if resolution.unreadable.isEmpty, let conflicts = RollbackText.conflicts(resolution, or: nothing, masking) {
      throw conflicts
    }
    try resolution.check()
    return resolution
  }

  func resolution(of plan: RollbackPlan) throws -> RollbackResolution {
    try RollbackResolution(plan, only: chosen(in: plan), decisions: decisions(in: plan), onConflict: onConflict)
  }

  /// Nil for the whole run.
  func chosen(in plan: RollbackPlan) throws -> Set<KeyPlace>? {
    only.isEmpty ? nil : Set(try only.map { try Self.place($0, in: plan, "--only") })
  }

  func decisions(in plan: RollbackPlan) throws -> RollbackDecisions {
    let chosen = try chosen(in: plan) ?? []
    var decisions: RollbackDecisions = [:]
    for name in skip {
      let place = try Self.place(name, in: plan, "--skip")
      guard !chosen.contains(place) else {
        throw CommandFailure.usage("“\(name)” is decided twice; name it in one option only.")
      }
      decisions[place] = .keep
    }
    return decisions
  }

  /// The key itself, `recipe/field` in a run of several recipes, or `file:key` with the file's path or name.
  private static func place(_ name: String, in plan: RollbackPlan, _ option: String) throws -> KeyPlace {
    let entries = plan.entries
    func names(_ entry: RollbackEntry) -> [String] {
      let (file, key) = (entry.id.file, entry.id.key)
      // A key with dots is quoted where it begins a path.
      return [entry.name, key, file + ":" + key, InspectedPath(store: file, labels: [.name(key)]).labelText]
    }
    let exact = entries.filter { names($0).containsBytes(of: name) }
    let found =
      exact.isEmpty ? entries.filter { ("/" + $0.id.file + ":" + $0.id.key).endsWithBytes(of: "/" + name) } : exact
    guard let first = found.first else {
      let around = entries.first { entry in
        names(entry).contains { key in
          name.beginsWithBytes(of: key + ".") || name.beginsWithBytes(of: key + "[")
        }
      }
      if let around {
        throw CommandFailure.usage(
          "\(option) names “\(name)”, a value in a key. A rollback restores whole keys; name \(plan.name(of: around)).")
      }
      let names = entries.map(plan.name(of:)).joined(separator: ", ")
      throw CommandFailure.usage(
        """
        \(option) names “\(name)”, which run \(plan.run.id) did not change, or which is already rolled back; still in \
        effect: \(names).
        """)
    }
    guard found.count == 1 else {
      let names = found.map { $0.id.file + ":" + $0.id.key }.joined(separator: ", ")
      throw CommandFailure.usage("\(option) names “\(name)”, which is in several files: choose one of \(names).")
    }
    return first.id
  }
}
