package import Carryover
import CarryoverStorage
import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors

/// A field's state under its decision, or without one. The cases are in the order of the counts in the title bar.
package enum FieldState: Int, CaseIterable, Sendable {
  case ready, toDecide
  /// The target has another value, and there is no decision.
  case conflict
  case confirmed, edited, kept, skipped, unchanged
  /// There is a legacy value that cannot be migrated.
  case dropped
  case absent
  /// The run is not about the field.
  case omitted

  package init(_ field: Field, _ decision: Decision?) { self.init(field.status, decision) }

  package init(_ status: FieldStatus, _ decision: Decision?) {
    self =
      switch (decision, status) {
      case (.accept, .conflict): .conflict
      case (.migrate, _), (.accept, _): .confirmed
      case (.skip, _): .skipped
      case (.omit, _): .omitted
      case (.keep, _): .kept
      case (.edit, _): .edited
      case (nil, .ready): .ready
      case (nil, .needsDecision): .toDecide
      case (nil, .conflict): .conflict
      case (nil, .unchanged): .unchanged
      case (nil, .absent): .absent
      case (nil, .dropped): .dropped
      }
  }

  package var waits: Bool { self == .toDecide || self == .conflict }

  package var isDecided: Bool {
    switch self {
    case .confirmed, .edited, .kept, .skipped: true
    case .ready, .toDecide, .conflict, .unchanged, .dropped, .absent, .omitted: false
    }
  }

  private var shown: (word: String, sign: Sign, role: Role) {
    switch self {
    case .ready: ("ready", .ready, .ready)
    case .toDecide: ("undecided", .undecided, .flagged)
    case .conflict: ("in conflict", .conflict, .conflict)
    case .confirmed: ("accepted", .done, .confirmed)
    case .edited: ("edited", .done, .edited)
    case .kept: ("kept", .done, .skipped)
    case .skipped: ("skipped", .omitted, .flagged)
    case .unchanged: ("unchanged", .unchanged, .skipped)
    case .dropped: ("not migrated", .omitted, .flagged)
    case .absent: ("absent", .nothing, .muted)
    case .omitted: ("not in this run", .nothing, .muted)
    }
  }

  package var word: String { shown.word }
  package var sign: Sign { shown.sign }
  package var role: Role { shown.role }
}

/// The number of fields in each state, updated with each decision so that no frame counts all fields.
package struct Tally: Hashable, Sendable {
  private var counts: [Int]

  package init() { counts = Array(repeating: 0, count: FieldState.allCases.count) }
  package subscript(_ state: FieldState) -> Int { counts[state.rawValue] }
  package var waiting: Int { self[.toDecide] + self[.conflict] }
  package mutating func add(_ state: FieldState) { counts[state.rawValue] += 1 }

  package mutating func move(from old: FieldState, to new: FieldState) {
    counts[old.rawValue] -= 1
    counts[new.rawValue] += 1
  }
}

extension Severity {
  package var role: Role {
    switch self {
    case .error: .error
    case .warning: .flagged
    case .note: .note
    }
  }
}

extension MemberTree.Fate {
  private var shown: (word: String, mark: String?, role: Role) {
    switch self {
    case .kept: ("unchanged", nil, .muted)
    case .changed: ("changed", "~", .changed)
    case .added: ("added", "+", .added)
    case .removed: ("removed", "-", .removed)
    case .differs: ("differs", nil, .conflict)
    }
  }

  package var word: String { shown.word }
  package var role: Role { shown.role }

  package func sign(_ glyphs: Glyphs) -> String {
    shown.mark ?? (self == .kept ? Sign.unchanged : .conflict).text(ascii: glyphs == .ascii)
  }
}

