@testable import CarryoverCurses

extension CursesTests {
  @Suite("Drawing")
  struct DrawingTests {
    /// Compares what ncurses holds with a grid. A question mark stands where the C library knows another width.
    private func expectShown(_ grid: Grid, by terminal: CursesTerminal, _ comment: Comment) {
      for row in 0..<grid.size.rows {
        for (column, cell) in grid.cells(row).enumerated() where cell.columns > 0 {
          let contents = terminal.contents(row: row, column: column)
          #expect(contents == cell.text || contents == "?", "\(comment), row \(row), column \(column)")
        }
      }
    }

    private static let hostile = [
      "\u{1B}[2J\u{1B}]0;title\u{7}", "\u{9B}31m\u{9D}", "\u{202E}gnp.exe", "a\u{200D}b\u{200B}c", "❤\u{FE0F}",
      "\u{0}\n\t\r",
      "👨‍👩‍👧‍👦 🇩🇪 👍🏽", "漢字かな가나", "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "\u{E000}\u{10FFFF}\u{378}",
      "\u{1100}\u{1161}\u{11A8}", "\u{301}lone", "plain",
    ]

    @Test func `Hostile text arrives without an escape and leaves the frames aligned`() throws {
      let screen = try Screen()
      var grid = Grid(size: screen.terminal.size, glyphs: screen.terminal.glyphs)
      let rows = Self.hostile.count + 2
      grid.frame(Rect(column: 0, row: 0, columns: 30, rows: rows))
      grid.frame(Rect(column: 29, row: 0, columns: 20, rows: rows))
      for (row, text) in Self.hostile.enumerated() {
        grid.put(text, at: Position(column: 1, row: row + 1), width: 28)
        grid.put(text, at: Position(column: 30, row: row + 1), width: 18)
      }
      try screen.terminal.draw(grid, cursor: nil)
      expectShown(grid, by: screen.terminal, "hostile")
      for row in 1...Self.hostile.count {
        for column in [0, 29, 48] { #expect(screen.terminal.contents(row: row, column: column) == "│") }
      }
      let sent = screen.sent().unicodeScalars
      #expect(!sent.contains("\u{202E}") && !sent.contains("\u{200D}") && !sent.contains("\u{E000}"))
      #expect(!sent.contains("\u{9B}") && !String(sent).contains("\u{1B}]"))
    }

    @Test func `Whatever was there before, what is there after is the grid`() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      var state: UInt64 = 99
      func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
      var grid = Grid(size: size)
      for round in 0..<120 {
        for _ in 0..<6 {
          let text = Self.hostile[random(Self.hostile.count)]
          let style = Style(Role.allCases[random(Role.allCases.count)], selected: random(4) == 0)
          grid.put(text, at: Position(column: random(size.columns + 4) - 2, row: random(4)), style: style)
        }
        try screen.terminal.draw(grid, cursor: nil)
        expectShown(grid, by: screen.terminal, "round \(round)")
      }
    }

    @Test func `A grid of another size than the screen is clipped, and the rest of the screen is blank`() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      var large = Grid(size: Size(columns: size.columns + 9, rows: size.rows + 9))
      for row in 0..<large.size.rows {
        large.put(String(repeating: "x", count: large.size.columns), at: Position(column: 0, row: row))
      }
      // The screen's last column is the first half of this one.
      large.put("漢", at: Position(column: size.columns - 1, row: 0))
      try screen.terminal.draw(large, cursor: Position(column: Int.max, row: -1))
      #expect(screen.terminal.contents(row: 0, column: size.columns - 1) == " ")
      #expect(screen.terminal.contents(row: size.rows - 1, column: size.columns - 1) == "x")
      try screen.terminal.draw(Grid(size: Size(columns: 1, rows: 1)), cursor: nil)
      #expect(screen.terminal.contents(row: size.rows - 1, column: size.columns - 1) == " ")
    }

    private func list(selecting selected: Int, size: Size) -> Grid {
      var grid = Grid(size: size)
      grid.frame(Rect(origin: Position(column: 0, row: 0), size: size), title: "Legacy")
      for row in 1..<size.rows - 1 {
        let isSelected = row == selected
        grid.put(
          "rl_anonymous_id", at: Position(column: 1, row: row), width: 30,
          style: Style(.label, selected: isSelected))
        grid.put("!", at: Position(column: 31, row: row), width: 2, style: Style(.flagged, selected: isSelected))
        grid.put(
          "9f1c2a7e-6b0d-4…", at: Position(column: 33, row: row), width: size.columns - 34,
          style: Style(.value, selected: isSelected))
      }
      return grid
    }

