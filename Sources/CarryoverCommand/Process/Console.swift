import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// All that the command reads of its surroundings.
enum Console {
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static var inputIsWaiting: Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  static var process: Int32 { getpid() }

  /// The terminal's width, else the variable COLUMNS, else 120.
  static var columns: Int {
    if let size { return size.columns }
    guard let columns = environment("COLUMNS").flatMap({ Int($0) }), (20...1000).contains(columns) else { return 120 }
    return columns
  }

  static var size: Size? { size(of: STDOUT_FILENO) }

  private static func size(of descriptor: Int32) -> Size? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  static var glyphs: Glyphs { localeIsUTF8 ? .unicode : .ascii }

  /// Writes lines; what is not printable is escaped.
  /// - Throws: a failure if writing fails, unless the reader has gone.
  static func print(_ text: String) throws { try output(DisplayText.visibleLines(text) + "\n") }

  /// Lines that are escaped already; what could still control a terminal is escaped.
  static func printEscaped(_ text: String, ending: String = "\n") throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText.harmless(String($0)) }
    try output(lines.joined(separator: "\n") + ending)
  }

  static func shown(_ line: String) -> String { DisplayText.visible(line, ascii: !localeIsUTF8) }

  static var localeIsUTF8: Bool {
    guard let name = localeName?.lowercased() else { return false }
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.contains("utf-8@") || name.contains("utf8@")
  }

  static var localeName: String? {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first
  }

  static var isAccessibleByEnvironment: Bool { environment("CARRYOVER_ACCESSIBLE") == "1" }

  /// No line is repainted for a user who has lines read aloud.
  static var mayRepaint: Bool { errorIsTerminal && !isAccessibleByEnvironment && environment("TERM") != "dumb" }

  /// Our own text, such as JSON.
  static func printVerbatim(_ text: String) throws { try output(text + "\n") }

  /// Invisible characters get JSON's escapes, so the document reads back the same.
  static func printDocument(_ document: JSONValue) throws {
    try printVerbatim(document.text(pretty: true, visible: true))
  }

  private static let held = Locked<[String]?>(nil)

  /// Collects what the work writes to standard error: nothing may interrupt a screen, or lines that are read aloud.
  static func holdingErrors<Result>(_ work: () throws -> Result) rethrows -> (result: Result, lines: [String]) {
    held.withLock { $0 = [] }
    defer { held.withLock { $0 = nil } }
    let result = try work()
    return (result, held.withLock { $0 ?? [] })
  }

  /// Lines that are escaped already; on a terminal, broken between words.
  static func error(_ text: String) {
    let isHeld = held.withLock { lines in
      lines?.append(text)
      return lines != nil
    }
    guard !isHeld else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      wrapped(localeIsUTF8 ? DisplayText.harmless(String(line)) : Ink.ascii(String(line)))
    }
    _ = write(lines.joined(separator: "\n") + "\n", to: STDERR_FILENO)
  }

  private static func wrapped(_ line: String) -> [String] {
    guard !line.isEmpty, let columns = size(of: STDERR_FILENO)?.columns else { return [line] }
    return Wrapping.wrap([Span(line)], first: columns, rest: columns, keepsWords: true).map { row in
      row.map(\.text).joined()
    }
  }

  /// Our own text, without the end of a line.
  static func errorText(_ text: String) {
    if held.withLock({ $0 == nil }) { _ = write(text, to: STDERR_FILENO) }
  }

  static func ask(_ question: String) -> InputLine {
    _ = write(DisplayText.visibleLines(question), to: STDERR_FILENO)
    return line()
  }

  /// Reads one line, and nothing behind its end: another program may read the rest of the input.
  static func line() -> InputLine {
    var bytes: [UInt8] = []
    var isTooLong = false
    while true {
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { try? SystemCalls.readBytes(STDIN_FILENO, into: $0) }
      guard count == 1 else {
        if isTooLong { return .tooLong }
        return bytes.isEmpty ? .end : .text(String(decoding: bytes, as: UTF8.self))
      }
      if byte == UInt8(ascii: "\n") {
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return isTooLong ? .tooLong : .text(String(decoding: bytes, as: UTF8.self))
      }
      if bytes.count < InputLine.limit { bytes.append(byte) } else { isTooLong = true }
    }
  }

  static var now: Moment {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Moment(secondsSince1970: 0) }
    return Moment(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// How long the process has used a processor.
  static var processorTime: Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  static func sleep(_ duration: Duration) {
    let parts = duration.components
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Seconds east of UTC at a moment, where the user is.
  static func secondsFromUTC(at moment: Moment) -> Int {
    var seconds = time_t(moment.millisecondsSince1970 / 1000)
    var local = tm()
    guard localtime_r(&seconds, &local) != nil else { return 0 }
    return local.tm_gmtoff
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Nil for an empty value too.
  static func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Ends the process as the signal would, so that its parent can tell.
  static func endBySignal(_ number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
  }

  static func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBufferPointer { try output($0) } }

  private static func output(_ text: String) throws {
    var text = text
    try text.withUTF8 { try output($0) }
  }

  private static func output(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    let code = write(bytes, to: STDOUT_FILENO)
    guard code == 0 || code == EPIPE else {
      throw CommandFailure(
        "Standard output could not be written (\(String(cString: strerror(code)))): the output is not complete.",
        .error)
    }
  }

  /// - Returns: the system's error number, or 0.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32 {
    do throws(SystemErrorNumber) {
      try SystemCalls.writeBytes(descriptor, bytes)
      return 0
    } catch {
      return error.number
    }
  }
}

