import Foundation
import Testing

@Suite("One recommendation")
struct RecommendationTests {
  private let sample: SampleCopy

  init() throws {
    sample = try SampleCopy("Clean")
    let script =
      "import plistlib, sys; plistlib.dump({'anonymous_id': '3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b'}, open(sys.argv[1], 'wb'))"
    #expect(try Tool.run("python3", ["-c", script, sample.target]).status == 0)
  }

  private func command(_ page: String) throws -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("  carryover apply ") })
    return lines[start...].prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
  }

  @Test("what plan and diagnose print does what the finding says")
  func printed() throws {
    let plan = try sample.run("plan").output
    #expect(plan.contains("→ Replace the new id to give the user their history back."))
    for page in [plan, try sample.run("diagnose").output] {
      let command = try command(page)
      #expect(command.contains("--replace anonymous_id") && !command.contains("--on-conflict"), "\(command)")
    }
    let applied = try Tool.run(
      "sh",
      ["-c", "PATH=\"$0:$PATH\"; \(try command(plan)) --yes", Tool.carryover.deletingLastPathComponent().path])
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] == "str\t'9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642'")
  }

  @Test("--on-conflict decides neither way about a field with such a finding", arguments: ["keep", "replace"])
  func policy(_ policy: String) throws {
    let before = try sample.files()
    let refused = try sample.run("apply", "--on-conflict", policy, "--yes")
    #expect(refused.status == 2 && refused.error.contains("anonymous_id"), "\(refused.error)")
    #expect(refused.error.contains("--replace"))
    #expect(try sample.files() == before)
    #expect(try sample.run("apply", "--keep", "anonymous_id", "--yes").status == 0)
  }
}
