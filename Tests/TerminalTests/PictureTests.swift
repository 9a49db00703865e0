@Suite("Screens as files") struct PictureTests {
  private func sample() -> Grid {
    var grid = Grid(size: Size(columns: 20, rows: 4))
    grid.frame(Rect(column: 0, row: 0, columns: 20, rows: 4), title: "a<b>&\"c\"")
    grid.put("漢 \u{1B}[0m", at: Position(column: 2, row: 1), style: Style(.flagged))
    grid.put("selected", at: Position(column: 2, row: 2), width: 12, style: Style(.ready, selected: true))
    return grid
  }

  @Test func `Text has one line a row, without blanks at the end`() {
    #expect(
      GridText.text(of: sample()) == """
        ┌ a<b>&"c" ────────┐
        │ 漢 \\u{1B}[0m     │
        │ selected         │
        └──────────────────┘

        """)
    #expect(GridText.text(of: Grid(size: Size(columns: 3, rows: 2))) == "\n\n")
  }

  @Test(arguments: Theme.builtIn)
  func `A picture is well-formed, the same every time, and stretches each run to its columns`(theme: Theme) {
    let svg = GridSVG.svg(of: sample(), theme: theme, title: "Review <1> & more")
    #expect(svg == GridSVG.svg(of: sample(), theme: theme, title: "Review <1> & more"))
    #expect(svg.contains("<title>Review &lt;1&gt; &amp; more</title>"))
    #expect(svg.contains("a&lt;b&gt;&amp;&quot;c&quot;"))
    #expect(svg.contains(">漢</text>"))
    #expect(svg.contains("textLength=\"72\""))
    #expect(!svg.unicodeScalars.contains("\u{1B}"))
    #expect(XML.isWellFormed(svg))
  }

  @Test func `Nothing drawn can leave its element`() {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<30 {
      var grid = Grid(size: Size(columns: 40, rows: 3))
      for row in 0..<3 { grid.put(random.text(upTo: 40), at: Position(column: 0, row: row)) }
      #expect(XML.isWellFormed(GridSVG.svg(of: grid, theme: .dark, title: random.text(upTo: 9))))
    }
  }
}

private enum XML {
  static func isWellFormed(_ text: String) -> Bool {
    var open: [String] = []
    // Scalars, not characters: a combining mark may follow a bracket.
    var rest = Substring.UnicodeScalarView(text.unicodeScalars)
    while let start = rest.firstIndex(of: "<") {
      guard isText(rest[..<start]), let end = rest[start...].firstIndex(of: ">") else { return false }
      let tag = String(rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.popLast() == String(tag.dropFirst()) else { return false }
      } else if !tag.hasSuffix("/") {
        open.append(String(tag.prefix { $0 != " " }))
      }
    }
    return open.isEmpty && isText(rest)
  }

  private static func isText(_ scalars: Substring.UnicodeScalarView) -> Bool {
    let entities = ["amp;", "lt;", "gt;", "quot;"]
    return !scalars.contains(">")
      && scalars.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
        entities.contains { part.starts(with: $0.unicodeScalars) }
      }
  }
}

@Suite("A session as an animated picture") struct FilmSVGTests {
  private func frame(_ text: String, _ seconds: Double, keys: String = "", caption: String = "What") -> FilmFrame {
    var grid = Grid(size: Size(columns: 20, rows: 3))
    grid.put("same", at: Position(column: 0, row: 0))
    grid.put(text, at: Position(column: 0, row: 1))
    return FilmFrame(grid: grid, seconds: seconds, keys: keys, caption: caption)
  }

  private func count(_ part: String, in svg: String) -> Int { svg.split(separator: part).count - 1 }

  @Test func `each frame is shown as long as it should, equal neighbours are one, and what frames share is drawn once`()
  {
    let frames = [frame("one", 1), frame("one", 2), frame("two", 1)]
    let svg = FilmSVG.svg(of: frames, theme: .dark, title: "T")
    #expect(svg.contains("film 4000ms step-end infinite"))
    #expect(count("translateX(", in: svg) == 2)
    #expect(svg.contains("75.000%{"))
    #expect(count(">same<", in: svg) == 1 && count("<use ", in: svg) == 4)
    #expect(svg.contains("@media (prefers-reduced-motion:reduce){.film{animation:none}}"))
    #expect(!svg.contains("<script") && !svg.contains("href=\"http"))
  }

  @Test func `hostile text in a grid, a key or a caption stays text`() {
    let svg = FilmSVG.svg(
      of: [frame("</text><script>", 1, keys: "<\u{1B}", caption: "a < b\u{202E}")], theme: .dark, title: "<T>")
    #expect(!svg.contains("<script>") && !svg.contains("\u{1B}") && !svg.contains("\u{202E}"))
    #expect(svg.contains("a &lt; b\\u{202E}") && svg.contains("&lt;T&gt;"))
  }

  @Test func `no frames make no picture`() {
    #expect(FilmSVG.svg(of: [], theme: .dark, title: "T").isEmpty)
  }
}
