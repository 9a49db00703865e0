import Carryover
import CarryoverReview
import PropertyLists

/// What a plan says of a field, as far as recipes decide it: what a comparison of two plans compares.
struct FieldResult: Hashable {
  let state: FieldState
  private let status: FieldStatus
  let value: PropertyListValue?
  /// The source of the value, and its file; nil if there is none.
  private let origin: FieldOrigin?
  let findings: [String]
  private let isSecret: Bool

  init(_ field: Field) {
    (state, status, origin) = (FieldState(field, nil), field.status, field.origin)
    // What a key with a secret value becomes is a secret too.
    isSecret = field.origin.map { SecretKeys.holds($0.source.key) } ?? false
    value = FieldSummary.value(field, nil)
    findings = Set(field.findings.map(\.code.rawValue)).sorted()
  }

  /// The state, the value and the source on one line.
  func words(_ ink: Ink, columns: Int) -> String {
    ink.words(state.word + ": ") + (isSecret && value != nil ? SecretKeys.standIn : ink.value(value, columns: columns))
      + (origin.map { ink.sentence(", from \($0.source.label) in \($0.store)") } ?? "")
      + (findings.isEmpty ? "" : ink.words("; \(findings.joined(separator: ", "))"))
  }

  var json: JSONValue {
    .object([
      JSONMember("status", .string(status.rawValue)),
      JSONMember("value", isSecret ? .null : value.map(CodedValue.json) ?? .null),
      JSONMember("source", JSONValue(origin?.source.label)), JSONMember("store", JSONValue(origin?.store)),
      JSONMember("findings", JSONValue(findings)),
    ])
  }
}
