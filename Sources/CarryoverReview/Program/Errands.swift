import Carryover
import CarryoverPages
import CarryoverTerminal

package enum Errand: Hashable, Sendable {
  case page(String)
  case save(String, path: String, replacing: Bool)
  /// Let the user's editor change a text, in a file of this name; answered by `edited` if it was changed.
  case edit(String, name: String)
}

package enum ErrandAnswer: Hashable, Sendable {
  /// With the message for the last line.
  case done(String?)
  case exists(String)
  case edited(String)
}

extension Program {
  mutating func take(_ answer: ErrandAnswer) {
    switch answer {
    case .done(let sentence): message = sentence
    case .exists(let path):
      stack.savePath = path
      open(Self.table.replace)
    case .edited: break
    }
  }

  /// The whole text of a screen, escaped and masked as on the screen, its lines not wrapped.
  func wholeText(of screen: Screen) -> String {
    guard let page = Self.table[screen].whole?(self) else { return "" }
    return page.lines.map { $0.map(\.text).joined() + "\n" }.joined()
  }

  fileprivate func save(as path: String, replacing: Bool) -> Errand {
    let text = Self.table[topScreen].saving?.text(self, path) ?? wholeText(of: topScreen)
    return .save(text, path: path, replacing: replacing)
  }
}

extension ScreenContent {
  static func replace(_ screen: Screen) -> ScreenContent {
    text(screen, back: Back(help: "Go back; the file stays as it is.")) { writer, state in
      writer.add([Span(writer.ink.text(state.stack.savePath), .value), Span(" already exists.")])
      writer.add([Span(state.key("replace", screen), .key), Span(" replaces it with the text of the screen.")])
    }
    .with {
      $0.isRead = true
      $0.question = { state in "Replace the file? \(state.key("replace", screen)) replaces it." }
    }
  }
}

extension KeyBinding {
  static func errands(in screens: Set<Screen>, _ save: Screen, _ replace: Screen) -> [KeyBinding] {
    [
      KeyBinding(
        [.character("|")], "pager", "Show the whole text of the screen in your pager ($PAGER).", in: screens, .seeing,
        hint: 6
      ) { state in state.emit(.errand(.page(state.wholeText(of: state.topScreen)))) },
      KeyBinding(
        [.control("s")], "save", "Save the whole text of the screen as a file.", in: screens, .seeing, hint: 6,
        opens: [save]
      ) { state in
        state.stack.typing = LineEditor(
          save, text: State.table[state.topScreen].saving?.name ?? state.topScreen.name + ".txt")
      },
      KeyBinding([.enter], "save", "Save the text as this file.", in: [save], .typing, hint: 1, opens: [replace]) {
        state in
        let path = state.stack.typing?.text ?? ""
        state.stack.typing = nil
        guard !path.isEmpty else { return state.emit(.bell) }
        if let obstacle = State.table[state.topScreen].saving?.obstacle(state, path) {
          state.message = obstacle
          return
        }
        state.emit(.errand(state.save(as: path, replacing: false)))
      },
      .cancel(in: [save], "Cancel: nothing is saved."),
      KeyBinding(
        [.character("y")], "replace", "Replace the file.", in: [replace], .seeing, hint: 1, duty: .confirmation
      ) { state in
        state.back()
        state.emit(.errand(state.save(as: state.stack.savePath, replacing: true)))
      },
    ]
  }
}

/// A failed effect, in whole sentences.
package struct ReviewFailure: Error, Hashable, Sendable {
  /// What happened, where, and in which state it leaves the container.
  package var message: String
  package var remedy: String

  package init(message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}

extension PageWriter {
  mutating func failure(_ failure: ReviewFailure?) {
    guard let failure else { return }
    add([Span(ink.sign(.error) + " ", .error), Span(ink.sentence(failure.message))], hanging: 2)
    guard !failure.remedy.isEmpty else { return }
    blank()
    add([Span(ink.words("→ "), .muted), Span(ink.sentence(failure.remedy))], hanging: 2)
  }
}
