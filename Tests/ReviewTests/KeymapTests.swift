@testable import CarryoverReview

@Suite("Changed keys") struct KeymapTests {
  private func keymap(_ lines: String...) throws -> Keymap {
    let parsed = ConfigurationParser(Array(lines.joined(separator: "\n").utf8))
    try #require(parsed.problems.isEmpty, "\(parsed.problems.map(\.description))")
    return parsed.configuration.keymap
  }

  private func problems(_ lines: String...) -> [String] {
    ConfigurationParser(Array(lines.joined(separator: "\n").utf8)).problems.map(\.description)
  }

  @Test func `every binding has a name, and no two of a screen have the same`() {
    #expect(Set(KeyCatalogue.all.places.map(\.name)).count == KeyCatalogue.all.places.count)
    for place in KeyCatalogue.all.places {
      for entry in place.entries {
        #expect(
          entry.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "“\(entry.name)” on \(place.name): \(entry.help)")
      }
      #expect(Set(place.entries.map(\.name)).count == place.entries.count, "\(place.name)")
    }
  }

  @Test func `every key has a name by which it is found again`() throws {
    for place in KeyCatalogue.all.places {
      for key in place.entries.flatMap(\.keys) where key != .control("z") {
        #expect(try Key.named(key.name) == key)
        #expect(ConfigurationLine.words(of: "bind z \(key.writtenName) y")?[2] == key.name)
      }
    }
    for name in ["space", "ctrl-r", "f5", "pgup", "G", "#", "\"", "'", "ctrl-space", "shift-tab", "é", "|", "\\"] {
      #expect(try Key.named(name).name == name)
    }
    #expect(try Key.named("ESCAPE") == .escape)
    #expect(try Key.named("F12") == .function(12))
  }

  @Test func `a key of the user's does what it is bound to, and nothing else`() throws {
    let map = try keymap("bind review x next", "bind review s undo", "bind all ctrl-n down", "bind review '#' help")
    #expect(ReviewState.table.binding(for: .character("x"), in: .review, map)?.name == "next")
    #expect(ReviewState.table.binding(for: .character("n"), in: .review, map)?.name == "next")
    #expect(ReviewState.table.binding(for: .character("s"), in: .review, map)?.name == "undo")
    #expect(ReviewState.table.binding(for: .character("s"), in: .details, map)?.name == "skip")
    #expect(ReviewState.table.binding(for: .character("#"), in: .review, map)?.name == "help")
    #expect(ReviewState.table.bindings(in: .review, map).first { $0.name == "skip" } == nil)
    #expect(ReviewState.table.bindings(in: .review, map).first { $0.name == "next" }?.keyLabel == "x")
    #expect(ReviewState.table.binding(for: .control("n"), in: .history, map)?.name == "down")
    #expect(BrowserState.table.binding(for: .control("n"), in: .stores, map)?.name == "down")
    #expect(PickerState.table.binding(for: .control("n"), in: .containers, map)?.name == "down")
    #expect(BrowserState.table.binding(for: .character("S"), in: .stores, map)?.name == "secret")
  }

  @Test func `a key that is taken away does nothing, and its binding keeps the others`() throws {
    let map = try keymap("unbind review k", "unbind stores h", "unbind containers l", "unbind review c")
    #expect(ReviewState.table.binding(for: .character("k"), in: .review, map) == nil)
    #expect(ReviewState.table.binding(for: .up, in: .review, map)?.name == "up")
    #expect(ReviewState.table.binding(for: .character("k"), in: .details, map)?.name == "up")
    #expect(BrowserState.table.binding(for: .character("h"), in: .stores, map) == nil)
    #expect(PickerState.table.binding(for: .character("l"), in: .containers, map) == nil)
    #expect(ReviewState.table.bindings(in: .review, map).first { $0.name == "copy" } == nil)
  }

  @Test func `the built-in keys obey the rules that changed ones have to`() {
    let catalogue = KeyCatalogue.all
    for place in catalogue.places {
      #expect(place.entries.contains { $0.duty == .wayOut }, "\(place.name)")
      for entry in place.entries where entry.duty == .confirmation {
        #expect(!place.neighbours.isEmpty, "\(place.name)")
        for key in entry.keys {
          #expect(key != .enter && key != .character(" "))
          for name in place.neighbours {
            #expect(catalogue.place(name)?.entry(for: key, Keymap()) == nil, "\(key) on \(name)")
          }
        }
      }
    }
    let confirmations = catalogue.places.flatMap { place in place.entries.filter { $0.duty == .confirmation } }
    #expect(Set(confirmations.map(\.name)).isSuperset(of: ["apply-this", "roll-back", "quit"]))
  }

  @Test(arguments: [
    "bind preview enter apply-this", "bind preview space apply-this", "bind preview a apply-this",
    "bind preview j apply-this", "bind preview s apply-this", "bind rollback R roll-back",
    "bind rollback enter roll-back", "bind quit q quit", "bind quit space quit", "bind review y next",
    "bind details y next", "bind help y down", "bind all a apply-this", "bind run y choose",
  ])
  func `what writes files never hangs on enter, space, the screen's own key or one bound next to it`(line: String) {
    let found = problems(line)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.contains("too easily") || $0.contains("pressed twice by accident") }, "\(found)")
  }

  @Test func `what writes files can have another key, and then nothing hangs on the old one`() throws {
    let map = try keymap("bind preview f5 apply-this", "unbind preview y", "bind quit Y quit", "unbind quit y")
    #expect(ReviewState.table.binding(for: .character("y"), in: .preview, map) == nil)
    #expect(ReviewState.table.binding(for: .function(5), in: .preview, map)?.duty == .confirmation)
    // The last two are in the way of each other only as long as one of them is missing.
    #expect(problems("unbind preview y", "bind review y next", "bind preview f5 apply-this").count == 2)
    _ = try keymap(
      "bind review y next", "unbind preview y", "unbind rollback y", "unbind quit y", "bind preview f5 apply-this",
      "bind rollback f5 roll-back", "bind quit f5 quit")
  }

  @Test func `a way out and the help can move to other keys, whatever the order of the lines`() throws {
    _ = try keymap("bind review q next", "bind review Q quit")
    _ = try keymap("bind review Q quit", "unbind review q", "bind all f1 help", "unbind all ?")
    #expect(problems("unbind details esc", "unbind details q", "unbind details left", "unbind details h").count == 1)
    #expect(problems("unbind all ?").count == 1)
  }

  @Test func `what ends a search counts as no way out of the stores, where there may be none`() {
    #expect(problems("unbind stores q").count == 1)
    #expect(problems("unbind stores q", "bind stores Q leave").isEmpty)
    #expect(problems("unbind stores-search esc").count == 1)
  }

  @Test func `the footer and the help show the user's keys, and the session obeys them`() throws {
    let map = try keymap("bind review X next", "bind review f7 accept", "unbind review space", "bind all f1 help")
    var session = Session(columns: 200, rows: 60, keymap: map)
    let footer = try #require(session.lines.last)
    #expect(footer.contains("f7 accept") && footer.contains("X next") && footer.contains("f1 help"))
    #expect(!footer.contains("space"))
    session.send(.key(.character("X")))
    let before = session.state.decisions
    session.send(.key(.character(" ")))
    #expect(session.state.decisions == before)
    session.send(.key(.function(7)))
    #expect(session.state.decisions.count == before.count + 1)
    session.send(.key(.function(1)))
    #expect(session.state.screen.name == "help")
    #expect(session.text.contains("f7 "))
    #expect(session.text.contains("X n "))
  }

  @Test func `sentences name the user's keys`() throws {
    let map = try keymap("bind preview f5 apply-this", "unbind preview y", "bind quit Y quit", "unbind quit y")
    var session = Session(keymap: map, typing: "n q")
    #expect(session.text.contains("Y quits, d quits and discards it, esc stays."))
    session.send(.resized(Size(columns: 50, rows: 10)))
    #expect(session.text.contains("Y or esc"))
  }

  @Test func `the stores and the choice among containers show the user's keys`() throws {
    let map = try keymap("bind stores f3 search", "unbind stores /", "bind containers f3 filter", "unbind containers /")
    var browser = BrowserState(
      nestedContainer(), size: Size(columns: 120, rows: 30), options: ReviewOptions(keymap: map))
    #expect(render(browser).grid.lines.last?.contains("f3 search") == true)
    #expect(reduce(&browser, .key(.character("/"))) == [.bell])
    _ = reduce(&browser, .key(.function(3)))
    #expect(browser.screen == .storesSearch)
    var picker = PickerState(
      sampleCandidates, place: "/x", size: Size(columns: 120, rows: 30), options: ReviewOptions(keymap: map))
    #expect(render(picker).grid.lines.last?.contains("f3 filter") == true)
    _ = reduce(&picker, .key(.function(3)))
    #expect(picker.screen == .containersFilter)
  }
}

