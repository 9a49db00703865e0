/// A terminal for tests: it plays back events and keeps what was drawn.
public final class ScriptedTerminal: Terminal {
  /// The size of the screen. A ``Event/resize(_:)`` of the script sets it when it is played.
  public private(set) var size: Size
  /// What it says it can show.
  public let capabilities: Capabilities
  /// Every grid drawn, in order.
  public private(set) var grids: [Grid] = []
  /// Where the cursor was in each of ``grids``.
  public private(set) var cursors: [Position?] = []
  /// Everything copied, in order, as it was given.
  public private(set) var clipboard: [String] = []
  /// How often it was suspended.
  public private(set) var suspensions = 0
  /// Whether it was closed.
  public private(set) var isClosed = false

  private var events: [Event]
  private var played = 0

  /// A terminal that reports `events` and then ``Event/endOfInput`` for ever.
  public init(
    size: Size = Size(columns: 80, rows: 24), capabilities: Capabilities = Capabilities(), events: [Event] = []
  ) {
    self.size = size
    self.capabilities = capabilities
    self.events = events
  }

  /// A terminal on which `text` is typed.
  public convenience init(size: Size = Size(columns: 80, rows: 24), typing text: String) {
    self.init(size: size, events: text.map { .key($0.isNewline ? .enter : .character($0)) })
  }

  /// Appends to the script.
  public func enqueue(_ events: Event...) {
    self.events += events
  }

  /// Keeps `grid` in ``grids`` and `cursor` in ``cursors``.
  public func draw(_ grid: Grid, cursor: Position?) throws(TerminalError) {
    guard !isClosed else { throw .closed }
    grids.append(grid)
    cursors.append(cursor)
  }

  /// The next event of the script.
  public func nextEvent() throws(TerminalError) -> Event {
    guard !isClosed else { throw .closed }
    guard played < events.count else { return .endOfInput }
    let event = events[played]
    played += 1
    if case .resize(let size) = event {
      self.size = size
    }
    return event
  }

  /// Counts in ``suspensions``; the script goes on with ``Event/resumed``.
  public func suspend() {
    suspensions += 1
    events.insert(.resumed, at: played)
  }

  /// Keeps `text` in ``clipboard`` if a terminal would be asked.
  @discardableResult
  public func copyToClipboard(_ text: String) -> Bool {
    guard Clipboard.sequence(for: text) != nil else { return false }
    clipboard.append(text)
    return true
  }

  /// A closure that does nothing: a script says itself when its ticks come.
  public func waker() -> @Sendable () -> Void {
    {}
  }

  /// Sets ``isClosed``.
  public func close() {
    isClosed = true
  }
}
