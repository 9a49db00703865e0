package import Carryover
import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors

/// Two containers that are compared, or a container and its state before a run.
package struct ComparedContainers: Sendable {
  package struct Side: Sendable {
    /// As the user named it.
    package var path: String
    package var container: Container
    package var run: String?

    package init(path: String, container: Container, run: String? = nil) {
      (self.path, self.container, self.run) = (path, container, run)
    }

    package var name: String { run.map { "before run \($0)" } ?? path }
  }

  package var before: Side
  package var after: Side
  package var comparison: StoreComparison
  /// Notes for the user, as sentences.
  package var notes: [String]

  package init(
    _ before: Side, _ after: Side, _ options: StoreComparison.Options = .init(), notes: [String] = []
  ) {
    (self.before, self.after, self.notes) = (before, after, notes)
    comparison = StoreComparison(before.container, after.container, options)
  }

  /// What differs, in words.
  /// - Parameter isMasked: whether values are masked, so that nothing else about them may be shown.
  package func blocks(isMasked: Bool) -> [Block] {
    [
      .paragraph([.place(before.name), .words(" → "), .place(after.name)]),
      .paragraph([.words((comparison.words + comparison.countedWords).joined(separator: " "))]),
    ]
      + comparison.stores.filter(\.isListed).flatMap { blocks($0, isMasked: isMasked) } + remarks
  }

  /// What was not compared, and why.
  private var remarks: [Block] {
    var items = comparison.obstacles.map { obstacle in
      Item(
        [.place(obstacle.path), .words(obstacle.isPartial ? ": compared in part" : ": not compared")], sign: .warning,
        below: [[.text(obstacle.reason)]], indent: 0)
    }
    items += comparison.gaps.map { gap in
      Item([.place(gap.path), .words(": "), .text(gap.reason)], sign: .note, indent: 0)
    }
    let (old, new) = (before.container.notices, after.container.notices)
    let notices = old.filter { !new.containsBytes(of: $0) } + new
    items += notices.map { Item([.text($0)], sign: .warning, indent: 0) }
    items += notes.map { Item([.text($0)], sign: .note, indent: 0) }
    for side in [before, after] {
      guard let unread = side.container.unreadBrief else { continue }
      items.append(Item([.place(side.name), .words(": " + unread + ".")], sign: .note, indent: 0))
    }
    return items.isEmpty ? [] : [.blank, .list(items)]
  }

  private func blocks(_ store: StoreDifference, isMasked: Bool) -> [Block] {
    let role = store.change.role
    let head = Block.paragraph(
      [.words(store.change.sign + " "), .place(store.path, role), .words(store.note)], hanging: 2)
    guard !store.keys.isEmpty else {
      return [.blank, head] + store.problems.map { .paragraph([.text($0)], indent: 2) }
    }
    var table = Table(
      [
        .init(.whole, "", .head), .init(.name, "key", .head), .init(.value, "before"), .init(.whole),
        .init(.value, "after"),
      ], indent: 2)
    for (path, difference) in store.values(where: \.isSecret) {
      let cells = ComparedValues(difference, isMasked: isMasked)
      table.add([
        [.text(difference.change.sign, difference.change.role)], [.path(path.labelText, .label)], cells.before,
        cells.before.isEmpty || cells.after.isEmpty ? [] : [.words("→")], cells.after,
      ])
    }
    return [.blank, head, .table(table)]
  }
}

extension Container {
  /// How many files, and rows of which tables, were not read; nil if none, or if they were not counted.
  package var unreadBrief: String? {
    let unread = [unread?.brief, unreadRowsBrief].compactMap(\.self)
    return unread.isEmpty ? nil : unread.joined(separator: "; ")
  }
}

extension StoreComparison {
  /// `3 values differ in 1 of 4 stores. 1 of 4 stores differs as a whole.`
  fileprivate var words: [String] {
    let listed = stores.filter(\.isListed)
    let wholes = listed.filter(\.keys.isEmpty)
    let forms = listed.reduce(0) { $0 + $1.formCount }
    let values = differences - wholes.count - forms
    let all = counted(count, "store")
    var words: [String] = []
    func add(_ count: Int, _ what: String, _ rest: String) {
      if count > 0 { words.append("\(what) \(count == 1 ? "differs" : "differ") \(rest).") }
    }
    add(values, counted(values, "value"), "in \(listed.count { $0.valueCount > 0 }) of \(all)")
    add(forms, counted(forms, "value"), "only in order or format")
    let orders = wholes.count { $0.change == .form }
    add(wholes.count - orders, "\(wholes.count - orders) of \(all)", "as a whole")
    add(orders, "\(orders) of \(all)", "only in order or format")
    guard words.isEmpty else { return words }
    if obstacles.contains(where: \.isPartial) { return ["No differences in what was read."] }
    guard obstacles.isEmpty else { return ["No differences in the stores that were compared."] }
    guard count > 0 else { return ["There are no stores to compare."] }
    return [systemKeys + ignored > 0 ? "No differences to list." : "No differences."]
  }

  /// What is counted and not listed, as sentences.
  package var countedWords: [String] {
    var words: [String] = []
    let also = differences > 0 ? "also " : ""
    switch systemKeys {
    case 0: break
    case 1: words.append("1 key of Apple's frameworks \(also)differs; --all lists it.")
    default: words.append("\(systemKeys) keys of Apple's frameworks \(also)differ; --all lists them.")
    }
    if ignored > 0 {
      words.append("\(counted(ignored, "difference")) \(ignored == 1 ? "is" : "are") ignored.")
    }
    if isCut { words.append("Some packed values are too large to open and were compared as stored.") }
    return words
  }
}