enum InputLine {
  case text(String)
  /// A line beyond the limit, which is dropped.
  case tooLong
  case end

  /// In bytes: as much as fits into an input line of the screen.
  static let limit = 65_536

  static let tooLongWords = "This line is longer than \(limit) bytes and was ignored."
}

/// Lines for standard output or a file, written in pieces, because all of them may be too large for the memory.
struct PieceOutput {
  static let size = 1 << 16
  private var bytes: [UInt8] = []
  private let file: OpenFile?

  init() { file = nil }
  private init(_ file: OpenFile) { self.file = file }

  mutating func print(_ line: String) throws {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.size { try finish() }
  }

  mutating func finish() throws {
    if let file { try POSIXFileSystem().write(bytes, to: file) } else { try Console.write(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// - Parameter path: the file to replace, as a whole or not at all; nil for standard output.
  static func write(to path: String?, _ body: (inout PieceOutput) throws -> Void) throws {
    guard let path else {
      var output = PieceOutput()
      try body(&output)
      return try output.finish()
    }
    let fileSystem = POSIXFileSystem()
    let temporary = DurableFiles.temporary(of: path)
    if try fileSystem.status(temporary) != nil { try fileSystem.remove(temporary) }
    let file = try fileSystem.create(temporary, mode: 0o600)
    do {
      var output = PieceOutput(file)
      do {
        try body(&output)
        try output.finish()
        try fileSystem.synchronize(file)
      } catch {
        try? fileSystem.close(file)
        throw error
      }
      try fileSystem.close(file)
      try fileSystem.rename(temporary, to: path, .replacing)
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
    try fileSystem.synchronizeDirectory(FilePath.folder(of: path))
  }
}

extension Console {
  static func print(_ page: PageWriter, on paper: Paper) throws {
    try printVerbatim(page.lines.map(paper.text).joined(separator: "\n"))
  }

  static func error(_ masking: Masking, _ write: (inout PageWriter) -> Void) {
    let paper = Paper(hasColors: ColorWhen.auto.isOn(isTerminal: Console.errorIsTerminal))
    var page = paper.page(masking)
    write(&page)
    errorText(page.lines.map { paper.text($0) + "\n" }.joined())
  }
}

struct Paper {
  let columns: Int
  let glyphs: Glyphs
  let hasColors: Bool

  init(columns: Int = Console.columns, glyphs: Glyphs = Console.glyphs, hasColors: Bool) {
    (self.columns, self.glyphs, self.hasColors) = (columns, glyphs, hasColors)
  }

  init(_ color: ColorWhen = .auto) { self.init(hasColors: color.isOn(isTerminal: Console.outputIsTerminal)) }

  func page(_ masking: Masking = Masking(false)) -> PageWriter {
    PageWriter(columns: columns, ink: Ink(glyphs: glyphs, redaction: masking.redaction), keepsWords: true)
  }

  /// Escapes what could control the terminal.
  func text(_ line: [Span]) -> String {
    line.reduce(into: "") { text, span in
      let shown = DisplayText.harmless(span.text)
      if hasColors, let look = span.style.role.look, shown.contains(where: { $0 != " " }) {
        text += "\u{1B}[\(look)m\(shown)\u{1B}[0m"
      } else {
        text += shown
      }
    }
  }

  /// - Parameters:
  ///   - masking: must have learned what is on the page.
  ///   - most: the most columns.
  func print(
    _ masking: Masking = Masking(false), columns most: Int = .max, _ write: (inout PageWriter) throws -> Void
  ) throws {
    let paper = Paper(columns: min(columns, most), glyphs: glyphs, hasColors: hasColors)
    var page = paper.page(masking)
    try write(&page)
    try Console.print(page, on: paper)
  }

  func print(
    json: Bool, _ document: @autoclosure () throws -> JSONValue, _ masking: Masking = Masking(false),
    _ write: (inout PageWriter) throws -> Void
  ) throws {
    guard json else { return try print(masking, write) }
    try Console.printDocument(masking.document(try document()))
  }
}

enum ColorWhen: String, CaseIterable {
  case auto, always, never

  func isOn(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if Console.variable("NO_COLOR") != nil { return false }
      if let forced = Console.variable("CLICOLOR_FORCE"), forced != "0" { return true }
      return isTerminal && (Console.variable("TERM") ?? "dumb") != "dumb"
    }
  }
}

extension Role {
  /// The escape sequence's parameter, of the 16 colours that every terminal has.
  fileprivate var look: String? {
    switch self {
    case .error, .conflict: "31"
    case .flagged: "33"
    case .ready, .confirmed: "32"
    case .muted, .skipped: "2"
    case .title: "1"
    default: nil
    }
  }
}
