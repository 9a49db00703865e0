@testable import CarryoverReview

@Suite("Browsing the stores") struct BrowserTests {
  @Test func `every store is listed: format, size and keys, or that it cannot be read and why; notices follow`() {
    var browsing = Browsing()
    #expect(browsing.lines[2].contains(" - Library/Preferences "))
    #expect(browsing.lines[3].contains("▸  + com.acme.shop.plist"))
    #expect(browsing.lines[3].contains("binary") && browsing.lines[3].contains("7 keys"))
    #expect(browsing.lines[4].contains("▲ broken.plist"))
    #expect(browsing.lines[4].contains("cannot be read"))
    #expect(browsing.lines[5].contains(" - Library ") && browsing.lines[6].contains(" rsDefaultsPersistence.plist"))
    #expect(browsing.lines[7].contains("▲ Library/Caches is a link"))
    #expect(browsing.lines[0].contains("3 stores · 1 unreadable"))
    browsing.type("j", shows: "the file ends in the middle")
    browsing.type("<right>")
    #expect(browsing.text.contains("ends in the middle of an object") && browsing.effects.last == .bell)
  }

  @Test func `keys have their type and value, moments are shown so, and packed values open in place (F6)`() throws {
    var browsing = Browsing(typing: "<enter>")
    let session = try #require(browsing.lines.first { $0.contains("rl_session_id") })
    #expect(session.contains("integer") && session.contains("1763640000  → 2025-11-20 12:00:00"))
    browsing.type("/tier<enter>")
    let tier = try #require(browsing.selected)
    #expect(tier.contains("tier") && tier.contains("string") && tier.contains("gold"))
    #expect(browsing.text.contains("rl_traits.plan.tier"))
    browsing.type("<esc>/frame<enter><right>")
    #expect(browsing.lines.contains { $0.contains("│") && $0.contains(" x ") && $0.contains("integer") })
  }

  @Test(arguments: [(99, false), (100, false), (120, true), (150, true)])
  func `the details open only where keys keep their room beside them`(columns: Int, hasDetails: Bool) {
    let key = String(repeating: "k", count: 30)
    var browsing = Browsing(container([store(nestedPath, [key: "value", "short": 1])]), columns: columns)
    #expect(browsing.lines.contains { $0.contains(" \(key) ") }, "\(browsing.text)")
    #expect(browsing.state.layout.isWide == hasDetails)
    browsing.type("<left>")
    #expect(browsing.state.layout.isWide == (columns >= 100), "with the store closed")
    let endless = String(repeating: "k", count: 300)
    browsing = Browsing(container([store(nestedPath, [endless: "value"])]), columns: columns)
    #expect(browsing.state.layout.isWide == hasDetails && browsing.text.contains("kkkkkkkkkkkkkk…k"))
  }

  @Test func `left closes, or goes to what the row is in; right opens, or goes in; enter does both`() throws {
    var browsing = Browsing()
    let closed = browsing.state.outline.rows
    browsing.type("<right>", then: \.state.outline.rows.count, is: closed.count + 7)
    browsing.type("<right>jjjjj<right><right>")
    #expect(try #require(browsing.selected).contains("[0]"))
    browsing.type("<left>")
    #expect(try #require(browsing.selected).contains("basket"))
    browsing.type("<left><left>", then: \.state.cursor, is: 1)
    browsing.type("<enter>", then: \.state.outline.rows, is: closed)
    browsing.type("<left>", then: \.state.cursor, is: 0)
    browsing.type("<left>")
    #expect(browsing.state.outline.rows.count == 4 && browsing.lines[2].contains("▸+ Library/Preferences"))
    #expect(browsing.lines[2].contains("2 stores"))
    browsing.type("<left>")
    #expect(browsing.state.message != nil)
  }

  @Test func `a search finds keys and values of closed stores, counts its matches and opens what hides them`() throws {
    var browsing = Browsing(typing: "/9F1C")
    #expect(browsing.state.matchWords == "1 of 2 matches")
    #expect(try #require(browsing.selected).contains("rl_anonymous_id"))
    browsing.type("<enter>n", then: \.state.matchWords, is: "2 of 2 matches")
    #expect(browsing.lines.filter { $0.contains("rl_anonymous_id") }.count >= 2)
    browsing.type("n")
    #expect(browsing.state.matchWords == "1 of 2 matches" && browsing.state.message == "The search wrapped around.")
    browsing.type("N", then: \.state.matchWords, is: "2 of 2 matches")
    browsing.type("<esc>")
    #expect(browsing.state.search == nil)
  }