extension StoreDifference {
  /// The note on a store that differs as a whole; empty if its keys are listed.
  package var note: String {
    guard keys.isEmpty else { return "" }
    switch change {
    case .added, .removed: return problems.isEmpty ? "" : Self.unreadable
    case .form: return ": same values in another order or format"
    case .changed: break
    }
    guard let before = before.flatMap({ InspectedValue($0) }), let after = after.flatMap({ InspectedValue($0) }) else {
      return Self.unreadable + ", and its bytes differ"
    }
    let (old, new) = (before.typeWord, after.typeWord)
    return old == new ? ": its content differs" : ": was \(old), is \(new)"
  }

  private static let unreadable = ": cannot be read"

  /// Why it cannot be read, as sentences.
  fileprivate var problems: [String] { [before?.problem, after?.problem].compactMap(\.self).distinct() }
}

extension ValueDifference {
  /// Whether only the fact that it differs may be shown.
  package var isSecret: Bool { [before, after].contains { $0.map(Secrets.holds) == true } }
}

/// The two values of a difference on one line each, with the type where it changed. Of long values, the part that
/// differs.
package struct ComparedValues {
  package let before: Pieces
  package let after: Pieces

  package init(_ difference: ValueDifference, isMasked: Bool, hidesSecrets: Bool = true) {
    guard !difference.isSecret || !hidesSecrets else {
      before = difference.before == nil ? [] : [.words(Secrets.standIn)]
      after = difference.after == nil ? [] : [.words(Secrets.standIn)]
      return
    }
    guard difference.change != .form else {
      (before, after) = ([], [.words(difference.change.word)])
      return
    }
    let (old, new) = (difference.before?.value(limits: .row), difference.after?.value(limits: .row))
    let excerpts = isMasked ? nil : DifferingPart(old, new)
    // Texts that differ only in what looks the same, such as a letter with its accent or beside it.
    let areAlike = !isMasked && old?.string != nil && old?.string == new?.string
    let showsType = old.map(InspectedText.rawType) != new.map(InspectedText.rawType) && old != nil && new != nil
    func moment(_ value: InspectedValue?) -> String? {
      guard let reading = value?.moment, reading.unit != .date else { return nil }
      return MomentText.seconds(reading.moment)
    }
    func pieces(_ value: InspectedValue?, _ excerpt: String?, _ moment: String?) -> Pieces {
      guard let value else { return [] }
      let type: Pieces = showsType && !value.isContainer ? [.words(InspectedText.rawType(value) + " ")] : []
      if areAlike, let text = excerpt ?? value.string {
        return [.path(DisplayText.visible(String(text.prefix(DifferingPart.longest)), ascii: true), .value)]
      }
      if let excerpt { return type + [.name(excerpt, .value)] }
      if isMasked, !value.isContainer, let scalar = value.scalar { return type + [.value(scalar, of: nil, .value)] }
      let text = InspectedText.inline(value, limit: DifferingPart.longest)
      guard !value.isContainer, !value.isLeftPacked else { return [.name(text, .muted)] }
      return type + [.name(text, .value)] + (moment.map { [.words(" (\($0) UTC)")] } ?? [])
    }
    // A moment that both values can be read as is shown once.
    let (then, now) = (moment(old), moment(new))
    before = pieces(old, excerpts?.before, then == now ? nil : then)
    after = pieces(new, excerpts?.after, now)
  }
}

/// The parts of two long texts, or of data, from a little before the first difference on.
struct DifferingPart {
  let before: String
  let after: String

  /// Nil if both can be shown from their beginnings, or one is packed and too large to look inside for secrets.
  init?(_ old: InspectedValue?, _ new: InspectedValue?) {
    if old?.isLeftPacked == true || new?.isLeftPacked == true { return nil }
    if let old = old?.string, let new = new?.string {
      let start = Self.start(old.utf8, new.utf8, context: 12)
      guard start > 20 else { return nil }
      (before, after) = (Self.part(old, from: start), Self.part(new, from: start))
    } else if let old = old?.data, let new = new?.data {
      let start = Self.start(old, new, context: 4)
      guard start > 8 else { return nil }
      (before, after) = (Self.part(old, from: start), Self.part(new, from: start))
    } else {
      return nil
    }
  }

  private static func start<Bytes: Sequence<UInt8>>(_ old: Bytes, _ new: Bytes, context: Int) -> Int {
    let common = old.withContiguousStorageIfAvailable { old -> Int? in
      new.withContiguousStorageIfAvailable { new in
        Self.common(UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
      }
    }
    return ((common ?? nil) ?? zip(old, new).prefix { $0 == $1 }.count) - context
  }

  /// How many bytes are the same at the beginning.
  private static func common(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) -> Int {
    let end = min(old.count, new.count)
    var position = 0
    while end - position >= 8,
      old.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == new.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    {
      position += 8
    }
    while position < end, old[position] == new[position] { position += 1 }
    return position
  }

  private static func part(_ text: String, from start: Int) -> String {
    // Not in the middle of a character.
    let rest = text.utf8.dropFirst(start).drop { $0 & 0xC0 == 0x80 }
    return "…" + String(decoding: rest.prefix(longest), as: UTF8.self)
  }

  private static func part(_ bytes: [UInt8], from start: Int) -> String {
    counted(bytes.count, "byte") + " …" + Array(bytes.dropFirst(start).prefix(32)).hexadecimal
  }

  static let longest = 2000
}

extension ValueDifference.Change {
  package var sign: String {
    switch self {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    case .form: "="
    }
  }

  package var role: Role {
    switch self {
    case .added: .added
    case .removed: .removed
    case .changed: .changed
    case .form: .skipped
    }
  }

  package var word: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .form: "same value in another order or format"
    }
  }
}
