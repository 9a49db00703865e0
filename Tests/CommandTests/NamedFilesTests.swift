import Foundation
import PropertyLists
import Testing

@Suite("Files whose names contain a parameter")
struct NamedFilesTests {
  private let folder: TemporaryFolder
  private let container: String

  init() throws {
    folder = try TemporaryFolder()
    container = folder.path("Data")
    try place("Library/Preferences/com.acme.shop.plist", try PropertyListDocument.encode(["n": 3], as: .binary))
  }

  private func place(_ path: String, _ bytes: [UInt8]) throws { try folder.place("Data/" + path, Data(bytes)) }

  private static func archive(of root: NSObject) -> [UInt8] {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: "root")
    archiver.finishEncoding()
    return [UInt8](archiver.encodedData)
  }

  private func archive(_ token: String, _ properties: PropertyListValue) throws {
    try place("Library/mixpanel-\(token)-properties.plist", try KeyedArchive.encode(properties))
  }

  private func session(_ name: String, user: String) throws {
    try place(
      "Library/Application Support/snowplow/\(name).dict",
      try PropertyListDocument.encode(["userId": .string(user), "sessionIndex": 1], as: .xml))
  }

  @Test("the name of an archive shows the token, and every byte is back after a rollback")
  func archive() throws {
    try archive("ff01", ["distinctId": "u-1001", "userId": "u-1001", "superProperties": ["plan": "basic"]])
    let before = try FileState.files(under: container)
    let applied = try Tool.carryover("apply", container, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    let file = URL(fileURLWithPath: container + "/Library/Preferences/Mixpanel.plist")
    let suite = try #require(
      try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any])
    #expect(suite["mixpanel-ff01-MPUserId"] as? String == "u-1001")
    let properties = try #require(suite["mixpanel-ff01-superProperties"] as? Data)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSDictionary.self, NSString.self], from: properties)
    #expect(read as? [String: String] == ["plan": "basic"])
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test("a value that no property list can express is undecided, and the others are ready")
  func foreign() throws {
    let properties: NSDictionary = [
      "distinctId": "u-1001", "superProperties": ["pattern": AppStoreObject()] as NSDictionary,
    ]
    try place("Library/mixpanel-ff-properties.plist", Self.archive(of: properties))
    let plan = try Tool.carryover("plan", container)
    #expect(plan.output.contains("source.wrong-type") && plan.output.contains("1 to write, 1 undecided"), "\(plan)")
  }

  @Test(
    "a file that is not an archive, or whose root has another type, is an unreadable source",
    arguments: ["no property list", "plain", "list"])
  func unreadable(_ content: String) throws {
    try archive("ff", ["distinctId": "u-1001"])
    let bytes =
      switch content {
      case "plain": try PropertyListDocument.encode(["distinctId": "u-1001"], as: .binary)
      case "list": try KeyedArchive.encode(["distinctId"])
      default: Array(content.utf8)
      }
    try place("Library/mixpanel-ff-properties.plist", bytes)
    let plan = try Tool.carryover("plan", container, "--recipe", "mixpanel-objc")
    #expect(plan.status == 0 && plan.output.contains("source.unreadable"), "\(plan.output)\(plan.error)")
  }

  private func stranger(_ read: String, _ key: String) throws -> String {
    let file = folder.path("acme.recipe.yaml")
    try """
    carryover: recipe/1
    x-test: \(UUID().uuidString)
    id: acme-sdk
    version: 1
    title: Acme
    read: [\(read)]
    write: {suite: acme}
    detect: [\(key)]
    fields: [{key: who, group: identity, form: string, from: [{key: \(key)}]}]
    opt-out-keys: []
    """.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    return file
  }

  @Test("an opt-out in an archive blocks a recipe file that does not read it")
  func optOut() throws {
    try archive("ff", ["distinctId": "u-1001"])
    try place("Library/mixpanel-ff-optOut.plist", try KeyedArchive.encode(true))
    let file = try stranger("{archive: Library/mixpanel-ff-properties.plist}", "distinctId")
    let applied = try Tool.carryover("apply", container, "--recipe", file, "--yes")
    #expect(applied.status == 2 && applied.error.contains("consent.opted-out"), "\(applied.error)")
  }

  @Test("an opt-out's file that cannot be read blocks, until it is allowed", arguments: ["", "no archive", "foreign"])
  func unreadableOptOut(_ content: String) throws {
    try archive("ff", ["distinctId": "u-1001", "userId": "u-1001"])
    try place(
      "Library/mixpanel-ff-optOut.plist",
      content == "foreign" ? Self.archive(of: AppStoreObject()) : Array(content.utf8))
    for options in [["--recipe", "mixpanel-objc"], ["--recipe", "mixpanel-to-rudderstack", "--write-key", "WK"]] {
      let applied = try Tool.carryover(["apply", container, "--yes"] + options)
      #expect(applied.status == 2 && applied.error.contains("consent.opted-out"), "\(applied.error)")
    }
    #expect(
      try Tool.carryover("apply", container, "--recipe", "mixpanel-objc", "--yes", "--allow-opted-out").status == 0)
  }

  @Test("a cleanup keeps its hands off files that a rollback could not find again")
  func cleanup() throws {
    try place("Library/acme.dict", try PropertyListDocument.encode(["uid": "u-1"], as: .binary))
    let file = try stranger("{plist: Library/acme.dict}", "uid")
    #expect(try Tool.carryover("apply", container, "--recipe", file, "--yes").status == 0)
    let before = try FileState.files(under: container + "/Library")
    _ = try Tool.carryover("cleanup", container, "--recipe", file, "--yes")
    #expect(try FileState.files(under: container + "/Library") == before)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
  }

  @Test("of several tokens in names, the user chooses one")
  func several() throws {
    try archive("ff01", ["distinctId": "u-1001"])
    try archive("ff02", ["distinctId": "u-2002"])
    let plan = try Tool.carryover("plan", container, "--recipe", "mixpanel-objc")
    #expect(plan.status == 64 && plan.error.contains("ff01, ff02"), "\(plan.error)")
    let chosen = try Tool.carryover("plan", container, "--recipe", "mixpanel-objc", "-P", "token=ff02")
    #expect(chosen.output.contains("u-2002") && !chosen.output.contains("u-1001"))
  }

  @Test("a property list with another extension is found by a recipe's template, with and without its parameter")
  func extensions() throws {
    try session("session", user: "u-1001")
    #expect(try Tool.carryover("plan", container).output.contains("u-1001"))
    try session("session_shop-app", user: "u-2002")
    let plan = try Tool.carryover("plan", container)
    // Both trackers' users are shown, because nothing says which tracker the app has.
    #expect(plan.output.contains("u-2002") && plan.output.contains("u-1001"), "\(plan.output)\(plan.error)")
    #expect(try Tool.carryover("apply", container, "--yes").status == 2)
    #expect(try Tool.carryover("apply", container, "--yes", "--accept", "SPInstallationUserId").status == 0)
    let again = try Tool.carryover("plan", container)
    #expect(again.output.contains("0 to write, 1 unchanged"), "\(again.output)")
  }

  @Test("such files are found in an archive too, those of a recipe file as well")
  func packed() throws {
    try session("session_shop", user: "u-2002")
    try place("Library/Application Support/acme.id", Array("\"u-3003\"".utf8))
    let file = folder.path("acme.recipe.yaml")
    try """
    carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme
    read: [{file: Library/Application Support/acme.id, as: id}]
    write: {suite: acme}
    detect: [id]
    fields: [{key: who, group: identity, form: string, from: [{key: id}]}]
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let archive = folder.path("Data.tar.gz")
    #expect(try Tool.run("/usr/bin/env", ["tar", "-czf", archive, "-C", folder.path(""), "Data"]).status == 0)
    let plan = try Tool.carryover("plan", archive)
    #expect(plan.output.contains("u-2002"), "\(plan.output)\(plan.error)")
    let named = try Tool.carryover("plan", archive, "--recipe", file)
    #expect(named.output.contains("u-3003"), "\(named.output)\(named.error)")
    for path in [archive, container] {
      let shown = try Tool.carryover("inspect", path, "--recipe", file)
      #expect(shown.status == 0 && shown.output.contains("u-3003"), "\(shown.output)\(shown.error)")
      #expect(try !Tool.carryover("inspect", path).output.contains("u-3003"))
    }
    #expect(try Tool.carryover("inspect", container, "--recipe", "nothing").status == 64)
  }
}

final class AppStoreObject: NSObject, NSCoding {
  override init() { super.init() }
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) {}
}
