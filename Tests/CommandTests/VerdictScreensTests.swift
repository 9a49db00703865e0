import Foundation
import Testing

@Suite("Recorded verdicts")
struct VerdictScreensTests {
  private static let file = Tool.root.appendingPathComponent("Tests/Fixtures/verdicts.txt")

  @Test("every verdict is as it was recorded, and somebody has read it")
  func recorded() throws {
    let said = try Diagnosed.all().map(\.lines).joined(separator: "\n")
    if ProcessInfo.processInfo.environment["CARRYOVER_RECORD_SCREENS"] == "1" {
      try Data(said.utf8).write(to: Self.file)
    }
    let recorded = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(recorded == said, "Tests/Fixtures/verdicts.txt is stale: run `make record`, and read the difference.")
  }

  @Test("a sample whose user id is migrated, or is in the new SDK's file, logs nobody out")
  func carried() throws {
    var counted = 0
    for sample in try Diagnosed.all() {
      let plan = try Tool.carryover(["plan"] + sample.arguments + ["--json"])
      guard plan.status == 0, let field = try sample.user(in: plan.json()) else { continue }
      let legacy = (field["legacy"] as? [String: Any])?["type"] as? String
      let isCarried = field["status"] as? String == "unchanged" || (sample.situation == "ahead" && legacy == "string")
      guard isCarried else { continue }
      counted += 1
      #expect(sample.outcome != "logged-out", "\(sample.name): \(sample.sentence)")
      #expect(!sample.sentence.contains("log this user out") && !sample.sentence.contains("was logged out"))
    }
    #expect(counted > 30)
  }

  @Test("a sample whose user id is a number logs the user out, and one whose user id cannot be read tells nothing")
  func notCarried() throws {
    let samples = try Diagnosed.all()
    for name in ["AcmeShop", "identity.user-id-not-string"] {
      #expect(samples.first { $0.name == name }?.outcome == "logged-out")
    }
    for name in [
      "CorruptTraits", "traits.invalid-json", "target.unreadable", "target.no-bundle-id", "source.not-found",
    ] {
      #expect(samples.first { $0.name == name }?.certainty == "cannot-tell")
    }
    for name in ["Clean", "target.no-write-key", "session.expired"] {
      #expect(samples.first { $0.name == name }?.outcome == "nothing-lost")
    }
  }
}

/// What `diagnose` says of a sample.
private struct Diagnosed {
  let name: String
  let arguments: [String]
  private let document: [String: Any]

  private init(_ name: String, _ arguments: [String]) throws {
    self.name = name
    self.arguments = arguments
    let result = try Tool.carryover(["diagnose"] + arguments + ["--json"])
    guard result.status == 0 else { throw Tool.Missing("a diagnosis of \(name): \(result.error)") }
    document = try result.json()
  }

  static func all() throws -> [Diagnosed] {
    let root = Tool.root.appendingPathComponent("Examples")
    let options = ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now]
    let samples = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".xcappdata") }
    let index = try JSONSerialization.jsonObject(
      with: Data(contentsOf: root.appendingPathComponent("Findings/index.json")))
    let examples = (index as? [String: Any])?["examples"] as? [[String: Any]] ?? []
    return try samples.sorted().map { name in
      try Diagnosed(
        String(name.dropLast(".xcappdata".count)), [root.appendingPathComponent(name).path] + options)
    }
      + examples.map { example in
        let place = "Findings/\(example["container"] as? String ?? "")"
        return try Diagnosed(
          example["code"] as? String ?? "",
          [root.appendingPathComponent(place).path] + (example["options"] as? [String] ?? []))
      }
  }

  private func verdict(_ member: String) -> String { (document["verdict"] as? [String: Any])?[member] as? String ?? "" }
  var sentence: String { verdict("sentence") }
  var certainty: String { verdict("certainty") }
  var outcome: String { verdict("outcome") }
  var situation: String { verdict("situation") }

  func user(in plan: [String: Any]) throws -> [String: Any]? {
    (plan["fields"] as? [[String: Any]])?.first { $0["id"] as? String == "user_id" }
  }

  /// The verdict as it is recorded: what copying a sample may change is left out.
  var lines: String {
    let losses = (document["losses"] as? [[String: Any]] ?? []).map { loss in
      "  - \(loss["what"] ?? ""): \(loss["cause"] ?? "")"
    }
    let root = Tool.root.path + "/"
    let commands = (document["commands"] as? [String] ?? []).map {
      "  $ " + $0.replacingOccurrences(of: root, with: "")
    }
    return ([name, "  \(certainty): \(sentence)", "  \(verdict("reason"))"] + losses + commands).joined(separator: "\n")
      + "\n"
  }
}
