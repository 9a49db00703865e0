import Carryover
import CarryoverContainers
import CarryoverReview
import PropertyLists

/// What was taken out, as text and as `carryover.extract/1`.
enum ExtractOutput {
  static func json(_ report: ExtractionReport) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.extract/1")),
      JSONMember("output", .string(report.destination)),
      JSONMember("bundleID", JSONValue(report.bundleID)),
      JSONMember("files", JSONValue(report.files)),
      JSONMember("bytes", JSONValue(report.bytes)),
      JSONMember(
        "leftOut",
        .array(
          report.leftOut.map { left in
            ["path": .string(left.path), "reason": .string(left.reason.word), "sentence": .string(left.description)]
          })),
    ])
  }

  static func write(_ report: ExtractionReport, to page: inout TextPage) {
    let files = report.files == 1 ? "1 file" : "\(report.files) files"
    page.add("\(files), \(ByteCount.text(report.bytes)), are in \(report.destination).")
    guard !report.leftOut.isEmpty else { return }
    page.blank()
    page.add("Skipped: \(report.leftOut.count)")
    for left in report.leftOut.prefix(shown) { page.add(.omitted, left.description, indent: 2) }
    if report.leftOut.count > shown {
      page.add("and \(report.leftOut.count - shown) more; --json has them all", indent: 2)
    }
  }

  private static let shown = 200
}
