import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverVendors

/// What a command shows goes through it: as it is, or with personal data masked. It learns the values of whatever is
/// opened before any of them is shown.
final class Masking {
  let isOn: Bool
  var redaction: Redaction? { isOn ? known : nil }

  /// The container that notices are about; nil if there is only one.
  var subject: String?

  private var known = Redaction(recipes: Recipe.builtIn)

  init(_ isOn: Bool) { self.isOn = isOn }

  func learn(_ container: Container) { if isOn { known.learn(container) } }
  func learnTables(of container: Container) { if isOn { known.learnTables(of: container) } }
  func learn(_ plan: Plan) { if isOn { known.learn(plan) } }
  func learn(_ decisions: Decisions) { if isOn { known.learn(decisions) } }
  func learn(_ runs: [RunSummary]) { if isOn { known.learn(runs) } }
  func learn(_ values: ParameterValues) {
    for (name, value) in values.values where ParameterValues.isWriteKey(name) { learn(writeKey: value) }
  }
  func learn(writeKey: String?) { if isOn, let writeKey { known.learn(parameter: writeKey) } }

  func value(_ value: PropertyListValue?) -> PropertyListValue? { isOn ? value.map { known.value($0) } : value }

  /// Nil if nothing of the value can be shown.
  func value(_ value: InspectedValue) -> InspectedValue? {
    guard isOn, !value.isContainer else { return value }
    return value.scalar.map { InspectedValue(known.value($0)) }
  }

  /// On one line, not escaped yet.
  func inline(_ value: InspectedValue, limit: Int) -> String {
    let text = self.value(value).map { InspectedText.inline($0, limit: limit) } ?? Self.standIn
    // A container's text names its class.
    return value.isContainer ? self.text(text) : text
  }

  /// The mismatch may quote the value.
  func mismatch(_ mismatch: FormMismatch) -> FormMismatch { isOn ? known.mismatch(mismatch) : mismatch }

  static let standIn = "‹masked›"

  /// Rows of tables are named by values.
  func namingRows(of container: Container) -> Container {
    guard isOn else { return container }
    var named = container
    for index in named.stores.indices {
      named.stores[index].tables = named.stores[index].tables.map(known.namingRows)
    }
    return named
  }

  func text(_ text: String) -> String { isOn ? known.text(text) : text }

  func notice(_ sentence: String) -> String {
    "carryover: " + text((subject.map { $0 + ": " } ?? "") + sentence)
  }

  func document(_ document: JSONValue) -> JSONValue { isOn ? known.document(document) : document }

  func member(_ member: JSONMember) -> JSONMember { isOn ? known.member(member) : member }
  func element(_ element: JSONValue) -> JSONValue { isOn ? known.shown(element) : element }

  func trial(_ trial: CandidateTrial) -> CandidateTrial { isOn ? known.trial(trial) : trial }

  /// Learns the plan, and masks its findings.
  func findings(of plan: Plan) -> Plan {
    learn(plan)
    return isOn ? known.findings(of: plan) : plan
  }

  func findings(of field: Field) -> Field { isOn ? known.findings(of: field) : field }
}

extension Secrets {
  /// Whether a key's value is a secret or contains one.
  static func areIn(_ value: PropertyListValue?, of key: String) -> Bool { holds(key) || areIn(value) }

  /// Not escaped yet; a dash for none.
  static func text(_ value: PropertyListValue?, of key: String) -> String {
    value != nil && holds(key) ? standIn : FieldSummary.text(shown(value))
  }

  /// Null for none, and for a secret.
  static func json(_ value: PropertyListValue?, of key: String) -> JSONValue {
    guard let value, !areIn(value, of: key) else { return .null }
    return CodedValue.json(value)
  }
}
