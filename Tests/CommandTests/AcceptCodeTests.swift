import Foundation
import Testing

@Suite("--accept with the code of a finding")
struct AcceptCodeTests {
  private static let code = "identity.user-id-not-string"

  private func decisions(_ sample: SampleCopy, _ options: String...) throws -> [[String: String]] {
    let plan = try Tool.carryover(["plan"] + sample.options + ["--json"] + options)
    #expect(plan.status == 0, "\(plan.error)")
    return try #require(try plan.json()["decisions"] as? [[String: String]])
  }

  @Test("Every field that findings of this code alone flag is accepted, and no other field")
  func accepted() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try decisions(sample, "--accept", Self.code) == [["field": "user_id", "decision": "migrate"]])
    let before = try sample.files()
    let other = try Tool.carryover(["apply"] + sample.options + ["--accept", "source.disagree", "--yes"])
    #expect(other.status == 2 && other.error.contains("Decide user_id:"), "\(other.error)")
    #expect(try sample.files() == before)
    let applied = try Tool.carryover(
      ["apply"] + sample.options + ["--accept", Self.code, "--skip", "rudder.app_build", "--yes"])
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
  }

  @Test("An option that names the field itself decides it in another way")
  func namedFieldFirst() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(
      try decisions(sample, "--accept", Self.code, "--skip", "user_id") == [["field": "user_id", "decision": "skip"]])
  }

  @Test("In a container without such a finding it decides nothing, and is no error")
  func notFound() throws {
    let sample = try SampleCopy("Clean")
    #expect(try decisions(sample, "--accept", Self.code).isEmpty)
    let applied = try Tool.carryover(["apply"] + sample.options + ["--accept", Self.code, "--yes"])
    #expect(applied.status == 0, "\(applied.error)")
  }

  @Test("A conflict of such a field stays one until --on-conflict decides it")
  func conflict() throws {
    let sample = try SampleCopy("AcmeShop")
    let script = "import plistlib, sys; plistlib.dump({'user_id': 'u-2002'}, open(sys.argv[1], 'wb'))"
    #expect(try Tool.run("python3", ["-c", script, sample.target]).status == 0)
    let options = ["apply"] + sample.options + ["--accept", Self.code, "--skip", "rudder.app_build", "--yes"]
    let before = try sample.files()
    #expect(try Tool.carryover(options).status == 3)
    #expect(try sample.files() == before)
    #expect(try Tool.carryover(options + ["--on-conflict", "keep"]).status == 0)
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'u-2002'")
  }

  @Test("A code that asks nothing, or that asks about the target's value, is refused with what to do")
  func refused() throws {
    let sample = try SampleCopy("AcmeShop")
    let target = try Tool.carryover(["plan"] + sample.options + ["--accept", "target.conflict"])
    #expect(target.status == 64 && target.error.contains("--on-conflict"), "\(target.error)")
    let note = try Tool.carryover(["plan"] + sample.options + ["--accept", "dropped.secrets"])
    #expect(note.status == 64 && note.error.contains("carryover explain dropped.secrets"), "\(note.error)")
  }

  @Test(
    "A name that nothing has is answered with the nearest",
    arguments: [
      (["--accept", "usr_id"], "Did you mean user_id?"),
      (["--accept", "identity.user-id-not-sting"], "Did you mean identity.user-id-not-string?"),
      (["--skip", "rudder.app_bild"], "Did you mean rudder.app_build?"),
      (["--set", "sesion_id=1"], "Did you mean session_id?"), (["--only", "traitss"], "Did you mean traits?"),
      (["--skip", "identity.user-id-not-string"], "which is not a field of this plan. The fields are"),
    ])
  func nearest(options: [String], words: String) throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try Tool.carryover(["plan"] + sample.options + options)
    #expect(result.status == 64 && result.error.contains(words), "\(result.error)")
  }
}
