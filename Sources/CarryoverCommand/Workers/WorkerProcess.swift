import CarryoverSystem
import PropertyLists

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A worker of an audit: another process of this program, on two pipes.
final class WorkerProcess {
  struct Pending {
    var input: WorkerMessage.Input
    /// Whether it has crashed a worker.
    var isRetry = false
  }

  enum Event {
    /// The rows of an input, without line ends.
    case rows(WorkerMessage.Input, [[UInt8]])
    /// It ended, or violated the protocol.
    case ended
  }

  let process: pid_t
  let output: Int32
  private let input: Int32
  /// Sent and not answered, in order.
  private(set) var pending: [Pending] = []
  /// When the work on the first pending input began.
  private(set) var began = ContinuousClock.now
  /// Whether it has announced the protocol.
  private(set) var isReady = false
  private var buffer: [UInt8] = []
  private var rows: [[UInt8]] = []
  private var size = 0

  init(_ arguments: [String]) throws {
    var (down, up): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&down) == 0, pipe(&up) == 0 else { throw Self.failure(errno) }
    // A later worker that inherits them would keep this one from seeing the end of its input.
    for descriptor in down + up { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer {
      close(down[0])
      close(up[1])
    }
    // A key that ends the command is for the parent, which ends the workers.
    let start = ProcessStart(
      program: ThisProcess.program, arguments: arguments,
      files: [
        (STDIN_FILENO, .descriptor(down[0])), (STDOUT_FILENO, .descriptor(up[1])),
        (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)),
      ])
    var child: pid_t = 0
    let code = start.run(&child)
    (process, input, output) = (child, down[1], up[0])
    guard code == 0 else {
      close(input)
      close(output)
      throw Self.failure(code)
    }
  }

  private static func failure(_ code: Int32) -> CommandFailure {
    CommandFailure("A worker could not be started (\(String(cString: strerror(code)))).", .error)
  }

  /// A worker that has gone is noticed when its answer is read.
  func send(_ next: Pending) {
    if pending.isEmpty { began = .now }
    pending.append(next)
    var line = next.input.line + "\n"
    line.withUTF8 { try? SystemCalls.writeBytes(input, $0) }
  }

  func read(_ event: (Event) throws -> Void) rethrows {
    let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, size in
      size = (try? SystemCalls.readBytes(output, into: UnsafeMutableRawBufferPointer(room))) ?? 0
    }
    guard !piece.isEmpty else { return try event(.ended) }
    buffer += piece
    var start = buffer.startIndex
    while let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard let answer = take(buffer[start..<end]) else { return try event(.ended) }
      start = end + 1
      if case .rows = answer { try event(answer) }
    }
    buffer.removeSubrange(..<start)
    // No row is that long.
    if buffer.count + size > Self.longestAnswer { try event(.ended) }
  }

  private static let longestAnswer = 256 << 20

  /// Nil for a line that violates the protocol; `ended` for one that does not complete an answer.
  private func take(_ line: ArraySlice<UInt8>) -> Event? {
    guard isReady else {
      isReady = line.elementsEqual(WorkerMessage.hello.utf8)
      return isReady ? .ended : nil
    }
    guard let current = pending.first else { return nil }
    guard line.elementsEqual(WorkerMessage.end(of: current.input.number).utf8) else {
      // Rows of another input, or in another form, would spoil the audit.
      guard line.starts(with: AuditedContainer.beginning(of: current.input.number).utf8), line.last == UInt8(ascii: "}")
      else { return nil }
      rows.append(Array(line))
      size += line.count
      began = .now
      return .ended
    }
    defer { (rows, size) = ([], 0) }
    pending.removeFirst()
    began = .now
    return .rows(current.input, rows)
  }

  func end() {
    close(input)
    close(output)
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

/// What the parent of an audit and its workers exchange, one line of JSON each. A worker first names its protocol. It
/// answers each input with the rows, then with an end line that names the input.
enum WorkerMessage {
  static let hello = #"{"protocol":"carryover.audit-worker/1"}"#

  struct Input: Hashable, Sendable {
    var number: Int
    var path: String
    /// The path in the rows; nil if rows name no paths.
    var shown: String?
    /// The only container to audit, relative to the path; nil for all.
    var container: String?

    var line: String {
      JSONValue.object(["n": number, "path": path, "shown": shown, "container": container]).text()
    }
  }

  static func end(of number: Int) -> String { #"{"end":\#(number)}"# }
}

extension WorkerMessage.Input {
  init?(line: String) {
    guard let value = try? JSONText(line).value, let number = value["n"]?.numberValue?.int64,
      let path = value["path"]?.stringValue
    else { return nil }
    self.init(
      number: Int(number), path: path, shown: value["shown"]?.stringValue,
      container: value["container"]?.stringValue)
  }
}
