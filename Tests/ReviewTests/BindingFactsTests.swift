import CarryoverTerminal
import Foundation
import Testing

@testable import CarryoverReview

@Suite("What bindings say of themselves")
struct BindingFactsTests {
  @Test("a key leads to a screen it names, to one below, or nowhere", arguments: Scene.all.map(\.name))
  func opens(name: String) throws {
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

  @Test("every binding that a sentence names by its key is there")
  func named() throws {
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
