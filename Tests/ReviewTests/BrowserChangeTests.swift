@testable import Carryover
@testable import CarryoverReview

@Suite("Changing values in the stores") struct BrowserChangeTests {
  private static let changing = StoreChanging(
    backups: "/cases/4711/Acme.xcappdata/.carryover/runs",
    rollback: ShellCommand("carryover", "rollback", "Acme.xcappdata"), readOnly: nil)

  private func browsing(_ readOnly: String? = nil, typing script: String = "") -> Browsing {
    let changing = StoreChanging(
      backups: Self.changing.backups, rollback: Self.changing.rollback, readOnly: readOnly)
    return Browsing(changing: changing, typing: "<enter>" + script)
  }

  private func path(_ labels: InspectedChild.Label...) -> InspectedPath {
    InspectedPath(store: nestedPath, labels: labels)
  }

  private var tier: InspectedPath { path(.name("rl_traits"), .name("plan"), .name("tier")) }

  @Test func `a value is edited by its type, marked, previewed, and written as one run`() throws {
    var browsing = browsing(typing: "/tier<enter>e")
    #expect(browsing.state.screen == .storesEditor && browsing.state.stack.typing?.text == "gold")
    browsing.type("<c-u>silver", shows: "Edit rl_traits.plan.tier (text)", "Valid.")
    browsing.type("<enter>", shows: "silver", "1 change not written")
    #expect(browsing.state.message?.contains("1 value to change") == true)
    #expect(browsing.effects.isEmpty)
    #expect(browsing.lines.contains { $0.contains("~") && $0.contains("tier") })
    #expect(browsing.lines.contains { $0.contains("~") && $0.contains("com.acme.shop.plist") })
    browsing.type(
      "a", shows: "Nothing is written yet", "- rl_traits.plan.tier", "gold", "+ rl_traits.plan.tier", "silver")
    browsing.type("y", then: \.effects, is: [.change])
    #expect(browsing.state.changePlan?.changes.map(\.change) == [ValueChange(tier, .typed("silver", nil))])
  }

  @Test func `in 80 columns, the footer has edit, and the preview once there are changes`() {
    var browsing = Browsing(columns: 80, changing: Self.changing, typing: "<enter>/tier<enter><esc>")
    func labels() -> [String] { browsing.state.hints(columns: 80).map(\.label) }
    #expect(labels().contains("edit") && !labels().contains("preview"))
    browsing.type("e<c-u>silver<enter>")
    #expect(labels().contains("edit") && labels().contains("preview"))
  }

  @Test func `after a removal the cursor is on the next value beside it, else on the one before or around`() {
    let keys: PropertyListValue = ["around": ["one": 1, "two": 2, "three": 3], "last": 1]
    var browsing = Browsing(container([store(nestedPath, keys)]), changing: Self.changing, typing: "/two<enter><esc>")
    let cursor = browsing.state.cursor
    browsing.type("D", then: \.state.cursor, is: cursor)
    #expect(browsing.selected?.contains("three") == true, "\(browsing.text)")
    browsing.type("D", then: \.state.cursor, is: cursor - 1)
    #expect(browsing.selected?.contains("one") == true, "\(browsing.text)")
    browsing.type("D", then: \.state.cursor, is: cursor - 2)
    #expect(browsing.selected?.contains("around") == true, "\(browsing.text)")
    #expect(browsing.state.draft.changes.count == 3)
  }

  @Test func `the name of an undone or redone change is escaped once`() {
    let keys: PropertyListValue = ["a\"b\\c\n": 1]
    var browsing = Browsing(container([store(nestedPath, keys)]), changing: Self.changing, typing: "jD")
    let name = #""a\"b\\c\n""#
    browsing.type("u", shows: "Undone: \(name).")
    browsing.type("<c-r>", shows: "Redone: \(name).")
  }

  @Test func `text that does not suit the type is not taken, and the type can be changed`() {
    var browsing = browsing(typing: "/rl_session_id<enter>e<c-u>soon")
    browsing.type("<enter>", shows: "Not an integer.")
    #expect(browsing.state.screen == .storesEditor && browsing.state.draft.changes.isEmpty)
    browsing.type("<c-t><c-t><c-t><c-t><c-t>", then: \.state.editing?.type, is: .text)
    browsing.type(
      "<enter>", then: \.state.draft.changes,
      is: [
        ValueChange(path(.name("rl_session_id")), .typed("soon", .text))
      ])
    #expect(browsing.state.draft.plan?.changes.map(\.after) == ["soon"])
  }

