internal import CCarryoverCurses
import CarryoverSystem
package import CarryoverTerminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal that the program was started in, through ncurses.
///
/// There is one at a time. While open, it owns the screen, the terminal's settings, signal handling and, if that is a
/// terminal, standard error, whose text is printed after ``close()``. ``close()`` gives everything back, and so does a
/// handler if the process crashes.
package final class CursesTerminal: Terminal {
  package private(set) var size = Size(columns: 0, rows: 0)
  package let glyphs: Glyphs

  /// Milliseconds to wait for the rest of a control sequence: a slow line may tear one, and a user may type the
  /// beginning of one.
  private static let patience: Int32 = 500

  private let input: Int32
  private let output: Int32
  private var isOpen = true
  private var inputEnded = false
  private var errors: ErrorCapture?
  private var painter: RowPainter
  private var decoder = InputDecoder()
  private var pasteBuffer: [UInt8] = []

  /// Opens the screen on standard input and output.
  ///
  /// Reads TERM, NO_COLOR (no-color.org: any value but an empty one forbids colour, unless the options say how many)
  /// and the locale. Refuses a terminal that cannot place its cursor, such as `dumb`.
  package convenience init(options: ScreenOptions = ScreenOptions()) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
    var options = options
    if options.maximumColors == nil, let value = getenv("NO_COLOR"), value.pointee != 0 { options.color = false }
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    try self.init(options: options, name: name, input: STDIN_FILENO, output: STDOUT_FILENO)
    errors = ErrorCapture()
  }

  /// The descriptors need not be terminals. An empty locale is the environment's.
  init(options: ScreenOptions, name: String, locale: String = "", input: Int32, output: Int32) throws(TerminalError) {
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
    glyphs = cc_is_utf8() ? .unicode : .ascii
    // What ncurses knows of the terminal, less what the options and NO_COLOR forbid.
    let colors = min(Int(cc_colors()), options.maximumColors ?? 256)
    painter = RowPainter(looks: LookTable(theme: options.theme, colors: colors))
    updateSize()
  }

  deinit { close() }

  /// ncurses gets every cell, and sends only what differs from the screen.
  package func draw(_ grid: Grid, cursor: Position?) throws(TerminalError) {
    guard isOpen else { throw .closed }
    cc_erase()
    for row in 0..<min(size.rows, grid.size.rows) { painter.draw(grid.cells(row), row: row) }
    if let cursor, (0..<size.rows).contains(cursor.row), (0..<size.columns).contains(cursor.column) {
      cc_show(Int32(cursor.row), Int32(cursor.column))
    } else {
      cc_show(-1, -1)
    }
  }

  /// Ctrl-Z and SIGTSTP suspend at once and become ``CarryoverTerminal/Event/resumed``.
  package func nextEvent() throws(TerminalError) -> Event { try event(waiting: true) ?? .endOfInput }
  package func pendingEvent() throws(TerminalError) -> Event? { try event(waiting: false) }

  private func event(waiting: Bool) throws(TerminalError) -> Event? {
    guard isOpen else { throw .closed }
    var hasInput = false
    while !inputEnded {
      if let event = takeSignal() { return event }
      switch decoder.isPasting ? nextOfPaste() : decoder.next(cc_next_input) {
      case .event(let event): return event
      case .resized:
        updateSize()
        return .resize(size)
      case .suspend:
        suspend()
        return .resumed
      case .ignored: continue
      case .nothing: break
      }
      if !waiting { return nil }
      if hasInput, cc_input_ended(input) { break }
      let waited = cc_wait(input, decoder.sequence.isInside ? Self.patience : -1)
      if waited == CC_WAIT_FAILED { break }
      if waited == CC_WAIT_OVER { decoder.sequence.abandon() }
      hasInput = waited == CC_WAIT_INPUT
    }
    inputEnded = true
    return takeSignal() ?? .endOfInput
  }

  private func nextOfPaste() -> InputDecoder.Result {
    var ended = false
    if pasteBuffer.isEmpty { pasteBuffer = [UInt8](repeating: 0, count: 4096) }
    let count = Int(cc_read_paste(input, &pasteBuffer, Int32(pasteBuffer.count), &ended))
    return count == 0 && !ended ? .nothing : decoder.paste(pasteBuffer.prefix(count), ended: ended)
  }

  package func suspend() {
    guard isOpen else { return }
    cc_screen_leave()
    cc_stop()
    enter()
  }

  package func handOver(_ work: () -> Void) {
    guard isOpen else { return work() }
    cc_screen_leave()
    errors?.pause()
    work()
    errors?.resume()
    enter()
  }

  @discardableResult
  package func copyToClipboard(_ text: String) -> Bool {
    guard isOpen, let sequence = Clipboard.sequence(for: text) else { return false }
    try? SystemCalls.writeBytes(output, sequence)
    return true
  }

  package func waker() -> @Sendable () -> Void { { cc_wake() } }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    cc_screen_close()
    cc_signals_restore()
    errors?.replay()
    errors = nil
  }

  private func takeSignal() -> Event? {
    for signal in [SIGHUP, SIGTERM, SIGQUIT, SIGINT] where cc_take_pending(signal) { return .signal(signal) }
    if cc_take_pending(SIGTSTP) {
      suspend()
      return .resumed
    }
    if cc_take_pending(SIGCONT) {
      enter()
      return .resumed
    }
    return cc_take_pending(Int32(CC_WAKE.rawValue)) ? .tick : nil
  }

  private func enter() {
    cc_screen_enter()
    updateSize()
  }

  private func updateSize() {
    var (rows, columns): (Int32, Int32) = (0, 0)
    cc_screen_size(&rows, &columns)
    size = Size(columns: Int(columns), rows: Int(rows))
    painter.size = size
  }
}

