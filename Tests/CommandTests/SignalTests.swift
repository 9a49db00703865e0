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
