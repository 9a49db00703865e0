extension Recipe {
  /// The lines of the recipe's page, without margins.
  var lines: [String] {
    var page = PageWriter(columns: 10_000, ink: Ink(redaction: nil), keepsWords: true)
    page.add(RecipePage(self).blocks)
    return page.lines.map { line in String(line.map(\.text).joined().drop { $0 == " " }) }
  }
}
