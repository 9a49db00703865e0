import CarryoverAudit
import CarryoverSystem

/// The fields of an audit as comma-separated values, a line each.
enum AuditCSV {
  static let head =
    "n,container,path,recipe,field,group,source,candidate,legacy_kind,status,verdict,reference,findings"

  static func lines(_ unit: AuditUnit) -> [String] {
    unit.fields.map { field in
      [
        "\(unit.input)", cell(unit.id), cell(unit.path), cell(unit.recipe), cell(field.name), cell(field.group),
        cell(field.source), field.candidate.map { "\($0)" } ?? "", cell(field.legacyKind), cell(field.status),
        field.verdict.rawValue, cell(field.reference), cell(field.findings.joined(separator: " ")),
      ].joined(separator: ",")
    }
  }

  /// A text as a cell. A spreadsheet would compute one that begins like a formula.
  private static func cell(_ text: String?) -> String {
    guard let text else { return "" }
    var shown = DisplayText.visible(text)
    if let first = shown.unicodeScalars.first, ["=", "+", "-", "@"].contains(first) { shown = "'" + shown }
    guard shown.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else { return shown }
    return "\"" + shown.replacing("\"", with: "\"\"") + "\""
  }
}
