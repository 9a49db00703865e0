import Carryover
import PropertyLists

/// The text of every field as it may be seen, for searching: made at the first search, so that a keystroke reads
/// only bytes and no field. What is masked on the screen is here as its mask, and is found by that alone.
struct FieldTexts: Sendable {
  /// What is read at most; beyond it long values are cut, and that is said.
  struct Limits: Sendable {
    var bytes = 64 << 20
    /// The longest part of one value, in bytes.
    var text = 4 << 20
    /// The same once there are too many bytes.
    var shortText = 64
  }

  /// Keys, values and codes of findings: what no decision changes.
  private var fixed: TextColumn
  /// The sentences of the findings.
  private var sentences: TextColumn
  /// What becomes of the value without a decision.
  private var undecided: TextColumn
  /// The same, once the proposal is confirmed.
  private var confirmed: TextColumn
  /// Whether long values were cut.
  private(set) var isCut = false

  /// - Parameter isExact: whether capitals are kept.
  init(_ plan: Plan, _ ink: Ink, isExact: Bool, limits: Limits = Limits()) {
    fixed = TextColumn(isExact: isExact, count: plan.fields.count)
    sentences = TextColumn(isExact: isExact, count: plan.fields.count)
    undecided = TextColumn(isExact: isExact, count: plan.fields.count)
    confirmed = TextColumn(isExact: isExact, count: plan.fields.count)
    for field in plan.fields { add(field, ink, limits) }
  }

  private mutating func add(_ field: Field, _ ink: Ink, _ limits: Limits) {
    fixed.append(ink.masked(field.sourceLabel))
    fixed.append(ink.masked(field.id))
    if let legacy = field.legacy { append(legacy, ink, limits) }
    if let proposed = field.proposed, proposed != field.legacy { append(proposed, ink, limits) }
    if let current = field.current, current != field.proposed { append(current, ink, limits) }
    for finding in field.findings {
      fixed.append(finding.code.rawValue)
      sentences.append(finding.message, limit: limits.text)
      sentences.append(finding.commandRemedy, limit: limits.text)
    }
    fixed.close()
    sentences.close()
    let summary = ink.masked(ChangeSummary.text(field, nil))
    undecided.append(summary)
    undecided.close()
    switch field.status {
    case .ready, .needsDecision, .dropped: confirmed.append(summary)
    case .conflict, .unchanged, .absent: confirmed.append(ink.masked(ChangeSummary.text(field, .migrate)))
    }
    confirmed.close()
  }

  private mutating func append(_ value: PropertyListValue, _ ink: Ink, _ limits: Limits) {
    let text = Self.text(value, ink)
    let limit = fixed.bytes.count < limits.bytes / 2 ? limits.text : limits.shortText
    if text.utf8.count > limit { isCut = true }
    fixed.append(text, limit: limit)
  }

  /// A value as a search reads it.
  static func text(_ value: PropertyListValue, _ ink: Ink) -> String {
    let shown = ink.shown(value)
    return shown.editableText ?? shown.inline(limit: 200)
  }

  /// The fields that hold a text, of some, by their positions in the plan.
  /// - Parameters:
  ///   - hasSentences: whether the sentences of findings are looked into.
  ///   - standings: how each field stands under its decision.
  ///   - edit: the text of a value that somebody gave the field at a position, and of what became of it.
  func matches(
    _ wanted: SearchText, in rows: FieldRows, hasSentences: Bool, standings: [FieldState], edit: (Int) -> [String]
  ) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    let isSkipped = wanted.isIn(ChangeSummary.skipped)
    let isKept = wanted.isIn(ChangeSummary.kept)
    var matches: [Int] = []
    wanted.bytes.withUnsafeBufferPointer { bytes in
      TextColumn.read([fixed, sentences, undecided, confirmed]) { columns in
        for row in 0..<rows.count {
          guard let position = rows[row], position < standings.count else { continue }
          var isFound =
            columns[0].holds(bytes, at: position) || hasSentences && columns[1].holds(bytes, at: position)
          if !isFound {
            switch standings[position] {
            case .confirmed: isFound = columns[3].holds(bytes, at: position)
            case .skipped: isFound = isSkipped
            case .kept: isFound = isKept
            case .edited: isFound = edit(position).contains { wanted.isIn($0) }
            default: isFound = columns[2].holds(bytes, at: position)
            }
          }
          if isFound { matches.append(position) }
        }
      }
    }
    return matches
  }
}
