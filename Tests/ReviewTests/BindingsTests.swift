import Terminal
import Testing

@testable import Review

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
}
