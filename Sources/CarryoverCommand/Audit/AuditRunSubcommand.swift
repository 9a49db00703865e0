import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct AuditRunSubcommand: PathCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract:
      "Plans every container in folders, and counts the users that an update logs out and the fields that it loses.",
    discussion: """
      PATH is a folder with any number of containers, archives and device backups, or one of these. No container is \
      changed. A worker opens each input; if it crashes or takes too long, only that input is affected.

      With --output, the rows are written to a new folder, and --resume continues an interrupted audit.

      Exit status: 0 complete and within every limit, 1 no container has a plan or the audit failed, 2 a limit is \
      exceeded, 4 a container changed while being read, or inputs were added, removed or renamed before \
      --resume, 5 interrupted, 64 usage.
      """)

  @Argument(help: "Folders, containers, archives and device backups.", completion: .file())
  var path: [String] = []
  var firstPath: String { path.first ?? "" }
  @Option(
    help: ArgumentHelp(
      "The recipe to follow, by its id or the path of a recipe file, instead of the one that each container's keys call "
        + "for. all: every recipe for which a container has evidence, except those that are followed only by name.",
      valueName: "recipe"), completion: CompletionScript.recipes)
  var recipe: String?
  @OptionGroup var trust: TrustArgument
  @OptionGroup var parameters: ParameterArguments
  @OptionGroup var target: TargetArguments
  @Flag(help: "Plan to migrate users who have opted out of tracking.")
  var allowOptedOut = false
  @OptionGroup var policy: PolicyArgument
  @Option(name: .shortAndLong, help: ArgumentHelp("The number of workers.", valueName: "count"))
  var jobs = ThisProcess.processors
  @Option(help: ArgumentHelp("How long a worker may take for one input, in seconds.", valueName: "seconds"))
  var timeout = 60
  @Option(
    name: .shortAndLong, help: ArgumentHelp("A new folder for the rows.", valueName: "folder"), completion: .directory)
  var output: String?
  @Flag(help: "Continue the interrupted audit in the --output folder.")
  var resume = false
  @Option(
    help: ArgumentHelp(
      "Audit only a part of the inputs: 0/64 is the first of 64 shards, 63/64 the last. carryover audit merge merges "
        + "them.",
      valueName: "shard"))
  var shard = AuditShard.whole
  @Flag(help: "Omit paths from the rows.")
  var redact = false
  @Flag(help: .hidden) var worker = false
  @OptionGroup var result: AuditResultArguments

  func validate() throws {
    guard !path.isEmpty || worker else { throw ValidationError("Name a folder, a container, an archive or a backup.") }
    guard (1...1_024).contains(jobs) else { throw ValidationError("-j takes 1 to 1024.") }
    guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes 1 to 86400 seconds.") }
    guard !resume || output != nil else { throw ValidationError("--resume needs --output, the folder of the audit.") }
    guard output != "" else { throw ValidationError("-o needs the path of a folder.") }
    guard shard == .whole || target.now != nil || resume else {
      throw ValidationError("--shard needs --now, the same for all shards: only then can they be merged.")
    }
    guard shard == .whole || output != nil else {
      throw ValidationError("--shard needs --output, the folder of the shard: carryover audit merge reads it.")
    }
  }

  func run() throws {
    let masking = Masking(redact)
    try reporting(masking) {
      if worker { return try AuditWorker(unit: unit(now: moment)).run() }
      let named = try namedRecipe.map { [$0] } ?? []
      let limits = try result.limiting.limits(fields: (Recipe.builtIn + named).flatMap(\.rules).map(\.target))
      var run = AuditRun(command: self, now: moment)
      var audited = try run.audited()
      (audited.limits, audited.folder) = (limits, output)
      try result.print(audited, masking)
    }
  }

  /// The moment of all plans. A resumed audit keeps its first one.
  private var moment: Moment {
    if let now = target.now { return now.moment }
    let kept = resume ? output.flatMap { try? AuditParts.document(in: $0) }?["now"]?.stringValue : nil
    // To the second, as the workers are told.
    return Moment(iso8601: kept ?? Console.now.text) ?? Console.now
  }

  func unit(now: Moment) throws -> UnitAudit {
    UnitAudit(
      fileSystem: POSIXFileSystem(), recipe: try namedRecipe, followsAll: recipe == PlanChoices.allRecipes,
      parameters: parameters.values(target).forSeveral(recipe.map { [$0] } ?? []), now: now,
      allowed: allowOptedOut ? [.consentOptedOut] : [],
      policy: try policy.read())
  }

  /// Nil for those that each container's keys call for.
  var namedRecipe: Recipe? {
    get throws { recipe == PlanChoices.allRecipes ? nil : try recipe.map(trust.named) }
  }

  func workerArguments(now: Moment) -> [String] {
    target.workerArguments(now.text, recipe.map { [$0] } ?? [], trust, parameters, allowOptedOut: allowOptedOut)
      + (policy.policy.map { ["--policy", $0] } ?? [])
  }
}

