package import CarryoverTerminal

/// A terminal for tests: it plays back events and keeps what was drawn.
package final class ScriptedTerminal: Terminal {
  /// The size of the screen. A ``Event/resize(_:)`` of the script sets it when it is played.
  package private(set) var size: Size
  package let glyphs = Glyphs.unicode
  package private(set) var grids: [Grid] = []
  /// Where the cursor was in each of ``grids``.
  package private(set) var cursors: [Position?] = []
  package private(set) var clipboard: [String] = []
  package private(set) var suspensions = 0
  package private(set) var handOvers = 0
  package private(set) var isClosed = false

  private var events: [Event]
  private var played = 0

  /// A terminal that reports `events` and then ``Event/endOfInput`` for ever.
  package init(size: Size = Size(columns: 80, rows: 24), events: [Event] = []) {
    self.size = size
    self.events = events
  }

  package convenience init(size: Size = Size(columns: 80, rows: 24), typing text: String) {
    self.init(size: size, events: text.map { .key($0.isNewline ? .enter : .character($0)) })
  }

  package func enqueue(_ events: Event...) { self.events += events }

  package func draw(_ grid: Grid, cursor: Position?) throws(TerminalError) {
    guard !isClosed else { throw .closed }
    grids.append(grid)
    cursors.append(cursor)
  }

  /// Each event is seen in a frame of its own.
  package func pendingEvent() throws(TerminalError) -> Event? { nil }

  package func nextEvent() throws(TerminalError) -> Event {
    guard !isClosed else { throw .closed }
    guard played < events.count else { return .endOfInput }
    let event = events[played]
    played += 1
    if case .resize(let size) = event { self.size = size }
    return event
  }

  /// Counts in ``suspensions``; the script goes on with ``Event/resumed``.
  package func suspend() {
    suspensions += 1
    events.insert(.resumed, at: played)
  }

  package func handOver(_ work: () -> Void) {
    handOvers += 1
    work()
  }

  /// Keeps `text` in ``clipboard`` if a terminal would be asked.
  @discardableResult
  package func copyToClipboard(_ text: String) -> Bool {
    guard Clipboard.sequence(for: text) != nil else { return false }
    clipboard.append(text)
    return true
  }

  /// A closure that does nothing: a script says itself when its ticks come.
  package func waker() -> @Sendable () -> Void { {} }

  package func close() { isClosed = true }
}
