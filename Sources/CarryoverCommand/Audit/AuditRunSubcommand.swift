import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

struct AuditRunSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Plans every container in folders, and counts the fields that are migrated, undecided or lost.",
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
  @Option(
    help: ArgumentHelp(
      "The recipe to follow, by its id or the path of a recipe file, instead of the one that each container's keys call "
        + "for.",
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
  /// Whether a worker's plans are those of a review.
  @Flag(help: .hidden) var earlierRuns = false
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
      if worker { return try AuditWorker(unit(now: moment)).run() }
      let named = try recipe.map(trust.named).map { [$0] } ?? []
      let limits = try result.limiting.limits(fields: (Recipe.builtIn + named).flatMap(\.rules).map(\.target))
      var run = AuditRun(self, now: moment)
      try result.print(try run.audited(), limits, folder: output, masking)
    }
  }

  /// The moment of all plans. An audit that goes on keeps the one that it began with.
  private var moment: Moment {
    if let now = target.now { return now.moment }
    let kept = resume ? output.flatMap { try? AuditParts.document(in: $0) }?["now"]?.stringValue : nil
    // To the second, as the workers are told.
    return Moment(iso8601: kept ?? Console.now.text) ?? Console.now
  }

  func unit(now: Moment) throws -> UnitAudit {
    UnitAudit(
      POSIXFileSystem(), recipe: try recipe.map(trust.named), parameters: parameters.values.values,
      writeKey: target.writeKey, now: now, allowed: allowOptedOut ? [.consentOptedOut] : [],
      policy: try policy.read(), migrator: earlierRuns ? { Edge.migrator($0) } : nil)
  }

  /// The arguments of a worker.
  func workerArguments(now: Moment) -> [String] {
    ["audit", "run", "--worker", "--now", now.text] + (recipe.map { ["--recipe", $0] } ?? [])
      + trust.trust.flatMap { ["--trust", "sha256:" + $0.digest] } + parameters.words
      + (target.writeKey.map { ["--write-key", $0] } ?? []) + (allowOptedOut ? ["--allow-opted-out"] : [])
      + (policy.policy.map { ["--policy", $0] } ?? [])
  }
}

extension AuditShard: ExpressibleByArgument {
  var defaultValueDescription: String { text }
}

/// A worker: audits the inputs that it reads, one line each.
struct AuditWorker {
  private let unit: UnitAudit

  init(_ unit: UnitAudit) { self.unit = unit }

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
