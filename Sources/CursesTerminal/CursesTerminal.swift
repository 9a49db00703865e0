internal import CCurses
public import Terminal

/// The terminal the program was started in, by ncurses.
///
/// There is one at a time. While it is open it owns the screen, the terminal's settings, the handling of signals and,
/// where that is a terminal, standard error, whose text is printed after ``close()``. All of it is given back by
/// ``close()``, and by a handler if the process crashes.
public final class CursesTerminal: Terminal {
  /// The size of the screen now.
  public private(set) var size = Size(columns: 0, rows: 0)
  /// What the terminal can show: what ncurses knows of it, less what the options and NO_COLOR forbid.
  public let capabilities: Capabilities

  private let input: Int32
  private let output: Int32
  private var isOpen = true
  private var inputEnded = false
  private var errors: ErrorCapture?
  private var looks: LookTable
  private var decoder = InputDecoder()
  /// What is on the screen; nil if that is unknown.
  private var shown: Grid?
  private var scratch: [UInt32] = []

  /// Opens the screen on standard input and output.
  ///
  /// Reads TERM and NO_COLOR (see no-color.org: any value that is not empty forbids colour, unless the options say how
  /// many) and the locale. For TERM `dumb`, which names no terminal but asks for plainness, a VT100 is assumed.
  ///
  /// - Throws: ``Terminal/TerminalError``: `notATerminal`, `inUse`, `unknownTerminal` or `system`.
  public convenience init(options: ScreenOptions = ScreenOptions()) throws(TerminalError) {
    guard Platform.isTerminal(Platform.standardInput), Platform.isTerminal(Platform.standardOutput) else {
      throw .notATerminal
    }
    var options = options
    let name = Platform.environment("TERM") ?? ""
    let forbidden = options.maximumColors == nil && Platform.environment("NO_COLOR")?.isEmpty == false
    if name == "dumb" || forbidden {
      options.color = false
    }
    try self.init(
      options: options, name: name == "dumb" ? "vt100" : name, input: Platform.standardInput,
      output: Platform.standardOutput)
    errors = ErrorCapture()
  }

  /// Opens the screen on any descriptors, which need not be terminals.
  ///
  /// - Parameter locale: What decides on the encoding; the environment's locale if it is empty.
  init(
    options: ScreenOptions, name: String, locale: String = "", input: Int32, output: Int32
  ) throws(TerminalError) {
    guard !cc_is_open() else { throw .inUse }
    guard !name.isEmpty else { throw .unknownTerminal("") }
    let code = cc_signals_prepare(input)
    guard code == 0 else { throw .system(operation: "pipe", code: code) }
    let color = options.color && options.maximumColors != 0
    let result = cc_screen_open(locale, name, input, output, color, options.mouse)
    guard result == CC_OPENED else {
      cc_signals_restore()
      throw result == CC_UNKNOWN_TERMINAL ? .unknownTerminal(name) : .system(operation: "dup", code: 0)
    }
    cc_signals_install(input, output)
    self.input = input
    self.output = output
    let colors = min(Int(cc_colors()), options.maximumColors ?? 256)
    capabilities = Capabilities(colors: colors, glyphs: cc_is_utf8() ? .unicode : .ascii, mouse: cc_has_mouse())
    looks = LookTable(theme: options.theme, colors: colors)
    updateSize()
  }

  deinit {
    close()
  }

  /// Shows a grid. Only cells that differ from the last grid are given to ncurses, which sends only what differs on the
  /// screen.
  public func draw(_ grid: Grid, cursor: Position?) throws(TerminalError) {
    guard isOpen else { throw .closed }
    let previous = shown.flatMap { $0.size == grid.size ? $0 : nil }
    if previous == nil {
      cc_erase()
    }
    for row in 0..<min(size.rows, grid.size.rows) {
      let cells = grid.row(row)
      let old = previous?.row(row)
      if let old, old == cells {
        continue
      }
      for (column, index) in cells.indices.prefix(size.columns).enumerated() {
        let cell = cells[index]
        if cell.columns > 0, old.map({ $0[index] != cell }) ?? (cell != .blank()) {
          put(cell, row: row, column: column)
        }
      }
    }
    shown = grid
    if let cursor, (0..<size.rows).contains(cursor.row), (0..<size.columns).contains(cursor.column) {
      cc_show(Int32(cursor.row), Int32(cursor.column))
    } else {
      cc_show(-1, -1)
    }
  }

