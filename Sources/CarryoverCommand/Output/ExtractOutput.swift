import Carryover
import CarryoverContainers
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

  static func lines(_ report: ExtractionReport, columns: Int) -> [String] {
    let files = report.files == 1 ? "1 file" : "\(report.files) files"
    var lines = ["\(files), \(ByteCount.text(report.bytes)), are in \(report.destination)."]
    if !report.leftOut.isEmpty {
      lines += ["", "Left out: \(report.leftOut.count)"]
      lines += report.leftOut.prefix(shown).map { "  " + $0.description }
      if report.leftOut.count > shown {
        lines.append("  and \(report.leftOut.count - shown) more; --json has them all")
      }
    }
    return lines
  }

  private static let shown = 200
}