private func expectSound<State: Program>(_ table: ScreenTable<State>) {
  for screen in table.screens where screen != .stores || State.self != ReviewState.self {
    let bindings = table.bindings(in: screen, Keymap())
    var seen: Set<Key> = []
    for binding in bindings {
      for key in binding.keys {
        #expect(seen.insert(key).inserted, "\(key) is bound twice in \(screen.name)")
        let found = table.binding(for: key, in: screen, Keymap())
        #expect(found?.name == binding.name && found?.help == binding.help && found?.keys == binding.keys)
      }
    }
    #expect(bindings.contains { $0.duty == .wayOut || $0.duty == .confirmation }, "\(screen.name) cannot be left")
    for key in [Key.enter, .character(" ")] {
      #expect(table.binding(for: key, in: screen, Keymap())?.duty != .confirmation, "\(screen.name)")
    }
  }
}

@Suite("Bindings") struct BindingsTests {
  @Test func `no key means two things on a screen, each can be left, and Enter and space never change files`() {
    expectSound(ReviewState.table)
    expectSound(BrowserState.table)
    expectSound(PickerState.table)
  }

  @Test func `whatever asks to write or to forget is named as a confirmation, so that no click does it`() {
    let writing = ["apply-this", "roll-back", "quit", "quit-and-forget", "use-saved", "allow", "replace"]
    for binding in ReviewState.table.all where binding.duty == .confirmation {
      #expect(writing.contains(binding.name), "\(binding.name)")
      #expect(binding.keys.allSatisfy { $0 == .character("y") || $0 == .character("d") })
    }
    #expect(ReviewState.table.all.count { $0.duty == .confirmation } == 7)
  }

