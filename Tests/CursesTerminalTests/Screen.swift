@testable import CarryoverCurses

final class Screen {
  let terminal: CursesTerminal
  let line: PseudoTerminal

  init(
    name: String = "xterm-256color", options: ScreenOptions = ScreenOptions(), locale: String = "C.UTF-8"
  ) throws {
    line = try PseudoTerminal()
    terminal = try CursesTerminal(
      options: options, name: name, locale: locale, input: line.terminal, output: line.terminal)
  }

  deinit { terminal.close() }

  func type(_ bytes: String) { line.type(bytes) }

  func sent() -> String { line.sent() }
}

/// Both ends of a pseudo terminal. A thread keeps reading, so that writing to it never blocks.
final class PseudoTerminal: @unchecked Sendable {
  struct Unavailable: Error {}

  let terminal: Int32
  private let master: Int32
  private let condition = NSCondition()
  private var received: [UInt8] = []
  private var ended = false

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    var descriptors: (master: Int32, terminal: Int32) = (-1, -1)
    guard openpty(&descriptors.master, &descriptors.terminal, nil, nil, nil) == 0 else { throw Unavailable() }
    (master, terminal) = descriptors
    resize(columns: columns, rows: rows)
    let master = master
    Thread.detachNewThread { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(master, &bytes, bytes.count)
        guard let self else { break }
        guard count > 0 else {
          self.finish()
          break
        }
        self.receive(bytes.prefix(count))
      }
      close(master)
    }
  }

  deinit { close(terminal) }

  func type(_ bytes: String) { try? FileHandle(fileDescriptor: master).write(contentsOf: Data(bytes.utf8)) }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func settings() throws -> [UInt64] {
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { throw Unavailable() }
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt64($0) }
  }

  func sent() -> String {
    let marker = Array("\u{1}seen\u{1}".utf8)
    try? FileHandle(fileDescriptor: terminal).write(contentsOf: Data(marker))
    condition.lock()
    defer { condition.unlock() }
    while !received.ends(with: marker), !ended { condition.wait() }
    defer { received = [] }
    return String(decoding: received.dropLast(marker.count), as: UTF8.self)
  }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    condition.lock()
    received += bytes
    condition.broadcast()
    condition.unlock()
  }

  private func finish() {
    condition.lock()
    ended = true
    condition.broadcast()
    condition.unlock()
  }
}

extension [UInt8] {
  fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}

/// What a terminal would show of the sequences that place text: enough to see whether it stands where it should.
struct Echo {
  private var rows: [[Character]]
  private var row = 0
  private var column = 0

  init(_ size: Size) { rows = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows) }

  func line(_ row: Int) -> String { String(rows[row]) }

  mutating func take(_ sent: String) {
    var rest = Array(sent.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": escape(&rest)
      case "\u{8}": column = max(0, column - 1)
      case "\r": column = 0
      case "\n": row = min(rows.count - 1, row + 1)
      default: put(scalar)
      }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let columns = DisplayWidth.columns(of: String(scalar))
    if rows.indices.contains(row), rows[row].indices.contains(column) { rows[row][column] = Character(scalar) }
    column += columns
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    guard rest.first == "[" else {
      // The choice of a character set is two characters long.
      if rest.popFirst() == "(" { _ = rest.popFirst() }
      return
    }
    rest = rest.dropFirst()
    let parameters = rest.prefix { !("@"..."~").contains($0) }
    rest = rest.dropFirst(parameters.count)
    let numbers = String(String.UnicodeScalarView(parameters)).split(separator: ";").compactMap { Int($0) }
    let first = numbers.first ?? 1
    switch rest.popFirst() {
    case "H": (row, column) = (first - 1, (numbers.dropFirst().first ?? 1) - 1)
    case "d": row = first - 1
    case "G": column = first - 1
    case "A": row -= first
    case "B": row += first
    case "C": column += first
    case "D": column -= first
    case "X": for index in column..<min(rows[row].count, column + first) { rows[row][index] = " " }
    case "K": for index in column..<rows[row].count { rows[row][index] = " " }
    case "J": for index in rows.indices { rows[index] = Array(repeating: " ", count: rows[index].count) }
    default: break
    }
  }
}

extension CursesTerminal {
  /// The content of a cell; nil outside the screen.
  func contents(row: Int, column: Int) -> String? {
    var scalars = [UInt32](repeating: 0, count: 8)
    let count = cc_read(Int32(row), Int32(column), &scalars, Int32(scalars.count))
    guard count >= 0 else { return nil }
    return String(String.UnicodeScalarView(scalars.prefix(Int(count)).compactMap(Unicode.Scalar.init)))
  }

  /// The look of a cell: bold, dim, reversed, underlined; the numbers of its colours, -1 for the terminal's
  /// own.
  func look(row: Int, column: Int) -> (attributes: [Bool], foreground: Int, background: Int)? {
    var (attributes, foreground, background): (Int32, Int32, Int32) = (0, 0, 0)
    guard cc_read_look(Int32(row), Int32(column), &attributes, &foreground, &background) == 0 else { return nil }
    let flags = [CC_BOLD, CC_DIM, CC_REVERSE, CC_UNDERLINE].map { attributes & Int32($0.rawValue) != 0 }
    return (flags, Int(foreground), Int(background))
  }
}
