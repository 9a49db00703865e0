@testable import Carryover
@testable import CarryoverReview

@Suite("Choosing a container") struct PickerTests {
  @Test func `every container has its bundle id, name, form, files, how many are missing, and path`() {
    let lines = Picking(columns: 140).lines
    #expect(lines[3].contains("▸com.acme.shop") && lines[3].contains("Acme Shop") && lines[3].contains("folder"))
    #expect(lines[3].contains("214, 3 missing"))
    #expect(lines[5].contains("xcappdata") && lines[5].contains("exports/old/Shop 4.1.xcappdata"))
  }

  @Test func `the columns are as wide as what stands in them, and names and files that nobody has take no room`() {
    let many = (0..<3).map {
      ContainerCandidate(
        path: "Findings/identity.user-id-not-string-\($0).xcappdata", kind: .xcappdata, bundleID: "com.acme.shop",
        name: "identity.user-id-not-string-\($0).xcappdata")
    }
    for columns in [80, 120] {
      let lines = Picking(many, columns: columns, rows: 24).lines
      #expect(lines[4].contains("Findings/identity.user-id-not-string-1.xcappdata"), "\(columns) columns")
      #expect(!lines[2].contains("Files"))
      #expect(lines[2].contains("Name") == (columns == 80))
    }
    let app = ContainerCandidate(path: "com.a", kind: .folder, bundleID: "com.a", name: "com.a", files: 2)
    #expect(Picking([app], columns: 80, rows: 24).lines[3].split(separator: "com.a").count == 2, "said once")
  }

  @Test func `a filter keeps what holds every word, whatever its case, and enter opens what the cursor is on`() {
    var picking = Picking(typing: "j/ACME wal")
    #expect(picking.state.list.rows == [1] && picking.text.contains("1 of 4 containers"))
    picking.type("<enter><enter>", then: \.effects, is: [.choose(sampleCandidates[1])])
    picking.type("/<c-u>nothing", shows: "No container contains every word typed.")
    picking.type("<enter><enter>", then: \.effects.last, is: .bell)
    picking.type("/<esc>", then: \.state.list.rows.count, is: 4)
  }

  @Test func `Esc clears the filter and never quits`() {
    var picking = Picking(typing: "/acme<enter>")
    #expect(picking.state.list.rows.count == 3 && picking.lines.last?.contains("esc clear") == true)
    picking.type("<esc>")
    #expect(picking.state.list.rows.count == 4 && picking.effects.isEmpty)
    picking.type("<esc>")
    #expect(picking.effects == [.bell] && picking.text.contains("No filter is on; q quits."))
  }

  @Test func `q leaves without a choice, also in a window that is too small`() {
    var picking = Picking(typing: "jq")
    #expect(picking.effects == [.leave])
    picking.send(.resized(Size(columns: 10, rows: 3)))
    #expect(picking.text.contains("Too small"))
    picking.type("q", then: \.effects, is: [.leave, .leave])
  }

  @Test func `coming back from a container finds cursor, filter and place as they were; a failure is told`() {
    var picking = Picking(typing: "/acme<enter>j")
    let (cursor, shown) = (picking.state.list.selected, picking.state.list.rows)
    picking.type("<enter>")
    picking.state.opening()
    #expect(picking.text.contains("Opening…"))
    picking.state.comeBack(size: Size(columns: 80, rows: 20))
    #expect(
      picking.state.list.selected == cursor && picking.state.list.rows == shown && picking.state.screen == .containers)
    #expect(picking.lines.count == 20 && picking.lines.contains { $0.contains("▸") })
    picking.state.comeBack(
      size: Size(columns: 80, rows: 20),
      failure: ReviewFailure(message: "It could not be read.\u{1B}[2J", remedy: ""))
    #expect(picking.state.screen == .containersFailure && picking.text.contains("It could not be read."))
    #expect(!picking.text.contains("\u{1B}"))
    picking.type("q")
    #expect(picking.state.screen == .containers && picking.state.list.selected == cursor && picking.effects.count == 1)
  }

  @Test func `ten thousand containers scroll with the cursor in sight, and a new size keeps it`() {
    let many = (0..<10_000).map {
      ContainerCandidate(path: "app\($0)", kind: .folder, bundleID: "com.acme.app\($0)", name: "App \($0)")
    }
    var picking = Picking(many, columns: 80, rows: 24, typing: "G<pgup>k")
    #expect(picking.lines.filter { $0.contains("▸") }.count == 1)
    let selected = picking.state.selected
    picking.send(.resized(Size(columns: 60, rows: 16)))
    #expect(picking.state.selected == selected && picking.lines.contains { $0.contains("▸") })
    picking.type("?", shows: "Preview the changes to all listed")
  }
}

