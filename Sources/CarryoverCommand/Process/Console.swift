import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error, and the clock: all that the command reads of its surroundings.
enum Console {
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether something was typed that nobody has read yet.
  static var inputIsWaiting: Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  /// The number of this process.
  static var process: Int32 { getpid() }

  /// The number of columns to lay text out for: the terminal's, else that of the variable COLUMNS, else 120.
  static var columns: Int {
    if let size { return size.columns }
    guard let columns = environment("COLUMNS").flatMap({ Int($0) }), (20...1000).contains(columns) else { return 120 }
    return columns
  }

  /// The size of the terminal; nil where there is none, or it does not tell.
  static var size: Size? {
    var size = winsize()
    guard outputIsTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// The characters that text is printed with.
  static var glyphs: Glyphs { localeIsUTF8 ? .unicode : .ascii }

  /// Whether a variable of the environment has a value.
  static func isSet(_ name: String) -> Bool { environment(name)?.isEmpty == false }

  /// Writes lines to standard output. Whatever is not a line end or printable is shown as an escape.
  /// - Throws: a failure where nothing more can be written; a reader that has gone is none.
  static func print(_ text: String) throws { try output(DisplayText.visibleLines(text) + "\n") }

  /// Writes lines that are escaped already; whatever could still steer a terminal is shown.
  static func printEscaped(_ text: String, ending: String = "\n") throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText.harmless(String($0)) }
    try output(lines.joined(separator: "\n") + ending)
  }

  /// A line that was typed, as it is repeated.
  static func shown(_ line: String) -> String { DisplayText.visible(line, ascii: !localeIsUTF8) }

  /// Whether the locale's characters are those of UTF-8, as its variables say.
  static var localeIsUTF8: Bool {
    guard let name = localeName?.lowercased() else { return false }
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.contains("utf-8@") || name.contains("utf8@")
  }

  /// The name of the locale, as its variables say.
  static var localeName: String? {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment($0) }.first { !$0.isEmpty }
  }

  /// Whether the environment asks for prompts instead of screens.
  static var isAccessibleByEnvironment: Bool { environment("CARRYOVER_ACCESSIBLE") == "1" }

  /// Whether a line may be written over and over again to show progress: not for somebody who has lines read aloud.
  static var mayRepaint: Bool {
    errorIsTerminal && !isAccessibleByEnvironment && environment("TERM") != "dumb"
  }

  /// Writes text of our own making, such as JSON, as it is.
  static func printVerbatim(_ text: String) throws { try output(text + "\n") }

  /// Writes a JSON document to standard output. Whatever has no shape of its own is escaped as JSON has it, so that it
  /// reads back as it was.
  static func printDocument(_ document: JSONValue) throws {
    try printVerbatim(document.text(pretty: true, visible: true))
  }

  /// Writes lines to standard error. What is escaped already is not escaped again.
  static func error(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      localeIsUTF8 ? DisplayText.harmless(String(line)) : Ink.ascii(String(line))
    }
    _ = write(lines.joined(separator: "\n") + "\n", to: STDERR_FILENO)
  }

  /// Writes text of our own making to standard error, without a line's end.
  static func errorText(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  /// Asks a question and reads one line.
  static func ask(_ question: String) -> InputLine {
    _ = write(DisplayText.visibleLines(question), to: STDERR_FILENO)
    return line()
  }

  /// Reads one line, and of one that is too long only as much as shows that. Nothing behind its end is read, so that
  /// whoever shares the input finds it there.
  static func line() -> InputLine {
    var bytes: [UInt8] = []
    var isTooLong = false
    while true {
      var byte: UInt8 = 0
      let count = systemRead(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
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

  /// Seconds east of UTC at a moment, where the user is.
  static func secondsFromUTC(at moment: Moment) -> Int {
    var seconds = time_t(moment.millisecondsSince1970 / 1000)
    var local = tm()
    guard localtime_r(&seconds, &local) != nil else { return 0 }
    return local.tm_gmtoff
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Ends the process the way the signal would have, so that whoever started it can tell.
  static func endBySignal(_ number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Writes bytes of our own making to standard output, as they are.
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

  /// Writes everything, going on after interruptions; gives the system's error number, or 0.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count, let base = bytes.baseAddress {
      let count = systemWrite(descriptor, base + written, bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      written += count
    }
    return 0
  }

  /// The system's call, under a name that is not this module's own.
  static func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, bytes, count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, bytes, count)
    #endif
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #endif
  }
}

/// What was read where a line was asked for.
enum InputLine {
  /// A line, without its end.
  case text(String)
  /// A line of more bytes than the limit. Nothing of it counts.
  case tooLong
  /// The end of the input.
  case end

  /// The longest line that is taken, in bytes: as much as can be typed into a line of the screen.
  static let limit = 65_536

  /// What is said of one that is longer.
  static let tooLongWords = "This line is longer than \(limit) bytes and was ignored."
}

/// Lines for standard output or a file, written in pieces of a bounded size: what is too large to be held leaves as it is
/// made.
struct PieceOutput {
  /// From how many bytes on a piece is written.
  static let size = 1 << 16
  private var bytes: [UInt8] = []
  /// The file; nil for standard output.
  private let file: OpenFile?

  init() { file = nil }
  private init(_ file: OpenFile) { self.file = file }

  /// A line of our own making, as it is.
  mutating func print(_ line: String) throws {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.size { try finish() }
  }

  /// Writes what is left.
  mutating func finish() throws {
    if let file { try POSIXFileSystem().write(bytes, to: file) } else { try Console.write(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes lines.
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
    try fileSystem.synchronizeDirectory(DurableFiles.folder(of: path))
  }
}