/// Parts of a row as text, for other output than the screen; not escaped.
package enum FieldSummary {
  /// What the target will contain under a decision; nil if nothing is written and nothing is there.
  package static func value(_ field: Field, _ decision: Decision?) -> PropertyListValue? {
    switch decision {
    case .edit(let value): value
    case .skip, .omit: nil
    case .keep: field.current
    case .migrate, .accept: field.proposed
    case nil: field.status == .unchanged ? field.current : field.proposed
    }
  }

  /// On one line, of which about `limit` columns will be shown.
  package static func text(_ value: PropertyListValue?, limit: Int = 200) -> String {
    value.map { ($0.readable ?? $0).inline(limit: limit) } ?? "–"
  }

  /// `6 ready · 1 undecided`, after what blocks the plan.
  package static func counts(_ plan: Plan, _ decisions: Decisions, isReadOnly: Bool = false) -> String {
    var tally = Tally()
    for field in plan.fields { tally.add(FieldState(field, decisions[field.id])) }
    let obstacle = plan.blockers(after: decisions).first.map {
      $0.code == .targetNoWriteKey ? keyNeeded(by: plan) : blocked
    }
    let standing = isReadOnly ? readOnly : obstacle
    let counts = FieldState.allCases.filter { tally[$0] > 0 }.map { "\(tally[$0]) \($0.word)" }
    return ((standing.map { [$0] } ?? []) + counts).joined(separator: " · ")
  }

  package static let readOnly = "read-only"
  package static let blocked = "blocked"
  /// The container is not at fault, so this is neither an error nor called blocked.
  package static let needsKey = "Needs: write key"

  /// The same, with the recipe that lacks its write key, if the plan follows several.
  package static func keyNeeded(by plan: Plan) -> String {
    let lacking = plan.recipePlans.filter(\.lacksWriteKey)
    guard plan.recipePlans.count > 1, let first = lacking.first else { return needsKey }
    let targets = Set(lacking.map(\.definition.target)).count
    return targets == 1 ? "\(needsKey) of \(first.recipe.id)" : "\(needsKey)s of \(targets) SDKs"
  }
}