@Suite("Where a review begins") struct BeginningTests {
  @Test func `the cursor stands on the first field to decide, in sight; where there is none, on the first`() {
    #expect(Session(atFirstRow: false).state.cursor == "user_id")
    var plan = acmePlan()
    plan.fields.removeAll { $0.status == .needsDecision }
    #expect(Session(plan, atFirstRow: false).state.cursor == "anonymous_id")
    plan.fields = []
    #expect(Session(plan, atFirstRow: false).state.cursor == nil)
    plan = largePlan(200)
    plan.fields.removeAll { $0.status == .needsDecision && $0.id != "key_193" }
    let session = Session(plan, columns: 60, rows: 16, atFirstRow: false)
    #expect(session.lines.contains { $0.contains("▸") && $0.contains("key_193") })
  }

  @Test func `a decision taken before counts`() {
    #expect(Session(decisions: ["user_id": .skip], atFirstRow: false).state.cursor == "anonymous_id")
  }

  @Test func `after an apply and after a rollback it is there again, as soon as the new plan is`() {
    var session = Session(atFirstRow: false, typing: " Gay")
    session.send(.applied(.success(acmeReport)), then: \.state.cursor, is: "rudder.app_build")
    var settled = acmePlan()
    for row in settled.fields.indices { settled.fields[row].status = .unchanged }
    session.send(.replanned(settled))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.cursor == "anonymous_id")
    session.send(.rolledBack(.success(RunReport(kind: .rollback, runID: "r", outcomes: [], files: ["f"]))))
    session.send(.replanned(acmePlan()))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.cursor == "user_id")
  }

  @Test func `a run that failed leaves it where it was`() {
    var session = Session(atFirstRow: false, typing: " Gay")
    session.send(.applied(.failure(ReviewFailure(message: "No.", remedy: ""))))
    session.send(.replanned(acmePlan()))
    session.type("<esc>", then: \.state.cursor, is: "rudder.app_build")
  }

  @Test func `decisions that are taken up at the start count`() {
    var session = Session(largePlan(30), atFirstRow: false)
    #expect(session.state.cursor == "key_3")
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: ["key_3": .skip])))
    session.type("y", then: \.state.cursor, is: "key_13")
  }

  @Test func `what is no folder where the backups belong lets nobody apply or take back, and it says so and why`() {
    let occupied = OccupiedStateFolder(path: "/cases/\u{1b}x/.carryover", kind: .regular)
    var session = Session(lastRun: "r", occupied: occupied)
    session.send(.notice(occupied.notice))
    #expect(session.text.contains("no backup can be made"))
    session.type("n a", shows: "is a file, where a folder is needed", "--state-dir")
    session.type("y", then: \.effects, is: [.bell])
    session.type("<esc>R")
    session.send(.rollbackPlan(cleanPlan))
    #expect(session.text.contains("is a file, where a folder is needed"))
    session.type("y", then: \.effects.last, is: .bell)
  }
}