    @Test func `Moving the selection sends less than 400 bytes, and drawing the same again nothing`() throws {
      let screen = try Screen()
      let size = screen.terminal.size
      try screen.terminal.draw(list(selecting: 3, size: size), cursor: nil)
      #expect(screen.sent().utf8.count > 1000)
      try screen.terminal.draw(list(selecting: 4, size: size), cursor: nil)
      let moved = screen.sent().utf8.count
      #expect(moved > 0 && moved < 400, "\(moved) bytes")
      try screen.terminal.draw(list(selecting: 4, size: size), cursor: nil)
      #expect(screen.sent().isEmpty)
    }

    @Test func `Without colour no colour is sent`() throws {
      let screen = try Screen(options: ScreenOptions(color: false))
      try screen.terminal.draw(list(selecting: 3, size: screen.terminal.size), cursor: nil)
      let sequences = screen.sent().split(separator: "\u{1B}[")
      let codes = sequences.filter { $0.contains("m") }.flatMap { $0.prefix { $0 != "m" }.split(separator: ";") }
      #expect(codes.contains("7"))
      #expect(!codes.compactMap { Int($0) }.contains { (30...49).contains($0) || $0 >= 90 })
    }

    @Test(arguments: [(16, 16), (256, 256), (0, 0), (1000, 256)])
    func `No more colours are used than the options allow`(limit: Int, colors: Int) throws {
      let screen = try Screen(options: ScreenOptions(maximumColors: limit))
      try screen.terminal.draw(list(selecting: 3, size: screen.terminal.size), cursor: nil)
      let sent = screen.sent()
      #expect(sent.contains("8;5;") == (colors == 256))
      #expect(sent.contains("[44m") == (colors == 16) || sent.contains(";44m") == (colors == 16))
    }

    @Test func `A locale without UTF-8 gets frames of plus, minus and bar`() throws {
      let screen = try Screen(locale: "C")
      #expect(screen.terminal.glyphs == .ascii)
      var grid = Grid(size: screen.terminal.size, glyphs: .ascii)
      grid.frame(Rect(origin: Position(column: 0, row: 0), size: grid.size), title: "é")
      try screen.terminal.draw(grid, cursor: nil)
      expectShown(grid, by: screen.terminal, "ascii")
      #expect(screen.sent().utf8.allSatisfy { $0 < 0x80 })
      // A grid made for Unicode is still drawn without drifting.
      var other = Grid(size: screen.terminal.size)
      other.put("漢|", at: Position(column: 0, row: 0))
      try screen.terminal.draw(other, cursor: nil)
      #expect((0..<3).map { screen.terminal.contents(row: 0, column: $0) } == ["?", "?", "|"])
    }

    @Test func `The row after a full one starts in its own row, whenever a terminal wraps`() throws {
      for (name, columns) in [("ansi", 79), ("vt100", 80)] {
        let screen = try Screen(name: name)
        #expect(screen.terminal.size.columns == columns)
        var grid = Grid(size: screen.terminal.size)
        let full = (0..<columns).map { "\($0 % 10)" }.joined()
        grid.put(full, at: Position(column: 0, row: 0))
        grid.put("b", at: Position(column: 1, row: 1))
        try screen.terminal.draw(grid, cursor: nil)
        let sent = screen.sent()
        let end = try #require(sent.range(of: full)).upperBound
        // A move to the right alone would stay in the row of a terminal that has not wrapped yet.
        #expect(!sent[end...].hasPrefix("\u{1b}[C"), "\(name): \(sent.debugDescription)")
      }
    }

