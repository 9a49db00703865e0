/// A page before it has a form.
struct ReportPage {
  var title: [ReportPiece]
  var blocks: [ReportBlock]
}

enum ReportBlock {
  case heading(String)
  case paragraph([ReportPiece])
  /// Shown before the rest.
  case notice([ReportPiece])
  case table(head: [String], rows: [[[ReportPiece]]])
  case list([[ReportPiece]])
  case items([[[ReportPiece]]])
  case commands([String])
  /// A list that is closed until the reader opens it.
  case details(title: String, [[ReportPiece]])
}

/// A piece of a sentence, not escaped yet.
enum ReportPiece {
  case text(String)
  case strong(String)
  case code(String)
  case bar(ReportBar)

  static func code(_ text: String?) -> [ReportPiece] { text.map { [.code($0)] } ?? [] }
}

/// Parts of a whole as a bar, and as words for those who do not see it.
struct ReportBar {
  enum Kind: String {
    case good, ask, bad, nothing
  }

  private let parts: [(count: Int, kind: Kind)]
  private let whole: Int
  let words: String

  init(_ parts: [(count: Int, kind: Kind)], of whole: Int, _ words: String) {
    (self.parts, self.whole, self.words) = (parts, whole, words)
  }

  static let length = 1_000
  /// The least length of a part that is not zero, so that it is visible.
  private static let least = 8

  var pieces: [(start: Int, length: Int, kind: Kind)] {
    var start = 0
    return parts.filter { $0.count > 0 && whole > 0 }.map { count, kind in
      let length = min(max(Self.least, Int(Double(count) / Double(whole) * Double(Self.length))), Self.length)
      defer { start += length }
      return (min(start, Self.length - Self.least), length, kind)
    }
  }

  /// Rounding shows neither a few as none nor nearly all as all.
  static func percent(_ count: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0 %" }
    let tenths = Int((Double(count) / Double(whole) * 1_000).rounded())
    if count > 0, tenths == 0 { return "< 0.1 %" }
    if count < whole, tenths == 1_000 { return "> 99.9 %" }
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

/// A form with a size limit.
enum ReportForm {
  case html
  /// A comment on a pull request. By the hidden marker, a program finds the comment that it wrote before.
  case markdown(marker: String)

  var mostRows: Int {
    switch self {
    case .html: 300
    case .markdown: 60
    }
  }

  /// Bytes of HTML, UTF-16 units of Markdown.
  private var limit: Int {
    switch self {
    case .html: 1_900_000
    case .markdown: 60_000
    }
  }

  /// Omits blocks that do not fit, and says so.
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