  /// Waits for the next event, asleep. Ctrl-Z and SIGTSTP suspend at once and become ``Terminal/Event/resumed``.
  public func nextEvent() throws(TerminalError) -> Event {
    guard isOpen else { throw .closed }
    var hasInput = false
    while !inputEnded {
      if let event = takeSignal() {
        return event
      }
      switch decoder.decode(cc_next_input()) {
      case .event(let event):
        return event
      case .resized:
        updateSize()
        shown = nil
        return .resize(size)
      case .suspend:
        suspend()
        return .resumed
      case .ignored:
        continue
      case .nothing:
        break
      }
      if hasInput, cc_input_ended(input) {
        break
      }
      let ready = cc_wait(input)
      if ready < 0 {
        break
      }
      hasInput = ready > 0
    }
    inputEnded = true
    return takeSignal() ?? .endOfInput
  }

  /// Leaves the screen, stops the process group as Ctrl-Z does, and restores the screen when it runs again.
  public func suspend() {
    guard isOpen else { return }
    cc_screen_leave()
    cc_stop()
    enter()
  }

  /// Asks the terminal by OSC 52 to put text on the clipboard, escaped.
  @discardableResult
  public func copyToClipboard(_ text: String) -> Bool {
    guard isOpen, let sequence = Clipboard.sequence(for: text) else { return false }
    Platform.write(sequence, to: output)
    return true
  }

  /// A closure that makes ``nextEvent()`` return a tick, from any thread.
  public func waker() -> @Sendable () -> Void {
    { cc_wake() }
  }

  /// Leaves the screen, gives back the terminal and the signals, and prints what was written to standard error.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    cc_screen_close()
    cc_signals_restore()
    errors?.replay()
    errors = nil
  }

  /// What ncurses holds at a cell, for tests; nil outside the screen.
  func contents(row: Int, column: Int) -> String? {
    var scalars = [UInt32](repeating: 0, count: 8)
    let count = cc_read(Int32(row), Int32(column), &scalars, Int32(scalars.count))
    guard count >= 0 else { return nil }
    return String(String.UnicodeScalarView(scalars.prefix(Int(count)).compactMap(Unicode.Scalar.init)))
  }

  private func takeSignal() -> Event? {
    for signal in Platform.reportedSignals where cc_take_pending(signal) {
      return .signal(signal)
    }
    if cc_take_pending(Platform.stop) {
      suspend()
      return .resumed
    }
    if cc_take_pending(Platform.resumption) {
      enter()
      return .resumed
    }
    return cc_take_pending(Int32(CC_WAKE.rawValue)) ? .tick : nil
  }

  private func enter() {
    cc_screen_enter()
    let before = size
    updateSize()
    if size != before {
      shown = nil
    }
  }

  private func updateSize() {
    var rows: Int32 = 0
    var columns: Int32 = 0
    cc_screen_size(&rows, &columns)
    size = Size(columns: Int(columns), rows: Int(rows))
  }

  /// Puts a cell where the C library agrees with its width, and a placeholder of that width where it does not: the
  /// columns after it must not drift.
  private func put(_ cell: Cell, row: Int, column: Int) {
    let look = looks.entry(for: cell.style)
    let fits = column + cell.columns <= size.columns
    scratch.removeAll(keepingCapacity: true)
    if fits {
      scratch.append(contentsOf: cell.text.unicodeScalars.lazy.map(\.value))
      if agrees(cell.columns),
        cc_put(Int32(row), Int32(column), scratch, Int32(scratch.count), look.attributes, look.pair) == 0
      {
        return
      }
    }
    for offset in 0..<(fits ? cell.columns : 1) {
      let placeholder: [UInt32] = [fits ? 0x3F : 0x20]
      _ = cc_put(Int32(row), Int32(column + offset), placeholder, 1, look.attributes, look.pair)
    }
  }

  /// Whether the C library gives `scratch` these columns.
  private func agrees(_ columns: Int) -> Bool {
    guard let base = scratch.first else { return false }
    if scratch.count == 1, base < 0x7F {
      return true
    }
    return cc_width(base) == Int32(columns) && scratch.dropFirst().allSatisfy { cc_width($0) == 0 }
  }
}
