import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Redaction of models and of names")
struct ModelRedactionTests {
  private static func container(_ stores: [Store]) -> Container {
    Container(
      kind: .folder, root: "/app", dataFolder: "", bundleID: "com.acme.shop", stores: stores, stateDirectory: "/state")
  }

  private static func preferences(_ keys: PropertyListDictionary) throws -> Store {
    let bytes = try PropertyListDocument.encode(.dictionary(keys), as: .binary)
    return Store(
      path: "Library/Preferences/com.acme.shop.plist", content: .document(try PropertyListDocument(bytes: bytes)))
  }

  @Test("JSON in data keeps its shape, its names and its type; its values are masked as they are in text")
  func data() throws {
    let text = #"{"name":"Jane","tags":["Jane",{"n":7}],"ok":true,"none":null,"version":2}"#
    let container = Self.container([try Self.preferences(["person": .data(Array(text.utf8)), "other": "Jane"])])
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(container)
    guard case .data(let bytes) = redaction.value(.data(Array(text.utf8))) else { return #expect(Bool(false)) }
    let shown = try JSONText(bytes: bytes).value
    let mask = try #require(shown["name"]?.stringValue)
    #expect(mask.hasPrefix("‹text-") && redaction.value("Jane") == .string(mask))
    #expect(shown.members?.map(\.name) == ["name", "tags", "ok", "none", "version"])
    #expect(shown["tags"]?.elements?.first == .string(mask))
    #expect(shown["tags"]?.elements?.last?["n"]?.stringValue?.hasPrefix("‹number-") == true)
    #expect(shown["ok"] == true && shown["none"] == .null)
    // The marker of the version tells of the app and not of a person.
    #expect(shown["version"] == 2)
    let document = redaction.document(["schema": "x", "v": CodedValue.json(.data(Array(text.utf8)))])
    #expect(document["v"]?["type"] == "data" && document["v"]?["redacted"] == true)
    #expect(CodedValue.value(["type": "data", "value": document["v"]?["value"] ?? .null]) == .data(bytes))
  }

  @Test("A number that is a person's own is masked where it stands for a version too")
  func version() throws {
    let text = #"{"alias":"J","email":"x","version":3,"children":3}"#
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(Self.container([try Self.preferences(["person": .string(text)])]))
    guard case .string(let shown) = redaction.value(.string(text)) else { return #expect(Bool(false)) }
    #expect(try JSONText(shown).value["children"]?.stringValue?.hasPrefix("‹number-") == true)
  }

  @Test("Data that is no JSON is one mask, as before")
  func bytes() throws {
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(Self.container([try Self.preferences(["blob": .data([0xFF, 1, 2])])]))
    #expect(redaction.value(.data([0xFF, 1, 2])) == "‹data-1›")
  }

  private static let ids = [
    "550E8400-E29B-41D4-A716-446655440000", "4711", "42", "7", "alice", "al", "A", "alice@example.com", "a-b-c", "u_42",
    "žofie", "Jane Roe", #"a"b\c"#, "x/y", "session", "store", "true", "d41d8cd98f00b204e9800998ecf8427e", "a.b", "日本",
    "user-17",
  ]

  @Test("a visitor's id that is a name in the file of decisions is masked, whatever it looks like (C8)", arguments: ids)
  func names(_ id: String) throws {
    let key = "10022898-10025986-" + id
    let json: JSONValue = .object([
      JSONMember("store", .object([JSONMember(key, ["bucketing": ["100218245": "100299457"]])])),
      JSONMember("order", [.string(key)]),
    ])
    for mirror in [id, nil] {
      var keys: PropertyListDictionary = ["launchCount": 17]
      if let mirror { keys[ConvertNames.visitorMirror] = .string(mirror) }
      let container = Self.container([
        Store(
          path: "Library/Application Support/convert-decision-store.json", content: .json(try JSONText(json.text()))),
        try Self.preferences(keys),
      ])
      var redaction = Redaction(recipes: Recipe.builtIn)
      redaction.learn(container)
      let shown = redaction.json(json)
      let name = try #require(shown["store"]?.members?.first?.name)
      #expect(name.hasPrefix("10022898-10025986-‹") && name.hasSuffix("›"), "\(name)")
      #expect(shown["order"]?.elements?.first == .string(name))
      #expect(shown["store"]?[name]?["bucketing"]?.members?.map(\.name) == ["100218245"])
      // The same visitor has the same mask where the id stands by itself.
      #expect(redaction.value(.string(id)) == .string(String(name.dropFirst("10022898-10025986-".count))))
      guard case .json(let masked)? = redaction.container(container).stores.first?.content else {
        return #expect(Bool(false))
      }
      #expect(masked.value["store"]?.members?.map(\.name) == [name])
      #expect(redaction.text("at \(key), and on") == "at \(name), and on")
    }
  }

  @Test("A file of decisions that is not of the SDK's form gives away no visitor either")
  func malformed() throws {
    let json: JSONValue = ["store": ["alice": 1, "1-2-bob": 2], "order": ["1-2-carol", "dave"]]
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(
      Self.container([
        Store(
          path: "Library/Application Support/convert-decision-store.json", content: .json(try JSONText(json.text())))
      ]))
    let shown = redaction.json(json).text()
    for name in ["alice", "bob", "carol", "dave"] { #expect(!shown.contains(name), "\(shown)") }
  }
}