/// What becomes of a value, in a few words: `as is`, `number → string`, `−3 members`, `s → ms, → string`.
package enum ChangeSummary {
  package static let skipped = "skipped"
  package static let kept = "target kept"

  package static func text(_ field: Field, _ decision: Decision?) -> String {
    switch FieldState(field, decision) {
    case .edited: return edit(field, decision)
    case .skipped: return skipped
    case .kept: return kept
    case .unchanged: return unchanged(field)
    case .absent: return "absent"
    case .omitted: return FieldState.omitted.word
    case .conflict: return "target differs"
    case .ready, .toDecide, .confirmed, .dropped: return replacement(field) ?? proposal(field)
    }
  }

  private static func replacement(_ field: Field) -> String? {
    guard field.proposed != nil, field.current != nil, field.steps.first?.version == nil else { return nil }
    if field.findings.contains(where: { $0.code == .targetWrongType }) { return "repairs target's" }
    return field.status == .conflict || field.isKeptByRun ? "replaces target's" : nil
  }

  package static func proposal(_ field: Field) -> String {
    guard let proposed = field.proposed else { return field.status == .absent ? "absent" : refusal(field) }
    guard let legacy = field.legacy else { return "by default" }
    if let first = field.steps.first?.version, let last = field.steps.last?.version {
      return "version \(first) → \(last + 1)"
    }
    var words: [String] = []
    switch (legacy, proposed) {
    case (.boolean(let before), .boolean(let after)): return before == after ? "as is" : "inverted"
    case (.string(let before), .string(let after)): return text(before, after)
    default: if legacy == proposed { return "as is" }
    }
    if isScaled(legacy, proposed) { words.append("s → ms") }
    if legacy.kind != proposed.kind {
      let arrow = "→ \(proposed.kind.word)"
      words.append(isTypeUnexpected(field) ? "\(legacy.kind.plainWord) \(arrow)" : arrow)
    }
    return words.isEmpty ? "changed" : words.joined(separator: ", ")
  }

  /// The target has the proposal, or what an earlier run left there by decision.
  private static func unchanged(_ field: Field) -> String {
    if field.isTargetKept { return kept }
    guard let current = field.current else { return "skipped before" }
    guard let proposed = field.proposed else { return "decided before" }
    if let model = field.model, model.version == model.newest { return "already version \(model.newest)" }
    return field.form.isEquivalent(current, proposed) ? "unchanged" : "decided before"
  }

  private static func edit(_ field: Field, _ decision: Decision?) -> String {
    guard case .edit(let value) = decision else { return "edited" }
    return field.alternatives.first { $0.value == value }.map(\.label) ?? "edited"
  }

  private static func refusal(_ field: Field) -> String {
    field.findings.lazy.compactMap(\.observation.brief).first ?? "not migrated"
  }

  private static func isScaled(_ legacy: PropertyListValue, _ proposed: PropertyListValue) -> Bool {
    guard let before = legacy.wholeNumber, let after = proposed.wholeNumber, before != 0 else { return false }
    let (product, overflow) = before.multipliedReportingOverflow(by: 1000)
    return !overflow && after >= product && after - product < 1000
  }

  /// A type that the legacy SDK does not normally write; its own types change anyway.
  private static func isTypeUnexpected(_ field: Field) -> Bool {
    field.findings.contains { finding in
      switch finding.code {
      case .userIDNotString, .anonymousIDNotString, .appVersionNotString, .sourceWrongType: true
      default: false
      }
    }
  }

  /// Lengths differ for most long texts, so that no frame compares these.
  private static func text(_ before: String, _ after: String) -> String {
    if before.utf8.count == after.utf8.count {
      let isLong = before.utf8.count > 16_384
      if isLong ? before == after : before.utf8.elementsEqual(after.utf8) { return "as is" }
    }
    return stripped(before, after) ?? "changed"
  }

  /// How many members JSON text lost; nil if it is not a JSON object, or too long to count in every frame.
  private static func stripped(_ before: String, _ after: String) -> String? {
    guard before.utf8.count <= 16_384, after.utf8.count < before.utf8.count else { return nil }
    guard let left = JSONOutline(before)?.memberCount, let right = JSONOutline(after)?.memberCount else { return nil }
    return left > right ? "−\(counted(left - right, "member"))" : nil
  }
}

extension PropertyListValue {
  /// On one line: text as it is, unless it looks like another type; containers by their size. Reads no more of a long
  /// text than `limit` characters need.
  package func inline(limit: Int) -> String {
    switch self {
    case .string(let text):
      Self.looksLikeSomethingElse(text)
        ? "\"\(text)\"" : text.head(columns: limit)
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes):
      counted(bytes.count, "byte") + " " + Array(bytes.prefix(min(limit, 64))).hexadecimal
    case .array(let elements): "array of \(counted(elements.count, "element"))"
    case .dictionary(let dictionary): "dictionary of \(counted(dictionary.count, "key"))"
    case .uid(let number): "UID \(number)"
    case .set(let elements): "set of \(counted(elements.count, "element"))"
    case .null: "null"
    }
  }

  /// The text of data that is a JSON object, as apps store models. Data too long to read in every frame stays data.
  package var readable: PropertyListValue? {
    guard case .data(let bytes) = self, bytes.first == UInt8(ascii: "{"), bytes.count <= ShownText.limit,
      let text = jsonText
    else { return nil }
    return .string(text)
  }

  /// Text for the clipboard and the line editor; nil where text cannot represent the value.
  package var editableText: String? {
    switch self {
    case .string(let text): text
    case .integer, .real, .boolean, .date: inline(limit: .max)
    case .data: readable?.editableText
    default: nil
    }
  }

  private static func looksLikeSomethingElse(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    let (first, last) = (text.utf8.first, text.utf8.last)
    if text.isEmpty || first == UInt8(ascii: " ") || last == UInt8(ascii: " ") || first == UInt8(ascii: "\"") {
      return true
    }
    switch text {
    case "true", "false", "null", "none": return true
    default: return Double(text) != nil
    }
  }
}
