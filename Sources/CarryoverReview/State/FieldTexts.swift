import Carryover
import PropertyLists

/// The text of every field as it may be seen, for searching: made once, when somebody first searches, so that a key typed
/// reads bytes and looks into no field. What is masked on the screen is here as its mask, and is found by that alone.
struct FieldTexts: Sendable {
  /// What is read at most; beyond it long values are cut, and that is said.
  struct Limits: Sendable {
    var bytes = 64 << 20
    /// The longest part of one value, in bytes.
    var text = 65_536
    /// The same once there are too many bytes.
    var shortText = 64
  }

  /// Keys, values and codes of findings: what no decision changes.
  private var fixed: TextColumn
  /// What becomes of the value without a decision.
  private var undecided: TextColumn
  /// The same, once the proposal is confirmed.
  private var confirmed: TextColumn
  /// Whether long values were cut.
  private(set) var isCut = false

  /// - Parameter isExact: whether capitals are kept.
  init(_ plan: Plan, _ ink: Ink, isExact: Bool, limits: Limits = Limits()) {
    fixed = TextColumn(isExact: isExact, count: plan.fields.count)
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
    for finding in field.findings { fixed.append(finding.code.rawValue) }
    fixed.close()
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
    let limit = fixed.bytes.count < limits.bytes ? limits.text : limits.shortText
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
  ///   - standings: how each field stands under its decision.
  ///   - edit: the text of a value that somebody gave the field at a position, and of what became of it.
  func matches(
    _ wanted: SearchText, in rows: FieldRows, standings: [FieldState], edit: (Int) -> [String]
  ) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    let isSkipped = wanted.isIn(ChangeSummary.skipped)
    let isKept = wanted.isIn(ChangeSummary.kept)
    var matches: [Int] = []
    wanted.bytes.withUnsafeBufferPointer { bytes in
      fixed.read { fixed in
        undecided.read { undecided in
          confirmed.read { confirmed in
            for row in 0..<rows.count {
              guard let position = rows[row], position < standings.count else { continue }
              var isFound = fixed.holds(bytes, at: position)
              if !isFound {
                switch standings[position] {
                case .confirmed: isFound = confirmed.holds(bytes, at: position)
                case .skipped: isFound = isSkipped
                case .kept: isFound = isKept
                case .edited: isFound = edit(position).contains { wanted.isIn($0) }
                default: isFound = undecided.holds(bytes, at: position)
                }
              }
              if isFound { matches.append(position) }
            }
          }
        }
      }
    }
    return matches
  }
}

/// The texts of each field one after the other, each ended by a byte that no text has.
struct TextColumn: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where the texts of each field end.
  private var ends: [Int] = []
  private let isExact: Bool

  /// Never a byte of UTF-8, so that no match reaches from one text into another.
  private static let separator: UInt8 = 0xFF

  init(isExact: Bool, count: Int) {
    self.isExact = isExact
    ends.reserveCapacity(count)
  }

  mutating func append(_ text: String, limit: Int = .max) {
    var text = text
    let isExact = isExact
    let isDone = text.withUTF8 { utf8 in
      let head = utf8.prefix(limit)
      if isExact {
        bytes.append(contentsOf: head)
        return true
      }
      guard head.allSatisfy({ $0 < 0x80 }) else { return false }
      for byte in head { bytes.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
      return true
    }
    if !isDone { bytes.append(contentsOf: text.lowercased().utf8.prefix(limit)) }
    bytes.append(Self.separator)
  }

  /// Ends the texts of a field.
  mutating func close() { ends.append(bytes.count) }

  /// Lets the texts be read where they stand.
  func read<Result>(_ body: (Reader) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in ends.withUnsafeBufferPointer { body(Reader(bytes: bytes, ends: $0)) } }
  }

  struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    let ends: UnsafeBufferPointer<Int>

    func holds(_ wanted: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
      guard position < ends.count else { return false }
      return SearchText.contains(bytes, (position == 0 ? 0 : ends[position - 1])..<ends[position], wanted)
    }
  }
}
