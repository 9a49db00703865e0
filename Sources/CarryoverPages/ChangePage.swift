package import Carryover
import CarryoverSystem
import CarryoverTerminal

/// The preview of edits to the stores of a container: each value before and after, by store.
package struct ChangePage {
  private let plan: ChangePlan
  private let hidesSecrets: Bool

  /// - Parameter hidesSecrets: false if the user asked to see them.
  package init(_ plan: ChangePlan, hidesSecrets: Bool = true) {
    (self.plan, self.hidesSecrets) = (plan, hidesSecrets)
  }

  package var blocks: [Block] {
    guard !plan.isEmpty else { return [.paragraph("Nothing to change: every value is already as requested.")] }
    return [.heading("Files", count: plan.stores.count)] + plan.stores.flatMap(file)
      + [.blank, .paragraph([.text(plan.counts + ".")])]
  }

  private func file(_ store: ChangedStore) -> [Block] {
    let own = plan.changes.filter { $0.path.store.hasSameBytes(as: store.path) }
    return [
      .path(store.path),
      .paragraph(
        "\(store.format.words), as before · \(store.sizeBefore) → \(counted(store.sizeAfter, "byte"))", .muted,
        indent: 4),
    ] + ChangedValues(own, hidesSecrets: hidesSecrets).blocks
  }
}

/// Values before and after changes by hand.
struct ChangedValues {
  private let changes: [PlannedChange]
  private let hidesSecrets: Bool

  init(_ changes: [PlannedChange], hidesSecrets: Bool) { (self.changes, self.hidesSecrets) = (changes, hidesSecrets) }

  var blocks: [Block] {
    let unchanged = changes.filter(\.isUnchanged).map { Piece.path($0.path.labelText, .label) }
    return [.sides(changes.filter { !$0.isUnchanged }.map(side))] + order
      + (unchanged.isEmpty
        ? [] : [.paragraph([.text("Unchanged: ", .muted)] + Piece.list(unchanged), indent: 4, hanging: 6)])
  }

  /// The removal of an element changes the indexes of those after it.
  private var order: [Block] {
    guard let first = changes.firstIndex(where: \.isOfOrder), first + 1 < changes.count else { return [] }
    return [
      .paragraph("Made in this order: an index is that after the removals above it.", .muted, indent: 4, hanging: 6)
    ]
  }

  private func side(_ change: PlannedChange) -> Side {
    let isHidden = hidesSecrets && change.isSecret
    func shown(_ value: PropertyListValue?) -> PropertyListValue? {
      isHidden ? value.map { _ in .string(Secrets.standIn) } : value
    }
    return Side(
      name: change.path.labelText, isPath: true, key: "", old: shown(change.before), new: shown(change.after),
      note: change.typeNote)
  }
}

extension PlannedChange {
  package var isUnchanged: Bool { before == after }

  /// Whether a name on the path, or one of its values, is a secret.
  package var isSecret: Bool {
    path.labels.contains { $0.name.map(Secrets.holds) == true } || [before, after].contains(where: Secrets.areIn)
  }

  /// The types, for different values that look the same.
  fileprivate var typeNote: String? {
    guard let before, let after, before.kind != after.kind else { return nil }
    return "\(before.kind.word) becomes \(after.kind.word)"
  }
}

extension ChangePlan {
  /// `2 values to change, 1 to add, 1 to remove`.
  package var counts: String { changes.counts("to change", "to add", "to remove") }
}

extension [PlannedChange] {
  /// `2 values changed, 1 added, 1 removed`.
  var counts: String { counts("changed", "added", "removed") }

  fileprivate func counts(_ changed: String, _ added: String, _ removed: String) -> String {
    let counts: [(Int, String)] = [
      (count { $0.before != nil && $0.after != nil && !$0.isUnchanged }, changed),
      (count { $0.before == nil }, added), (count { $0.after == nil }, removed),
      (count(where: \.isUnchanged), "unchanged"),
    ]
    return counts.filter { $0.0 > 0 }.enumerated().map { place, count in
      (place == 0 ? counted(count.0, "value") : String(count.0)) + " " + count.1
    }.joined(separator: ", ")
  }
}

extension KeyedFile.Format {
  package var words: String {
    switch self {
    case .binary: "binary property list"
    case .xml: "XML property list"
    case .archive: "keyed archive"
    case .json: "JSON"
    }
  }
}

extension Secrets {
  /// The value, or words in its place if it is a secret or contains one.
  package static func shown(_ value: PropertyListValue?) -> PropertyListValue? {
    areIn(value) ? .string(standIn) : value
  }

  package static func areIn(_ value: PropertyListValue?) -> Bool { value.map { areIn(InspectedValue($0)) } ?? false }

  /// Whether a value is a secret or contains one; also true if it is too large to check.
  package static func areIn(_ value: InspectedValue, from place: Int = 0) -> Bool {
    if value.string.map(SecretNames.isToken) == true { return true }
    var frames = [(value: value, next: place)]
    var left = 10_000_000
    while var frame = frames.popLast() {
      guard let child = frame.value.child(at: frame.next) else { continue }
      left -= 1
      guard left > 0, !holds(child) else { return true }
      frame.next += 1
      frames.append(frame)
      let inner = child.value
      left -= inner.packedSize / 256
      if inner.isContainer { frames.append((inner, 0)) }
    }
    return false
  }
}
