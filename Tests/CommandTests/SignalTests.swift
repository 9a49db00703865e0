import Foundation
import Testing

/// Signals that arrive while something is written. strace sends them at a system call of the run's own making, so that
/// nothing depends on time.
@Suite("Signals while writing", .serialized, .needsTools)
struct SignalTests {
  static let numbers = ["INT": 2, "TERM": 15, "HUP": 1, "QUIT": 3]

  /// The command under strace, with a signal at the n-th time it brings bytes to the disk.
  private func run(_ signal: String, at count: Int, _ arguments: [String]) throws -> Tool.Result {
    try Tool.run(
      "strace",
      ["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=SIG\(signal):when=\(count)"]
        + [Tool.carryover.path] + arguments)
  }

  @Test(
    "apply and rollback carry the run through and report it; then the process ends by the signal",
    arguments: ["INT", "TERM", "HUP", "QUIT"])
  func plain(_ signal: String) throws {
    let sample = try SampleCopy("Clean")
    let status = Int32(128 + (Self.numbers[signal] ?? 0))
    let applied = try run(signal, at: 2, ["apply"] + sample.options + ["--yes"])
    #expect(applied.status == status)
    #expect(applied.output.contains(" is done: "))
    #expect(applied.error.isEmpty)
    let again = try sample.run("apply", "--yes")
    #expect(again.status == 0 && again.output.contains("Nothing had to be written."))
    let back = try run(signal, at: 2, ["rollback", sample.path, "--yes"])
    #expect(back.status == status)
    #expect(back.output.contains("rolled back run"))
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("rollback", "--yes").status == 1)
  }

  @Test("a run that fails says so before the signal ends the process")
  func failing() throws {
    let sample = try SampleCopy("Clean")
    let result = try Tool.run(
      "strace",
      [
        "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=SIGTERM:error=EIO:when=2",
        Tool.carryover.path, "apply",
      ] + sample.options + ["--yes"])
    #expect(result.status == 128 + 15)
    #expect(result.error.contains("carryover: "))
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test(
    "in the review the run is complete, then the terminal is as before and the process ended by the signal",
    arguments: ["INT", "TERM", "HUP", "QUIT"])
  func review(_ signal: String) throws {
    let sample = try SampleCopy("Clean")
    let session = try TmuxSession(columns: 100, rows: 30)
    // Not in the folder the tests run in: the signals are tried at the same time.
    let before = sample.folder.path("before")
    try session.enter("stty -a > \(before)")
    try session.enter(
      "strace -D -o /dev/null -e trace=fsync -e inject=fsync:signal=SIG\(signal):when=2 "
        + "\(Tool.carryover.path) \(sample.options.joined(separator: " "))")
    try session.waitFor("q quit")
    try session.press("a")
    try session.waitFor("Nothing is written yet")
    try session.press("y")
    try session.waitFor("wrote AppData")
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
    try session.enter("echo ended $?")
    try session.waitFor("\nended \(128 + (Self.numbers[signal] ?? 0))")
    try session.enter("stty -a | cmp - \(before) && echo same settings $?")
    try session.waitFor("same settings 0")
    let again = try sample.run("apply", "--yes")
    #expect(again.status == 0 && again.output.contains("Nothing had to be written."))
  }

  @Test("a stop while the review writes waits for the run, and fg shows its result")
  func stop() throws {
    let sample = try SampleCopy("Clean")
    let session = try TmuxSession(columns: 100, rows: 30)
    try session.enter(
      "strace -DD -o /dev/null -e trace=fsync -e inject=fsync:signal=SIGTSTP:when=2 "
        + "\(Tool.carryover.path) \(sample.options.joined(separator: " ")); echo status $?")
    try session.waitFor("q quit")
    try session.press("a")
    try session.waitFor("Nothing is written yet")
    try session.press("y")
    try session.waitFor("Stopped")
    #expect(FileManager.default.fileExists(atPath: sample.target))
    let again = try sample.run("apply", "--yes")
    #expect(again.status == 0 && again.output.contains("Nothing had to be written."))
    try session.enter("fg")
    try session.waitFor("Applied")
    try session.press("Escape", "q")
    try session.waitFor("wrote AppData")
  }

  @Test("a stop while apply writes waits for the run and its report")
  func stopPlain() throws {
    let sample = try SampleCopy("Clean")
    let session = try TmuxSession(columns: 160, rows: 30)
    try session.enter(
      "strace -DD -o /dev/null -e trace=fsync -e inject=fsync:signal=SIGTSTP:when=2 "
        + "\(Tool.carryover.path) apply \(sample.options.joined(separator: " ")) --yes")
    #expect(try session.waitFor("Stopped").contains("is done: 8 written."))
    #expect(FileManager.default.fileExists(atPath: sample.target))
    try session.enter("fg; echo status $?")
    try session.waitFor("status 0")
  }

  @Test("a limit on file sizes is an error with a remedy, not the end of the process, and nothing has changed")
  func fileSizeLimit() throws {
    let sample = try SampleCopy("Clean")
    // The sentence goes through a pipe: the limit concerns every file.
    let script = "(ulimit -f 0; exec \"$@\") 2>&1 | cat; echo ${PIPESTATUS[0]}"
    let result = try Tool.run("bash", ["-c", script, "-", Tool.carryover.path, "apply"] + sample.options + ["--yes"])
    #expect(result.output.hasSuffix("\n1\n"))
    #expect(result.output.contains("File too large") && result.output.contains("ulimit"))
    #expect(try sample.files() == sample.originalFiles())
  }
}
