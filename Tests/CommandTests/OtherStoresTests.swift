import Carryover
import CarryoverContainers
import Foundation
import PropertyLists
import Testing

/// Files with one value, and SQLite databases, with the built command.
@Suite("Files that only recipes know as stores")
struct OtherStoresTests {
  private let folder: TemporaryFolder
  private let container: String

  init() throws {
    folder = try TemporaryFolder()
    container = folder.path("Data")
    try place("Library/Preferences/com.acme.shop.plist", try plist(["launchCount": 3]))
  }

  private func plist(_ values: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
  }

  private func place(_ path: String, _ data: Data) throws {
    let url = URL(fileURLWithPath: container + "/" + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  private func segment(user: String = "u-1001") throws {
    let support = "Library/Application Support/"
    try place(support + "segment.anonymousId", Data(#"{"segment.anonymousId":"9F1C2A7E"}"#.utf8))
    try place(support + "segmentio.userId", Data(#"{"segmentio.userId":"\#(user)"}"#.utf8))
    try place(support + "segmentio.traits.plist", Data(#"{"age":41}"#.utf8))
  }

  private func amplitude(optOut: Bool) throws {
    let tables = try #require(
      KeyValueTables.bytes(of: [
        (.init("store", key: "key", value: "value"), ["device_id": "9F1C2A7E", "user_id": "u-1001"]),
        (.init("long_store", key: "key", value: "value"), ["opt_out": .integer(optOut ? 1 : 0)]),
      ]))
    try place("Library/com.amplitude.database", Data(tables))
  }

  private func written(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: container + "/Library/Preferences/" + path))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(list as? [String: Any])
  }

  @Test("Segment's files are migrated, and every byte is back after a rollback")
  func migrates() throws {
    try segment()
    let before = try FileState.files(under: container)
    let applied = try Tool.carryover("apply", container, "--write-key", "WK", "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    let suite = try written("com.segment.storage.WK.plist")
    #expect(suite["segment.userId"] as? String == "u-1001")
    #expect(suite["segment.anonymousId"] as? String == "9F1C2A7E")
    #expect(suite["segment.traits"] is Data)
    // The write key is now in the name of a suite.
    #expect(try Tool.carryover("plan", container).output.contains("0 to write, 3 unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test("a saved plan is out of date once such a file has changed, and after it appears or disappears")
  func stale() throws {
    try segment()
    let plan = folder.path("plan.json")
    let options = ["--write-key", "WK"]
    #expect(try Tool.carryover(["plan", container, "-o", plan] + options).status == 0)
    try segment(user: "u-2002")
    let changed = try Tool.carryover("apply", plan, "--yes")
    #expect(changed.status == 4, "\(changed.error)")
    try FileManager.default.removeItem(atPath: container + "/Library/Application Support/segmentio.userId")
    #expect(try Tool.carryover("apply", plan, "--yes").status == 4)
    try segment()
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
  }

  @Test("a saved plan is out of date once a database, or the log beside it, has changed")
  func staleDatabase() throws {
    try amplitude(optOut: false)
    let plan = folder.path("plan.json")
    #expect(try Tool.carryover("plan", container, "-o", plan, "--write-key", "WK").status == 0)
    try place("Library/com.amplitude.database-wal", Data([1]))
    #expect(try Tool.carryover("apply", plan, "--yes").status != 0)
    try FileManager.default.removeItem(atPath: container + "/Library/com.amplitude.database-wal")
    try amplitude(optOut: true)
    #expect(try Tool.carryover("apply", plan, "--yes").status == 4)
    try amplitude(optOut: false)
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
  }

  @Test("an opt-out in a database blocks Amplitude's recipe, and that of a stranger who does not mention it")
  func optOut() throws {
    try amplitude(optOut: true)
    let file = folder.path("acme.recipe.yaml")
    try """
    carryover: recipe/1
    x-test: \(UUID().uuidString)
    id: acme-sdk
    version: 1
    title: Acme
    read:
      - {sqlite: Library/com.amplitude.database, table: store}
    write: {suite: "${bundle-id}.acme"}
    detect: [device_id]
    fields:
      - {key: who, group: identity, form: string, from: [{key: device_id}]}
    """.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    for options in [["--write-key", "WK"], ["--recipe", file]] {
      let applied = try Tool.carryover(["apply", container, "--yes"] + options)
      #expect(applied.status == 2 && applied.error.contains("consent.opted-out"), "\(options): \(applied.error)")
    }
  }

  @Test("a recipe that is only followed by name is not detected, nor one of all")
  func onlyByName() throws {
    try segment()
    for options in [[], ["--recipe", "all"]] {
      let plan = try Tool.carryover(["plan", container, "--write-key", "WK"] + options)
      #expect(plan.output.contains("com.segment.storage.WK"), "\(plan.error)")
      #expect(!plan.output.contains("com.acme.shop.analytics.WK"))
    }
    let named = try Tool.carryover(
      "plan", container, "--write-key", "WK", "--recipe", "segment-to-rudderstack")
    #expect(named.output.contains("com.acme.shop.analytics.WK"))
  }

  @Test("the stores show the tables, and a redacted output no value of them")
  func shown() throws {
    try amplitude(optOut: false)
    let shown = try Tool.carryover("inspect", container, "--json")
    #expect(shown.output.contains("u-1001") && shown.output.contains("\"sqlite\""))
    for command in [
      ["inspect", container, "--redact"], ["report", container], ["inspect", container, "--redact", "--json"],
    ] {
      let masked = try Tool.carryover(command)
      #expect(masked.status == 0 && masked.output.contains("sqlite"), "\(masked.error)")
      #expect(!masked.output.contains("u-1001") && !masked.output.contains("9F1C2A7E"), "\(command)")
    }
  }

  @Test(
    "a damaged database, one without the table, and an encrypted file are unreadable sources",
    arguments: ["damaged", "SQLite format 3\0", "empty"])
  func unreadable(_ content: String) throws {
    let other: [(KeyValueTable, PropertyListDictionary)] = [(KeyValueTable("other", key: "key", value: "value"), [:])]
    let bytes = content == "empty" ? Data(try #require(KeyValueTables.bytes(of: other))) : Data(content.utf8)
    try place("Library/com.amplitude.database", bytes)
    let plan = try Tool.carryover("plan", container, "--recipe", "amplitude-objc", "--write-key", "WK")
    #expect(plan.status == 0 && plan.output.contains("source.unreadable"), "\(plan.output)\(plan.error)")
  }

  private func stranger(_ read: String, parameters names: [String] = [], tests: String = "") throws -> String {
    let file = folder.path("acme.recipe.yaml")
    try """
    carryover: recipe/1
    x-test: \(UUID().uuidString)
    id: acme-sdk
    version: 1
    title: Acme
    parameters: {\(names.map { "\($0): {title: \($0)}" }.joined(separator: ", "))}
    read:
    \(read)
    write: {suite: "${bundle-id}.acme"}
    detect: [device_id]
    opt-out-keys: [opt_out]
    fields:
      - {key: who, group: identity, form: string, from: [{key: device_id}]}
    \(tests)
    """.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test("a recipe cannot hide an opt-out by reading its file in another way")
  func hidden() throws {
    try place("Library/Preferences/com.acme.shop.plist", try plist(["opt_out": true]))
    try place("Library/Preferences/other.plist", try plist(["device_id": "9F1C2A7E"]))
    for way in [
      "{sqlite: Library/Preferences/com.acme.shop.plist, table: x}",
      "{file: Library/Preferences/com.acme.shop.plist, as: x}",
    ] {
      let file = try stranger("  - suite: other\n  - \(way)")
      #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
      let applied = try Tool.carryover("apply", container, "--recipe", file, "--yes")
      #expect(applied.status == 2 && applied.error.contains("consent.opted-out"), "\(way): \(applied.error)")
    }
  }

  @Test("a parameter in a test leads out of no folder")
  func escape() throws {
    let outside = folder.path("outside")
    let file = try stranger(
      "  - {file: \"Library/x${p}\", as: device_id}", parameters: ["p"],
      tests: """
        tests:
          - name: t
            parameters: {p: "/../../../../../../../../../..\(outside)/file"}
            given: {"Library/x${p}": text}
            expect: {findings: []}
        """)
    #expect(try Tool.carryover("recipe", "test", file).status == 1)
    #expect(!FileManager.default.fileExists(atPath: outside))
  }

  @Test("many parameters in a path take no longer than one")
  func manyParameters() throws {
    try place("Library/Application Support/" + String(repeating: "a", count: 200), Data())
    let file = try stranger(
      "  - {file: \"Library/Application Support/${p}${a}${b}${c}${d}${e}!\", as: device_id}",
      parameters: ["p", "a", "b", "c", "d", "e"])
    let start = ContinuousClock.now
    _ = try Tool.carryover("plan", container, "--recipe", file)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("a report shows nothing of a file that is neither JSON nor a property list")
  func unreadableValue() throws {
    try segment()
    try place("Library/Application Support/segmentio.userId", Data("jane.doe-77".utf8))
    for command in [["report", container], ["inspect", container, "--redact", "--json"]] {
      #expect(!(try Tool.carryover(command).output.contains("jane")), "\(command)")
    }
  }

  @Test("a write key of letters alone is masked in every suite's name")
  func letters() throws {
    try segment()
    let plan = try Tool.carryover("plan", container, "--redact", "--write-key", "SECRETabc")
    #expect(plan.status == 0 && !plan.output.contains("SECRETabc"), "\(plan.output)")
  }

  @Test(
    "a file that the recipe writes is not read as one value or as a database",
    arguments: [
      "{file: Library/Preferences/a.plist, as: device_id}", "{sqlite: Library/Preferences/a.plist, table: t}",
    ])
  func overlap(_ read: String) throws {
    let file = try stranger("  - \(read)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try Tool.carryover("recipe", "lint", file).status == 0)
    try text.replacingOccurrences(of: "suite: \"${bundle-id}.acme\"", with: "suite: a")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.status == 1 && linted.output.contains("[R107]"), "\(linted.output)")
  }
}

/// Keyed archives, and property lists with an extension of their own, with the built command.
@Suite("Files whose names contain a parameter")
struct NamedFilesTests {
  private let folder: TemporaryFolder
  private let container: String

  init() throws {
    folder = try TemporaryFolder()
    container = folder.path("Data")
    try place("Library/Preferences/com.acme.shop.plist", try PropertyListDocument.encode(["n": 3], as: .binary))
  }

  private func place(_ path: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: container + "/" + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
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
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    let properties: NSDictionary = [
      "distinctId": "u-1001", "superProperties": ["pattern": AppStoreObject()] as NSDictionary,
    ]
    archiver.encode(properties, forKey: "root")
    archiver.finishEncoding()
    try place("Library/mixpanel-ff-properties.plist", [UInt8](archiver.encodedData))
    let plan = try Tool.carryover("plan", container)
    #expect(plan.output.contains("source.wrong-type") && plan.output.contains("1 to write, 1 undecided"), "\(plan)")
  }

  @Test(
    "a file that is no archive, or one of another root, is an unreadable source",
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

  @Test("an opt-out's file that cannot be read blocks, until it is allowed", arguments: ["", "no archive"])
  func unreadableOptOut(_ content: String) throws {
    try archive("ff", ["distinctId": "u-1001", "userId": "u-1001"])
    try place("Library/mixpanel-ff-optOut.plist", Array(content.utf8))
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
    #expect(plan.output.contains("u-2002") && !plan.output.contains("u-1001"), "\(plan.output)\(plan.error)")
    #expect(try Tool.carryover("apply", container, "--yes").status == 0)
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
  }
}

/// An object of an app's own class.
final class AppStoreObject: NSObject, NSCoding {
  override init() { super.init() }
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) {}
}