package struct ScreenOptions: Hashable, Sendable {
  /// ``CarryoverTerminal/Theme/mono`` where the terminal has no colours or none are wanted.
  package var theme: Theme
  package var color: Bool
  /// Nil leaves it to the terminal, and to NO_COLOR.
  package var maximumColors: Int?
  /// Without it, the terminal's own selecting works.
  package var mouse: Bool

  package init(theme: Theme = .dark, color: Bool = true, maximumColors: Int? = nil, mouse: Bool = true) {
    self.theme = theme
    self.color = color
    self.maximumColors = maximumColors
    self.mouse = mouse
  }
}

package struct TerminalDescription: Hashable, Sendable {
  package let colors: Int
  package let mouse: Bool

  /// Nil if there is none, or if the terminal cannot show a screen.
  package init?(_ name: String) {
    var colors: Int32 = 0
    var mouse = false
    guard !name.isEmpty, cc_describe(name, &colors, &mouse) else { return nil }
    self.colors = Int(colors)
    self.mouse = mouse
  }

  package static var library: String { String(cString: cc_library()) }
}

/// Keeps standard error off the screen, if it is a terminal, and prints it after the screen is closed.
struct ErrorCapture {
  /// The most bytes that are printed, from the end.
  private static let limit = 64 * 1024

  private let captured: Int32
  private let original: Int32

  /// Nil if there is no need, or if it fails.
  init?() {
    guard isatty(STDERR_FILENO) == 1, let file = tmpfile() else { return nil }
    captured = Self.copy(of: fileno(file))
    original = Self.copy(of: STDERR_FILENO)
    fclose(file)
    guard captured >= 0, original >= 0 else {
      for descriptor in [captured, original] where descriptor >= 0 { close(descriptor) }
      return nil
    }
    resume()
    cc_keep_errors(captured, original)
  }

  /// Not inherited by children; negative if it fails.
  private static func copy(of descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

  func pause() { dup2(original, STDERR_FILENO) }
  func resume() { dup2(captured, STDERR_FILENO) }

  /// Prints what was captured, escaped.
  func replay() {
    cc_keep_errors(-1, -1)
    pause()
    let text = DisplayText.visibleLines(String(decoding: tail, as: UTF8.self), ascii: !cc_is_utf8())
    try? SystemCalls.writeBytes(STDERR_FILENO, Array(text.utf8))
    close(captured)
    close(original)
  }

  private var tail: [UInt8] {
    let end = max(0, Int(lseek(captured, 0, SEEK_END)))
    let count = min(end, ErrorCapture.limit)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(captured, buffer.baseAddress, count, off_t(end - count)))
    }
  }
}

