import PropertyLists

/// The rows of one container, read back: what an audit found out about it.
package struct AuditUnit: Hashable, Sendable {
  /// A field of its plan.
  package struct Field: Hashable, Sendable {
    package var name = ""
    package var group = ""
    package var source: String?
    package var candidate: Int?
    package var legacyKind: String?
    package var status = ""
    package var verdict = AuditVerdict.nothing
    /// What the vendor's migrator does with the value: `kept`, `dropped` or `wrong`; nil if there is none.
    package var reference: String?
    package var findings: [String] = []
    /// Whether there is a value to write.
    package var isProposed = false
  }

  /// The number of the input, from 1.
  package var input = 0
  /// The checksum of what was read; nil if nothing was.
  package var id: String?
  /// The path below the audited folder; nil if rows name no paths.
  package var path: String?
  package var outcome = AuditOutcome.audited
  /// The word for the reason that there is no plan.
  package var code: String?
  package var recipe: String?
  /// The codes of all findings, each once.
  package var findings: [String] = []
  /// How many findings there are of each severity: `error`, `warning`, `note`. One without findings is not listed.
  package var severities: [String: Int] = [:]
  package var isBlocked = false
  /// Whether a field needs a decision.
  package var isUndecided = false
  package var fields: [Field] = []

  /// The longest name in bytes, so that examples from a stranger's rows do not fill the memory.
  private static let longestName = 400

  /// The name for display: its path, or what there is without one.
  package var name: String {
    guard let path else { return "input \(input)" }
    return path.utf8.count <= Self.longestName
      ? path : String(decoding: path.utf8.prefix(Self.longestName), as: UTF8.self)
  }

  /// Whether a field has a verdict.
  package func has(_ verdict: AuditVerdict) -> Bool { fields.contains { $0.verdict == verdict } }
}

/// Puts the rows of an audit together again, container by container.
package struct AuditRowReader {
  private var unit: AuditUnit?

  package init() {}

  /// Far more than a recipe has.
  private static let mostFields = 10_000

  /// Takes the next row.
  /// - Returns: the container before it, once its rows are complete.
  /// - Throws: ``DamagedRow``.
  package mutating func take(_ line: [UInt8]) throws(DamagedRow) -> AuditUnit? {
    let row: JSONValue
    do throws(JSONError) {
      row = try JSONText(bytes: line).value
    } catch {
      throw DamagedRow("\(error.reason) in column \(error.column)")
    }
    var (unit, field) = (AuditUnit(), AuditUnit.Field())
    let kind = try Self.read(row, &unit, &field)
    if kind == "container" {
      defer { self.unit = unit }
      return self.unit
    }
    guard let owner = self.unit, owner.input == unit.input, owner.path == unit.path, owner.outcome.hasPlan,
      owner.fields.count < Self.mostFields
    else { throw DamagedRow("it is the row of a field without the row of its container before it") }
    self.unit?.fields.append(field)
    return nil
  }

  /// The last container.
  package mutating func finish() -> AuditUnit? {
    defer { unit = nil }
    return unit
  }

  /// Reads a row into a container or a field, and gives its kind.
  private static func read(
    _ row: JSONValue, _ unit: inout AuditUnit, _ field: inout AuditUnit.Field
  ) throws(DamagedRow) -> String {
    var kind: String?
    var (hasSchema, hasOutcome, hasVerdict) = (false, false, false)
    for member in row.members ?? [] {
      let text = member.value.stringValue
      switch member.name {
      case "schema": hasSchema = text == AuditedContainer.schema
      case "n": unit.input = number(member.value) ?? 0
      case "row": kind = text
      case "container": unit.id = text
      case "path": unit.path = text
      case "outcome":
        let outcome = text.flatMap(AuditOutcome.init)
        hasOutcome = outcome != nil
        unit.outcome = outcome ?? .audited
      case "code": unit.code = text
      case "recipe": unit.recipe = text
      case "findings":
        unit.findings = member.value.elements?.compactMap(\.stringValue) ?? []
        field.findings = unit.findings
      case "errors", "warnings", "notes":
        let count = number(member.value) ?? 0
        unit.severities[String(member.name.dropLast())] = count > 0 ? count : nil
      case "undecided": unit.isUndecided = number(member.value) ?? 0 > 0
      case "blocked": unit.isBlocked = member.value.booleanValue == true
      case "field": field.name = text ?? ""
      case "group": field.group = text ?? ""
      case "source": field.source = text
      case "candidate": field.candidate = number(member.value)
      case "legacyKind": field.legacyKind = text
      case "status": field.status = text ?? ""
      case "verdict":
        let verdict = text.flatMap(AuditVerdict.init)
        hasVerdict = verdict != nil
        field.verdict = verdict ?? .nothing
      case "reference": field.reference = text
      case "proposed": field.isProposed = member.value.booleanValue == true
      default: break
      }
    }
    let isWhole = kind == "container" ? hasOutcome : kind == "field" && hasVerdict && !field.name.isEmpty
    guard hasSchema, unit.input > 0, isWhole, let kind else { throw DamagedRow("it is not a row of an audit") }
    return kind
  }

  private static func number(_ value: JSONValue) -> Int? { value.numberValue?.int64.map(Int.init) }
}

/// A line that is not a row of an audit, or not where it is.
package struct DamagedRow: Error {
  /// The reason, as the end of a sentence.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
