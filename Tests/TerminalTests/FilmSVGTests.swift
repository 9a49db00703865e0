import CarryoverTerminal
import CarryoverTestSupport
import Testing

@Suite("A session as an animated picture")
struct FilmSVGTests {
  private func frame(_ text: String, _ seconds: Double, keys: String = "", caption: String = "What") -> FilmFrame {
    var grid = Grid(size: Size(columns: 20, rows: 3))
    grid.put("same", at: Position(column: 0, row: 0))
    grid.put(text, at: Position(column: 0, row: 1))
    return FilmFrame(grid: grid, seconds: seconds, keys: keys, caption: caption)
  }

  private func count(_ part: String, in svg: String) -> Int { svg.split(separator: part).count - 1 }

  @Test("a row that frames share is drawn once")
  func sharedRows() {
    let svg = FilmSVG.svg(of: [frame("one", 1), frame("two", 1)], theme: .dark, title: "T")
    #expect(count(">same<", in: svg) == 1)
    #expect(count("<use ", in: svg) == 4)
  }

  @Test("each frame is shown as long as it should, and equal neighbours are one")
  func lengths() {
    let frames = [frame("one", 1), frame("one", 2), frame("two", 1)]
    let svg = FilmSVG.svg(of: frames, theme: .dark, title: "T")
    #expect(svg.contains("film 4000ms step-end infinite"))
    #expect(count("translateX(", in: svg) == 2)
    #expect(svg.contains("75.000%{"))
  }

  @Test("it stands still where less motion is asked for, and runs no script")
  func still() {
    let svg = FilmSVG.svg(of: [frame("one", 1), frame("two", 1)], theme: .light, title: "T")
    #expect(svg.contains("@media (prefers-reduced-motion:reduce){.film{animation:none}}"))
    #expect(!svg.contains("<script") && !svg.contains("href=\"http"))
  }

  @Test("hostile text in a grid, a key or a caption stays text")
  func hostile() {
    let svg = FilmSVG.svg(
      of: [frame("</text><script>", 1, keys: "<\u{1B}", caption: "a < b\u{202E}")], theme: .dark, title: "<T>")
    #expect(!svg.contains("<script>") && !svg.contains("\u{1B}") && !svg.contains("\u{202E}"))
    #expect(svg.contains("a &lt; b\\u{202E}") && svg.contains("&lt;T&gt;"))
  }

  @Test("no frames make no picture")
  func empty() {
    #expect(FilmSVG.svg(of: [], theme: .dark, title: "T").isEmpty)
  }
}
