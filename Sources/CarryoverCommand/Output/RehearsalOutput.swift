import Carryover
import CarryoverReview
import PropertyLists

/// What a rehearsal found: for a person to read, and as `carryover.rehearsal/1`, the published form of
/// `apply --rehearse --json`.
struct RehearsalOutput {
  let report: RehearsalReport

  func write(to page: inout TextPage) {
    ReportText.writeOutcomes(report.run, to: &page)
    guard !report.files.isEmpty else { return page.add("Nothing would be written; there is nothing to rehearse.") }
    for problem in report.problems { page.add(.error, problem) }
    page.add(
      report.problems.isEmpty
        ? "Applied to a copy and rolled back: every file has its former content again. The container was not changed."
        : "The rehearsal failed. The container was not changed.")
  }

  var json: JSONValue {
    .object([
      JSONMember("schema", .string("carryover.rehearsal/1")),
      JSONMember("proved", .boolean(report.problems.isEmpty)), JSONMember("files", JSONValue(report.files)),
      JSONMember("problems", JSONValue(report.problems)),
      JSONMember("report", ReportJSON.value(report.run, recovered: [])),
    ])
  }
}
