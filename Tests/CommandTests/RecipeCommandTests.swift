import Carryover
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("carryover recipe and --recipe")
struct RecipeCommandTests {
  private static let now = ["--now", "2025-11-20T12:05:00Z"]
  private static let key = ["--write-key", "WK"]

  /// An app's data folder with preferences of the beta SDK 2, and those of the Objective-C SDK where asked for.
  private func container(_ folder: TemporaryFolder, withObjC: Bool = false) throws -> String {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(["plan": "pro"], forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    var keys: [String: Any] = [
      "rs_user_id": "u-42", "rs_traits": archiver.encodedData, "rl_session_id": 1_763_640_000,
      "rl_session_manual_track_status": false, "rl_last_event_time_stamp": 1_763_640_123,
      "rs_application_version_key": "4.2.0", "rs_application_build_key": "420",
    ]
    if withObjC {
      keys["rl_anonymous_id"] = "9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40"
      keys["rl_traits"] = #"{"userId":"u-1","plan":"free"}"#
    }
    let path = folder.path("App")
    let preferences = path + "/Library/Preferences"
    try FileManager.default.createDirectory(atPath: preferences, withIntermediateDirectories: true)
    try PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0)
      .write(to: URL(fileURLWithPath: preferences + "/com.acme.shop.plist"))
    return path
  }

  private func target(_ path: String) throws -> [String: Any] {
    let file = URL(fileURLWithPath: path + "/Library/Preferences/com.acme.shop.analytics.WK.plist")
    let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
    return try #require(list as? [String: Any])
  }