  @Test func `the help says why a key can do nothing now`() {
    var session = Session(columns: 200, rows: 120, typing: "?")
    #expect(session.text.contains("There is nothing to undo."))
    session.type("<esc> ?")
    #expect(!session.text.contains("There is nothing to undo."))
  }

  @Test(arguments: Scene.all.map(\.name))
  func `every hint in the footer is the binding's own, and fits`(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    func expectFitting(_ state: some Program, _ columns: Int) {
      let hints = state.hints(columns: columns)
      #expect(!hints.isEmpty && hints.reduce(1) { $0 + $1.columns + 2 } <= columns + 2)
      let labels = hints.map { "\($0.key) \($0.label)" }
      #expect(Set(labels).count == labels.count)
    }
    var session = try scene.session(Size(columns: 200, rows: 24))
    for columns in stride(from: 60, through: 200, by: 7) {
      session.send(.resized(Size(columns: columns, rows: 24)))
      let state = session.state
      if let browser = state.browser, state.screen == .stores {
        expectFitting(browser, columns)
      } else {
        expectFitting(state, columns)
      }
    }
  }

  @Test func `a line is typed with the same keys, and rows are gone through with the same, wherever that is`() {
    func shared<State>(_ table: ScreenTable<State>, _ screen: Screen, _ group: BindingGroup) -> [String] {
      table.bindings(in: screen, Keymap()).filter { $0.group == group }
        .map { "\($0.allKeysLabel): \($0.name), \($0.label). \($0.help)" }
    }
    let line = shared(ReviewState.table, .search, .typing)
    #expect(line.count == 9)
    #expect(line.contains { $0.hasSuffix("delete-after, . Delete the character after the cursor.") })
    #expect(shared(ReviewState.table, .editor, .typing).suffix(9) == line[...])
    #expect(shared(BrowserState.table, .storesSearch, .typing) == line)
    #expect(shared(PickerState.table, .containersFilter, .typing) == line)
    #expect(shared(PickerState.table, PickerState.table.palette, .typing) == line)
    let rows = shared(ReviewState.table, .failure, .moving)
    #expect(rows.count == 6 && rows.allSatisfy { $0.contains("Go ") })
    #expect(shared(BrowserState.table, BrowserState.table.help, .moving) == rows)
    #expect(shared(PickerState.table, .containers, .moving) == rows)
  }
}

@Suite("What bindings say of themselves") struct BindingFactsTests {
  @Test(arguments: Scene.all.map(\.name))
  func `a key leads to a screen it names, to one below, or nowhere`(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    let session = try scene.session(Size(columns: 120, rows: 40))
    guard session.state.screen != .stores else { return }
    let table = ReviewState.table
    for binding in table.bindings(in: session.state.screen, Keymap()) {
      for key in binding.keys {
        var state = session.state
        let below = Set(state.stack.screens)
        let effects = reduce(&state, .key(key))
        let after = state.screen
        let isNamed = binding.opens.contains(after) || below.contains(after) || after == session.state.screen
        #expect(isNamed, "\(binding.name) leads to \(after.name)")
        if !effects.isEmpty, effects != [.bell], binding.duty != .confirmation {
          let isHarmless = effects.allSatisfy(\.isForClicks)
          #expect(isHarmless, "\(binding.name) asks for \(effects)")
        }
      }
    }
  }

  @Test func `every binding that a sentence names by its key is there`() throws {
    let sources = packageRoot.appending(path: "Sources/CarryoverReview")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let known = Dictionary(uniqueKeysWithValues: KeyCatalogue.all.places.map { ($0.name, Set($0.entries.map(\.name))) })
    let screens = Dictionary(
      (ReviewState.table.screens + BrowserState.table.screens + PickerState.table.screens).map {
        ($0.name.split(separator: "-").enumerated().map { $0 == 0 ? String($1) : $1.capitalized }.joined(), $0.name)
      }, uniquingKeysWith: { first, _ in first })
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /\bkey\("([a-z-]+)", (?:Screen)?\.(\w+)\)/) {
        let screen = try #require(screens[String(match.2)], "\(match.2)")
        #expect(known[screen]?.contains(String(match.1)) == true, "\(file.lastPathComponent): \(match.0)")
        count += 1
      }
    }
    #expect(count > 10)
  }
}
