import Carryover

/// The live parts the command passes to the library: file system and clock.
enum Edge {
  static var migrator: Migrator {
    Migrator(fileSystem: POSIXFileSystem(), toolVersion: Version.text, now: { Console.now })
  }

  /// Brings a run to its end that was decided and interrupted, and says so.
  /// - Returns: whether there was one, so that the container has to be read again.
  static func recoverFirst(_ container: Container) throws -> Bool {
    guard try migrator.runToRecover(in: container) != nil else { return false }
    try uninterrupted {
      do {
        for run in try migrator.recover(in: container) { Console.error("carryover: \(run.description)") }
      } catch {
        throw CommandFailure(error).reported()
      }
    }
    return true
  }

  /// Why a container that is only read has to be recovered first; nil where it has not.
  static func recoveryNeeded(_ container: Container) -> CommandFailure? {
    do {
      return try migrator.runToRecover(in: container).map { CommandFailure($0.description, .recoveryNeeded) }
    } catch {
      return CommandFailure(error)
    }
  }

  /// Asks on the terminal; anything but yes ends the command without a change.
  static func askToGoOn(_ question: String) throws {
    let answer = Console.ask(question + " [y/N] ")?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure("Nothing was written.", .error)
    }
  }
}
