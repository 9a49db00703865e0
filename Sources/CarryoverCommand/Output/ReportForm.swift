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