    @Test(arguments: [("xterm-256color", 256), ("xterm", 8), ("linux", 8), ("vt100", 0)])
    func `The colours of a terminal are used as far as it has them`(name: String, colors: Int) throws {
      let screen = try Screen(name: name)
      try screen.terminal.draw(list(selecting: 2, size: screen.terminal.size), cursor: nil)
      let sent = screen.sent()
      #expect(sent.contains("48;5;24") == (colors == 256))
      #expect(sent.contains("[44m") == (colors == 8))
    }
  }

  @Suite("Looks")
  struct LooksTests {
    /// No description of a terminal with sixteen colours is installed everywhere, so the tests bring one.
    private static let sixteen: Void = {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("carryover-terminfo-\(getpid())")
      let source = folder.appendingPathExtension("ti")
      let text = """
        carryover-16color|xterm with sixteen colours,
        \tcolors#16, pairs#256,
        \tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e9%p1%{8}%-%d%;m, setab=\\E[%?%p1%{8}%<%t4%p1%d%e10%p1%{8}%-%d%;m, use=xterm,

        """
      try? text.write(to: source, atomically: true, encoding: .utf8)
      _ = system("tic -x -o '\(folder.path)' '\(source.path)'")
      setenv("TERMINFO_DIRS", folder.path + ":", 1)
    }()

    private static func number(_ color: Color?, of colors: Int) -> Int {
      guard let color, colors > 0 else { return -1 }
      return colors == 256 ? Int(color.indexed) : colors == 16 ? Int(color.basic) : Int(color.basic) % 8
    }

    @Test(
      "Every role of every theme looks as the theme says, as far as the terminal has colours",
      arguments: [("vt100", 0), ("xterm", 8), ("carryover-16color", 16), ("xterm-256color", 256)])
    func looks(name: String, colors: Int) throws {
      _ = Self.sixteen
      for theme in Theme.builtIn {
        let screen = try Screen(name: name, options: ScreenOptions(theme: theme))
        defer { screen.terminal.close() }
        var grid = Grid(size: Size(columns: 80, rows: 24))
        let styles = Role.allCases.flatMap { role in
          [false, true].flatMap { selected in [false, true].map { Style(role, selected: selected, bold: $0) } }
        }
        for (index, style) in styles.enumerated() {
          grid.put("x漢", at: Position(column: index % 20 * 4, row: index / 20), style: style)
        }
        try screen.terminal.draw(grid, cursor: nil)
        for (index, style) in styles.enumerated() {
          let look = (colors == 0 ? Theme.mono : theme).look(for: style)
          let (row, column) = (index / 20, index % 20 * 4)
          #expect(screen.terminal.contents(row: row, column: column + 1) == "漢")
          let basic = look.foreground?.basic
          // Black and grey have no place among eight colours on a ground that may be black.
          let isOwn = colors == 8 && look.background == nil && basic.map { $0 % 8 == 0 } == true
          let bright = colors == 8 && !isOwn && (basic ?? 0) >= 8
          let foreground = isOwn ? -1 : Self.number(look.foreground, of: colors)
          for place in [column, column + 1] {
            let shown = try #require(screen.terminal.look(row: row, column: place))
            #expect(
              shown.attributes == [look.bold || bright, look.dim || isOwn && basic == 8, look.reverse, look.underline],
              "\(theme.name) \(style)")
            #expect(shown.foreground == foreground, "\(theme.name) \(style)")
            #expect(shown.background == Self.number(look.background, of: colors), "\(theme.name) \(style)")
            if colors == 8 { #expect(shown.foreground != 0 || shown.background > 0, "\(theme.name) \(style)") }
          }
        }
        let sent = screen.sent()
        let codes = sent.split(separator: "\u{1B}[").flatMap {
          $0.prefix { $0.isNumber || $0 == ";" }.split(separator: ";")
        }
        let coloured = codes.compactMap { Int($0) }.contains { (30...49).contains($0) || (90...107).contains($0) }
        // The theme without colours sets none, though the terminal has some.
        if colors == 0 { #expect(!coloured && !sent.isEmpty) }
        if colors > 0, theme != .mono { #expect(coloured) }
      }
    }
  }

  @Suite("Widths")
  struct WidthTests {
    private func grid(_ text: String, _ size: Size) -> Grid {
      var grid = Grid(size: size)
      grid.put("a" + text + "b", at: Position(column: 0, row: 0))
      return grid
    }

    @Test(arguments: ["漢", "é", "e\u{301}", "─", "한", "Я", "→", "ค", "א", "م", "ก\u{E35}\u{E48}"])
    func `What every terminal draws as wide is sent as it is`(_ text: String) throws {
      let screen = try Screen()
      try screen.terminal.draw(grid(text, screen.terminal.size), cursor: nil)
      #expect(screen.terminal.contents(row: 0, column: 1) == text)
      #expect(screen.terminal.contents(row: 0, column: 1 + DisplayWidth.columns(of: text)) == "b")
      #expect(screen.sent().contains("a" + text + "b"))
    }

    @Test(
      "What terminals disagree about is shown as its code, and nothing after it moves",
      arguments: [("👍", #"\u{1F44D}"#), ("🇩", #"\u{1F1E9}"#), ("की", #"क\u{940}"#), ("é\u{1F3FD}", #"é\u{1F3FD}"#)])
    func uncertain(_ text: String, _ shown: String) throws {
      let screen = try Screen()
      try screen.terminal.draw(grid(text, screen.terminal.size), cursor: nil)
      #expect(screen.sent().contains("a" + shown + "b"))
    }

    @Test func `A mark stands for what the C library has no width for, and for wide characters at the edge`() throws {
      let screen = try Screen(locale: "C")
      try screen.terminal.draw(grid("漢e\u{301}", screen.terminal.size), cursor: nil)
      #expect((0..<5).map { screen.terminal.contents(row: 0, column: $0) } == ["a", "?", "?", "?", "b"])
      #expect(screen.sent().utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `What is drawn lands where it belongs, though nobody sees the cursor`() throws {
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

    @Test func `The cursor ends where it belongs, also where only it has moved`() throws {
      let screen = try Screen()
      let shown = grid("👍", screen.terminal.size)
      try screen.terminal.draw(shown, cursor: Position(column: 6, row: 4))
      #expect(screen.sent().contains("\u{1B}[5;7H"))
      try screen.terminal.draw(shown, cursor: Position(column: 20, row: 9))
      #expect(screen.sent().contains("\u{1B}[10;21H"))
    }
  }
}
