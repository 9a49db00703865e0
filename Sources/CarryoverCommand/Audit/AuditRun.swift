import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// An audit on this machine: finds the inputs, has workers audit them, and adds up the rows.
struct AuditRun {
  private var command: AuditRunSubcommand
  private let now: Moment

  init(_ command: AuditRunSubcommand, now: Moment) { (self.command, self.now) = (command, now) }

  mutating func audited() throws -> AuditResult {
    // What is wrong with the options is said once, not by every worker.
    _ = try command.unit(now: now)
    try checkParameters()
    let recipe = command.recipe.flatMap { RecipePath.isPath($0) ? $0 : nil }
    let policy = command.policy.policy
    // A folder for temporary files need not exist where none is wanted.
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

  /// - Throws: a usage error for a parameter of no recipe, or a value that is not valid.
  private func checkParameters() throws {
    let recipes = try command.recipe.map { [try command.trust.named($0)] } ?? Recipe.builtIn
    let known = recipes.flatMap(\.parameters)
    for (name, value) in command.parameters.values.values.sorted(by: { $0.key < $1.key }) {
      let fitting = known.filter { $0.name == name }
      guard let title = fitting.first?.title else {
        throw CommandFailure.usage("-P \(DisplayText.visible(name, limit: 60)): no recipe here has such a parameter.")
      }
      guard fitting.contains(where: { $0.accepts(value) }) else {
        throw CommandFailure.usage("-P \(name): this is not a valid \(title).")
      }
    }
    if let key = command.target.writeKey, !Container.isValidParameter(key) {
      throw CommandFailure.usage(
        "“\(DisplayText.visible(key, limit: 60))” cannot be a write key: it is part of a file name.")
    }
  }

  private func audited(in folder: String) throws -> AuditResult {
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
      guard totals.inputs == parts.inputs else { throw AuditParts.damaged(because: "rows are missing") }
      if isComplete, command.output != nil { try parts.complete(inputs) }
      var failure = totals.failure(isShard: command.shard != .whole)
      if !isComplete {
        let next = command.output == nil ? "" : " Add --resume to continue."
        failure = CommandFailure(
          "The audit was interrupted after \(ValueWording.counted(parts.inputs, "input")).\(next)", .recoveryNeeded)
      }
      return AuditResult(totals: totals, failure: failure, isComplete: isComplete)
    }
  }

  /// Has workers audit the inputs that are left, and says whether all were audited.
  /// - Parameter add: takes the containers as they are audited: adding them up at the end would keep both processors from
  ///   working.
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
          return WorkerMessage.Input(
            number: input.number, path: input.path, shown: command.redact ? nil : input.shown)
        },
        { answered, rows in
          try parts.add(rows, at: digests.removeValue(forKey: answered) ?? "")
          try AuditParts.units(in: rows).forEach(add)
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

  /// What is asked. An audit is only resumed with the same.
  private var document: JSONValue {
    .object([
      JSONMember("schema", "carryover.audit-options/1"), JSONMember("version", .string(Version.text)),
      JSONMember("now", .string(now.text)),
      JSONMember("paths", JSONValue(command.path.map { digest(AuditInputs.real($0)) })),
      JSONMember("shard", .string(command.shard.text)),
      JSONMember("recipe", JSONValue(command.recipe.flatMap { RecipePath.isPath($0) ? nil : $0 })),
      JSONMember("recipeDigest", JSONValue(recipeDigest)),
      JSONMember("policyDigest", JSONValue(policyDigest)),
      JSONMember("parameters", JSONValue(command.parameters.words.map(digest))),
      JSONMember("writeKey", JSONValue(command.target.writeKey.map(digest))),
      JSONMember("allowsOptedOut", .boolean(command.allowOptedOut)), JSONMember("redacted", .boolean(command.redact)),
    ])
  }

  /// What is only compared, so that the folder has no key and no path that is not needed.
  private func digest(_ text: String) -> String { SHA256.hexDigest(Array(text.utf8)) }

  /// A digest of the recipe file; the version stands for the built-in ones.
  private var recipeDigest: String? {
    command.recipe.flatMap { try? command.trust.named($0) }?.reference.digest
  }

  private var policyDigest: String? { try? command.policy.digest() }
}
