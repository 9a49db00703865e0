import Carryover
import CarryoverSystem
import CarryoverTerminal

/// One HTML file that loads nothing, runs nothing and prints well.
package enum ReportHTML {
  /// - Parameter blocks: the title first.
  package static func text(_ blocks: [Block], _ ink: Ink) -> String {
    let title =
      blocks.lazy.compactMap {
        if case .answer(let words, _, _, _, _) = $0 { words.map(ink.text).joined() } else { nil }
      }
      .first ?? ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(escaped(title))</title>
      <style>
      \(style)
      </style>
      </head>
      <body>
      \(blocks.map { html($0, ink) }.filter { !$0.isEmpty }.joined(separator: "\n"))
      </body>
      </html>
      """
  }

  private static func html(_ block: Block, _ ink: Ink) -> String {
    func html(_ words: Pieces) -> String { words.map { self.html($0, ink) }.joined() }
    switch block {
    case .answer(let words, _, _, let certainty, let because):
      let reason = certainty.isEmpty ? because : [.strong(certainty + "."), .text(" ")] + because
      return "<h1>\(html(words))</h1>" + (because.isEmpty ? "" : "\n<p>\(html(reason))</p>")
    case .heading(let title, let count):
      return "<h2>\(escaped(ink.quoted(title)))\(count.map { " \($0)" } ?? "")</h2>"
    case .paragraph(let words, _, _): return "<p>\(html(words))</p>"
    case .path(let text, _, _), .paths(let text, _): return "<p>\(escaped(ink.masked(text)))</p>"
    case .notice(let words): return "<p class=\"notice\">\(html(words))</p>"
    case .table(let table):
      return "<div class=\"table\"><table>\n<thead>\(row(table.head.map(escaped), "th"))</thead>\n<tbody>\n"
        + table.rows.map { row($0.map(html), "td") }.joined(separator: "\n") + "\n</tbody>\n</table></div>"
    case .list(let items) where items.isEmpty: return ""
    case .commands(let commands) where commands.isEmpty: return ""
    case .list(let items):
      return list(
        items.map(\.paragraphs).map { words in
          words.count == 1 ? html(words[0]) : words.map { "<p>\(html($0))</p>" }.joined()
        })
    case .commands(let commands):
      return "<pre>\(commands.map { escaped(ink.masked($0.text)) }.joined(separator: "\n"))</pre>"
    case .code(let lines): return "<pre>\(lines.map(escaped).joined(separator: "\n"))</pre>"
    case .sides(let sides): return list(sides.flatMap(\.words).map(html))
    case .details(let title, let items):
      return "<details><summary>\(escaped(ink.quoted(title)))</summary>\n\(list(items.map(html)))\n</details>"
    case .anchor, .blank: return ""
    }
  }

  private static func list(_ items: [String]) -> String {
    "<ul>\n" + items.map { "<li>\($0)</li>" }.joined(separator: "\n") + "\n</ul>"
  }

  private static func row(_ cells: [String], _ tag: String) -> String {
    "<tr>" + cells.map { "<\(tag)>\($0.isEmpty ? "none" : $0)</\(tag)>" }.joined() + "</tr>"
  }

  private static func html(_ piece: Piece, _ ink: Ink) -> String {
    let text = ink.text(piece)
    return switch piece {
    case .text(_, _, bold: true): "<strong>\(escaped(text))</strong>"
    case .text, .words, .place: escaped(text)
    case .code, .name, .path, .value, .literal, .key: code(text)
    case .sign: text
    case .bar(let bar): svg(bar)
    }
  }

  private static func code(_ text: String) -> String {
    text.isEmpty ? "" : "<code>\(escaped(DisplayText.visible(text, limit: 160)))</code>"
  }

  /// A bar of one part has its words beside it; of several, the table has columns for them.
  private static func svg(_ bar: Bar) -> String {
    let words = escaped(bar.words)
    let (label, title, beside) =
      bar.pieces.count > 1
      ? ("role=\"img\" aria-label=\"\(words)\"", "<title>\(words)</title>", "")
      : ("aria-hidden=\"true\"", "", " <small>\(words)</small>")
    let rectangles = bar.pieces.map { piece in
      "<rect class=\"\(piece.kind.rawValue)\" x=\"\(piece.start)\" width=\"\(piece.length)\" height=\"10\"/>"
    }
    return "<svg viewBox=\"0 0 \(Bar.length) 10\" preserveAspectRatio=\"none\" \(label)>" + title
      + rectangles.joined() + "</svg>" + beside
  }

  /// Text from outside: markup and control characters are escaped.
  package static func escaped(_ text: String) -> String {
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
