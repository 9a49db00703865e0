import Foundation

/// Rows of an audit, made by hand: as an audit writes them, or as a stranger could.
struct AuditRows {
  private(set) var lines: [String] = []
  private var input = 0

  struct Field {
    var name: String
    var verdict = "carries"
    var group = "identity"
    var status = "ready"
    var reference: String? = "kept"
    var findings: [String] = []
  }

  mutating func add(
    _ path: String?, id: String? = nil, outcome: String = "audited", recipe: String = "rudderstack-objc",
    findings: [String] = [], _ fields: [Field] = []
  ) {
    input += 1
    let isPlanned = outcome == "audited"
    let common: [String: Any] = [
      "schema": "carryover.audit-row/1", "n": input, "container": (id as Any?) ?? NSNull(),
      "path": (path as Any?) ?? NSNull(),
    ]
    line(
      common.merging([
        "row": "container", "outcome": outcome, "code": isPlanned ? NSNull() : "archive",
        "recipe": isPlanned ? recipe : NSNull(), "findings": findings + fields.flatMap(\.findings), "errors": 0,
        "warnings": findings.count, "notes": 0, "blocked": false,
      ]) { $1 })
    for field in fields {
      line(
        common.merging([
          "row": "field", "recipe": recipe, "field": field.name, "group": field.group, "source": "rl_traits.userId",
          "candidate": 0, "legacyKind": "string", "status": field.status, "verdict": field.verdict,
          "reference": (field.reference as Any?) ?? NSNull(), "findings": field.findings,
        ]) { $1 })
    }
  }

  mutating func add(line: String) { lines.append(line) }

  private mutating func line(_ row: [String: Any]) {
    // Nothing but strings, numbers and lists is in it.
    guard let data = try? JSONSerialization.data(withJSONObject: row, options: .sortedKeys) else { return }
    lines.append(String(decoding: data, as: UTF8.self))
  }

  func write(to path: String) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
  }

  static let hostileNames = [
    "<script>alert(1)</script>", "]]><x/>", "a\nb\r\nc", "\u{202E}gpj.exe", "=cmd|' /C calc'!A0", "| ` * [x](y) -->",
    "\"'&amp;\u{0}\u{1B}[31m", "https://evil.example/a:b?c#d", "日本語 ‮ \u{FFFE}",
    "  ＝1+2", "＋x;y", "@team look", "a;b",
  ]

  static func hostile() -> AuditRows {
    var rows = AuditRows()
    for name in hostileNames {
      rows.add(
        name, id: name, recipe: name, findings: [name],
        [Field(name: name, verdict: "lost", group: name, findings: [name])])
      rows.add(name + "2", outcome: "unreadable")
    }
    return rows
  }
}