  @Test func `text that is JSON is changed only to JSON, as with carryover set`() {
    let keys: PropertyListValue = ["config": #"{"a":1}"#, "note": "x"]
    var browsing = Browsing(
      container([store(nestedPath, keys)]), changing: Self.changing, typing: "/config<enter><esc>")
    browsing.type("e<c-u>{", shows: "is JSON text")
    browsing.type("<enter>")
    #expect(browsing.state.screen == .storesEditor && browsing.state.draft.changes.isEmpty)
    browsing.type("}<enter>")
    #expect(browsing.state.changePlan?.changes.map(\.after) == ["{}"])
    browsing.type("/note<enter><esc>e<c-u>{<enter>")
    #expect(browsing.state.changePlan?.changes.map(\.after) == ["{}", "{"])
  }

  @Test func `a value counts once however often it is edited, and not with its present value`() {
    var browsing = browsing(typing: "/tier<enter>e<enter>")
    #expect(browsing.state.message?.hasPrefix("Nothing to change.") == true)
    #expect(!browsing.text.contains("not written"))
    browsing.type("e<c-u>silver<enter>e<c-u>bronze<enter>", shows: "1 change not written")
    #expect(browsing.state.message?.hasPrefix("1 value to change.") == true)
    #expect(browsing.state.changePlan?.changes.map(\.before) == ["gold"])
    browsing.type("q", shows: "1 change is not written")
    browsing.type("<esc>e<c-u>gold<enter>")
    #expect(!browsing.text.contains("not written"))
    browsing.type("q", then: \.effects, is: [.leave])
  }

  private func withTier(_ tier: String) -> Container {
    container([store(nestedPath, ["rl_traits": .string(#"{"plan":{"tier":"\#(tier)"}}"#), "x": 1])])
  }

  @Test func `after a failure, the preview shows the values that are there now`() {
    var browsing = browsing(typing: "/tier<enter>e<c-u>silver<enter>ay")
    #expect(browsing.state.changePlan?.changes.map(\.before) == ["gold"])
    browsing.state.finish(.failure(ReviewFailure(message: "The stores changed.", remedy: "")), withTier("platinum"))
    browsing.type("", shows: "The stores changed.")
    browsing.type("<esc>a", shows: "Nothing is written yet", "platinum", "silver")
    #expect(browsing.state.changePlan?.changes.map(\.before) == ["platinum"] && !browsing.text.contains("gold"))
  }

  @Test func `a preview is closed when the app changes what it shows, and lost changes are said`() {
    var browsing = browsing(typing: "/tier<enter>e<c-u>silver<enter>a")
    browsing.state.reload(nestedContainer())
    #expect(browsing.state.screen == .storesPreview)
    let moment = Moment(secondsSince1970: 1_763_640_000)
    browsing.state.reload(withTier("platinum"), marking: [tier], at: moment)
    #expect(browsing.state.screen == .stores)
    #expect(browsing.state.message?.hasPrefix("The app changed a value.") == true)
    browsing.type("y")
    #expect(!browsing.effects.contains(.change))
    browsing.state.reload(container([store(nestedPath, ["x": 1])]))
    #expect(browsing.state.message == "1 change can no longer be made." && browsing.state.draft.changes.isEmpty)
  }

  @Test func `a saved preview hides the secrets that are not shown, and their removal can still be made`() throws {
    func saved(_ browsing: Browsing) throws -> String {
      try #require(BrowserState.table[.storesPreview].saving?.text(browsing.state, "changes.json"))
    }
    let removal = try saved(browsing(typing: "/rl_auth_token<enter>D"))
    #expect(!removal.contains("hunter2"))
    #expect(try ChangeDocument.changes(Array(removal.utf8), in: nestedContainer()).map(\.new) == [.removed])
    var edited = browsing(typing: "/rl_auth_token<enter>Se<c-u>new-token<enter>")
    #expect(try saved(edited).contains("hunter2"))
    edited.type("S")
    let hidden = try saved(edited)
    #expect(!hidden.contains("hunter2") && !hidden.contains("new-token") && hidden.contains("\"secret\""))
  }

  @Test func `keys and elements are added and removed, undone and redone`() throws {
    var browsing = browsing(typing: "/rl_session_id<enter>D")
    #expect(!browsing.lines.dropLast(3).contains { $0.contains("rl_session_id") })
    #expect(browsing.state.message?.contains("1 value to remove") == true)
    browsing.type("u", shows: "rl_session_id")
    #expect(browsing.state.draft.changes.isEmpty)
    browsing.type("<c-r>", then: \.state.draft.changes.count, is: 1)
    browsing.type("u+", then: \.state.screen, is: .storesName)
    browsing.type("count<enter><c-t>7<enter>")
    #expect(browsing.state.draft.changes == [ValueChange(path(.name("count")), .typed("7", .integer))])
    #expect(try #require(browsing.selected).contains("count"))
    browsing.type("+count", shows: "This key already exists")
    browsing.type("<enter>", then: \.state.screen, is: .storesName)
    #expect(browsing.state.message?.contains("This key already exists") == true)
    browsing.type("<esc>/basket<enter><right>+", then: \.state.screen, is: .storesEditor)
    browsing.type("new<enter>")
    #expect(browsing.state.draft.changes.last == ValueChange(path(.name("basket"), .index(2)), .typed("new", .text)))
  }

  @Test func `leaving with changes asks, and a run's result offers the rollback`() throws {
    var browsing = browsing(typing: "/tier<enter>D")
    browsing.type("q", shows: "1 change is not written", "carryover set --from")
    #expect(browsing.effects.isEmpty)
    browsing.type("<esc>", then: \.state.screen, is: .stores)
    browsing.type("qy", then: \.effects, is: [.leave])
    let report = RunReport(
      kind: .edit, runID: "20251120T120500Z-1", outcomes: [FieldOutcome(field: "rl_traits", outcome: .migrated)],
      files: [nestedPath])
    browsing.state.finish(.success(report), nestedContainer())
    #expect(browsing.state.draft.changes.isEmpty && browsing.state.screen == .storesResult)
    browsing.type("", shows: "Changed", "20251120T120500Z-1", "carryover rollback Acme.xcappdata")
    browsing.type("R", then: \.effects.last, is: .loadRollback)
    browsing.state.preview(largeRollback(3))
    #expect(browsing.state.screen == .storesRollback)
    browsing.state.finish(.failure(ReviewFailure(message: "The disk is full.", remedy: "")), nil)
    browsing.type("", shows: "The disk is full.")
    browsing.type("<esc>H", then: \.effects.last, is: .loadHistory)
    browsing.state.list(RunListing(runs: sampleRuns))
    browsing.type("", shows: "in effect", "--run ID --only KEY")
  }

  @Test func `nothing is changed in the review, with masks, in a read-only container, or of a hidden secret`() {
    var embedded = Browsing(isEmbedded: true, typing: "<enter>/tier<enter>e")
    #expect(embedded.state.message?.contains("carryover browse") == true)
    embedded.type("D+u")
    #expect(embedded.state.draft.changes.isEmpty && embedded.effects.allSatisfy { $0 == .bell })
    var archived = browsing("Read-only archive.", typing: "/tier<enter>D")
    #expect(archived.state.message == "Read-only archive." && archived.state.draft.changes.isEmpty)
    archived.type("ea")
    #expect(archived.effects.allSatisfy { $0 == .bell })
    var secret = browsing(typing: "/rl_auth_token<enter>e")
    #expect(secret.state.message?.contains("This is a secret") == true)
    secret.type("Se", then: \.state.stack.typing?.text, is: "hunter2")
    secret.type("<c-u>new<enter>a", shows: "hunter2", "new")
    secret.type("<esc>S")
    secret.type("a", shows: "(secret)")
    #expect(!secret.text.contains("hunter2"))
  }

  @Test func `text from the user's editor is a change, and a reload keeps what still can be made`() {
    var browsing = browsing(typing: "/tier<enter>E")
    #expect(browsing.effects == [.errand(.edit("gold", name: "value.txt"))])
    browsing.send(.answer(.edited("two\nlines")))
    #expect(browsing.state.draft.changes == [ValueChange(tier, .typed("two\nlines", nil))])
    browsing.type("/rl_session_id<enter>D")
    browsing.state.reload(container([store(nestedPath, ["rl_traits": #"{"plan":{"tier":"gold"}}"#, "x": 1])]))
    #expect(browsing.state.draft.changes.map(\.path) == [tier])
  }
}
