import CarryoverTerminal
import Testing

@testable import CarryoverReview

@Suite("Bindings")
struct BindingsTests {
  @Test("no key means two things on one screen", arguments: Screen.allCases)
  func unambiguous(screen: Screen) {
    var seen: Set<Key> = []
    for binding in Bindings.bindings(in: screen) {
      for key in binding.keys {
        #expect(seen.insert(key).inserted, "\(key) is bound twice in \(screen)")
        #expect(Bindings.binding(for: key, in: screen)?.help == binding.help)
      }
    }
  }

  @Test("the help shows every binding, with its keys")
  func helpIsComplete() {
    var session = Session(columns: 300, rows: 200)
    session.type("?")
    let lines = session.lines
    for binding in Bindings.all {
      #expect(
        lines.contains { $0.contains(" \(binding.allKeysLabel) ") && $0.contains(binding.help) }, "\(binding.help)")
    }
  }

  @Test("the help says why a key can do nothing now")
  func helpSaysWhy() {
    var session = Session(columns: 200, rows: 120)
    session.type("?")
    #expect(session.text.contains("not now: There is nothing to undo."))
    session.type("<esc> ?")
    #expect(!session.text.contains("not now: There is nothing to undo."))
  }

  @Test("no key means two things on one screen of the stores or of the choice among containers")
  func othersUnambiguous() {
    for screen in BrowserScreen.allCases {
      let keys = BrowserBindings.bindings(in: screen).flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(screen)")
      #expect(!keys.isEmpty)
    }
    for screen in PickerScreen.allCases {
      let keys = PickerBindings.bindings(in: screen).flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(screen)")
      #expect(!keys.isEmpty)
    }
  }

  @Test("every screen of the stores and of the choice among containers can be left")
  func othersCanBeLeft() {
    for screen in BrowserScreen.allCases {
      let bindings = BrowserBindings.bindings(in: screen)
      #expect(bindings.contains { [.leave, .back, .endSearch, .wholeHelp].contains($0.command(.escape)) })
    }
    for screen in PickerScreen.allCases {
      let bindings = PickerBindings.bindings(in: screen)
      #expect(bindings.contains { [.leave, .back, .dropFilter, .wholeHelp].contains($0.command(.escape)) })
    }
  }

  @Test("every hint in the footer is the binding's own, and fits", arguments: Scene.all.map(\.name))
  func footer(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    for columns in stride(from: 60, through: 200, by: 7) {
      let state = try scene.session(Size(columns: columns, rows: 24)).state
      if let browser = state.browser, state.screen == .stores {
        let hints = Footer.hints(BrowserBindings.bindings(in: browser.screen), browser, columns: columns)
        #expect(!hints.isEmpty && hints.reduce(1) { $0 + $1.columns + 2 } <= columns + 2)
        continue
      }
      let hints = Footer.hints(state, columns: columns)
      #expect(!hints.isEmpty)
      #expect(hints.reduce(1) { $0 + $1.columns + 2 } <= columns + 2)
      let known = Bindings.bindings(in: state.screen)
      for hint in hints { #expect(known.contains { $0.keyLabel == hint.key && Footer.label($0, state) == hint.label }) }
    }
  }

  @Test("every screen can be left", arguments: Screen.allCases.filter { $0 != .stores })
  func everyScreenCanBeLeft(screen: Screen) {
    let leaves: [Command] = [.back, .cancel, .quit, .quitForCertain]
    let bindings = Bindings.bindings(in: screen)
    #expect(bindings.contains { binding in binding.keys.contains { leaves.contains(binding.command($0)) } })
  }

  @Test("Enter and space never lead to a change of files")
  func enterIsHarmless() {
    for screen in Screen.allCases {
      for key in [Key.enter, .character(" ")] {
        guard let binding = Bindings.binding(for: key, in: screen) else { continue }
        #expect(![.apply, .rollBack, .quit, .quitForCertain, .quitForgetting, .takeUp].contains(binding.command(key)))
      }
    }
  }

  @Test("a line is typed with the same keys, and rows are gone through with the same, wherever that is")
  func sharedKeys() {
    func shared<Place, Meaning, State>(
      _ bindings: [KeyBinding<Place, Meaning, State>], _ group: BindingGroup
    ) -> [String] {
      bindings.filter { $0.group == group }.map { "\($0.allKeysLabel): \($0.name), \($0.label). \($0.help)" }
    }
    let line = shared(Bindings.bindings(in: .search), .typing)
    #expect(line.count == 9)
    #expect(line.contains { $0.hasSuffix("delete-after, . Deletes the character after the cursor.") })
    #expect(shared(Bindings.bindings(in: .editor), .typing).suffix(9) == line[...])
    for screen in [BrowserScreen.search, .helpSearch] {
      #expect(shared(BrowserBindings.bindings(in: screen), .typing) == line)
    }
    for screen in [PickerScreen.filter, .helpSearch] {
      #expect(shared(PickerBindings.bindings(in: screen), .typing) == line)
    }
    let rows = shared(Bindings.bindings(in: .failure), .moving).prefix(6)
    #expect(rows.count == 6 && rows.allSatisfy { $0.contains("Goes ") })
    #expect(shared(BrowserBindings.bindings(in: .help), .moving) == Array(rows))
    #expect(shared(PickerBindings.bindings(in: .list), .moving) == Array(rows))
  }
}
