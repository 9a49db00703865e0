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

  /// A text as a cell. A spreadsheet would compute one that begins like a formula, also behind blanks and with the wide
  /// signs of East Asian keyboards. Some take a semicolon for the end of a cell.
  private static func cell(_ text: String?) -> String {
    guard let text else { return "" }
    var shown = DisplayText.visible(text)
    let first = shown.unicodeScalars.first { !$0.properties.isWhitespace }
    if let first, "=+-@＝＋－＠".unicodeScalars.contains(first) { shown = "'" + shown }
    guard shown.utf8.contains(where: { ",;\"".utf8.contains($0) }) else { return shown }
    return "\"" + shown.replacing("\"", with: "\"\"") + "\""
  }
}
