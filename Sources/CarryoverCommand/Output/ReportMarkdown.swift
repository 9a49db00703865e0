/// A page as Markdown.
enum ReportMarkdown {
  static func text(_ page: ReportPage) -> String { lines(page).joined(separator: "\n") }

  /// The lines, none of which ends in a space.
  static func lines(_ page: ReportPage) -> [String] {
    let parts = [["# " + text(page.title)]] + page.blocks.map(lines)
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private static func lines(_ block: ReportBlock) -> [String] {
    switch block {
    case .heading(let title): ["## " + Markdown.text(title)]
    case .paragraph(let pieces): [text(pieces)]
    case .notice(let pieces): ["> " + text(pieces)]
    case .table(let head, let rows): Markdown.table(head.map(Markdown.text), rows.map { $0.map(text) })
    case .list(let items): items.map { "* " + text($0) }
    case .items(let items):
      Array(
        items.map { paragraphs in
          Array(
            paragraphs.enumerated().map { [($0.offset == 0 ? "* " : "  ") + text($0.element)] }.joined(separator: [""]))
        }.joined(separator: [""]))
    // Fenced, because indented lines after a list belong to its last item.
    case .commands(let commands): ["```sh"] + commands.map(Markdown.verbatim) + ["```"]
    case .details(let title, let items):
      ["<details><summary>" + Markdown.withoutMentions(ReportHTML.escaped(title)) + "</summary>", ""]
        + items.map { "* " + text($0) } + [
          "", "</details>",
        ]
    }
  }

  private static func text(_ pieces: [ReportPiece]) -> String {
    Markdown.trimmed(
      pieces.map { piece in
        switch piece {
        case .text(let text): Markdown.escaped(text)
        case .strong(let text): "**" + Markdown.text(text) + "**"
        case .code(let text): Markdown.code(text)
        case .bar(let bar): Markdown.text(bar.words)
        }
      }.joined())
  }
}
