import CarryoverSystem
import CarryoverTerminal

/// One HTML file that loads nothing, runs nothing and prints well.
enum ReportHTML {
  static func text(_ page: ReportPage) -> String {
    let title = escaped(page.title.map(\.plain).joined())
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(title)</title>
      <style>
      \(style)
      </style>
      </head>
      <body>
      <h1>\(html(page.title))</h1>
      \(page.blocks.map(html).joined(separator: "\n"))
      </body>
      </html>
      """
  }

  private static func html(_ block: ReportBlock) -> String {
    switch block {
    case .heading(let title): "<h2>\(escaped(title))</h2>"
    case .paragraph(let pieces): "<p>\(html(pieces))</p>"
    case .notice(let pieces): "<p class=\"notice\">\(html(pieces))</p>"
    case .table(let head, let rows):
      "<div class=\"table\"><table>\n<thead>\(row(head.map(escaped), "th"))</thead>\n<tbody>\n"
        + rows.map { row($0.map(html), "td") }.joined(separator: "\n") + "\n</tbody>\n</table></div>"
    case .list(let items): list(items.map(html))
    case .items(let items): list(items.map { $0.map { "<p>\(html($0))</p>" }.joined() })
    case .commands(let commands): "<pre>\(commands.map(escaped).joined(separator: "\n"))</pre>"
    case .details(let title, let items):
      "<details><summary>\(escaped(title))</summary>\n\(list(items.map(html)))\n</details>"
    }
  }

  private static func list(_ items: [String]) -> String {
    "<ul>\n" + items.map { "<li>\($0)</li>" }.joined(separator: "\n") + "\n</ul>"
  }

  private static func row(_ cells: [String], _ tag: String) -> String {
    "<tr>" + cells.map { "<\(tag)>\($0.isEmpty ? "none" : $0)</\(tag)>" }.joined() + "</tr>"
  }

  private static func html(_ pieces: [ReportPiece]) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): escaped(text)
      case .strong(let text): "<strong>\(escaped(text))</strong>"
      case .code(let text): text.isEmpty ? "" : "<code>\(escaped(DisplayText.visible(text, limit: 160)))</code>"
      case .bar(let bar): svg(bar)
      }
    }.joined()
  }

  /// A bar of one part has its words beside it; of several, the table has columns for them.
  private static func svg(_ bar: ReportBar) -> String {
    let words = escaped(bar.words)
    let (label, title, beside) =
      bar.pieces.count > 1
      ? ("role=\"img\" aria-label=\"\(words)\"", "<title>\(words)</title>", "")
      : ("aria-hidden=\"true\"", "", " <small>\(words)</small>")
    let rectangles = bar.pieces.map { piece in
      "<rect class=\"\(piece.kind.rawValue)\" x=\"\(piece.start)\" width=\"\(piece.length)\" height=\"10\"/>"
    }
    return "<svg viewBox=\"0 0 \(ReportBar.length) 10\" preserveAspectRatio=\"none\" \(label)>" + title
      + rectangles.joined() + "</svg>" + beside
  }

  /// Text from outside: markup and control characters are escaped.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in DisplayText.visible(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1c1f24; --dim: #57606a; --paper: #ffffff; --line: #d0d7de; --shade: #f3f5f7;
      --mark: #9a4a00; --good: #1a7f4b; --ask: #b86e00; --bad: #c0262d; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9aa4af; --paper: #14171b; --line: #363c44;
      --shade: #1f242a; --mark: #f0b072; --good: #3fb27f; --ask: #e0a040; --bad: #f0706a; } }
    body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.5rem 4rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
    h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 1rem; }
    h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
    p { margin: .5rem 0; }
    ul { margin: .5rem 0; padding-left: 1.3rem; }
    li { margin: .3rem 0; }
    code, pre { font: .86em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
    code { background: var(--shade); padding: .1em .3em; border-radius: .25em; overflow-wrap: anywhere; }
    pre { background: var(--shade); padding: .7rem .9rem; border-radius: .4rem; white-space: pre-wrap;
      overflow-wrap: anywhere; }
    .notice { border-left: .25rem solid var(--mark); padding: .2rem .8rem; color: var(--dim); }
    .table { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: .9rem; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
    th { color: var(--dim); font-weight: 600; }
    svg { width: 12rem; height: .8rem; vertical-align: middle; background: var(--shade);
      outline: 1px solid var(--line); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    .good { fill: var(--good); } .ask { fill: var(--ask); } .bad { fill: var(--bad); } .nothing { fill: var(--line); }
    small { color: var(--dim); white-space: nowrap; }
    summary { cursor: pointer; margin: .5rem 0; }
    @media print { details::details-content { content-visibility: visible; block-size: auto; }
      body { max-width: none; padding: 0; font-size: 10pt; } h2 { break-after: avoid; }
      tr, li, pre { break-inside: avoid; } .table { overflow: visible; } }
    """
}

extension ReportPiece {
  var plain: String {
    switch self {
    case .text(let text), .strong(let text), .code(let text): text
    case .bar(let bar): bar.words
    }
  }
}
