import CarryoverTerminal
import Testing

@testable import CarryoverCurses

extension CursesTests {
  @Suite("Widths")
  struct WidthTests {
    private func grid(_ text: String, _ size: Size) -> Grid {
      var grid = Grid(size: size)
      grid.put("a" + text + "b", at: Position(column: 0, row: 0))
      return grid
    }

    @Test(
      "What every terminal draws as wide is sent as it is",
      arguments: ["漢", "é", "e\u{301}", "─", "한", "Я", "→", "ค", "א", "م", "ก\u{E35}\u{E48}"])
    func certain(_ text: String) throws {
      let screen = try Screen()
      try screen.terminal.draw(grid(text, screen.terminal.size), cursor: nil)
      #expect(screen.terminal.contents(row: 0, column: 1) == text)
      let columns = DisplayWidth.columns(of: text)
      #expect(screen.terminal.contents(row: 0, column: 1 + columns) == "b")
      #expect(screen.sent().contains("a" + text + "b"))
    }

    @Test(
      "What terminals disagree about is shown as its code, and nothing after it moves",
      arguments: [
        ("👍", #"\u{1F44D}"#), ("🇩", #"\u{1F1E9}"#), ("की", #"क\u{940}"#), ("é\u{1F3FD}", #"é\u{1F3FD}"#),
      ])
    func uncertain(_ text: String, _ shown: String) throws {
      let screen = try Screen()
      try screen.terminal.draw(grid(text, screen.terminal.size), cursor: nil)
      #expect(screen.sent().contains("a" + shown + "b"))
    }

    @Test("A mark stands for what the C library has no width for, and for a wide character cut by the edge")
    func marks() throws {
      let screen = try Screen(locale: "C")
      try screen.terminal.draw(grid("漢e\u{301}", screen.terminal.size), cursor: nil)
      #expect((0..<5).map { screen.terminal.contents(row: 0, column: $0) } == ["a", "?", "?", "?", "b"])
      #expect(screen.sent().utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("What is drawn lands where it belongs, though nobody sees the cursor")
    func hiddenCursor() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      var echo = Echo(size)
      var shown = grid("漢👍", size)
      for row in 1..<12 { shown.put("row \(row)", at: Position(column: 0, row: row)) }
      try screen.terminal.draw(shown, cursor: nil)
      echo.take(screen.sent())
      for step in 0..<6 {
        if step.isMultiple(of: 2) { shown.put("c\(step)", at: Position(column: 30, row: 0)) }
        for row in (5 + step)...(6 + step) {
          shown.put(step.isMultiple(of: 2) ? ">" : "*", at: Position(column: 7, row: row))
        }
        try screen.terminal.draw(shown, cursor: nil)
        echo.take(screen.sent())
        for row in 1..<size.rows { #expect(echo.line(row) == shown.line(row), "step \(step), row \(row)") }
      }
    }

    @Test("The cursor ends where it belongs, also where only it has moved")
    func cursor() throws {
      let screen = try Screen()
      let shown = grid("👍", screen.terminal.size)
      try screen.terminal.draw(shown, cursor: Position(column: 6, row: 4))
      #expect(screen.sent().contains("\u{1B}[5;7H"))
      try screen.terminal.draw(shown, cursor: Position(column: 20, row: 9))
      #expect(screen.sent().contains("\u{1B}[10;21H"))
    }
  }
}
