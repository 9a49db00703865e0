import CarryoverTerminal
import Testing

@testable import CarryoverCurses

extension CursesTests {
  @Suite("Uncertain widths")
  struct OverlayTests {
    private func grid(_ text: String, _ size: Size, row: Int = 0) -> Grid {
      var grid = Grid(size: size)
      grid.put("a" + text + "b", at: Position(column: 0, row: row))
      return grid
    }

    @Test(
      "What terminals disagree about is written at its own position, over blanks, and so is what follows it",
      arguments: ["👍", "é\u{301}", "ค", "א", "🇩", "क"])
    func positions(_ text: String) throws {
      let screen = try Screen()
      let columns = DisplayWidth.columns(of: text)
      try screen.terminal.draw(grid(text, screen.terminal.size), cursor: nil)
      let sent = screen.sent()
      let blanks = String(repeating: " ", count: columns) + String(repeating: "\u{8}", count: columns)
      #expect(
        sent.contains("\u{1B}[1;2H" + blanks + text + "\u{1B}[\(columns + 2)G \u{8}b"), "\(sent.debugDescription)")
      // curses is left believing in marks, at a place that is certain.
      #expect(screen.terminal.contents(row: 0, column: 1) == "?")
    }

    @Test("What every terminal draws as wide is left to curses", arguments: ["漢", "é", "─", "한", "Я", "→"])
    func certain(_ text: String) throws {
      let screen = try Screen()
      try screen.terminal.draw(grid(text, screen.terminal.size), cursor: nil)
      #expect(screen.terminal.contents(row: 0, column: 1) == text)
      #expect(screen.sent().contains("a" + text + "b"))
    }

    @Test("It is written again when its row changes and after a stop, and not otherwise")
    func again() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      var shown = grid("👍", size)
      try screen.terminal.draw(shown, cursor: nil)
      _ = screen.sent()
      shown.put("below", at: Position(column: 0, row: 1))
      try screen.terminal.draw(shown, cursor: nil)
      #expect(!screen.sent().contains("👍"))
      shown.put("c", at: Position(column: 9, row: 0))
      try screen.terminal.draw(shown, cursor: nil)
      #expect(screen.sent().contains("👍"))
      shown.put("    ", at: Position(column: 0, row: 0))
      try screen.terminal.draw(shown, cursor: nil)
      #expect(!screen.sent().contains("👍"))
      #expect(screen.terminal.contents(row: 0, column: 1) == " ")
    }

    @Test("In the last column, where it would have no room, a mark stands for it; without UTF-8 everywhere")
    func lastColumn() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      var shown = Grid(size: size)
      shown.put("ค", at: Position(column: size.columns - 1, row: 3))
      try screen.terminal.draw(shown, cursor: nil)
      #expect(!screen.sent().contains("ค"))
      #expect(screen.terminal.contents(row: 3, column: size.columns - 1) == "?")
      screen.terminal.close()
      let plain = try Screen(locale: "C")
      try plain.terminal.draw(grid("👍", size), cursor: nil)
      #expect(plain.sent().utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("What is written after it lands where it belongs, though nobody sees the cursor")
    func after() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      var echo = Echo(size)
      var shown = grid("👍", size)
      for row in 1..<12 { shown.put("row \(row)", at: Position(column: 0, row: row)) }
      try screen.terminal.draw(shown, cursor: nil)
      echo.take(screen.sent())
      for step in 0..<6 {
        // The row with the uncertain cell and others by turns, each time where curses gets in few bytes from where it was.
        if step.isMultiple(of: 2) { shown.put("c\(step)", at: Position(column: 9, row: 0)) }
        for row in (5 + step)...(6 + step) {
          shown.put(step.isMultiple(of: 2) ? ">" : "*", at: Position(column: 7, row: row))
        }
        try screen.terminal.draw(shown, cursor: nil)
        echo.take(screen.sent())
        for row in 1..<size.rows { #expect(echo.line(row) == shown.line(row), "step \(step), row \(row)") }
      }
    }

    @Test("The cursor ends where it belongs")
    func cursor() throws {
      let screen = try Screen()
      try screen.terminal.draw(grid("👍", screen.terminal.size), cursor: Position(column: 6, row: 4))
      #expect(screen.sent().hasSuffix("\u{1B}[5;7H"))
    }
  }
}
