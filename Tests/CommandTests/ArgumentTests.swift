import Foundation
import Testing

@Suite("Arguments")
struct ArgumentTests {
  private static let canHideProc =
    (try? Tool.run("unshare", ["-r", "-m", "sh", "-c", "mount -t tmpfs none /proc"]).status) == 0

  @Test("Commands work where /proc cannot be read", .enabled(if: canHideProc))
  func withoutProc() throws {
    func hidden(_ arguments: [String]) throws -> Tool.Result {
      try Tool.run(
        "unshare",
        ["-r", "-m", "sh", "-c", #"mount -t tmpfs none /proc && exec "$0" "$@""#, Tool.carryover.path] + arguments)
    }
    let version = try hidden(["--version"])
    #expect(version.status == 0, "\(version.error)")
    #expect(try version.output == Tool.carryover("--version").output)
    let sample = try SampleCopy("AcmeShop")
    let inspected = try hidden(["inspect", sample.path, "--json"])
    #expect(inspected.status == 0, "\(inspected.error)")
    #expect(try inspected.output == Tool.carryover("inspect", sample.path, "--json").output)
    let applied = try hidden(["apply"] + sample.options + ["--only", "user_id", "--yes"])
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try sample.targetAsPythonReadsIt() == ["user_id": "str\t'42'"])
    // What the parser refuses is masked by the same arguments.
    let wrong = try hidden(["inspect", sample.path, "--redact", "--ada@example.com"])
    #expect(wrong.status == 64)
    #expect(!wrong.error.contains("ada@example.com"), "\(wrong.error)")
  }
}
