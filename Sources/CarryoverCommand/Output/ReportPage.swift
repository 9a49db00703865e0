/// A page for a person, before it has a form: what each part is, and nothing of how it looks.
struct ReportPage {
  var title: [ReportPiece]
  var blocks: [ReportBlock]
}

/// A part of a page.
enum ReportBlock {
  case heading(String)
  case paragraph([ReportPiece])
  /// Something to see before the rest.
  case notice([ReportPiece])
  case table(head: [String], rows: [[[ReportPiece]]])
  case list([[ReportPiece]])
  /// Items of several paragraphs.
  case items([[[ReportPiece]]])
  /// Lines to paste.
  case commands([String])
  /// A list that is closed until a reader opens it, under a title.
  case details(title: String, [[ReportPiece]])
}

/// A piece of a sentence. Its text is as it came: each form escapes it.
enum ReportPiece {
  case text(String)
  case strong(String)
  /// A value, a name or a path.
  case code(String)
  case bar(ReportBar)

  /// The pieces of a value in a table's cell; none where there is no value.
  static func code(_ text: String?) -> [ReportPiece] { text.map { [.code($0)] } ?? [] }
}
