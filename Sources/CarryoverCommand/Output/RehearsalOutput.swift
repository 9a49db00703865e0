import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// What a rehearsal found: for a person to read, and as `carryover.rehearsal/1`, the published form of
/// `apply --rehearse --json`.
struct RehearsalOutput {
  let report: RehearsalReport

  func write(to page: inout TextPage) {
    ReportText.writeOutcomes(report.run, to: &page)
    guard !report.steps.isEmpty else { return page.add("Nothing would be written; there is nothing to rehearse.") }
    for step in report.steps {
      page.add(step.problems.isEmpty ? .done : .error, "\(step.kind.rawValue): \(words(step))")
      for problem in step.problems { page.add(problem, indent: 2) }
    }
    for file in report.files {
      page.blank()
      page.line(file.id)
      // A checksum is compared as a whole.
      var table = Table(
        [
          Table.Column(.whole, "", .head), Table.Column(.whole, "size", .head), Table.Column(.whole, "mode", .head),
          Table.Column(.whole, "sha256"),
        ], indent: 2, glyphs: page.ink.glyphs)
      let states = [("original", file.original), ("applied", file.applied), ("rolled back", file.rolledBack)]
      for (name, state) in states {
        let cells = state.map { ["\($0.size) bytes", String($0.mode, radix: 8), $0.sha256] } ?? ["absent", "", ""]
        table.add([Span(name)] + cells.map { Span($0) })
      }
      page.add(table)
    }
    page.blank()
    page.add(
      report.isProved
        ? "Rehearsed on a copy, which was removed. The container was not changed."
        : "The rehearsal failed. The container was not changed.")
  }

  private func words(_ step: RehearsalStep) -> String {
    guard step.problems.isEmpty else { return "failed" }
    switch step.kind {
    case .copy:
      let files = report.files.compactMap(\.original)
      let size = files.reduce(0) { sum, file in
        let (total, overflow) = sum.addingReportingOverflow(file.size)
        return overflow ? .max : total
      }
      return "\(files.count) file\(files.count == 1 ? "" : "s"), \(ByteCount.text(size))"
    case .apply: return "written, with a backup: \(report.run.files.joined(separator: ", "))"
    case .verify: return "every field reads back as planned; nothing else changed"
    case .rollback: return "the backup was restored"
    case .compare: return "bytes, permission bits and absent files are those of the original"
    }
  }

  var json: JSONValue {
    .object([
      JSONMember("schema", .string("carryover.rehearsal/1")),
      JSONMember("proved", .boolean(report.isProved)),
      JSONMember(
        "steps",
        .array(
          report.steps.map { step in
            .object([
              JSONMember("step", .string(step.kind.rawValue)),
              JSONMember("outcome", .string(step.problems.isEmpty ? "done" : "failed")),
              JSONMember("problems", JSONValue(step.problems)),
            ])
          })),
      JSONMember("files", .array(report.files.map(Self.file))),
      JSONMember("report", ReportJSON.value(report.run, recovered: [])),
    ])
  }

  private static func file(_ file: RehearsedFile) -> JSONValue {
    .object([
      JSONMember("path", .string(file.id)), JSONMember("original", state(file.original)),
      JSONMember("applied", state(file.applied)), JSONMember("rolledBack", state(file.rolledBack)),
    ])
  }

  private static func state(_ state: RehearsedFile.State?) -> JSONValue {
    guard let state else { return .null }
    return .object([
      JSONMember("size", JSONValue(state.size)), JSONMember("sha256", .string(state.sha256)),
      JSONMember("mode", .string(String(state.mode, radix: 8))),
    ])
  }
}
