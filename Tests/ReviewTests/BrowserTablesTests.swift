@testable import Carryover
@testable import CarryoverReview

@Suite("Browsing tables, and containers that are watched") struct BrowserTablesTests {
  private let path = "AppData/Documents/shop.sqlite"

  private func database(_ count: DatabaseTable.RowCount = .exactly(2)) -> Container {
    var store = Store(path: path, content: .database([:]), size: 8192)
    let columns = [
      DatabaseTable.Column(name: "email", type: "TEXT", isKey: true), .init(name: "state", type: "", isKey: false),
    ]
    let rows: PropertyListDictionary = [
      "ada@example.com": ["email": "ada@example.com", "state": #"{"beta":true}"#],
      "bob@example.com": ["email": "bob@example.com", "state": .null],
    ]
    store.tables = DatabaseTables(
      tables: [DatabaseTable(name: "users", columns: columns, rows: rows, count: count)],
      notices: ["1 view was not read."])
    return container([store, preferences(nestedPath, ["theme": "dark", "list": ["a", "b"], "gone": 1])])
  }

  @Test func `a database opens to its tables, rows and values, packed ones too`() throws {
    var browsing = Browsing(database(.exactly(52_310)), columns: 120)
    browsing.type("/ada<enter>", shows: "ada@example.com")
    #expect(browsing.lines.contains { $0.contains("shop.sqlite") && $0.contains("SQLite") && $0.contains("1 table") })
    #expect(
      browsing.lines.contains { $0.contains("users") && $0.contains("table") && $0.contains("first 2 of 52,310") })
    let row = try #require(browsing.lines.first { $0.contains("ada@example.com") && $0.contains(" row ") })
    #expect(row.contains("email ada@"))
    browsing.type("<esc>/beta<enter>")
    #expect(try #require(browsing.selected).contains("true"))
    browsing.type("<esc>/nowhere<enter>")
    #expect(
      browsing.state.message?.hasSuffix("rows of 1 table were not read.") == true, "\(browsing.state.message ?? "")")
  }

  @Test func `the details of a table list its columns, those of the database what was not read`() throws {
    var browsing = Browsing(database(), columns: 80)
    browsing.type("f" + "users<enter>jji")
    #expect(browsing.text.contains("by primary key") && browsing.text.contains("TEXT"), "\(browsing.text)")
    browsing.type("<esc>ki", shows: "1 view was not read.")
  }

  @Test func `the review reads databases when its stores are opened, once for each state of the container`() {
    var read = database()
    read.unread = UnreadFiles()
    let planned = container(Array(read.stores.dropFirst()))
    var session = Session(container: planned, typing: "b")
    #expect(session.effects == [.readStores] && !session.text.contains("shop.sqlite"), "\(session.text)")
    session.send(.stores(read))
    session.type("/ada<enter>", shows: "ada@example.com")
    session.type("<esc>qb", then: \.effects, is: [.readStores])
    session.send(.reopened(planned))
    session.type("qb")
    #expect(session.effects.filter { $0 == .readStores }.count == 2, "\(session.effects)")
  }

  @Test func `masked, no row is named by a value that is masked`() throws {
    var redaction = Redaction(recipes: [])
    redaction.learn(database())
    let state = BrowserState(
      database(), size: Size(columns: 120, rows: 40), options: ReviewOptions(redaction: redaction))
    var browsing = Browsing(database())
    browsing.state = state
    browsing.type("/email<enter>")
    #expect(!browsing.text.contains("ada") && browsing.text.contains("‹email-"), "\(browsing.text)")
  }

  @Test func `what changes while it is watched is marked with what is around it, and the cursor stays`() throws {
    var browsing = Browsing(database(), columns: 120)
    browsing.type("/dark<enter><esc>")
    let selected = try #require(browsing.selected)
    #expect(selected.contains("theme"))
    var changed = database()
    changed.stores[1] = preferences(nestedPath, ["list": ["a", "zeta"], "theme": "dark"])
    let list = InspectedPath(store: nestedPath, labels: [.name("list"), .index(1)])
    browsing.state.reload(
      changed, marking: [list, InspectedPath(store: nestedPath)], at: Moment(secondsSince1970: 1_763_640_000))
    #expect(
      try #require(browsing.selected).contains("theme")
        && browsing.state.marking(of: browsing.state.outline.rows[0]) == nil)
    let marked = browsing.lines.filter { $0.contains("~") }
    #expect(
      marked.count == 2 && marked.contains { $0.contains("com.acme.shop.plist") }
        && marked.contains { $0.contains("list") }, "\(browsing.text)")
    #expect(browsing.state.message == "2 changes at 14:00:00, the last in “com.acme.shop.plist”.")
    browsing.type("/zeta<enter>", shows: "~", "changed by the app", "Before")
    browsing.state.changed = Set((0..<20_000).map { InspectedPath(store: nestedPath, labels: [.index($0)]) })
    #expect(browsing.state.changed.count <= BrowserState.mostChanged)
  }

  @Test func `a run of the user is no change by the app, whose marks stay`() {
    func container(_ theme: String, _ list: PropertyListValue) -> Container {
      var container = database()
      container.stores[1] = preferences(nestedPath, ["list": list, "theme": .string(theme)])
      return container
    }
    var browsing = Browsing(database(), columns: 120)
    browsing.state.isWatched = true
    func path(_ labels: InspectedChild.Label...) -> InspectedPath { InspectedPath(store: nestedPath, labels: labels) }
    let (theme, added) = (path(.name("theme")), path(.name("list"), .index(2)))
    let moment = Moment(secondsSince1970: 1_763_640_000)
    browsing.state.reload(container("dark", ["a", "b", "new"]), marking: [added], at: moment)
    browsing.type("/new<enter><esc>", shows: "added by the app", "watching")
    let after = container("light", ["a", "b", "new"])
    var report = RunReport(kind: .edit, runID: "20251120T120500Z-1", outcomes: [], files: [nestedPath])
    report.changes = [
      PlannedChange(change: ValueChange(theme, .typed("light", nil)), before: "dark", after: "light")
    ]
    browsing.state.finish(.success(report), after)
    browsing.type("<esc>")
    browsing.state.reload(after, marking: [theme], at: moment)
    #expect(browsing.state.changed.contains(added) && !browsing.state.changed.contains(theme))
    // Another value of the same key is news, and so is the written one from then on.
    browsing.state.reload(container("blue", ["a", "b", "new"]), marking: [theme], at: moment)
    #expect(browsing.state.changed.contains(theme))
  }

  @Test func `what was not read is said of the container as it was read last`() {
    var browsing = Browsing(database(.exactly(52_310)))
    browsing.state.reload(database())
    browsing.type("/nowhere<enter>")
    #expect(browsing.state.message?.contains("were not read") == false, "\(browsing.state.message ?? "")")
  }

  @Test func `nothing is added to a database, changed or removed in it`() {
    let changing = StoreChanging(backups: "", rollback: ShellCommand("carryover", "rollback"), readOnly: nil)
    for place in ["/ada<enter>", "/users<enter>", "/beta<enter>"] {
      for key in ["+", "e", "E", "D"] {
        let browsing = Browsing(database(), changing: changing, typing: place + key)
        #expect(browsing.state.screen == .stores && browsing.state.message == "SQLite databases are read-only here.")
      }
    }
  }
}

private func preferences(_ path: String, _ root: PropertyListValue) -> Store { store(path, root) }
