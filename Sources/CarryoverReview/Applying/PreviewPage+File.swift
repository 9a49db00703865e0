import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  /// The file that is written: what becomes of it as a whole, then key by key.
  mutating func previewFile(_ target: TargetSummary, _ state: ReviewState) {
    heading("Files 1")
    let isWritten = !state.pendingChanges.isEmpty
    let verb = !isWritten ? "unchanged" : target.exists ? "changed" : "created"
    add(
      [Span(verb + "  ", isWritten ? .changed : .muted), Span(ink.text(target.path), .value)], indent: 2,
      hanging: 2 + verb.utf8.count + 2)
    if isWritten, let file = state.filePreview { words(Self.facts(file), .muted, indent: 4) }
    changes(state.pendingChanges)
    let unchanged = state.plan.fields.count { field in
      field.resolution(state.decisions[field.id]) == .leave(.unchanged)
    }
    if unchanged > 0 { words("\(counted(unchanged, "key")) already as it should be", .muted, indent: 4) }
    guard target.exists else { return }
    guard let others = state.filePreview?.otherKeys else {
      return words("Every \(isWritten ? "other " : "")key of the file stays as it is.", .muted, indent: 4)
    }
    words(
      others == 0
        ? "There is no other key in the file." : "\(counted(others, "other key")) of the file stay as they are.",
      .muted, indent: 4)
  }

  private static func facts(_ file: FilePreview) -> String {
    let format = file.format == .binary ? "binary property list" : "XML property list"
    guard let before = file.sizeBefore else { return "\(format), \(counted(file.sizeAfter, "byte"))" }
    return "\(format), as before · \(before) → \(counted(file.sizeAfter, "byte"))"
  }

  private mutating func changes(_ changes: [KeyChange]) {
    let names = min(
      columns / 3,
      changes.reduce(8) { width, change in
        width >= 40 ? width : max(width, min(40, DisplayWidth.columns(of: ink.name(change.key, columns: 40))))
      })
    for change in changes {
      if let diff = members(change) {
        self.members(diff, of: change.key, names: names)
        continue
      }
      if let before = change.before { side("-", change.key, before, names: names, .removed) }
      if let after = change.after { side("+", change.key, after, names: names, .added) }
    }
  }

  /// The difference between two JSON texts, as far as they may be seen.
  private func members(_ change: KeyChange) -> JSONDiff? {
    guard case .string(let before)? = change.before.map(ink.shown),
      case .string(let after)? = change.after.map(ink.shown)
    else { return nil }
    guard let diff = JSONDiff(before, after), !diff.lines.isEmpty else { return nil }
    return diff
  }

  private mutating func members(_ diff: JSONDiff, of key: String, names: Int) {
    let name = ink.name(key, columns: names)
    let same = diff.unchanged > 0 ? ", \(counted(diff.unchanged, "member")) as before" : ""
    add(
      [Span("~ " + name.padded(names), .changed), Span("string   JSON" + same, .muted)], indent: 4,
      hanging: min(columns / 2, 4 + 2 + names + 2 + "string   ".utf8.count))
    let width = diff.lines.reduce(1) { max($0, DisplayWidth.columns(of: ink.name($1.path, columns: columns / 3))) }
    for line in diff.lines {
      let path = ink.name(line.path, columns: columns / 3)
      add(
        [
          Span(
            "\(line.isAdded ? "+" : "-") \(path.padded(width))\(ink.text(line.text))", line.isAdded ? .added : .removed)
        ],
        indent: 8, hanging: min(columns / 2, 8 + 2 + width + 2), exact: true)
    }
  }

  private mutating func side(_ sign: String, _ key: String, _ value: PropertyListValue, names: Int, _ role: Role) {
    let name = ink.name(key, columns: names)
    let kind = value.kind.word
    let shown = ink.whole(value)
    let hanging = min(columns / 2, 4 + 2 + names + 2 + max(7, kind.utf8.count) + 2)
    add(
      [Span(sign + " " + name.padded(names), role), Span(kind.padded(7), .muted), Span(shown, role)], indent: 4,
      hanging: hanging, exact: true)
  }

  /// How many fields stand in each state.
  mutating func counts(_ tally: Tally) {
    var spans: [Span] = []
    for state in FieldState.allCases where tally[state] > 0 {
      if !spans.isEmpty { spans.append(Span(ink.words(" · "), .muted)) }
      spans.append(Span("\(tally[state]) \(state.word)", state.role))
    }
    if !spans.isEmpty { add(spans) }
  }
}
