import Carryover
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Beginning at a named place")
struct BeginningPlaceTests {
  @Test("The review begins at a named field, and without one at the first that waits for a decision")
  func field() throws {
    let plan = try samplePlan("AcmeShop")
    let size = Size(columns: 100, rows: 30)
    let usual = ReviewState(plan: plan, size: size, backupLocation: "/x")
    #expect(usual.cursor == "user_id")
    let last = try #require(plan.fields.last?.id)
    #expect(usual.cursor != last)
    let state = ReviewState(plan: plan, size: size, backupLocation: "/x", field: last)
    #expect(state.cursor == last)
    #expect(state.screen == .review)
    let unknown = ReviewState(plan: plan, size: size, backupLocation: "/x", field: "?")
    #expect(unknown.cursor == usual.cursor)
  }

  private static let container = Container(
    kind: .folder, root: "/box", dataFolder: "", bundleID: "com.acme.shop",
    stores: [
      store("Library/Preferences/com.acme.shop.plist"), store("Library/Caches/com.acme.shop.plist"),
      store("Library/Preferences/other.plist"),
    ], stateDirectory: "/box/.carryover")

  private static func store(_ path: String) -> Store {
    let root: PropertyListValue = [
      "plain": "1", "a.b": ["x": "2"], "list": [["deep": "3"], "4"], "quo\"te": "5",
      "json": #"{"userId":42,"lines":["one","two"]}"#,
    ]
    guard let bytes = try? PropertyListDocument.encode(root, as: .binary),
      let document = try? PropertyListDocument(bytes: bytes)
    else { return Store(path: path, content: .unreadable("")) }
    return Store(path: path, content: .document(document))
  }

  @Test(
    "A key is named as paths are shown, packed and nested ones too",
    arguments: [
      ("plain", [.name("plain")]), ("a.b", [.name("a.b")]), (#""a.b".x"#, [.name("a.b"), .name("x")]),
      ("list[0].deep", [.name("list"), .index(0), .name("deep")]), ("list[1]", [.name("list"), .index(1)]),
      (#""quo\"te""#, [.name("quo\"te")]), ("quo\"te", [.name("quo\"te")]),
      ("json.lines[1]", [.name("json"), .name("lines"), .index(1)]), ("", []),
    ] as [(String, [InspectedChild.Label])])
  func key(text: String, labels: [InspectedChild.Label]) throws {
    let path = try StoreLink(in: Self.container).path("other.plist:" + text)
    #expect(path == InspectedPath(store: "Library/Preferences/other.plist", labels: labels))
    #expect(try StoreLink(in: Self.container).path(path.text) == path, "what is printed leads back")
    let state = BrowserState(Self.container, size: Size(columns: 100, rows: 30), at: path)
    let row = try #require(state.selectedRow)
    #expect(state.outline.path(row) == path)
  }

  @Test("What names nothing is answered with the nearest, and several stores with their paths")
  func failures() throws {
    func failure(_ text: String) throws -> StoreLink.Failure {
      try #require(throws: StoreLink.Failure.self) { try StoreLink(in: Self.container).path(text) }
    }
    #expect(try failure("othr.plist:plain") == .init(problem: .noStore, nearest: "other.plist"))
    #expect(try failure("other.plist:plian").nearest == "plain")
    #expect(try failure("other.plist:json.userid").nearest == "userId")
    #expect(try failure("other.plist:list[2]").problem == .noKey(store: "Library/Preferences/other.plist"))
    #expect(try failure("other.plist:plain.more").problem == .noKey(store: "Library/Preferences/other.plist"))
    let both = ["Library/Preferences/com.acme.shop.plist", "Library/Caches/com.acme.shop.plist"]
    #expect(try failure("com.acme.shop.plist:plain").problem == .severalStores(both))
    #expect(
      try StoreLink(in: Self.container).path("Caches/com.acme.shop.plist: plain").store
        == "Library/Caches/com.acme.shop.plist")
    #expect(try failure("").problem == .noStore)
    let deep = "other.plist:list" + String(repeating: "[0]", count: 100_000)
    #expect(try failure(deep).problem == .noKey(store: "Library/Preferences/other.plist"))
  }
}
