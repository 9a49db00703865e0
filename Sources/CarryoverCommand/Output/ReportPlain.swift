import CarryoverReview
import CarryoverTerminal

/// A page as plain text.
enum ReportPlain {
  static func write(_ page: ReportPage, to text: inout TextPage) {
    text.add(plain(page.title) + ".")
    for block in page.blocks { write(block, to: &text) }
    text.blank()
  }

  private static func write(_ block: ReportBlock, to page: inout TextPage) {
    switch block {
    case .heading(let title):
      page.blank()
      page.add(title)
    case .paragraph(let pieces), .notice(let pieces): page.add(plain(pieces))
    case .list(let items): for item in items { page.add(plain(item), indent: 2) }
    case .items(let items): for item in items.joined() { page.add(plain(item), indent: 2) }
    case .commands(let commands): for command in commands { page.line("  " + command) }
    case .details(let title, let items):
      page.add(title)
      for item in items { page.add(plain(item), indent: 2) }
    case .table(let head, let rows):
      let columns = head.enumerated().map { index, label in
        index == 0 ? Table.Column(.name, label, .head) : Table.Column(.sentence, label)
      }
      var table = Table(columns, indent: 2, heading: true, glyphs: page.ink.glyphs)
      for row in rows { table.add(row.map { Span(page.ink.sentence(plain($0))) }) }
      page.add(table)
    }
  }

  private static func plain(_ pieces: [ReportPiece]) -> String { pieces.map(\.plain).joined() }
}
