import Carryover

/// The live parts the command passes to the library: file system and clock.
enum Edge {
  static var migrator: Migrator {
    Migrator(fileSystem: POSIXFileSystem(), toolVersion: Version.text, now: { Console.now })
  }

  /// Asks on the terminal; anything but yes ends the command without a change.
  static func askToGoOn(_ question: String) throws {
    let answer = Console.ask(question + " [y/N] ")?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure("Nothing was written.", .error)
    }
  }
}