extension AuditShard: ExpressibleByArgument {
  var defaultValueDescription: String { text }
}

struct AuditWorker {
  let unit: UnitAudit

  func run() throws {
    ThisProcess.limitMemory(Self.mostMemory)
    var output = PieceOutput()
    try output.print(WorkerMessage.hello)
    try output.finish()
    // Nobody else reads this input, so it is read in pieces, unlike what a person types.
    while let line = readLine() {
      guard let input = WorkerMessage.Input(line: line) else { throw CommandFailure("The input is not valid.", .error) }
      try unit.audit(input.path, container: input.container) { container in
        for row in container.lines(number: input.number, path: input.shown) { try output.print(row) }
        // The limit on the time holds for each container of an archive or a backup.
        try output.finish()
      }
      try output.print(WorkerMessage.end(of: input.number))
      try output.finish()
    }
  }

  /// Four times what the largest container that is read takes.
  private static let mostMemory = 8 << 30
}

struct AuditRun {
  var command: AuditRunSubcommand
  let now: Moment

  mutating func audited() throws -> AuditOutput {
    // A wrong option is reported once, not by every worker.
    _ = try command.unit(now: now)
    let recipes = try command.namedRecipe.map { [$0] } ?? Recipe.builtIn
    try command.parameters.values(command.target).check(for: recipes)
    let recipe = command.recipe.flatMap { RecipePath.isPath($0) ? $0 : nil }
    let policy = command.policy.policy
    // Without a file to copy, nothing needs a folder for temporary files.
    let temporary = (recipe ?? policy) == nil && command.output != nil ? nil : try PrivateFolder()
    defer { temporary?.remove() }
    // A worker that is started later must not read what was edited meanwhile.
    if let recipe {
      command.recipe = try temporary?.write(RecipePath.bytes(of: recipe), as: "audit.recipe.yaml")
    }
    if let policy {
      command.policy.policy = try temporary?.write(RecipePath.bytes(of: policy), as: "policy.yaml")
    }
    let absent = command.path.lazy.compactMap { ContainerOpener(fileSystem: POSIXFileSystem()).absence(of: $0) }
    if let error = absent.first { throw error }
    return try audited(in: command.output ?? FilePath.join(temporary?.path ?? "", "audit"))
  }

  private func audited(in folder: String) throws -> AuditOutput {
    try ThisProcess.uninterrupted {
      var parts = AuditParts(folder)
      try parts.begin(document, resumes: command.resume)
      var inputs = AuditInputs(command.path, of: command.shard)
      let areThere = (0..<parts.inputs).allSatisfy { _ in inputs.next() != nil }
      guard areThere, parts.inputs == 0 || inputs.digest == parts.digest else {
        throw CommandFailure(
          "Inputs were added, removed or renamed since the audit began. Start a new audit in another folder.",
          .stalePlan)
      }
      var totals = AuditTotals(of: command.shard)
      func add(_ unit: AuditUnit) throws { try totals.add(unit) }
      try parts.forEachUnit(add)
      let isComplete = try work(&parts, &inputs, add)
      guard totals.inputs == parts.inputs else { throw DamagedRow("rows are missing") }
      if isComplete, command.output != nil { try parts.complete(inputs) }
      var failure = totals.failure(isShard: command.shard != .whole)
      if !isComplete {
        let next = command.output == nil ? "" : " Add --resume to continue."
        failure = CommandFailure(
          "The audit was interrupted after \(ValueWording.counted(parts.inputs, "input")).\(next)", .recoveryNeeded)
      }
      return AuditOutput(totals: totals, isComplete: isComplete, failure: failure)
    }
  }

