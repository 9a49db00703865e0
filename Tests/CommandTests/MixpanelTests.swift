import Foundation
import Testing

@Suite("Mixpanel")
struct MixpanelTests {
  private static let token = "0123456789abcdef0123456789abcdef"
  private static let optOut = "mixpanel-\(token)-OptOutStatus"
  private static let file = "AppData/Library/Preferences/Mixpanel.plist"
  private let folder: TemporaryFolder
  private let container: String

  init() throws {
    folder = try TemporaryFolder()
    container = folder.path("AcmeShop.xcappdata")
    let example = Tool.root.appendingPathComponent("Examples/Findings/consent.migrated.xcappdata").path
    try FileManager.default.copyItem(atPath: example, toPath: container)
  }

  private func values() throws -> [String: NSObject] {
    let data = try Data(contentsOf: URL(fileURLWithPath: container + "/" + Self.file))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(list as? [String: NSObject])
  }

  @Test("every value is where the Swift SDK reads it, the super properties byte for byte, and rolled back again")
  func migrates() throws {
    let before = try FileState.files(under: container)
    let legacy = try values()
    let applied = try Tool.carryover("apply", container, "--accept", Self.optOut, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    let written = try values()
    let names = legacy.keys.map { $0.dropFirst("mixpanel-\(Self.token)".count) }
    #expect(names.count == 6)
    for name in names {
      let value = try #require(written["mixpanel-\(Self.token)-\(name)"], "\(name)")
      #expect(value == legacy["mixpanel-\(Self.token)\(name)"])
      // The Swift SDK casts to Bool, which a number on disk would not survive.
      if name == "OptOutStatus" { #expect(isBoolean(value)) }
    }
    #expect(legacy.allSatisfy { written[$0] == $1 }, "the legacy values stay")
    #expect(try Tool.carryover("apply", container, "--yes").output.contains("unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test("no decision leaves an opt-out behind without the option that says so")
  func optOutStays() throws {
    let before = try FileState.files(under: container)
    for options in [
      [], ["--skip", Self.optOut], ["--only", "mixpanel-\(Self.token)-MPUserId"], ["--set", "\(Self.optOut)=false"],
    ] {
      let applied = try Tool.carryover(["apply", container, "--yes"] + options)
      #expect(applied.status == 2, "\(options): \(applied.error)")
    }
    #expect(try FileState.files(under: container) == before)
    let allowed = try Tool.carryover("apply", container, "--yes", "--skip", Self.optOut, "--allow-opted-out")
    #expect(allowed.status == 0, "\(allowed.error)")
  }

  @Test("the permission to leave an opt-out behind holds for one run, and one that cannot be read counts too")
  func optOutIsRemembered() throws {
    let user = "mixpanel-\(Self.token)-MPUserId"
    let first = try Tool.carryover(
      "apply", container, "--yes", "--skip", Self.optOut, "--skip", user, "--allow-opted-out")
    #expect(first.status == 0, "\(first.error)")
    let second = try Tool.carryover("apply", container, "--yes", "--set", "\(user)=u-1001")
    #expect(second.status == 2 && second.error.contains("consent.opted-out"), "\(second.output)\(second.error)")
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)

    let path = container + "/" + Self.file
    var values = try values()
    values["mixpanel-\(Self.token)OptOutStatus"] = "true" as NSString
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
      .write(to: URL(fileURLWithPath: path))
    let unread = try Tool.carryover("apply", container, "--yes", "--skip", Self.optOut)
    #expect(unread.status == 2 && unread.error.contains("consent.opted-out"), "\(unread.output)\(unread.error)")
    let typed = try Tool.carryover("apply", container, "--yes", "--set", "\(Self.optOut)=true")
    #expect(typed.status == 0, "\(typed.error)")
  }

  @Test("the project token comes from the container; -P gives it, and a wrong one is refused")
  func token() throws {
    let plan = try Tool.carryover("plan", container, "--json").json()
    #expect((plan["recipe"] as? [String: Any])?["id"] as? String == "mixpanel-objc")
    let wrong = try Tool.carryover("plan", container, "-P", "token=ABC")
    #expect(wrong.status == 64 && wrong.error.contains("project token"), "\(wrong.error)")
    #expect(
      try Tool.carryover("plan", container, "-P", "tokn=ff").error.contains("no recipe here has such a parameter"))
    let other = try Tool.carryover("plan", container, "-P", "token=ff", "--json")
    #expect(other.status == 0 && other.output.contains("mixpanel-ff-MPDistinctID"))
    let sample = Tool.root.appendingPathComponent("Examples/AcmeShop.xcappdata").path
    let unknown = try Tool.carryover("plan", sample, "--recipe", "mixpanel-objc")
    #expect(unknown.status == 64 && unknown.error.contains("-P token=VALUE"), "\(unknown.error)")
  }

  @Test("a saved plan keeps the parameters it was made with, for each recipe, and reads plans without them")
  func savedToken() throws {
    let path = container + "/" + Self.file
    var both = try values()
    for (key, value) in both {
      both[key.replacingOccurrences(of: Self.token, with: String(repeating: "f", count: 32))] = value
    }
    try PropertyListSerialization.data(fromPropertyList: both, format: .binary, options: 0)
      .write(to: URL(fileURLWithPath: path))
    let accept = ["--accept", Self.optOut, "--yes"]
    #expect(try Tool.carryover("plan", container).error.contains("several values"))
    let plan = folder.path("p.json")
    let made = try Tool.carryover("plan", container, "-P", "token=\(Self.token)", "-o", plan)
    #expect(made.status == 0, "\(made.error)")
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    let saved = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let request = try #require(saved["request"] as? [String: Any])
    #expect(request["parameters"] as? [String: String] == ["token": Self.token])
    #expect(try SchemaCheck("plan-1").problems(saved) == [])
    let other = try Tool.carryover(["apply", plan, "-P", "token=ff"] + accept)
    #expect(other.status == 64 && other.error.contains("--parameter would make another plan"), "\(other.error)")
    let applied = try Tool.carryover(["apply", plan] + accept)
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try values()["mixpanel-\(Self.token)-MPUserId"] != nil)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    // As earlier versions saved it.
    var earlier = saved
    earlier["request"] = request.filter { $0.key != "parameters" }
    try JSONSerialization.data(withJSONObject: earlier).write(to: URL(fileURLWithPath: plan))
    #expect(try Tool.carryover(["apply", plan] + accept).status == 64)
    let named = try Tool.carryover(["apply", plan, "-P", "token=\(Self.token)"] + accept)
    #expect(named.status == 0, "\(named.error)")
    for wrong in [["token": "a/b"], ["write-key": "x"]] {
      earlier["request"] = request.merging(["parameters": wrong]) { $1 }
      try JSONSerialization.data(withJSONObject: earlier).write(to: URL(fileURLWithPath: plan))
      let refused = try Tool.carryover(["apply", plan] + accept)
      #expect(refused.status == 1 && refused.error.contains("parameters"), "\(refused.error)")
    }
  }

  @Test("the verdict says that the update logs the user out, because nothing reads the legacy keys")
  func verdict() throws {
    let said = try Tool.carryover("diagnose", container).output
    #expect(said.hasPrefix("The update would log this user out: the new SDK does not read"), "\(said)")
    #expect(said.contains("the opt-out"))
  }

  private func isBoolean(_ value: NSObject) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c" || number === NSNumber(value: true)
  }
}
