import CarryoverTerminal
import Testing

@testable import CarryoverReview

private func expectSound<State: Program>(_ table: ScreenTable<State>) {
  for screen in table.screens where screen != .stores || State.self != ReviewState.self {
    let bindings = table.bindings(in: screen, Keymap())
    var seen: Set<Key> = []
    for binding in bindings {
      for key in binding.keys {
        #expect(seen.insert(key).inserted, "\(key) is bound twice in \(screen.name)")
        #expect(table.binding(for: key, in: screen, Keymap()) === binding)
      }
    }
    #expect(bindings.contains { $0.duty == .wayOut || $0.duty == .confirmation }, "\(screen.name) cannot be left")
    for key in [Key.enter, .character(" ")] {
      #expect(table.binding(for: key, in: screen, Keymap())?.duty != .confirmation, "\(screen.name)")
    }
  }
}

@Suite("Bindings")
struct BindingsTests {
  @Test("no key means two things on a screen, each can be left, and Enter and space never change files")
  func tables() {
    expectSound(ReviewState.table)
    expectSound(BrowserState.table)
    expectSound(PickerState.table)
  }

  @Test("whatever asks to write or to forget is named as a confirmation, so that no click does it")
  func confirmations() {
    let writing = ["apply-this", "roll-back", "quit", "quit-and-forget", "use-saved", "allow", "replace"]
    for binding in ReviewState.table.all where binding.duty == .confirmation {
      #expect(writing.contains(binding.name), "\(binding.name)")
      #expect(binding.keys.allSatisfy { $0 == .character("y") || $0 == .character("d") })
    }
    #expect(ReviewState.table.all.count { $0.duty == .confirmation } == 7)
  }

  @Test("the help says why a key can do nothing now")
  func helpSaysWhy() {
    var session = Session(columns: 200, rows: 120)
    session.type("?")
    #expect(session.text.contains("There is nothing to undo."))
    session.type("<esc> ?")
    #expect(!session.text.contains("There is nothing to undo."))
  }

  @Test("every hint in the footer is the binding's own, and fits", arguments: Scene.all.map(\.name))
  func footer(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    func expectFitting(_ state: some Program, _ columns: Int) {
      let hints = state.hints(columns: columns)
      #expect(!hints.isEmpty && hints.reduce(1) { $0 + $1.columns + 2 } <= columns + 2)
      let labels = hints.map { "\($0.key) \($0.label)" }
      #expect(Set(labels).count == labels.count)
    }
    for columns in stride(from: 60, through: 200, by: 7) {
      let state = try scene.session(Size(columns: columns, rows: 24)).state
      if let browser = state.browser, state.screen == .stores {
        expectFitting(browser, columns)
      } else {
        expectFitting(state, columns)
      }
    }
  }

  @Test("a line is typed with the same keys, and rows are gone through with the same, wherever that is")
  func sharedKeys() {
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
