@testable import CarryoverPages
@testable import CarryoverReview

@Suite("Pages on narrow screens and on paper") struct PageWriterTests {
  private func text(_ blocks: [Block], columns: Int, keepsWords: Bool) -> [String] {
    var writer = PageWriter(columns: columns, ink: Ink(ReviewOptions()), keepsWords: keepsWords)
    writer.add(blocks)
    return writer.lines.map { $0.map(\.text).joined() }
  }

  @Test func `a long word in a table is broken on a screen, and whole on paper`() {
    let word = "com.example.customer.production.beta.with.a.name.that.is.longer.than.a.line.plist"
    var table = Table([.init(.whole, "", .head), .init(.sentence, "where")])
    table.add([.text("10:00"), .place(word)])
    let screen = text([.table(table)], columns: 60, keepsWords: false)
    #expect(screen.allSatisfy { DisplayWidth.columns(of: $0) <= 60 }, "\(screen)")
    #expect(screen.joined().filter { $0 != " " }.contains(word))
    #expect(text([.table(table)], columns: 60, keepsWords: true).contains { $0.contains(word) })
  }

  @Test func `the names of two values side by side are whole in 80 columns`() {
    let name = "remoteConfig.experiments.newCheckout"
    let side = Side(name: name, isPath: true, key: "", old: false, new: true, note: nil)
    #expect(text([.sides([side])], columns: 80, keepsWords: false).count { $0.contains(name) } == 2)
  }

  @Test func `a path keeps its blanks, and on paper its line`() {
    let path = "/My  Apps/A folder with  blanks/in the container of an app/backup"
    #expect(text([.path(path)], columns: 30, keepsWords: true) == ["  " + path])
    let screen = text([.path(path)], columns: 30, keepsWords: false)
    #expect(screen.count > 1 && screen.map { $0.dropFirst(2) }.joined() == path, "\(screen)")
  }

  @Test func `no line of code ends its block in Markdown`() {
    let code = ["let a = 1", "   ````", "[b](c)"]
    #expect(ReportMarkdown.lines([.code(code)], Ink(redaction: nil)) == ["`````swift"] + code + ["`````"])
    #expect(ReportMarkdown.lines([.code(["``"])], Ink(redaction: nil)) == ["```swift", "``", "```"])
  }
}