  @Test func `a search lists its matches with store, key and text as it is typed; esc changes nothing`() throws {
    var browsing = Browsing(columns: 80, rows: 24, typing: "j")
    let (rows, cursor) = (browsing.state.outline.rows, browsing.state.cursor)
    browsing.type("/9F1C")
    #expect(browsing.state.screen == .storesSearch && browsing.state.topScreen == .storesMatches)
    #expect(
      browsing.lines[2].contains("com.acme.shop.plist: rl_anonymous_id") || browsing.lines[3].contains("9f1c2a7e"))
    #expect(browsing.lines.contains { $0.contains("rsDefaultsPersistence.plist: rl_anonymous_id  9f1c2a7e") })
    let marked = browsing.grid.lines.indices.reduce(0) { count, row in
      count + browsing.grid.cells(row).count { $0.style.role == .match }
    }
    #expect(marked == 8)
    browsing.type("<esc>")
    #expect(browsing.state.outline.rows == rows && browsing.state.cursor == cursor && browsing.state.search == nil)
    browsing.type("/nowhere<enter>")
    #expect(
      browsing.state.outline.rows == rows && browsing.text.contains("No key or visible value contains “nowhere”."))
    browsing.send(.paste("q"))
    #expect(browsing.state.outline.rows == rows && browsing.effects.last == .bell)
    browsing.type("<esc>/9F1C<enter>m")
    #expect(browsing.state.topScreen == .storesMatches && browsing.lines.last?.contains(" of 2 matches") == true)
    browsing.type("n<enter>")
    #expect(browsing.state.topScreen == .stores && browsing.state.matchWords.hasSuffix("of 2 matches"))
    #expect(try #require(browsing.selected).contains("rl_anonymous_id"))
  }

  @Test func `of a long value the line around the match is shown, wherever it is`() {
    let long =
      String(repeating: "漢字 ", count: 100_000) + "\na line with the needle in it\n"
      + String(repeating: "x", count: 9000)
    var browsing = Browsing(container([store("AppData/a.plist", ["key": .string(long)])]), columns: 80, rows: 24)
    browsing.type("/Needle")
    #expect(browsing.lines[2].contains("a.plist: key") && browsing.lines[2].contains("a line with the needle in it"))
  }

  @Test func `a match in a store whose file name others have too is named with its folder`() {
    let stores = ["Library/a/state.plist", "Library/b/state.plist", "Library/b/other.plist"].map {
      store($0, ["key": "needle"])
    }
    let browsing = Browsing(container(stores), columns: 80, rows: 24, typing: "/needle")
    for name in ["a/state.plist: key", "b/state.plist: key", "▸other.plist: key"] {
      #expect(browsing.text.contains(name), "\(browsing.text)")
    }
  }

  @Test func `a filter lists only stores and keys with a name that holds it, opened; esc lists all again`() {
    var browsing = Browsing(typing: "fanonymous")
    #expect(browsing.lines.contains { $0.contains("rl_anonymous_id") } && !browsing.text.contains("rl_traits"))
    #expect(!browsing.text.contains("broken.plist") && browsing.lines[0].contains("2 of 3 stores"))
    browsing.type("<enter>/9f1c<enter>nn", then: \.state.search?.matches.count, is: 2)
    browsing.type("<esc>")
    #expect(browsing.state.filter != nil && browsing.text.contains("filter: anonymous"))
    browsing.type("<esc>")
    #expect(browsing.text.contains("broken.plist") && browsing.lines[0].contains(" 3 stores"))
    #expect(browsing.selected?.contains("rl_anonymous_id") == true)
    browsing.type("f9f1c", shows: "No store or key has this name")
    browsing.type("<c-u>com.acme.shop<enter><enter>")
    #expect(browsing.text.contains("rl_traits") && !browsing.text.contains("rsDefaults"))
    browsing.type("<c-u>")
  }

  @Test func `the app's own stores come first, then its suites, its other files and others'; s lists otherwise`() {
    let folder = "AppData/Library/Preferences/"
    let names = [
      "com.google.maps.plist", "cache.plist", "com.acme.shop.widget.plist", "com.acme.shop.plist", "a.b.c.d.plist",
    ]
    let stores = names.enumerated().map { number, name in
      var entries: [PropertyListDictionary.Entry] = []
      for key in 0...number { entries.append(.init(key: "k\(key)", value: .integer(PropertyListInteger(Int64(key))))) }
      return store(folder + name, .dictionary(PropertyListDictionary(entries: entries)))
    }
    var browsing = Browsing(container(stores))
    func listed() -> [String] { browsing.state.outline.rootPlaces.map(\.root.fileName) }
    #expect(
      listed() == [
        "com.acme.shop.plist", "com.acme.shop.widget.plist", "cache.plist", "a.b.c.d.plist", "com.google.maps.plist",
      ])
    browsing.type("s")
    #expect(listed() == names.sorted() && browsing.text.contains("Stores · by name"))
    #expect(browsing.selected?.contains("com.acme.shop.plist") == true)
    browsing.type("ss")
    #expect(listed() == Array(names.reversed()) && browsing.text.contains("by number of keys"))
    browsing.type("s", then: \.state.outline.order, is: .own)
    #expect(browsing.state.message == "Stores with the app's own first.")
    var nameless = container(stores)
    nameless.bundleID = nil
    let unknown = Browsing(nameless, typing: "ssss")
    #expect(unknown.state.outline.order == .own && unknown.state.message == "Stores in their first order.")
  }

  @Test func `a secret is neither shown, found, copied nor opened before S asks for it`() {
    var browsing = Browsing(typing: "/hunter2")
    #expect(browsing.state.matchWords == "no match")
    browsing.type("<esc>/auth_token<enter>")
    for script in ["", "i", "<esc>", "c", "<enter>"] {
      browsing.type(script)
      #expect(!browsing.text.contains("hunter2"))
    }
    #expect(!browsing.effects.contains { if case .copy = $0 { true } else { false } })
    browsing.type("<esc>S", shows: "hunter2")
    browsing.type("c", then: \.effects.last, is: .copy("hunter2"))
    browsing.type("S")
    #expect(!browsing.text.contains("hunter2"))
  }

  @Test func `what contains a secret is not copied as a whole, and its details mask it`() {
    var browsing = Browsing(container([store("a.plist", ["outer": ["rl_auth_token": "hunter2", "b": 1]])]))
    browsing.type("jc")
    #expect(browsing.effects == [.bell] && browsing.text.contains("contains the secret rl_auth_token"))
    browsing.type("i")
    #expect(browsing.text.contains("(secret)") && !browsing.text.contains("hunter2"))
  }

  @Test(arguments: [
    ("rl_session_id", "1763640000", ": rl_session_id"), ("tier", "gold", ": rl_traits.plan.tier"),
    ("rl_traits", #"{"email":"ada@acme.test","plan":{"tier":"gold","since":2019}}"#, ": rl_traits"),
    ("sku", "A1", ": basket[0].sku"),
  ])
  func `c copies the value, Y its path`(query: String, value: String, path: String) {
    var browsing = Browsing(typing: "/\(query)<enter>c")
    #expect(browsing.effects.last == .copy(value))
    browsing.type("Y", then: \.effects.last, is: .copy(nestedPath + path))
  }

  @Test func `a property-list container is copied as XML, and what is too long not at all`() {
    let browsing = Browsing(typing: "/basket<enter>c")
    guard case .copy(let text) = browsing.effects.last else { return #expect(Bool(false), "nothing was copied") }
    #expect(text.contains("<key>sku</key>"))
    var long = Browsing(container([store("a.plist", ["a": .string(String(repeating: "x", count: 1 << 20))])]))
    long.type("jc")
    #expect(long.effects == [.bell] && long.text.contains("too long for the clipboard"))
  }

  @Test func `the details show bytes as hex with text, and moments in UTC and local time`() {
    var browsing = Browsing(columns: 80, rows: 24, typing: "/icon<enter>i")
    #expect(browsing.text.contains("000020  20 21 22 23 24 25 26 27 28"))
    #expect(browsing.text.contains(" !\"#$%&'("))
    browsing.type("<esc>/session<enter>i", shows: "2025-11-20 12:00:00 UTC", "2025-11-20 14:00:00 local time (+02:00)")
    browsing.type("[<esc>/traits<enter>i", shows: #""tier": "gold","#, "JSON in a string")
  }

  @Test func `read again, the same values are open and selected, by path`() throws {
    var browsing = Browsing(typing: "/tier<enter><esc>")
    let before = browsing.text
    browsing.state.reload(nestedContainer())
    #expect(browsing.text == before)
    var changed = nestedContainer()
    changed.stores.insert(store("AppData/A.plist", [:]), at: 0)
    browsing.state.reload(changed)
    #expect(try #require(browsing.selected).contains("tier"))
    changed.stores.removeAll { $0.path == nestedPath }
    browsing.state.reload(changed)
    #expect(browsing.selected != nil)
    browsing.state.reload(container([]))
    #expect(browsing.text.contains("The container has no stores."))
    browsing.type("jkgG<enter>i<left><right>/cnNSY")
  }

  @Test func `of a hundred thousand keys only those in sight are laid out, and rows are made when they are opened`() {
    let entries = (0..<100_000).map { PropertyListDictionary.Entry(key: "key_\($0)", value: .string("value \($0)")) }
    let many = PropertyListValue.dictionary(PropertyListDictionary(entries: entries))
    var browsing = Browsing(container([store("a.plist", ["inner": many]), store("b.plist", ["key": "value 77777"])]))
    #expect(browsing.state.outline.rows.count == 3)
    browsing.type("<right>", then: \.state.outline.rows.count, is: 4)
    browsing.type("j<right>", then: \.state.outline.rows.count, is: 100_004)
    for script in ["G", "<pgup>", "g", "jjj", "<pgdn>", "<end>", "kk"] {
      browsing.type(script)
      #expect(browsing.state.page.lines.count <= browsing.state.layout.rows.count + 40)
      #expect(browsing.lines.contains { $0.contains("▸") })
    }
    #expect(browsing.state.outline.rows.count == 100_004)
    browsing.type("g/value 77777<enter>", then: \.state.matchWords, is: "1 of 2 matches")
    #expect(browsing.state.outline.rows.count == 100_004)
    browsing.type("gj<left>", then: \.state.outline.rows.count, is: 3)
  }

  @Test func `one store is open at once`() {
    #expect(Browsing(container([store("a.plist", ["a": 1])])).text.contains("integer"))
  }

  @Test func `resizing keeps the selection, and a window that is too small says so`() throws {
    var browsing = Browsing(typing: "/tier<enter>")
    for size in [Size(columns: 60, rows: 16), Size(columns: 20, rows: 5), Size(columns: 120, rows: 40)] {
      browsing.send(.resized(size))
      if size.columns == 20 {
        #expect(browsing.text.contains("Too small"))
      } else {
        #expect(try #require(browsing.selected).contains("tier"))
      }
    }
    browsing.send(.resized(Size(columns: 20, rows: 5)))
    browsing.type("q", then: \.effects.last, is: .leave)
  }

  @Test func `in the review, b shows the key of the field, and q comes back; what was open stays open`() throws {
    let acme = try sampleContainer("AcmeShop")
    var session = Session(try samplePlan("AcmeShop"), container: acme, typing: "jjb")
    #expect(session.state.screen == .stores)
    #expect(try #require(session.lines.first { $0.contains("▸") }).contains("rl_traits"))
    session.type("l")
    let opened = session.text
    session.type("qb", then: \.text, is: opened)
    session.send(.reopened(acme), then: \.text, is: opened)
    session.type("<esc>", then: \.state.screen, is: .review)
    session.send(.resized(Size(columns: 20, rows: 5)))
    #expect(session.state.screen.title == "Too small")
    let without = Session(typing: "b")
    #expect(without.state.screen == .review && without.state.message != nil)
  }
}
