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

/// A bar of a chart: the parts of a whole, and the same in words for those who do not see it.
struct ReportBar {
  /// What a part means. It decides the colour.
  enum Kind: String {
    case good, ask, bad, nothing
  }

  private let parts: [(count: Int, kind: Kind)]
  private let whole: Int
  /// The text alternative.
  let words: String

  /// - Parameter whole: what the parts are shares of.
  init(_ parts: [(count: Int, kind: Kind)], of whole: Int, _ words: String) {
    (self.parts, self.whole, self.words) = (parts, whole, words)
  }

  /// How long a whole bar is.
  static let length = 1_000
  /// How long a part that is not nothing is at least, so that it can be seen.
  private static let least = 8

  /// Where each part begins, and its length.
  var pieces: [(start: Int, length: Int, kind: Kind)] {
    var start = 0
    return parts.filter { $0.count > 0 && whole > 0 }.map { count, kind in
      let length = min(max(Self.least, Int(Double(count) / Double(whole) * Double(Self.length))), Self.length)
      defer { start += length }
      return (min(start, Self.length - Self.least), length, kind)
    }
  }

  /// A share in percent. Neither a little looks like nothing, nor nearly all like all.
  static func percent(_ count: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0 %" }
    let tenths = Int((Double(count) / Double(whole) * 1_000).rounded())
    if count > 0, tenths == 0 { return "< 0.1 %" }
    if count < whole, tenths == 1_000 { return "> 99.9 %" }
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

/// A form of a page that has a size limit, whatever is on the page.
enum ReportForm {
  /// A file that a browser opens at once.
  case html
  /// A comment on a pull request. The marker, which nobody sees, lets a program find the comment that it wrote before.
  case markdown(marker: String)

  /// How many rows a table has at most.
  var mostRows: Int {
    switch self {
    case .html: 300
    case .markdown: 60
    }
  }

  /// The largest size: bytes of HTML, UTF-16 units of Markdown.
  private var limit: Int {
    switch self {
    case .html: 1_900_000
    case .markdown: 60_000
    }
  }

  /// The text of a page. Blocks that do not fit are not shown, and a notice says so.
  func text(title: [ReportPiece], _ blocks: [ReportBlock]) -> String {
    let notice = ReportBlock.notice([
      .text("There is more than fits on this page. "), .code("carryover audit report --format csv"),
      .text(" prints every row."),
    ])
    let empty = size(ReportPage(title: [], blocks: []))
    func cost(_ block: ReportBlock) -> Int { size(ReportPage(title: [], blocks: [block])) - empty + 2 }
    var room = limit - size(ReportPage(title: title, blocks: [])) - cost(notice)
    let shown = blocks.filter { block in
      let cost = cost(block)
      guard cost <= room else { return false }
      room -= cost
      return true
    }
    return text(ReportPage(title: title, blocks: shown + (shown.count < blocks.count ? [notice] : [])))
  }

  private func text(_ page: ReportPage) -> String {
    switch self {
    case .html: ReportHTML.text(page)
    case .markdown(let marker): (["<!-- \(marker) -->"] + ReportMarkdown.lines(page)).joined(separator: "\n")
    }
  }

  private func size(_ page: ReportPage) -> Int {
    switch self {
    case .html: text(page).utf8.count
    case .markdown: text(page).utf16.count
    }
  }
}
