import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let report = Screen("report", "Report")
}

extension ScreenContent<ReviewState> {
  static var report: ScreenContent {
    text(
      .report, back: .out,
      keys: [
        ReviewKey(
          [.character("X")], "report", "Show the report for a ticket, with personal data masked, to save as a file.",
          in: [.review, .details, .verdict, .warnings, .preview, .result], .seeing, opens: [.report]
        ) { $0.emit(.report) }
      ]
    ) { $0.report($1) }.with {
      $0.closed = { $0.pages.sharedReport = nil }
      $0.whole = { state in
        let lines = (state.pages.sharedReport?.markdown ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return Page(lines: lines.map { [Span(String($0))] })
      }
      $0.saving = Saving(name: "report.md") { state, path in
        SharedReport.isPage(path) ? state.pages.sharedReport?.html : nil
      }
    }
  }
}

extension PageWriter {
  mutating func report(_ state: ReviewState) {
    guard let report = state.pages.sharedReport else { return }
    words("Personal data is masked. Read the report before you send it.")
    words("\(state.key("save", .report)) saves it as Markdown, or as HTML if the file's name ends with .html or .htm.")
    blank()
    for line in report.markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      add([Span(ink.plain(String(line)), .value)])
    }
  }
}

/// The report on the container in the two forms in which it can be saved, personal data masked.
package struct SharedReport: Hashable, Sendable {
  package let markdown: String
  package let html: String

  package init(markdown: String, html: String) {
    self.markdown = markdown
    self.html = html
  }

  static func isPage(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".html") || name.hasSuffix(".htm")
  }
}
