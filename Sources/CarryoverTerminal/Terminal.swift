import CarryoverSystem
import PropertyLists

/// Shows grids and reports events: a real terminal, or a scripted one in tests. For one thread; only what ``waker()``
/// returns may be called from any.
package protocol Terminal: AnyObject {
  var size: Size { get }
  /// With ``Glyphs/ascii`` nothing beyond ASCII can be shown.
  var glyphs: Glyphs { get }

  /// Shows a grid, clipped to the screen; uncovered cells are blank, and a nil cursor is hidden. Only what differs from
  /// the last grid is sent.
  func draw(_ grid: Grid, cursor: Position?) throws(TerminalError)

  func nextEvent() throws(TerminalError) -> Event

  /// The next event that has already come, so that a burst of keys takes one frame; nil, at once, if there is none.
  func pendingEvent() throws(TerminalError) -> Event?

  /// Stops the program as Ctrl-Z does, and restores the screen once it runs again.
  func suspend()

  /// Leaves the screen while other programs have the terminal, and restores it afterwards.
  func handOver(_ work: () -> Void)

  /// Asks the terminal to put text on the clipboard, hidden scalars shown as escapes. False if the text is longer than
  /// ``Clipboard/limit``; whether the terminal obeys cannot be known.
  @discardableResult
  func copyToClipboard(_ text: String) -> Bool

  /// A closure that makes ``nextEvent()`` return ``Event/tick``. It does nothing once the terminal is closed.
  func waker() -> @Sendable () -> Void

  func close()
}

package enum Event: Hashable, Sendable {
  case key(Key)
  /// Pasted text, as one piece, at most 64 KiB: it must never act as keys.
  case paste(String)
  case mouse(Mouse)
  case resize(Size)
  /// The program runs again after it was stopped; the screen has been restored.
  case resumed
  /// SIGINT (also for Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM or SIGHUP asks the program to end.
  case signal(Int32)
  /// Nothing can be read any more. Every later event is this one.
  case endOfInput
  /// The terminal's waker was called.
  case tick
}

/// Shift is in the character, control in ``control(_:)``.
package enum Key: Hashable, Sendable {
  /// Printable, of one scalar.
  case character(Character)
  case enter, escape, tab, backTab, backspace, delete, insert, up, down, left, right, pageUp, pageDown, home, end
  /// From 1.
  case function(Int)
  /// In lower case: `.control("r")`.
  case control(Character)
}

package struct Mouse: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case select, wheelUp, wheelDown
  }

  package var action: Action
  package var position: Position

  package init(_ action: Action, at position: Position) {
    self.action = action
    self.position = position
  }
}

/// OSC 52, the sequence that asks a terminal to set its clipboard, as xterm's control sequences define it.
package enum Clipboard {
  /// In bytes of UTF-8; terminals drop longer texts, some silently.
  package static let limit = 48 * 1024

  /// Hidden scalars become escapes, so that pasting into a shell runs nothing; nil if the result is longer than
  /// ``limit``.
  package static func sequence(for text: String) -> [UInt8]? {
    // An escape is never shorter than its scalar.
    guard text.utf8.count <= limit else { return nil }
    let bytes = Array(DisplayText.harmless(text).utf8)
    guard bytes.count <= limit else { return nil }
    return Array("\u{1B}]52;c;\(Base64.text(bytes))\u{07}".utf8)
  }
}

/// Its description is one sentence for the user.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  case notATerminal
  /// Its TERM has no terminfo entry, or one that cannot position the cursor.
  case unknownTerminal(String)
  case system(operation: String, code: Int32)
  case inUse, closed

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
    case .inUse: "The terminal is in use by this program already; close it first."
    case .closed: "The terminal has been closed; open it again to show a screen."
    }
  }
}
