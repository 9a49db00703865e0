import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

enum Edge {
  static func migrator(_ opened: OpenedContainer) -> Migrator {
    Migrator(fileSystem: opened.fileSystem, toolVersion: Version.text, key: key, now: { Console.now })
  }

  /// - Parameter opened: if it is read-only, its state folder is elsewhere.
  static func savedReview(of opened: OpenedContainer) -> SavedReviewFile {
    SavedReviewFile(
      fileSystem: opened.container.wrapper == nil ? opened.fileSystem : POSIXFileSystem(), container: opened.container,
      writer: Console.process, toolVersion: Version.text, key: key)
  }

  static var key: StateKeyFile { StateKeyFile(fileSystem: POSIXFileSystem(), path: keyPath) }

  static var trusted: TrustedRecipes { TrustedRecipes(fileSystem: POSIXFileSystem(), besideKey: keyPath) }

  static var keyPath: String? {
    // A missing home folder is not created.
    let home = Console.environment("HOME").flatMap { (try? POSIXFileSystem().resolve($0)) == nil ? nil : $0 }
    return StateKeyFile.path(stateHome: Console.environment("XDG_STATE_HOME"), home: home)
  }

  /// Recovers an interrupted run, and says so.
  /// - Parameter asking: whether the user can be asked about a run that came with the container.
  static func recoverFirst(
    _ opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool, _ masking: Masking
  ) throws -> Recovered {
    let migrator = migrator(opened)
    var recovered = Recovered()
    recovered.hasDecided = try ForeignState(opened: opened, allowed: allowed, masking: masking).settle(asking: asking)
    try ThisProcess.uninterrupted {
      do {
        recovered.runs = try migrator.recover(in: opened.container, allowing: allowed)
        ThisProcess.hasWritten = ThisProcess.hasWritten || !recovered.runs.isEmpty
        for run in recovered.runs { Console.error(masking.notice(run.description)) }
      } catch {
        // Behind this call, a waiting signal ends the process.
        let failure = CommandFailure(error)
        if ThisProcess.isAskedToEnd { throw failure.reported(masking) }
        throw failure
      }
    }
    return recovered
  }

  /// The reason that a read-only container must be recovered first; nil if it need not.
  static func recoveryNeeded(_ opened: OpenedContainer) -> CommandFailure? {
    var failure: CommandFailure?
    do {
      failure = try migrator(opened).runToRecover(in: opened.container).map {
        CommandFailure($0.description, .recoveryNeeded)
      }
    } catch {
      failure = CommandFailure(error)
    }
    // The commands that the sentence names refuse a read-only container.
    guard let found = failure, let wrapper = opened.container.wrapper else { return failure }
    return CommandFailure(found.sentence + " " + wrapper.explanation, found.status)
  }

  /// If the records cannot be read, the reason is a problem in the listing.
  static func runs(of opened: OpenedContainer) -> RunListing {
    do {
      return try migrator(opened).history(of: opened.container)
    } catch {
      return RunListing(runs: [], problems: [error])
    }
  }

  /// Shows what would be done and asks, if there is a terminal. Any answer but yes ends the command without a change.
  static func confirm(
    _ question: @autoclosure () -> String, unless yes: Bool, for command: String, or outcome: String,
    after recovered: Recovered = Recovered(), show: () throws -> Void = {}
  ) throws {
    guard !yes else { return }
    guard Console.inputIsTerminal else {
      throw CommandFailure.usage("Without a terminal, \(command) needs --yes; \(outcome).")
    }
    try show()
    switch Console.ask(question() + " [y/N] ") {
    case .text(let answer) where ["y", "yes"].contains(answer.lowercased()): return
    case .tooLong: throw CommandFailure("\(InputLine.tooLongWords) \(recovered.nothingElse)", .error)
    case .text, .end: throw CommandFailure(recovered.nothingElse, .error)
    }
  }
}

extension PreparedPlan {
  /// - Parameters:
  ///   - plan: the plan that this prepared.
  ///   - named: the recipes that the user named.
  func judged(
    _ plan: Plan, beside named: [String], isInterrupted: Bool, _ masking: Masking
  ) throws -> JudgedPlan {
    let others = try migrator.verdicts(
      beside: plan.recipePlans, among: PlanChoices.callable(under: named), in: container, options: options,
      given: given, isInterrupted: isInterrupted, shown: masking.findings)
    return JudgedPlan(plan: plan, options: options, others: others, isInterrupted: isInterrupted)
  }
}

/// A plan, and the verdicts on the other SDKs that left data in its container.
struct JudgedPlan {
  let plan: Plan
  let options: PlannerOptions
  let others: [RecipeVerdict]
  let isInterrupted: Bool

