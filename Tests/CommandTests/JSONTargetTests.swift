import Foundation
import Testing

@Suite("A folder of JSON files as the target")
struct JSONTargetTests {
  private static let legacy = "Library/Application Support/com.acme.shop"
  private static let target = legacy + "/phc_1"
  private let folder: TemporaryFolder
  private let container: String

  init() throws {
    folder = try TemporaryFolder()
    container = folder.path("Data")
    try place("Library/Preferences/com.acme.shop.plist", "")
    try place(Self.legacy + "/posthog.anonymousId", #"{"posthog.anonymousId":"A-1"}"#)
    try place(Self.legacy + "/posthog.distinctId", #"{"posthog.distinctId":"u-1001"}"#)
    try place(Self.legacy + "/posthog.optOut", #"{"posthog.optOut":true}"#)
  }

  private func place(_ path: String, _ text: String) throws { try folder.place("Data/" + path, Data(text.utf8)) }

  private func run(_ command: String, _ options: String...) throws -> Tool.Result {
    try Tool.carryover([command, container, "--recipe", "posthog-before-3-20", "-P", "project-token=phc_1"] + options)
  }

  private func text(_ key: String) throws -> String {
    try String(contentsOfFile: "\(container)/\(Self.target)/\(key)", encoding: .utf8)
  }

  private func recipe(to target: String, keys: [String], key: String, in store: String) throws -> String {
    let file = folder.path("acme.recipe.yaml")
    let fields = keys.map { "{key: \"\($0)\", group: identity, form: string, from: [{key: \(key)}]}" }
    try """
    carryover: recipe/1
    id: acme-json
    version: 1
    title: Acme
    read: [\(store)]
    write: {json-files: "\(target)"}
    detect: [\(key)]
    opt-out-keys: []
    fields: [\(fields.joined(separator: ", "))]
    """.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test("each value gets a file of its own; a rollback removes the files and their folder")
  func ownFiles() throws {
    let before = try FileState.files(under: container)
    let applied = try run("apply", "--accept", "posthog.optOut", "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try text("posthog.anonymousId") == #"{"posthog.anonymousId":"A-1"}"#)
    #expect(try text("posthog.distinctId") == #"{"posthog.distinctId":"u-1001"}"#)
    #expect(try text("posthog.optOut") == #"{"posthog.optOut":true}"#)
    #expect(!FileManager.default.fileExists(atPath: "\(container)/\(Self.target)/posthog.isIdentified"))
    #expect(try run("plan").output.contains("3 unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
    #expect(!FileManager.default.fileExists(atPath: container + "/" + Self.target))
  }

  @Test("of an existing file, only the value changes; a single key is rolled back alone")
  func existing() throws {
    try place(Self.target + "/posthog.distinctId", "{\n  \"note\" : 1.50,\n  \"posthog.distinctId\" : \"u-7\"\n}\n")
    let before = try FileState.files(under: container)
    let applied = try run("apply", "--accept", "posthog.optOut", "--on-conflict", "replace", "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try text("posthog.distinctId") == "{\n  \"note\" : 1.50,\n  \"posthog.distinctId\" : \"u-1001\"\n}\n")
    let single = try Tool.carryover("rollback", container, "--only", "posthog.anonymousId", "--yes")
    #expect(single.status == 0, "\(single.error)")
    #expect(!FileManager.default.fileExists(atPath: "\(container)/\(Self.target)/posthog.anonymousId"))
    #expect(try text("posthog.distinctId").contains("u-1001"))
    #expect(try run("plan").output.contains("target.rolled-back"))
    let rest = try Tool.carryover("rollback", container, "--yes")
    #expect(rest.status == 0, "\(rest.error)")
    #expect(try FileState.files(under: container) == before)
  }

  @Test("a value that the new SDK does not read is a finding; a file without keys stops the apply")
  func unfit() throws {
    try place(Self.target + "/posthog.distinctId", #"{"posthog.distinctId":7}"#)
    #expect(try run("plan").output.contains("target.wrong-type"))
    for text in ["[1]", "{", "\"u-7\"", ""] {
      try place(Self.target + "/posthog.distinctId", text)
      let before = try FileState.files(under: container)
      #expect(try run("plan").output.contains("target.unreadable"), "\(text)")
      #expect(try run("apply", "--accept", "posthog.optOut", "--yes").status != 0, "\(text)")
      #expect(try FileState.files(under: container) == before)
    }
  }

  @Test("a link in the place of the folder or of a file is not followed")
  func links() throws {
    let outside = folder.path("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    let place = container + "/" + Self.target
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside)
    #expect(try run("apply", "--accept", "posthog.optOut", "--yes").status != 0)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place + "/posthog.distinctId", withDestinationPath: outside + "/new")
    #expect(try run("apply", "--accept", "posthog.optOut", "--yes").status != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
  }

  @Test("a folder with a short name is made for several files")
  func shortName() throws {
    let file = try recipe(
      to: "Library/Application Support/x", keys: ["a", "b"], key: "posthog.distinctId",
      in: #"{file: "Library/Application Support/com.acme.shop/posthog.distinctId", as: posthog.distinctId}"#)
    let digest = try Tool.digest(of: file)
    try FileManager.default.removeItem(atPath: container + "/" + Self.legacy + "/posthog.optOut")
    let applied = try Tool.carryover(
      "apply", container, "--recipe", file, "--trust", digest, "--yes")
    #expect(applied.status == 0, "\(applied.error)")
    #expect(FileManager.default.fileExists(atPath: container + "/Library/Application Support/x/b"))
  }

  @Test("another project's folder shows its token, and two of them ask for one")
  func tokens() throws {
    try place(Self.target + "/posthog.anonymousId", #"{"posthog.anonymousId":"A-1"}"#)
    let one = try Tool.carryover("plan", container)
    #expect(one.output.contains("phc_1"), "\(one.output)\(one.error)")
    try place(Self.legacy + "/phc_2/posthog.anonymousId", #"{"posthog.anonymousId":"A-2"}"#)
    let two = try Tool.carryover("plan", container)
    #expect(two.status == 64 && two.error.contains("phc_1, phc_2"), "\(two.error)")
  }

  @Test(
    "a recipe's folder is below Library/Application Support, and its keys are file names",
    arguments: [
      ("Library/Application Support", "id", "R105"), ("Library/Preferences/acme", "id", "R105"),
      ("Documents/acme", "id", "R105"), ("Library/Application Support/../x", "id", "R105"),
      ("Library/Application Support/.acme", "id", "R105"), ("Library/Application Support/acme", "a/b", "R105"),
      ("Library/Application Support/acme", ".id", "R105"), ("Library/Application Support/acme", "id.plist", "R105"),
      ("Library/Application Support/com.apple.acme/x", "id", "R302"),
    ])
  func confined(_ target: (folder: String, key: String, code: String)) throws {
    let file = try recipe(to: target.folder, keys: [target.key], key: "acme_id", in: #"{suite: "${bundle-id}"}"#)
    let lint = try Tool.carryover("recipe", "lint", file)
    #expect(lint.output.contains(target.code), "\(lint.output)\(lint.error)")
  }
}
