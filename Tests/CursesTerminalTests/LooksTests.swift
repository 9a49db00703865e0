import CarryoverTerminal
import Foundation
import Testing

@testable import CarryoverCurses

extension CursesTests {
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
        #expect(screen.terminal.capabilities.colors == colors)
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
}