  /// The verdicts on every SDK, the most serious first.
  var verdicts: [RecipeVerdict] {
    RecipeVerdict.sorted(RecipeVerdict.all(of: plan, isInterrupted: isInterrupted) + others)
  }

  /// The verdicts on the plan's SDKs, then those on the others, in both the most serious first.
  var verdictsOfPlanFirst: [RecipeVerdict] {
    RecipeVerdict.sorted(RecipeVerdict.all(of: plan, isInterrupted: isInterrupted)) + RecipeVerdict.sorted(others)
  }

  /// The same with the plan of the most serious verdict, which is already computed. Nil if this is that plan.
  func ofGravest(in container: Container) -> JudgedPlan? {
    guard !others.isEmpty else { return nil }
    let verdicts = verdicts
    let gravest = verdicts[0].plan
    guard !plan.recipes.contains(gravest.recipe) else { return nil }
    return JudgedPlan(
      plan: gravest, options: options.ofAnother(gravest.definition, in: container),
      others: Array(verdicts.dropFirst()), isInterrupted: isInterrupted)
  }

  /// Of the values that are given without a recipe's name, those that the container shows to be this plan's.
  func ownValues(of given: [String: String]) -> [String: String] {
    given.filter { name, value in
      plan.definition.takes(name) && (plan.definition.values[name] ?? options.parameters[name]) == value
    }
  }
}

struct Recovered {
  /// If there are some, the container has to be read again.
  var runs: [RecoveredRun] = []
  /// Whether the user adopted or discarded a run that came with the container.
  var hasDecided = false

  var nothingElse: String {
    if !runs.isEmpty { return "Apart from that recovery, nothing was written." }
    return hasDecided ? "Apart from that decision, nothing was written." : "Nothing was written."
  }
}

/// A run that came with a container: the command shows it, and the user decides.
struct ForeignState {
  let opened: OpenedContainer
  let allowed: Set<FindingCode>
  let masking: Masking

  enum Answer { case adopt, discard, neither }

  /// Shows a run that came with the container, asks, and carries out the answer.
  /// - Returns: whether something was written.
  /// - Throws: `foreignJournal`, with the commands that decide, without a terminal, or if the user decides neither.
  func settle(asking: Bool) throws -> Bool {
    guard let run = try Edge.migrator(opened).foreignRun(in: opened.container) else { return false }
    guard asking, Console.inputIsTerminal else { throw RunError.foreignJournal(run) }
    switch try ask(about: run) {
    case .adopt: try adopt(nil, shown: run)
    case .discard: try discard(nil)
    case .neither: throw RunError.foreignJournal(run)
    }
    return true
  }

  /// On standard error, because `--json` leaves that to people.
  func show(_ run: ForeignRun) {
    Console.error(masking) { write(run, to: &$0) }
  }

  private func write(_ run: ForeignRun, to page: inout PageWriter) {
    page.add("Run \(run.id) came with this container, \(run.reason.phrase).")
    page.add(
      run.isFinished
        ? "If you adopt it, no file changes yet. Rolling it back would then do this:"
        : "If you adopt it, Carryover finishes it:")
    for file in run.files {
      page.add(file.sentence(namingKeys: false) + (file.changes.isEmpty ? "." : ":"))
      var table = Table(
        [.init(.name, "", .head), .init(.value, "now"), .init(.whole), .init(.value, "becomes")], indent: 4)
      for change in file.changes {
        table.add([
          .name(change.key), .value(change.before, of: change.key), .text("→"), .value(change.after, of: change.key),
        ])
      }
      page.add(table)
      if file.moreChanges > 0 { page.add("and \(file.moreChanges) more keys", indent: 4) }
    }
  }

  private func ask(about run: ForeignRun) throws -> Answer {
    Console.error(masking) { page in
      write(run, to: &page)
      page.add("Adopt it only if you know who made it. Discarding moves it aside; nothing is deleted.")
    }
    let question = "Type adopt or discard, or press Enter for neither: "
    // Whole words, so that a key typed ahead for something else adopts nothing.
    guard case .text(let answer) = Console.ask(question) else { return .neither }
    return switch answer {
    case "adopt": .adopt
    case "discard": .discard
    default: .neither
    }
  }

  func adopt(_ runID: String?, shown: ForeignRun?) throws {
    try ThisProcess.uninterrupted {
      try Edge.migrator(opened).adopt(in: opened.container, runID: runID, shown: shown, allowing: allowed)
    }
    ThisProcess.hasWritten = true
  }

  func discard(_ runID: String?) throws {
    let place = try ThisProcess.uninterrupted {
      try Edge.migrator(opened).discard(in: opened.container, runID: runID, allowing: allowed)
    }
    ThisProcess.hasWritten = true
    Console.error("carryover: " + masking.text("Moved to “\(place)”."))
  }
}