/// Gives ncurses the cells of a frame row by row. A value, so that the terminal, a class, is accessed once a row: for
/// each cell that would cost more than the cell.
struct RowPainter {
  var size = Size(columns: 0, rows: 0)

  let looks: LookTable
  var scalars: [UInt32] = []

  /// The row must be blank.
  mutating func draw(_ cells: [Cell], row: Int) {
    let empty = Cell.blank()
    for (column, cell) in cells.prefix(size.columns).enumerated() where cell.columns > 0 && cell != empty {
      put(cell, row: row, column: column)
    }
  }

  /// A cell whose width the C library does not agree with becomes marks.
  private mutating func put(_ cell: Cell, row: Int, column: Int) {
    let look = looks.entry(for: cell.style)
    let fits = column + cell.columns <= size.columns
    if fits, agrees(cell.base, cell.columns) {
      scalars.removeAll(keepingCapacity: true)
      cell.forEachScalar { scalars.append($0.value) }
      if scalars.dropFirst().allSatisfy({ cc_width($0) == 0 }),
        cc_put(Int32(row), Int32(column), scalars, Int32(scalars.count), look.attributes, look.pair) == 0
      {
        return
      }
    }
    for offset in 0..<(fits ? cell.columns : 1) {
      _ = cc_put(Int32(row), Int32(column + offset), [fits ? 0x3F : 0x20], 1, look.attributes, look.pair)
    }
  }

  private func agrees(_ scalar: UInt32, _ columns: Int) -> Bool {
    scalar >= 0x20 && scalar < 0x7F ? columns == 1 : cc_width(scalar) == Int32(columns)
  }
}

struct LookTable {
  struct Entry {
    var attributes: Int32
    var pair: Int32
  }

  private let colors: Int
  /// By the code of the style.
  private var entries: [Entry] = []

  init(theme: Theme, colors: Int) {
    self.colors = colors
    let theme = colors == 0 ? .mono : theme
    // Pair 0 is the terminal's own colours, and replaces those for which no pair is left.
    var pairs: [[Int32]: Int32] = [[-1, -1]: 0]
    let styles = Role.allCases.flatMap { role in
      [(false, false), (false, true), (true, false), (true, true)].map { Style(role, selected: $0, bold: $1) }
    }
    for style in styles {
      let wanted = theme.look(for: style)
      let look = (1..<16).contains(colors) ? eightColored(wanted) : wanted
      let key = [number(of: look.foreground), number(of: look.background)]
      let next = Int32(pairs.count)
      let pair = pairs[key] ?? (cc_set_pair(next, key[0], key[1]) == 0 ? next : 0)
      pairs[key] = pair
      let flags = [
        (look.bold, CC_BOLD), (look.dim, CC_DIM), (look.reverse, CC_REVERSE), (look.underline, CC_UNDERLINE),
      ]
      let attributes = flags.reduce(0) { $1.0 ? $0 | $1.1.rawValue : $0 }
      entries.append(Entry(attributes: Int32(attributes), pair: pair))
    }
  }

  func entry(for style: Style) -> Entry { entries[Int(style.code)] }

  /// With eight colours, bold means the brighter half. Grey and black would be black, on a background that may be black:
  /// the terminal's own colour replaces them, faint for grey.
  private func eightColored(_ wanted: Look) -> Look {
    var look = wanted
    let basic = wanted.foreground?.basic ?? 7
    if basic & 7 == 0, wanted.background == nil {
      look.foreground = nil
      look.dim = look.dim || basic == 8
    } else if basic >= 8 {
      look.bold = true
    }
    return look
  }

  private func number(of color: Color?) -> Int32 {
    guard let color, colors > 0 else { return -1 }
    switch colors {
    case 256...: return Int32(color.indexed)
    case 16...: return Int32(color.basic)
    default: return Int32(color.basic & 7)
    }
  }
}
