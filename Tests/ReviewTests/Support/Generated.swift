@testable import Carryover
import CarryoverReview

extension SeededGenerator {
  /// Text made to break a terminal: control sequences, bidirectional overrides, joiners, wide and combining scalars.
  mutating func hostileText() -> String {
    let pieces = [
      "\u{1B}[2J", "\u{1B}]52;c;aGk=\u{07}", "\u{9B}31m", "\u{202E}", "\u{2066}", "\u{200D}", "\u{200B}", "\u{FEFF}",
      "\n",
      "\r\n", "\t", "\0", "漢字", "한", "é", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "\u{301}", "👩‍👩‍👧", "🇩🇪", "👍🏽",
      "ﷺ", "\u{E000}", "\u{FFFF}", "\u{2028}", "{\"a\":1}", "{\"", "\\", "\\n", "→", "…", "abc", " ", "|", "─",
      "\u{AD}",
      "עברית", "\u{E0041}", "\u{7F}", "－",
    ]
    return (0..<Int.random(in: 0...12, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }

  mutating func hostileValue() -> PropertyListValue? {
    switch Int.random(in: 0...11, using: &self) {
    case 0: nil
    case 1: .integer(PropertyListInteger(Int64.random(in: .min ... .max, using: &self)))
    case 2: .real(PropertyListReal([Double.nan, .infinity, -0.0, 1e300].randomElement(using: &self) ?? 0))
    case 3: .boolean(Bool.random(using: &self))
    case 4: .date(PropertyListDate(secondsSince2001: [Double.nan, -1e300, 0, 1e9].randomElement(using: &self) ?? 0))
    case 5: .data((0..<Int.random(in: 0...40, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) })
    case 6: .array([.string(hostileText()), .null, .uid(7)])
    case 7: .dictionary(PropertyListDictionary(entries: [.init(key: hostileText(), value: .string(hostileText()))]))
    case 8: .string("{\"\(hostileText())\":\"\(hostileText())\",\"userId\":[1,{\"x\":null}]}")
    default: .string(hostileText())
    }
  }

  mutating func hostilePlan(fields count: Int) -> Plan {
    let fields = (0..<count).map { index in hostileField("\(index)" + hostileText()) }
    var recipe = Recipe.rudderStackObjC
    recipe.reference = RecipeReference(id: "r", version: 1, title: hostileText())
    return Plan(
      recipe: recipe,
      container: ContainerSummary(kind: .folder, bundleID: hostileText(), name: hostileText()),
      target: Bool.random(using: &self) ? nil : TargetSummary(path: hostileText(), exists: Bool.random(using: &self)),
      now: Moment(secondsSince1970: 0), fields: fields,
      containerFindings: [Finding(.sourceUnreadable(store: hostileText(), reason: hostileText()))],
      dropped: (0..<3).map { _ in
        DroppedKey(key: hostileText(), value: hostileValue(), reason: hostileText(), secret: Bool.random(using: &self))
      })
  }

  private mutating func hostileField(_ id: String) -> Field {
    let forms: [TargetForm] = [.string, .decimalString, .jsonObjectString, .boolean, .integer]
    let source = SourceKey(hostileText(), member: Bool.random(using: &self) ? hostileText() : nil)
    return Field(
      id: id, group: FieldGroup.allCases.randomElement(using: &self) ?? .other, sources: [source],
      origin: FieldOrigin(source: source, store: hostileText()), legacy: hostileValue(), proposed: hostileValue(),
      current: hostileValue(), status: FieldStatus.allCases.randomElement(using: &self) ?? .ready,
      form: forms.randomElement(using: &self) ?? .string,
      steps: [TransformStep(title: hostileText(), result: hostileValue())],
      alternatives: [Alternative(label: hostileText(), value: .string(hostileText()))],
      findings: Bool.random(using: &self)
        ? [] : [Finding(.anonymousIDsDiffer(key: hostileText(), traits: hostileText()), field: id)],
      readings: FourWayReadings(
        legacy: .nothing(hostileText()), guide: .value(.string(hostileText()), note: hostileText())))
  }

  mutating func keptReview(of plan: Plan) -> KeptReview {
    var decisions: Decisions = [:]
    for field in plan.fields where Bool.random(using: &self) {
      decisions[field.id] = [.migrate, .skip, .keep, .edit("typed")].randomElement(using: &self)
    }
    return KeptReview(
      moment: Moment(secondsSince1970: 0), decisions: decisions,
      misfits: Bool.random(using: &self) ? [] : [hostileText()])
  }
}

func largePlan(_ count: Int) -> Plan {
  var plan = acmePlan()
  plan.fields = (0..<count).map { index in
    Field(
      id: "key_\(index)", group: .other, sources: [SourceKey("rl_key_\(index)")], legacy: .string("value \(index)"),
      proposed: .string("value \(index)"), status: index % 10 == 3 ? .needsDecision : .ready, form: .string)
  }
  return plan
}
