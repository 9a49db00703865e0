import ArgumentParser
import Carryover
import Containers

/// Where to save a plan, for `plan`.
struct SavingArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Save the plan as this file, for apply; - is standard output.", valueName: "file"))
  var output: String?

  /// Whether the document is to be printed.
  var isStandardOutput: Bool { output == "-" }

  /// The file to write, where there is one.
  var file: String? { isStandardOutput ? nil : output }

  /// - Throws: a usage error for a file without a name.
  func check() throws {
    guard output != "" else {
      throw CommandFailure.usage("-o needs the file to save the plan as, or - for standard output; “” is none.")
    }
  }
}

/// What can be said beside a saved plan, for `apply`.
struct SavedPlanArguments: ParsableArguments {
  @Option(
    name: .customLong("container"),
    help: ArgumentHelp("Where the container of a saved plan is by now, if it was moved.", valueName: "path"))
  var path: String?
}

/// What is to be applied: a container with its plan, and the decisions so far.
struct ApplyJob {
  var container: Container
  var plan: Plan
  var decisions: Decisions
  /// Runs that had been interrupted and were brought to their end first.
  var recovered: [RecoveredRun] = []
}

extension SavedPlanArguments {
  /// The job for a container, planned now.
  func job(
    _ container: ContainerArguments, _ planning: PlanningArguments, _ deciding: DecisionArguments, _ masking: Masking
  ) throws -> ApplyJob {
    guard path == nil else {
      throw CommandFailure.usage(
        "--container goes with a saved plan, and “\(container.path)” is none; give the container's path alone.")
    }
    let (opened, recovered) = try container.openRecovered(allowing: planning.allowed, masking)
    masking.learn(writeKey: planning.writeKey)
    let plan = masking.findings(of: try planning.plan(opened))
    return ApplyJob(
      container: opened, plan: plan, decisions: try deciding.allDecisions(for: plan), recovered: recovered)
  }

  /// The job that a saved plan describes, made anew and found to be the same.
  func job(
    _ saved: SavedPlan, _ container: ContainerArguments, _ planning: PlanningArguments, _ deciding: DecisionArguments,
    _ masking: Masking
  ) throws -> ApplyJob {
    let options = [
      ("--write-key", planning.writeKey != nil), ("--now", planning.now != nil),
      ("--target-sdk", planning.targetSDK != nil), ("--bundle-id", container.bundleID != nil),
      ("--recipe", planning.choosing.recipe != nil),
    ]
    if let option = options.first(where: \.1)?.0 {
      throw CommandFailure.usage(
        "“\(container.path)” is a saved plan, and \(option) would make another; give it to carryover plan.")
    }
    var opened = try open(saved, container)
    masking.learn(opened)
    masking.learn(writeKey: saved.request.writeKey)
    // Another container is none of this command's business, interrupted or not.
    let recipe = try saved.ownRecipe()
    try saved.requireSameOrigin(opened, by: recipe)
    let recovered = try Edge.recoverFirst(
      opened, allowing: planning.allowed.union(saved.request.allowed), masking)
    if recovered != nil { opened = try open(saved, container) }
    var settled: [Field.ID: SettledField] = [:]
    if let target = saved.target { settled = try Edge.migrator.settled(in: opened, target: target) }
    let plan = masking.findings(
      of: try saved.plan(
        opened, by: recipe, settled: settled,
        removed: Edge.migrator.removedByCleanups(in: opened), allowing: planning.allowed))
    let decisions = try deciding.allDecisions(for: plan, after: saved.decisions)
    masking.learn(decisions)
    try saved.check(plan, in: opened, decisions: decisions)
    return ApplyJob(container: opened, plan: plan, decisions: decisions, recovered: recovered ?? [])
  }

  private func open(_ saved: SavedPlan, _ container: ContainerArguments) throws -> Container {
    do {
      return try ContainerOpener(fileSystem: POSIXFileSystem()).open(
        path ?? saved.request.container,
        options: ContainerOptions(
          bundleID: saved.request.bundleID, stateDirectory: container.stateDir ?? saved.request.stateDirectory,
          home: Console.environment("HOME")))
    } catch {
      guard error.kind == .notFound, path == nil else { throw error }
      throw CommandFailure(
        "\(error.description) The plan was made from it; if it was moved, name its place with --container.", .error)
    }
  }
}
