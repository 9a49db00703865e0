import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors
import PropertyLists

/// The live parts the command passes to the library: file system and clock.
enum Edge {
  /// The library's hand on a container, which sees it the way it was opened.
  static func migrator(_ opened: OpenedContainer) -> Migrator {
    Migrator(fileSystem: opened.fileSystem, toolVersion: Version.text, key: key, now: { Console.now })
  }

  /// This user's key for the state that Carryover keeps in containers.
  static var key: StateKeyFile { StateKeyFile(fileSystem: POSIXFileSystem(), path: keyPath) }

  /// The recipe files that this user trusts.
  static var trusted: TrustedRecipes { TrustedRecipes(fileSystem: POSIXFileSystem(), besideKey: keyPath) }

  /// Where that key is; nil where it has no place.
  static var keyPath: String? {
    // A home that is not there is nobody's, and is not made.
    let home = Console.environment("HOME").flatMap { (try? POSIXFileSystem().resolve($0)) == nil ? nil : $0 }
    return StateKeyFile.path(stateHome: Console.environment("XDG_STATE_HOME"), home: home)
  }

  /// Brings a run to its end that was decided and interrupted, and says so.
  /// - Parameter asking: whether the user can be asked about a run that came with the container.
  static func recoverFirst(
    _ opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool, _ masking: Masking
  ) throws -> Recovered {
    let migrator = migrator(opened)
    var recovered = Recovered()
    recovered.hasDecided = try ForeignState(opened: opened, allowed: allowed, masking: masking).settle(asking: asking)
    guard try migrator.runToRecover(in: opened.container) != nil else { return recovered }
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

  /// Why a container that is only read has to be recovered first; nil where it has not.
  static func recoveryNeeded(_ opened: OpenedContainer) -> CommandFailure? {
    var failure: CommandFailure?
    do {
      failure = try migrator(opened).runToRecover(in: opened.container).map {
        CommandFailure($0.description, .recoveryNeeded)
      }
    } catch {
      failure = CommandFailure(error)
    }
    // The commands that the sentence names refuse a container that is only read.
    guard let found = failure, let wrapper = opened.container.wrapper else { return failure }
    return CommandFailure(found.sentence + " " + wrapper.explanation, found.status)
  }

  /// The runs; where their records cannot be reached, it says why and goes on.
  static func runs(of opened: OpenedContainer) -> RunListing {
    do {
      return try migrator(opened).history(of: opened.container)
    } catch {
      return RunListing(runs: [], problems: [error])
    }
  }

  /// The verdicts on the SDKs that left data in a container and that a plan is not about.
  /// - Parameter masking: masks the findings that they quote.
  static func otherVerdicts(
    _ opened: OpenedContainer, beside plan: Plan, _ options: PlannerOptions, isInterrupted: Bool, _ masking: Masking
  ) throws -> [OtherVerdict] {
    try migrator(opened).verdicts(
      beside: plan, among: Recipe.builtIn, in: opened.container, options: options, isInterrupted: isInterrupted,
      shown: masking.findings)
  }

  /// Makes sure that there is somebody to ask.
  /// - Parameters:
  ///   - command: the command that would ask.
  ///   - outcome: what that leaves where there is nobody, for the sentence.
  static func requireTerminal(for command: String, or outcome: String) throws {
    guard Console.inputIsTerminal else {
      throw CommandFailure.usage("Without a terminal, \(command) needs --yes; \(outcome).")
    }
  }

  /// Asks on the terminal; anything but yes ends the command without a change.
  /// - Parameter recovered: what was done before, which may have written something.
  static func askToGoOn(_ question: String, after recovered: Recovered = Recovered()) throws {
    switch Console.ask(question + " [y/N] ") {
    case .text(let answer) where ["y", "yes"].contains(answer.lowercased()): return
    case .tooLong: throw CommandFailure("\(InputLine.tooLongWords) \(recovered.nothingElse)", .error)
    case .text, .end: throw CommandFailure(recovered.nothingElse, .error)
    }
  }
}

/// What a command did about earlier runs before its own work.
struct Recovered {
  /// The runs that were brought to their end. Where there are some, the container has to be read again.
  var runs: [RecoveredRun] = []
  /// Whether somebody adopted or discarded a run that came with the container.
  var hasDecided = false

  /// What a command has written that ends without doing its work.
  var nothingElse: String {
    if !runs.isEmpty { return "Apart from that recovery, nothing was written." }
    return hasDecided ? "Apart from that decision, nothing was written." : "Nothing was written."
  }
}
