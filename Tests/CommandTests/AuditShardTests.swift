import Foundation
import PropertyLists
import Testing

@Suite("carryover audit --shard and audit merge")
struct AuditShardTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for number in 0..<7 {
      try folder.place(
        "Inputs/C\(number)/Library/Preferences/com.acme.shop.plist",
        Data(
          try PropertyListDocument.encode(
            ["rl_anonymous_id": .string("id-\(number)"), "rl_traits": #"{"userId":42}"#], as: .binary)))
    }
    try folder.place("Inputs/D.zip", Data("PK\u{3}\u{4} and then nothing".utf8))
  }

  private func audit(_ output: String, _ options: String...) throws -> Tool.Result {
    try Tool.carryover(
      ["audit", folder.path("Inputs"), "--now", "2026-01-10T08:00:00Z", "-o", folder.path(output)] + options)
  }

  private func shards(_ count: Int) throws -> [String] {
    try (0..<count).map { index in
      let audited = try audit("\(index)", "--shard", "\(index)/\(count)")
      #expect(audited.status == 0, "\(audited.error)")
      return folder.path("\(index)")
    }
  }

  private func merge(_ shards: [String], _ options: String...) throws -> Tool.Result {
    try Tool.carryover(["audit", "merge"] + shards + ["-o", folder.path("merged")] + options)
  }

  private func rows(_ output: String) throws -> String {
    try String(contentsOfFile: folder.path(output) + "/rows.ndjson", encoding: .utf8)
  }

  @Test("merged in any order, the rows and the totals are those of the whole audit", arguments: [2, 3, 8, 11])
  func merges(count: Int) throws {
    #expect(try audit("whole").status == 0)
    let shards = try shards(count)
    let merged = try merge(shards.shuffled(), "--json")
    #expect(merged.status == 0, "\(merged.error)")
    #expect(try rows("merged") == rows("whole"))
    let (summary, whole) = (
      try merged.json(), try Tool.carryover("audit", "report", folder.path("whole"), "--json").json()
    )
    #expect(NSDictionary(dictionary: summary) == NSDictionary(dictionary: whole))
  }

  @Test("no folder with anything in it is merged into, and a merge that fails leaves no audit")
  func folders() throws {
    #expect(try audit("whole").status == 0)
    let (whole, shards) = (try rows("whole"), try shards(2))
    for folder in [folder.path("whole"), shards[0], folder.path("Inputs")] {
      let refused = try Tool.carryover(["audit", "merge"] + shards + ["-o", folder])
      #expect(refused.status == 64 && refused.error.contains("not empty"), "\(refused.error)")
    }
    #expect(try rows("whole") == whole)
    #expect(try Tool.carryover(["audit", "merge"] + shards + ["-o", ""]).status == 64)
    #expect(try Tool.carryover("audit", folder.path("Inputs"), "-o", "").status == 64)
    #expect(try merge(shards, "--fail-on", "lost(nothing)").status != 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("merged") + "/rows.ndjson"))
    #expect(try merge(shards).status == 0, "a failed merge leaves nothing in the way")
    #expect(try merge(shards).status == 64)
  }

  @Test("the limits hold for all shards together")
  func limits() throws {
    let shards = try shards(2)
    #expect(try merge(shards, "--fail-on", "identity.*>6").status == 2)
    for (limit, status) in [("identity.*>6", Int32(2)), ("identity.*>7", 0), ("lost(nothing)", 64), ("new", 64)] {
      let report = try Tool.carryover("audit", "report", folder.path("merged"), "--format", "html", "--fail-on", limit)
      #expect(report.status == status, "\(limit): \(report.error)")
    }
  }

  @Test("a shard that is missing, incomplete, named twice, or of another audit is refused")
  func refused() throws {
    let shards = try shards(3)
    func refusal(_ folders: [String]) throws -> String {
      let merged = try merge(folders)
      #expect(merged.status != 0)
      return merged.error
    }
    #expect(try refusal([shards[0], shards[2]]).contains("Shard 1/3 is missing"))
    #expect(try refusal(shards + [shards[1]]).contains("twice"))
    #expect(try audit("other", "--shard", "1/3", "--allow-opted-out").status == 0)
    #expect(
      try refusal([shards[0], folder.path("other"), shards[2]]).contains("another allowsOptedOut than Shard 0/3"))
    #expect(try refusal([folder.path("Inputs")]).contains("is not the folder of a shard"))
    let read = try Tool.carryover("audit", "report", shards[0])
    #expect(read.status == 1 && read.error.contains("audit merge"), "\(read.error)")
    let seal = shards[1] + "/complete.json"
    let sealed = try String(contentsOfFile: seal, encoding: .utf8)
    for changed in ["", "{}", sealed.replacing(#""inputs":8"#, with: #""inputs":-1"#)] {
      try changed.write(toFile: seal, atomically: true, encoding: .utf8)
      #expect(try refusal(shards).contains("damaged"))
    }
    for inputs in ["7", "9223372036854775807"] {
      try sealed.replacing(#""inputs":8"#, with: #""inputs":\#(inputs)"#).write(
        toFile: seal, atomically: true, encoding: .utf8)
      #expect(try refusal(shards).contains("found other inputs"))
    }
    try FileManager.default.removeItem(atPath: seal)
    #expect(try refusal(shards).contains("--resume"))
    #expect(try audit("1", "--shard", "1/3", "--resume").status == 0)
    #expect(try merge(shards).status == 0)
    #expect(try audit("1", "--shard", "2/3", "--resume").status == 64)
  }

  @Test("shards that found other inputs are refused, and one that goes on notices it")
  func otherInputs() throws {
    var shards = try shards(2)
    try FileManager.default.moveItem(atPath: folder.path("Inputs/C3"), toPath: folder.path("Inputs/C33"))
    #expect(try audit("1", "--shard", "1/2", "--resume").status == 4, "an input of this shard")
    shards[1] = folder.path("again")
    #expect(try audit("again", "--shard", "1/2").status == 0)
    let merged = try merge(shards)
    #expect(merged.status == 4 && merged.error.contains("other inputs"), "\(merged.error)")
  }

  @Test(
    "a row that is gone or was changed is noticed", arguments: ["", "x\n", "first", "input", "row", "verdict", "lines"])
  func damaged(_ change: String) throws {
    let shards = try shards(2)
    let rows = try rows("1")
    let lines = rows.split(separator: "\n")
    let changed =
      switch change {
      case "first": lines.dropFirst().joined(separator: "\n")
      case "input": lines.filter { !$0.contains(#""n":8"#) }.joined(separator: "\n")
      case "row": lines.dropLast().joined(separator: "\n")
      case "verdict": rows.replacing(#""verdict":"nothing""#, with: #""verdict":"lost""#)
      case "lines": rows.replacing("\n", with: "\r\n")
      default: change
      }
    try changed.write(toFile: shards[1] + "/rows.ndjson", atomically: true, encoding: .utf8)
    let merged = try merge(shards)
    #expect(merged.status == 1 && merged.error.contains("1/rows.ndjson”, line"), "\(merged.error)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("merged") + "/rows.ndjson"))
  }

  @Test(
    "options that do not fit are refused", arguments: ["3/3", "-1/3", "1", "1/0", "01/3", "1/3/5", "a/b", "1/10001"])
  func options(_ shard: String) throws {
    #expect(try audit("out", "--shard=\(shard)").status == 64)
    let inputs = folder.path("Inputs")
    #expect(try Tool.carryover("audit", inputs, "--shard", "0/2", "--now", "2026-01-10T08:00:00Z").status == 64)
    #expect(try Tool.carryover("audit", inputs, "--shard", "0/2", "-o", folder.path("out")).status == 64, "no moment")
  }
}
