import Foundation
import Testing

@Suite("Containers with nothing to migrate")
struct NothingToMigrateTests {
  private func container(_ preferences: [String: Any]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let library = folder.url.appendingPathComponent("AppData/Library/Preferences")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    for (values, url) in [
      (preferences, library.appendingPathComponent("com.acme.shop.plist")),
      (["MCMMetadataIdentifier": "com.acme.shop"], folder.url.appendingPathComponent("AppDataInfo.plist")),
    ] {
      try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0).write(to: url)
    }
    return folder
  }

  @Test("without legacy values and without a write key, plan, apply and diagnose say so and end with 0 (A14)")
  func withoutKey() throws {
    let folder = try container(["theme": "dark"])
    for command in [["plan"], ["apply", "--yes"], ["diagnose"], ["cleanup", "--yes"]] {
      let result = try Tool.carryover(command + [folder.url.path, "--recipe", "rudderstack-objc"])
      #expect(result.status == 0, "\(command) \(result.error)")
      #expect(!(result.output + result.error).contains("write key"), "\(command) \(result.output)")
    }
    let legacy = try container(["rl_anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b"])
    #expect(try Tool.carryover("plan", legacy.url.path).status == 64)
  }

  @Test("a person of the newest version has nothing to migrate, one of an older version has (B3)")
  func person() throws {
    for (model, words) in [
      (#"{"alias":"Jo","email":"-","version":3}"#, "There is nothing to migrate"),
      (#"{"name":"Jo","age":"23"}"#, "Every value found can be migrated"),
    ] {
      let folder = try container(["person": Data(model.utf8)])
      let result = try Tool.carryover("diagnose", folder.url.path)
      #expect(result.output.hasPrefix(words), "\(result.output)")
    }
  }

  @Test("a hidden character in the reason that a file cannot be read is escaped once")
  func hiddenCharacter() throws {
    let folder = try container(["com.convert.sdk.visitorIdMirror": "ada"])
    let sdk = folder.url.appendingPathComponent("AppData/Library/Application Support/com.convertexperiments.sdk")
    try FileManager.default.createDirectory(at: sdk, withIntermediateDirectories: true)
    try Data("[\0]".utf8).write(to: sdk.appendingPathComponent("event-queue.json"))
    for command in ["plan", "inspect", "report"] {
      let result = try Tool.carryover(command, folder.url.path)
      #expect(result.output.contains("“U+0000"), "\(result.output)")
      #expect(!result.output.contains(#"\u{0}"#) && !result.output.contains("\0"))
    }
  }

  @Test("a finding that two fields have is printed once, with both names")
  func shared() throws {
    let sample = try SampleCopy("CorruptTraits")
    let plan = try sample.run("plan")
    #expect(plan.output.components(separatedBy: "traits.invalid-json").count == 2, "\(plan.output)")
    #expect(plan.output.contains("user_id, traits  traits.invalid-json"), "\(plan.output)")
    let remedy = "Edit the traits and the user id if you know their values."
    #expect(try sample.run("diagnose").output.components(separatedBy: remedy).count == 2)
  }
}