  /// - Parameter add: takes the containers as they are audited: adding up at the end would keep one processor idle.
  /// - Returns: whether all inputs were audited.
  private func work(
    _ parts: inout AuditParts, _ inputs: inout AuditInputs, _ add: (AuditUnit) throws -> Void
  ) throws -> Bool {
    let shard = command.shard
    var pool = WorkerPool(
      arguments: command.workerArguments(now: now), count: command.jobs, limit: .seconds(command.timeout),
      first: shard.first + parts.inputs * shard.count, step: shard.count)
    var progress = AuditProgress(of: command, after: parts.inputs)
    defer { progress.line.remove() }
    // Where the walk was at what is being worked on, which an answer does not repeat.
    var digests: [Int: String] = [:]
    var isComplete = true
    do {
      try pool.run(
        {
          guard let input = inputs.next() else { return nil }
          digests[input.number] = inputs.digest
          return WorkerMessage.Input(number: input.number, path: input.path, shown: command.redact ? nil : input.shown)
        },
        { answered, rows in
          try parts.add(rows, at: digests.removeValue(forKey: answered) ?? "")
          try AuditRowReader.units(in: rows).forEach(add)
        },
        goesOn: {
          // An input that takes long delivers nothing.
          progress.show(parts.inputs)
          isComplete = !ThisProcess.isAskedToEnd
          return isComplete
        })
      try parts.finishPart()
    } catch {
      // What was audited stays for --resume; a full disk has no room for it.
      try? parts.finishPart()
      throw error
    }
    return isComplete
  }

  /// An audit is only resumed with the same options.
  private var document: JSONValue {
    .object([
      "schema": "carryover.audit-options/1", "version": Version.text, "now": now,
      "paths": command.path.map { digest(AuditInputs.real($0)) }, "shard": command.shard.text,
      "recipe": command.recipe.flatMap { RecipePath.isPath($0) ? nil : $0 },
      // The version stands for the built-in recipes.
      "recipeDigest": (try? command.namedRecipe)?.reference.digest,
      "policyDigest": (try? command.policy.digest()) ?? nil, "parameters": command.parameters.words.map(digest),
      "writeKey": command.parameters.values(command.target).writeKey.map(digest),
      "allowsOptedOut": command.allowOptedOut, "redacted": command.redact,
    ])
  }

  /// For what is only compared, so that the folder has no key and no path.
  private func digest(_ text: String) -> String { SHA256.hexDigest(Array(text.utf8)) }
}

struct AuditProgress {
  let line: ProgressLine
  private let start = ContinuousClock.now
  /// How many inputs an earlier process had audited.
  private let before: Int
  /// Counts all inputs in advance, so that the progress line can show the time left.
  private var counted: AuditInputs
  private var isCounted = false
  private var total = 0

  init(of command: AuditRunSubcommand, after before: Int) {
    line = .onTerminal()
    self.before = before
    counted = AuditInputs(command.path, of: command.shard)
  }

  mutating func show(_ inputs: Int) {
    guard line.isShown else { return }
    // A few at a time, so that the workers do not wait for it.
    for _ in 0..<20 where !isCounted {
      if counted.next() == nil { isCounted = true } else { total += 1 }
    }
    let (seconds, attoseconds) = start.duration(to: .now).components
    line.show(
      Self.text(
        inputs, of: isCounted ? total : nil, before: before, seconds: Double(seconds) + Double(attoseconds) * 1e-18))
  }

  static func text(_ inputs: Int, of total: Int?, before: Int, seconds: Double) -> String {
    let rate = Double(inputs - before) / max(0.1, seconds)
    let speed = "\(Int(rate)) per second"
    guard let total, total > 0, rate > 0 else { return "Audited: \(inputs) inputs, \(speed)" }
    // Inputs can be added while the audit goes on.
    let all = max(inputs, total)
    let left = Int((Double(all - inputs) / rate).rounded(.up))
    let time =
      left < 60
      ? "\(left) s" : left < 3600 ? "\(left / 60) min \(left % 60) s" : "\(left / 3600) h \(left / 60 % 60) min"
    return "Audited: \(inputs) of \(all) inputs (\(inputs * 100 / all)%), \(speed), \(time) left"
  }
}