  @Test("the beta SDK 2 from plan to cleanup and back, by its own recipe, without naming it (A20)")
  func wholeWay() throws {
    let folder = try TemporaryFolder()
    let path = try container(folder)
    let common = ["--bundle-id", "com.acme.shop"]
    let undecided = try Tool.carryover(["apply", path, "--yes"] + common + Self.key + Self.now)
    #expect(undecided.status == 2 && undecided.error.contains("anonymous_id"))
    let arguments = ["--set", "anonymous_id=9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40", "--yes"]
    let applied = try Tool.carryover(["apply", path] + arguments + common + Self.key + Self.now)
    #expect(applied.status == 0, "\(applied.error)")
    let written = try target(path)
    #expect(written["anonymous_id"] as? String == "9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40")
    #expect(written["user_id"] as? String == "u-42" && written["traits"] as? String == #"{"plan":"pro"}"#)
    #expect(written["session_id"] as? String == "1763640000" && written["is_manual_session"] as? Bool == false)
    #expect(written["rudder.app_build"] as? Int == 420)

    let again = try Tool.carryover(["apply", path, "--yes"] + common + Self.key + Self.now)
    #expect(again.status == 0, "\(again.error)")
    let history = try Tool.carryover(["history", path, "--json"] + common).json()
    let runs = try #require(history["runs"] as? [[String: Any]])
    #expect(runs.count == 1)
    #expect((runs[0]["recipe"] as? [String: Any])?["id"] as? String == "rudderstack-swift-v2")

    let cleaned = try Tool.carryover(["cleanup", path, "--yes"] + common + Self.key + Self.now)
    #expect(cleaned.status == 0, "\(cleaned.error)")
    let plan = try Tool.carryover(["plan", path, "--json"] + common + Self.key + Self.now).json()
    #expect((plan["recipe"] as? [String: Any])?["id"] as? String == "rudderstack-swift-v2")
    let calm = try Tool.carryover(["cleanup", path, "--yes"] + common + Self.key + Self.now)
    #expect(calm.status == 0, "\(calm.error)")
    for _ in 0..<2 {
      let back = try Tool.carryover(["rollback", path, "--yes"] + common)
      #expect(back.status == 0, "\(back.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/Library/Preferences/com.acme.shop.analytics.WK.plist"))
  }

  @Test("--recipe chooses where both SDKs have run, and a saved plan keeps the choice")
  func chosen() throws {
    let folder = try TemporaryFolder()
    let path = try container(folder, withObjC: true)
    let common = ["--bundle-id", "com.acme.shop"] + Self.key + Self.now
    let saved = folder.path("plan.json")
    func userID(_ arguments: [String]) throws -> [String: Any] {
      let plan = try Tool.carryover(["plan", path, "--json"] + common + arguments).json()
      let codes = (plan["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      #expect(codes.contains("source.v1-and-v2"))
      #expect(try SchemaCheck("plan-1").problems(plan) == [])
      let fields = try #require(plan["fields"] as? [[String: Any]])
      let field = try #require(fields.first { $0["id"] as? String == "user_id" })
      return try #require(field["proposed"] as? [String: Any])
    }
    #expect(try userID([])["value"] as? String == "u-42")
    let decided = ["--recipe", "rudderstack-objc", "--skip", "is_manual_session"]
    #expect(try userID(decided + ["-o", saved])["value"] as? String == "u-1")
    let other = try Tool.carryover(["apply", saved, "--yes", "--recipe", "rudderstack-swift-v2"])
    #expect(other.status == 64 && other.error.contains("--recipe"))
    let applied = try Tool.carryover(["apply", saved, "--yes"])
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try target(path)["user_id"] as? String == "u-1")
    // A cleanup follows the run, not the keys.
    let cleanup = try Tool.carryover(["cleanup", path, "--dry-run", "--json"] + common).json()
    #expect((cleanup["recipe"] as? [String: Any])?["id"] as? String == "rudderstack-objc")

    var text = try String(contentsOfFile: saved, encoding: .utf8)
    text = text.replacingOccurrences(of: #""id": "rudderstack-objc""#, with: #""id": "acme""#)
    try text.write(toFile: saved, atomically: true, encoding: .utf8)
    let unknown = try Tool.carryover(["apply", saved, "--yes"])
    #expect(unknown.status == 4 && unknown.error.contains("does not have"), "\(unknown.error)")
  }

  @Test("an unknown recipe is a usage error that names those there are", arguments: ["acme", "", "\u{1B}[31m\n"])
  func unknown(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try container(folder)
    let planning = ["plan", path, "--bundle-id", "com.acme.shop", "--recipe", name]
    for arguments in [planning + Self.key, ["recipe", "explain", name]] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 64 && result.output == "")
      #expect(!result.error.contains("\u{1B}"))
    }
    let shown = try Tool.carryover("recipe", "explain", name)
    #expect(shown.error.contains("rudderstack-objc, rudderstack-swift-v2, convert-ios"))
  }

  @Test("recipes are listed and shown, for people and as JSON that suits its schema")
  func shown() throws {
    let list = try Tool.carryover("recipe")
    for columns in [60, 80] {
      for arguments in [["recipe"], ["recipe", "explain", "convert-ios"]] {
        let printed = try Tool.run("env", ["COLUMNS=\(columns)", Tool.carryover.path] + arguments).output
        let lines = printed.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns } && !lines.contains { $0.hasSuffix("Library/Application") })
      }
    }
    #expect(list.status == 0 && list.error == "")
    let schema = try SchemaCheck("recipes-1")
    let all = try Tool.carryover("recipe", "list", "--json").json()
    #expect(try schema.problems(all) == [])
    #expect((all["recipes"] as? [[String: Any]])?.count == Recipe.builtIn.count)
    for recipe in Recipe.builtIn {
      #expect(list.output.contains(recipe.reference.id))
      let shown = try Tool.carryover("recipe", "explain", recipe.reference.id)
      #expect(shown.status == 0 && shown.error == "")
      for rule in recipe.rules {
        #expect(shown.output.contains("  \(rule.target) ("))
        for candidate in rule.candidates { #expect(shown.output.contains("← \(candidate.source.label)")) }
      }
      for key in recipe.leftBehind { #expect(shown.output.contains("  \(key.key)")) }
      let json = try Tool.carryover("recipe", "explain", recipe.reference.id, "--json").json()
      #expect(try schema.problems(json) == [])
      let one = try #require((json["recipes"] as? [[String: Any]])?.first)
      #expect((one["rules"] as? [[String: Any]])?.count == recipe.rules.count)
    }
  }
}
