import Carryover
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The review as a command line")
struct CommandPageTests {
  private func state(
    _ decisions: Decisions = [:], redaction: Redaction? = nil, lineColumns: Int? = nil, words: [String]? = Self.words
  ) -> ReviewState {
    var options = ReviewOptions(redaction: redaction)
    options.lineColumns = lineColumns
    return ReviewState(
      plan: acmePlan(), decisions: decisions, size: Size(columns: 80, rows: 24), options: options,
      backupLocation: "/runs", applyWords: { _ in words })
  }

  private static let words = ["carryover", "apply", "Ada's Shop.xcappdata", "--write-key", "k"]

  @Test("C copies the command with every decision, and shows the same")
  func copies() {
    var state = state(["user_id": .edit("it's\n"), "rudder.app_build": .skip, "anonymous_id": .migrate])
    let effects = reduce(&state, .key(.character("C")))
    guard case .copy(let text)? = effects.first else { return #expect(Bool(false), "\(effects)") }
    #expect(text.hasPrefix(#"carryover apply 'Ada'\''s Shop.xcappdata' --write-key k --recipe "#))
    #expect(text.hasSuffix(#"--set-json 'user_id="it'\''s\n"' --skip rudder.app_build --yes"#))
    let shown = render(state).grid.lines.dropFirst(2).map { $0.dropFirst(2).dropLast(2) }.joined()
    #expect(shown.contains(#"user_id="it'\''s\n"'"#))
    #expect(state.screen == .command && state.message == "The command was copied to the clipboard.")
    _ = reduce(&state, .key(.escape))
    #expect(state.screen == .review && state.commandLine == nil)
  }

  @Test("what is undecided is said, and the palette finds it")
  func undecided() {
    var session = Session(acmePlan())
    session.state = state()
    session.type(":copy as command<enter>")
    #expect(session.state.screen == .command)
    #expect(session.text.contains("1 field is undecided: the command writes nothing until it is decided."))
  }

  @Test("there is none with --redact, nor with hidden characters in a path, nor where the command is unknown")
  func refused() {
    var masks = Redaction(recipes: Recipe.builtIn)
    masks.learn(acmePlan())
    for (state, reason) in [
      (state(redaction: masks), "A command line has the values themselves, so there is none with --redact."),
      (state(words: nil), "How this container was opened is unknown."),
      (state(words: ["carryover", "apply", "a\u{1B}[2J"]), "has hidden characters"),
    ] {
      var state = state
      #expect(reduce(&state, .key(.character("C"))) == [.bell])
      #expect(state.screen == .review && state.message?.contains(reason) == true)
    }
  }

  @Test("what is saved of it is a script; line by line it is read and not copied")
  func saves() {
    var lines = state(lineColumns: 400)
    #expect(reduce(&lines, .key(.character("C"))).isEmpty && lines.screen == .command)
    var state = state()
    _ = reduce(&state, .key(.character("C")))
    let text = state.wholeText(of: .command)
    #expect(text.hasPrefix("#!/bin/sh\ncarryover apply ") && text.hasSuffix(" --yes\n"))
  }
}
