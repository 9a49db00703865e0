import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct ApplyJob {
  var opened: OpenedContainer
  var plan: Plan
  var decisions: Decisions
  /// The container's path, if only a saved plan names it and it is not beside the plan.
  var place: String?
  var rollback: ShellCommand
  var recovered = Recovered()

  /// Whether the container is written to, or a copy of it.
  enum Purpose {
    /// Whether the user can be asked.
    case apply(asking: Bool)
    case rehearsal
  }

  init(
    _ container: ContainerArguments, _ planning: PlanningArguments, for purpose: Purpose, _ masking: Masking,
    decisions decide: (Plan) throws -> Decisions
  ) throws {
    switch purpose {
    case .apply(let asking):
      (opened, recovered) = try container.openRecovered(
        allowing: planning.allowed, asking: asking, reading: planning.files, masking)
    case .rehearsal:
      opened = try container.open(reading: planning.files, masking)
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
    masking.learn(planning.values)
    rollback = container.rollback(planning.live)
    plan = masking.findings(of: try planning.prepared(opened, needsKey: true).plan())
    decisions = try decide(plan)
  }

  /// The job of a saved plan, which must still fit the container.
  ///
  /// The plan may be a stranger's: only options say where backups go and what is allowed, and a container that is not
  /// beside the plan is named by `--container` or in the question.
  init(
    _ saved: SavedPlans, _ container: ContainerArguments, _ planning: PlanningArguments, _ deciding: DecisionArguments,
    for purpose: Purpose, _ masking: Masking
  ) throws {
    let asks = if case .apply(true) = purpose { true } else { false }
    let options = [
      ("--write-key", planning.values.values.keys.contains(where: ParameterValues.isWriteKey)),
      ("--now", planning.target.now != nil),
      ("--target-sdk", planning.targetSDK != nil), ("--bundle-id", container.bundleID != nil),
      ("--app", container.choosing.app != nil),
      ("--recipe", planning.recipe.contains { !RecipePath.isPath($0) }),
      (
        "--parameter",
        !planning.parameters.given.isEmpty && saved.all.contains { !$0.request.ownParameters.isEmpty }
      ),
    ]
    if let option = options.first(where: \.1)?.0 {
      throw CommandFailure.usage(
        "“\(container.path)” is a saved plan, and \(option) would make another plan; give \(option) to carryover plan.")
    }
    let request = saved.first.request
    // The argument is the plan, so the command names the container that the plan is about.
    var named = container
    named.path = container.choosing.container ?? request.container
    named.choosing.container = nil
    named.bundleID = request.bundleID
    opened = try Self.open(named, isGiven: container.choosing.container != nil, reading: planning.files)
    rollback = named.rollback(planning.live)
    masking.learn(opened.container)
    for part in saved.all { masking.learn(writeKey: part.request.parameters[RecipeParameter.writeKey.name]) }
    if case .apply = purpose { try opened.container.requireUnwrapped() }
    let files = SavedPlanFile(fileSystem: POSIXFileSystem())
    if container.choosing.container == nil, !files.isBeside(opened.container, planAt: container.path) {
      let found = opened.container
      // The root of a property list that was opened by itself is its folder.
      let place = DisplayText.visible(found.root + (found.kind == .propertyList ? "/" + found.name : ""))
      self.place = place
      guard asks else {
        throw CommandFailure.usage(
          "Nothing was written. The plan's container “\(place)” is not in the plan's folder. If it is the right container, "
            + "give it with --container.")
      }
    }
    if container.stateDir == nil, let folder = request.stateDirectory {
      Self.note(
        "The plan's folder for backups and records, “\(folder)”, is ignored. To use it, give --state-dir.", masking)
    }
    // An interrupted run in another container is not this command's business.
    let known = try Recipe.builtIn + planning.recipe.map(planning.trust.named)
    let recipes = try planning.values.fill(
      saved.all.map { try $0.ownRecipe(among: known).filled($0.request.parameters) }, in: opened.container)
    for (saved, recipe) in zip(saved.all, recipes) { try saved.requireSameOrigin(opened.container, by: recipe) }
    switch purpose {
    case .apply where place == nil:
      recovered = try Edge.recoverFirst(opened, allowing: planning.allowed, asking: asks, masking)
      if !recovered.runs.isEmpty { opened = try named.opened(nil, planning.files) }
    default: if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
    let migrator = Edge.migrator(opened)
    let present = opened.container
    plan = masking.findings(
      of: try saved.plan(
        present, by: recipes, settled: { try migrator.settled(in: present, target: $0, for: $1) },
        removed: migrator.removedByCleanups(in: present), allowing: planning.allowed))
    let blocked = Set(plan.blockers.map(\.code)).intersection(request.allowed)
    for code in blocked.map(\.rawValue).sorted() {
      Self.note("The plan allows \(code). That is ignored: only a command-line option lifts a block.", masking)
    }
    decisions = try deciding.allDecisions(for: plan, after: saved.decisions, masking)
    masking.learn(decisions)
    try saved.check(plan, in: opened.container, decisions: decisions)
  }

  private static func note(_ sentence: String, _ masking: Masking) {
    Console.error("carryover: \(DisplayText.visible(masking.text(sentence)))")
  }

  private static func open(
    _ named: ContainerArguments, isGiven: Bool, reading files: [StoreFile]
  ) throws -> OpenedContainer {
    do {
      return try named.opened(nil, files)
    } catch let error as ContainerError {
      guard error.kind == .notFound, !isGiven else { throw error }
      throw CommandFailure(
        "\(error.description) The plan was made from it; if it was moved, give its path with --container.", .error)
    }
  }

  var changesFiles: Bool { !plan.changes(decisions).isEmpty }

  /// - Parameter nothing: what the command has written if not, as a sentence; may be empty.
  func check(or nothing: String) throws {
    try Self.requireReadableSources(plan, or: nothing)
    let undecided = plan.undecided(decisions)
    let blockers = plan.blockers(after: decisions)
    guard blockers.isEmpty || (undecided.isEmpty && !changesFiles) else { throw RunError.blocked(blockers) }
    try Self.requireDecisions(undecided, decisions, or: nothing)
  }

  /// Makes the run, and prints the findings that cast doubt on its result.
  func write(with migrator: Migrator, _ masking: Masking) throws -> RunReport {
    let report = try migrator.apply(plan, decisions: decisions, in: opened.container)
    for finding in plan.containerFindings where [.sourceUnreadable, .targetOtherWriteKey].contains(finding.code) {
      Console.error(masking.notice("\(finding.code.rawValue): \(finding.message) \(finding.commandRemedy)"))
    }
    return report
  }

  /// If a source cannot be read, "nothing to migrate" would be a guess.
  private static func requireReadableSources(_ plan: Plan, or nothing: String) throws {
    let unreadable = plan.containerFindings.filter { $0.code == .sourceUnreadable }
    guard let first = unreadable.first, plan.fields.allSatisfy({ $0.legacy == nil && $0.status != .unchanged }) else {
      return
    }
    throw CommandFailure(
      (said(nothing) + ["\(first.code.rawValue): \(first.message)", first.commandRemedy]).joined(separator: " "), .error
    )
  }

  private static func requireDecisions(_ undecided: [Field], _ decisions: Decisions, or nothing: String) throws {
    guard !undecided.isEmpty else { return }
    // Over another value a proposal is not accepted alone, and a policy decides only what nothing else asks about.
    let conflicts = undecided.filter { $0.status == .conflict }.map(\.id)
    let forPolicy = undecided.count { $0.resolution(decisions[$0.id]) == .undecided(conflict: true) }
    let asking = undecided.filter { $0.status != .conflict }
    let asks = asking.map(\.id)
    var sentences: [String] = []
    if let first = asking.first {
      let proposed = asking.first { $0.proposed != nil }?.id
      let accept = proposed.map { "accept the proposal with --accept \($0), " } ?? ""
      sentences.append(
        "Decide \(asks.joined(separator: ", ")): \(accept)give a value with "
          + "--set \(first.id)=VALUE, or skip it with --skip \(first.id)"
          + (first.current == nil ? "." : ", or keep the target's with --keep \(first.id)."))
    }
    if !conflicts.isEmpty {
      sentences.append(
        "The new SDK's file has other values for \(conflicts.joined(separator: ", ")): "
          + (forPolicy > 0 ? "replace or keep them with --on-conflict, or " : "")
          + "decide each with --replace, --keep, --set or --skip.")
    }
    let flagged = undecided.filter { field in
      field.status == .conflict && field.resolution(decisions[field.id]) != .undecided(conflict: true)
    }
    if !flagged.isEmpty {
      let asking = DecisionPolicy.deciding(Set(flagged.flatMap(\.findings).filter(\.asks).map(\.code)))
      let codes = asking.map(\.rawValue).sorted()
      let policy = codes.map { "\($0): \(Field.targetCodes.map(\.rawValue).contains($0) ? "replace" : "accept")" }
      sentences.append(
        "--on-conflict does not decide \(flagged.map(\.id).joined(separator: ", ")): "
          + (codes.count == 1 ? "a finding asks" : "findings ask") + " (\(codes.joined(separator: ", "))). "
          + "For many containers, give a policy file with --policy: \(policy.joined(separator: ", ")).")
    }
    throw CommandFailure(
      (said(nothing) + sentences).joined(separator: " "), forPolicy == undecided.count ? .conflict : .decisionsNeeded)
  }

  private static func said(_ sentence: String) -> [String] { sentence.isEmpty ? [] : [sentence] }
}
