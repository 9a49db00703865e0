@testable import CarryoverTerminal

@Suite("The scripted terminal and the clipboard") struct ScriptedTerminalTests {
  @Test func `Events come in order, a resize changes the size, and then input ends`() throws {
    let terminal = ScriptedTerminal(typing: "q\n")
    terminal.enqueue(.resize(Size(columns: 10, rows: 2)))
    #expect(try terminal.nextEvent() == .key(.character("q")))
    #expect(try terminal.nextEvent() == .key(.enter))
    terminal.suspend()
    #expect(try terminal.nextEvent() == .resumed)
    #expect(terminal.size == Size(columns: 80, rows: 24))
    #expect(try terminal.nextEvent() == .resize(Size(columns: 10, rows: 2)))
    #expect(terminal.size == Size(columns: 10, rows: 2))
    #expect(try terminal.nextEvent() == .endOfInput)
    #expect(try terminal.nextEvent() == .endOfInput)
    #expect(terminal.suspensions == 1)
  }

  @Test func `Grids and cursors are kept; a closed terminal refuses`() throws {
    let terminal = ScriptedTerminal()
    let grid = Grid(size: terminal.size)
    try terminal.draw(grid, cursor: Position(column: 3, row: 4))
    terminal.close()
    #expect(terminal.grids == [grid])
    #expect(terminal.cursors == [Position(column: 3, row: 4)])
    #expect(terminal.isClosed)
    #expect(throws: TerminalError.closed) { try terminal.draw(grid, cursor: nil) }
    #expect(throws: TerminalError.closed) { try terminal.nextEvent() }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `Base 64 as in the RFC's own examples`(text: String, encoded: String) {
    #expect(Clipboard.sequence(for: text) == Array("\u{1B}]52;c;\(encoded)\u{07}".utf8))
  }

  @Test func `What is copied is escaped and capped`() {
    // "a\n" as its four visible characters: a, backslash, n.
    #expect(Clipboard.sequence(for: "a\n") == Array("\u{1B}]52;c;YVxu\u{7}".utf8))
    #expect(Clipboard.sequence(for: String(repeating: "x", count: Clipboard.limit)) != nil)
    #expect(Clipboard.sequence(for: String(repeating: "x", count: Clipboard.limit + 1)) == nil)
    #expect(Clipboard.sequence(for: String(repeating: "\n", count: Clipboard.limit)) == nil)
  }

  @Test func `Errors are one sentence without hidden characters`() {
    let errors: [TerminalError] = [
      .notATerminal, .unknownTerminal(""), .unknownTerminal("x\u{1B}[2J"), .system(operation: "pipe", code: 24), .inUse,
      .closed,
    ]
    for error in errors {
      #expect(error.description.hasSuffix("."))
      #expect(!error.description.contains("\u{1B}"))
      #expect(!error.description.contains("\n"))
    }
  }
}
