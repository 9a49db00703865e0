import Carryover
import CarryoverVendors
import PropertyLists

/// What a command shows, on its way out: as it is, or with everything masked that tells of a person. It learns the
/// values of whatever is opened before anything of it is shown.
final class Masking {
  /// Whether anything is masked.
  let isOn: Bool
  /// What is masked, for screens; nil where nothing is.
  var redaction: Redaction? { isOn ? known : nil }

  /// The container among several that notices are about; nil if there is one.
  var subject: String?

  private var known = Redaction(recipes: Recipe.builtIn)

  init(_ isOn: Bool) { self.isOn = isOn }

  func learn(_ container: Container) { if isOn { known.learn(container) } }
  func learn(_ plan: Plan) { if isOn { known.learn(plan) } }
  func learn(_ decisions: Decisions) { if isOn { known.learn(decisions) } }
  func learn(_ runs: [RunSummary]) { if isOn { known.learn(runs) } }
  func learn(writeKey: String?) { if isOn, let writeKey { known.learn(parameter: writeKey) } }

  /// A value as it is shown.
  func value(_ value: PropertyListValue?) -> PropertyListValue? {
    isOn ? value.map { known.value($0) } : value
  }

  /// A value in a store, or in what is packed there, as it is shown; nil for one of which nothing can be shown.
  func value(_ value: InspectedValue) -> InspectedValue? {
    guard isOn, !value.isContainer else { return value }
    return value.scalar.map { InspectedValue(known.value($0)) }
  }

  /// Why a value that was given does not suit its field, as it is shown: it may quote the value.
  func mismatch(_ mismatch: FormMismatch) -> FormMismatch { isOn ? known.mismatch(mismatch) : mismatch }

  /// What stands for a value of which nothing can be shown.
  static let standIn = "‹masked›"

  /// A sentence, a path or a name as it is shown.
  func text(_ text: String) -> String { isOn ? known.text(text) : text }

  /// One of our own sentences as it is shown, its counts as they are.
  func sentence(_ text: String) -> String { isOn ? known.sentence(text) : text }

  /// A notice on standard error as it is shown, with the container that it is about if there are several.
  func notice(_ sentence: String) -> String {
    "carryover: " + text((subject.map { $0 + ": " } ?? "") + sentence)
  }

  /// Lines as they are shown.
  func lines(_ lines: [String]) -> String { text(lines.joined(separator: "\n")) }

  /// A JSON document as it is printed.
  func document(_ document: JSONValue) -> JSONValue { isOn ? known.document(document) : document }

  /// A member of a JSON document that is printed piece by piece, and an element of an array in it.
  func member(_ member: JSONMember) -> JSONMember { isOn ? known.member(member) : member }
  func element(_ element: JSONValue) -> JSONValue { isOn ? known.shown(element) : element }

  /// What became of a source, with a sentence that can be shown.
  func trial(_ trial: CandidateTrial) -> CandidateTrial { isOn ? known.trial(trial) : trial }

  /// A plan that was learned, with findings that can be shown.
  func findings(of plan: Plan) -> Plan {
    learn(plan)
    return isOn ? known.findings(of: plan) : plan
  }
}

extension InspectedValue {
  /// The value as one of a property list; nil where it contains others or has no such form.
  fileprivate var scalar: PropertyListValue? {
    switch content {
    case .propertyList(let value): value
    case .json(.string(let text)): .string(text)
    case .json(.number(let number)): .string(number.lexeme)
    case .json(.boolean(let flag)): .boolean(flag)
    case .json(.null): .null
    case .json: nil
    case .keyed(let value): value.propertyList().value
    }
  }
}
