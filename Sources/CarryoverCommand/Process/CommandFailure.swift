import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverRecipes
import CarryoverSystem
import CarryoverTerminal

struct CommandFailure: Error {
  var sentence: String
  var status: ExitStatus

  init(_ sentence: String, _ status: ExitStatus) {
    self.sentence = sentence
    self.status = status
  }

  static func usage(_ sentence: String) -> CommandFailure { CommandFailure(sentence, .usage) }

  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as RunError: self.init(error.sentence(afterOthers: ThisProcess.hasWritten), ExitStatus(error))
    case let error as ChangeError: self.init(error.description, ExitStatus(error))
    case let error as SavedPlanError: self.init(error.description, ExitStatus(error))
    case let error as ContainerError: self.init(error.sentence(for: .command), ExitStatus(error))
    case let gap as ParameterGap: self.init(gap.description, .usage)
    case let error as DraftError: self.init(error.description, .usage)
    case let error as FileSystemError: self.init(error.description, .error)
    case let error as TerminalError: self.init(error)
    default: self.init("\(error)", .error)
    }
  }

  /// The sentence names what needs no screen.
  private init(_ error: TerminalError) {
    switch error {
    case .unknownTerminal:
      self = .usage(
        error.description.dropLast()
          + ", or use --accessible, or a command that prints lines: carryover plan, inspect, "
          + "apply, rollback.")
    case .notATerminal: self = .usage(error.description)
    default: self.init(error.description, .error)
    }
  }

  func reported(_ masking: Masking) -> ExitCode {
    if ThisProcess.printsJSON {
      Console.errorText(document(masking.text(sentence)).text(visible: true) + "\n")
    } else {
      Console.error("carryover: \(masking.text(sentence))")
    }
    return ExitCode(status.rawValue)
  }

  private func document(_ message: String) -> JSONValue {
    .object([
      "schema": "carryover.error/1",
      "error": JSONValue.object(["code": status.name, "message": message, "exitStatus": status]),
    ])
  }
}

extension ParsableCommand {
  func reporting(_ masking: Masking = Masking(false), _ work: () throws -> Void) throws {
    do {
      try work()
    } catch let exit as ExitCode {
      throw exit
    } catch {
      let failure = CommandFailure(error)
      // If there is nothing at the path, only that is reported.
      let absence = failure.status == .usage ? (self as? any PathCommand)?.absence : nil
      throw (absence ?? failure).reported(masking)
    }
  }
}

/// A command whose first argument is a path.
protocol PathCommand: ParsableCommand {
  /// Empty if there is none.
  var firstPath: String { get }
}

extension PathCommand {
  var absence: CommandFailure? { ContainerOpener().absence(of: firstPath).map { CommandFailure($0) } }
}

/// The exit statuses, which are part of the interface.
enum ExitStatus: Int32, JSONConvertible {
  /// Done, even if there was nothing to do.
  case done = 0
  /// Something failed; the sentence says what.
  case error = 1
  /// Fields need decisions, or an option must be named, before anything is applied.
  case decisionsNeeded = 2
  /// The target holds other values, or changed since.
  case conflict = 3
  /// The container changed after the plan was made.
  case stalePlan = 4
  /// An interrupted run must be recovered first.
  case recoveryNeeded = 5
  /// The command line is incomplete or contradicts itself.
  case usage = 64

  var json: JSONValue { rawValue.json }

  /// From the worst to the best, for a command that has several: first the state of a container, then what has to be
  /// found out, then what has to be decided.
  static let worstFirst: [ExitStatus] = [
    .recoveryNeeded, .error, .usage, .stalePlan, .conflict, .decisionsNeeded, .done,
  ]

  var name: String {
    switch self {
    case .done: "done"
    case .error: "error"
    case .decisionsNeeded: "decisions-needed"
    case .conflict: "conflict"
    case .stalePlan: "stale-plan"
    case .recoveryNeeded: "recovery-needed"
    case .usage: "usage"
    }
  }

  init(_ error: RunError) {
    switch error.code {
    case .decisionsNeeded: self = .decisionsNeeded
    case .conflict: self = .conflict
    case .stalePlan: self = .stalePlan
    case .recoveryNeeded, .foreignState: self = .recoveryNeeded
    default: self = .error
    }
  }

  init(_ error: ContainerError) {
    switch error.kind {
    case .noSuchApp, .severalApps, .invalidSelection: self = .usage
    default: self = .error
    }
  }

  init(_ error: ChangeError) {
    if case .stale = error { self = .stalePlan } else { self = error.isUsage ? .usage : .error }
  }

  init(_ error: SavedPlanError) {
    switch error {
    case .stale, .differs, .otherRecipe, .unknownRecipe, .otherTarget: self = .stalePlan
    default: self = .error
    }
  }
}
