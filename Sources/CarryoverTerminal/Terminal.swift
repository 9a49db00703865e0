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
