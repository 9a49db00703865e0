import CarryoverSystem

/// Where grids are shown and events come from: a real terminal, or a scripted one in tests.
///
/// To be used from one thread; only what ``waker()`` returns may be called from any.
package protocol Terminal: AnyObject {
  /// The size of the screen now.
  var size: Size { get }

  /// What the terminal can show.
  var capabilities: Capabilities { get }

  /// Shows a grid; only what differs from the last one is sent.
  ///
  /// - Parameters:
  ///   - grid: Is clipped where the screen is smaller; what it leaves uncovered is blank.
  ///   - cursor: Where the cursor stands; nil hides it.
  /// - Throws: ``TerminalError/closed`` once the terminal is closed.
  func draw(_ grid: Grid, cursor: Position?) throws(TerminalError)

  /// Waits for the next event. Costs nothing while nothing happens.
  ///
  /// - Throws: ``TerminalError/closed`` once the terminal is closed.
  func nextEvent() throws(TerminalError) -> Event

  /// The next event if it has come already; nil, at once, if there is none. With it, a burst of keys can be taken before
  /// the next frame is drawn.
  ///
  /// - Throws: ``TerminalError/closed`` once the terminal is closed.
  func pendingEvent() throws(TerminalError) -> Event?

  /// Leaves the screen, stops the program as Ctrl-Z does, and restores the screen once it runs again.
  func suspend()

  /// Leaves the screen while other programs have the terminal, and restores it afterwards.
  func handOver(_ work: () -> Void)

  /// Asks the terminal to put text on the clipboard, hidden scalars shown as escapes.
  ///
  /// - Returns: Whether it was asked: false if the text is longer than ``Clipboard/limit``. Whether the terminal obeys
  ///   cannot be known.
  @discardableResult
  func copyToClipboard(_ text: String) -> Bool

  /// A closure that makes ``nextEvent()`` return ``Event/tick``, for work on other threads that has news. It does
  /// nothing once the terminal is closed.
  func waker() -> @Sendable () -> Void

  /// Restores what the terminal was before. Calling it again does nothing.
  func close()
}

extension Terminal {
  /// Nothing: every event is waited for, and seen in a frame of its own.
  package func pendingEvent() throws(TerminalError) -> Event? { nil }
}

/// What a terminal can show.
package struct Capabilities: Hashable, Sendable {
  /// How many colours are used: 0, 8, 16 or 256. With 0 the theme must be ``Theme/mono``.
  package var colors: Int
  /// The characters to draw lines with; ``Glyphs/ascii`` also means that nothing beyond ASCII can be shown.
  package var glyphs: Glyphs
  /// Whether mouse events are reported.
  package var mouse: Bool

  /// The capabilities given.
  package init(colors: Int = 256, glyphs: Glyphs = .unicode, mouse: Bool = true) {
    self.colors = colors
    self.glyphs = glyphs
    self.mouse = mouse
  }
}

/// Something the terminal reports.
package enum Event: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted, as one piece: it must never act as keys. Hostile like all text; at most 64 KiB.
  case paste(String)
  /// The mouse was used.
  case mouse(Mouse)
  /// The screen has a new size.
  case resize(Size)
  /// The program runs again after it was stopped; the screen has been restored.
  case resumed
  /// A signal asks the program to end, by its number: SIGINT (also for Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM or SIGHUP.
  case signal(Int32)
  /// Nothing can be read from the terminal any more. Every later event is this one.
  case endOfInput
  /// Somebody called the terminal's waker.
  case tick
}

/// A key, as it is to be bound: shift is in the character, control in ``control(_:)``.
package enum Key: Hashable, Sendable {
  /// A printable character, of one scalar.
  case character(Character)
  /// Enter or Return.
  case enter
  /// Escape.
  case escape
  /// Tab.
  case tab
  /// Shift and Tab.
  case backTab
  /// Backspace.
  case backspace
  /// Delete.
  case delete
  /// Insert.
  case insert
  /// The upward arrow.
  case up
  /// The downward arrow.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Home.
  case home
  /// End.
  case end
  /// A function key, from 1.
  case function(Int)
  /// Control and a character, in lower case: `.control("r")`.
  case control(Character)
}

/// What was done with the mouse, and where.
package struct Mouse: Hashable, Sendable {
  /// What was done with the mouse.
  package enum Action: Hashable, Sendable {
    /// The first button was pressed.
    case select
    /// The wheel was turned away from the hand.
    case wheelUp
    /// The wheel was turned towards the hand.
    case wheelDown
  }

  /// What was done.
  package var action: Action
  /// The cell it was done at.
  package var position: Position

  /// A use of the mouse.
  package init(_ action: Action, at position: Position) {
    self.action = action
    self.position = position
  }
}

/// The sequence that asks a terminal to set its clipboard: OSC 52, as xterm's control sequences define it.
package enum Clipboard {
  /// The most bytes of UTF-8 that are copied; terminals drop longer ones, some without a word.
  package static let limit = 48 * 1024

  /// The bytes to send for `text`, its hidden scalars shown as escapes, so that pasting it into a shell runs nothing;
  /// nil if that is longer than ``limit``.
  package static func sequence(for text: String) -> [UInt8]? {
    // An escape never takes fewer bytes than the scalar it stands for, so what is too long stays too long.
    guard text.utf8.count <= limit else { return nil }
    let bytes = Array(DisplayText.harmless(text).utf8)
    guard bytes.count <= limit else { return nil }
    return Array("\u{1B}]52;c;".utf8) + base64(bytes) + [0x07]
  }

  /// Base 64 as in RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group {
        bits = bits << 8 | UInt32(byte)
      }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
        encoded.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return encoded
  }
}

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
