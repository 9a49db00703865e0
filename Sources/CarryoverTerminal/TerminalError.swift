import CarryoverSystem

/// Why a terminal cannot be used. Its description is one sentence for the user.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Standard input or output is not a terminal.
  case notATerminal
  /// The terminal has no terminfo entry, or one that cannot position the cursor; its name, as in TERM.
  case unknownTerminal(String)
  /// The system refused something that is needed.
  case system(operation: String, code: Int32)
  /// Another terminal is in use already; there is one for the process.
  case inUse
  /// The terminal has been closed.
  case closed

  /// What happened and what to do, in one sentence without hidden characters.
  package var description: String {
    switch self {
    case .notATerminal:
      "Standard input and output must both be a terminal to show the screen; run a command that needs none instead."
    case .unknownTerminal(""):
      "The variable TERM is not set, so the screen cannot be shown; set it to your terminal's name, such as xterm."
    case .unknownTerminal(let name):
      "The terminal “\(DisplayText.visible(name, limit: 60))” is not known here or cannot show a screen; "
        + "set TERM to one that is, such as xterm."
    case .system(let operation, let code):
      "The terminal could not be set up (\(operation), error \(code)); try again in another terminal window."
    case .inUse:
      "The terminal is in use by this program already; close it first."
    case .closed:
      "The terminal has been closed; open it again to show a screen."
    }
  }
}