@Suite("Beginning at a named place") struct BeginningPlaceTests {
  @Test func `The review begins at a named field, and without one at the first that waits for a decision`() throws {
    let plan = try samplePlan("AcmeShop")
    let size = Size(columns: 100, rows: 30)
    let usual = ReviewState(plan: plan, size: size, backupLocation: "/x")
    #expect(usual.cursor == "user_id")
    let last = try #require(plan.fields.last?.id)
    #expect(usual.cursor != last)
    let state = ReviewState(plan: plan, size: size, backupLocation: "/x", field: last)
    #expect(state.cursor == last)
    #expect(state.screen == .review)
    #expect(ReviewState(plan: plan, size: size, backupLocation: "/x", field: "?").cursor == usual.cursor)
  }

  private static let container = Container([
    store("Library/Preferences/com.acme.shop.plist"), store("Library/Caches/com.acme.shop.plist"),
    store("Library/Preferences/other.plist"),
  ])

  private static func store(_ path: String) -> Store {
    let root: PropertyListValue = [
      "plain": "1", "a.b": ["x": "2"], "list": [["deep": "3"], "4"], "quo\"te": "5",
      "json": #"{"userId":42,"lines":["one","two"]}"#,
    ]
    return (try? Store(path, holding: root)) ?? Store(path: path, content: .unreadable(""))
  }

  @Test(
    arguments: [
      ("plain", [.name("plain")]), ("a.b", [.name("a.b")]), (#""a.b".x"#, [.name("a.b"), .name("x")]),
      ("list[0].deep", [.name("list"), .index(0), .name("deep")]), ("list[1]", [.name("list"), .index(1)]),
      (#""quo\"te""#, [.name("quo\"te")]), ("quo\"te", [.name("quo\"te")]),
      ("json.lines[1]", [.name("json"), .name("lines"), .index(1)]), ("", []), (#"a\.b"#, [.name("a.b")]),
    ] as [(String, [InspectedChild.Label])])
  func `A key is named as paths are shown, packed ones too`(text: String, labels: [InspectedChild.Label]) throws {
    let path = try Self.container.place("other.plist:" + text)
    #expect(path == InspectedPath(store: "Library/Preferences/other.plist", labels: labels))
    #expect(try Self.container.place(path.text) == path, "what is printed leads back")
    let state = BrowserState(Self.container, size: Size(columns: 100, rows: 30), at: path)
    let row = try #require(state.selectedRow)
    #expect(state.outline.path(row) == path)
  }

  @Test func `What names nothing is answered with the nearest, and several stores with their paths`() throws {
    func failure(_ text: String) throws -> ChangeError {
      try #require(throws: ChangeError.self) { try Self.container.place(text) }
    }
    func noValue(_ text: String, _ labels: [InspectedChild.Label], nearest: String? = nil) throws {
      guard case .noValue(let path, let near, _) = try failure(text) else {
        Issue.record("another error")
        return
      }
      #expect(path == InspectedPath(store: "Library/Preferences/other.plist", labels: labels))
      #expect(near == nearest)
    }
    #expect(try failure("othr.plist:plain") == .noStore("othr.plist", nearest: "other.plist"))
    try noValue("other.plist:plian", [.name("plian")], nearest: "plain")
    try noValue("other.plist:json.userid", [.name("json"), .name("userid")], nearest: "json.userId")
    try noValue("other.plist:list[2]", [.name("list"), .index(2)])
    try noValue("other.plist:plain.more", [.name("plain"), .name("more")])
    let both = ["Library/Preferences/com.acme.shop.plist", "Library/Caches/com.acme.shop.plist"]
    #expect(try failure("com.acme.shop.plist:plain") == .severalStores("com.acme.shop.plist", both))
    #expect(
      try Self.container.place("Caches/com.acme.shop.plist: plain").store
        == "Library/Caches/com.acme.shop.plist")
    guard case .noStore("", _) = try failure("") else {
      Issue.record("another error")
      return
    }
    let deep = "other.plist:list" + String(repeating: "[0]", count: 100_000)
    guard case .noValue(let path, _, _) = try failure(deep) else {
      Issue.record("another error")
      return
    }
    #expect(path.store == "Library/Preferences/other.plist")
  }
}
