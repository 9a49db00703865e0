import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  /// The files that are written: what becomes of each as a whole, then key by key.
  mutating func previewFiles(_ state: ReviewState) {
    let targets = state.plan.targets.filter { $0.exists || isWritten($0, state) }
    guard !targets.isEmpty else { return }
    heading("Files \(targets.count)")
    for target in targets { previewFile(target, state) }
  }

  /// Whether a change is to be written to a file.
  private func isWritten(_ target: TargetSummary, _ state: ReviewState) -> Bool {
    state.plan.recipePlans.contains { $0.target?.path.hasSameBytes(as: target.path) == true }
      || state.pendingChanges.contains { change in
        state.positions[change.key].map { isFile(state.plan.fields[$0], of: target, state) } == true
      }
  }

  private func isFile(_ field: Field, of target: TargetSummary, _ state: ReviewState) -> Bool {
    state.plan.file(of: field)?.hasSameBytes(as: target.path) == true
  }

  private mutating func previewFile(_ target: TargetSummary, _ state: ReviewState) {
    let isOnly = state.plan.targets.count == 1
    func isOfFile(_ field: Field) -> Bool { isOnly || isFile(field, of: target, state) }
    let changes = state.pendingChanges.filter { change in
      isOnly || state.positions[change.key].map { isOfFile(state.plan.fields[$0]) } ?? false
    }
    let preview = state.filePreviews.first { $0.path.hasSameBytes(as: target.path) }
    let isWritten = !changes.isEmpty
    let verb = !isWritten ? "unchanged" : target.exists ? "changed" : "created"
    add(
      [Span(verb + "  ", isWritten ? .changed : .muted), Span(ink.text(target.path), .value)], indent: 2,
      hanging: 2 + verb.utf8.count + 2)
    if isWritten, let file = preview { words(Self.facts(file), .muted, indent: 4) }
    self.changes(changes, state)
    let unchanged = state.plan.fields.count { field in
      isOfFile(field) && field.resolution(state.decisions[field.id]) == .leave(.unchanged)
    }
    if unchanged > 0 { words("\(unchanged) unchanged", .muted, indent: 4) }
    guard target.exists else { return }
    guard let others = preview?.otherKeys else {
      return words("Every \(isWritten ? "other " : "")key of the file stays as it is.", .muted, indent: 4)
    }
    let sentence =
      switch others {
      case 0: "There is no other key in the file."
      case 1: "The other key of the file stays as it is."
      default: "\(counted(others, "other key")) of the file stay as they are."
      }
    words(sentence, .muted, indent: 4)
  }

  private static func facts(_ file: FilePreview) -> String {
    let format =
      switch file.format {
      case .binary: "binary property list"
      case .xml: "XML property list"
      case .archive: "keyed archive"
      case .json: "JSON"
      }
    guard let before = file.sizeBefore else { return "\(format), \(counted(file.sizeAfter, "byte"))" }
    return "\(format), as before · \(before) → \(counted(file.sizeAfter, "byte"))"
  }

  private mutating func changes(_ changes: [KeyChange], _ state: ReviewState) {
    let names = min(
      columns / 3,
      changes.reduce(8) { width, change in
        width >= 40 ? width : max(width, min(40, DisplayWidth.columns(of: ink.name(change.key, columns: 40))))
      })
    let shows = ink.isWhole || state.previewsAll ? nil : state.key("whole-values", .preview)
    for change in changes {
      if let (tree, like) = members(change, state) {
        members(tree, of: change, names: names, like: like, shows: shows)
        continue
      }
      if let before = change.before { side("-", change.key, before, names: names, .removed, shows: shows) }
      if let after = change.after { side("+", change.key, after, names: names, .added, shows: shows) }
    }
  }

  /// The members of a value beside those of the one it replaces; where the target has none, beside those of the legacy
  /// value. Nil where they cannot be compared, or do not differ.
  private func members(_ change: KeyChange, _ state: ReviewState) -> (tree: MemberTree, like: String)? {
    let legacy = state.positions[change.key].flatMap { state.plan.fields[$0].legacy }
    guard let after = change.after, let text = text(after), let other = change.before ?? legacy,
      let old = self.text(other), let tree = MemberTree([old, text]), !tree.leaves.isEmpty
    else { return nil }
    let differs = tree.counts[.kept] != tree.leaves.count
    // What is short is seen at once.
    if change.before == nil, text.utf8.count <= Self.mostColumns { return nil }
    if change.before != nil { return differs ? (tree, "as before") : nil }
    return (tree, "as in the legacy value")
  }

  /// The text of a JSON object as far as it may be seen.
  private func text(_ value: PropertyListValue) -> String? {
    value.objectText.flatMap { ink.shown(.string($0)).jsonText }
  }

  /// The most members that are listed of one value before they are folded.
  private static var mostMembers: Int { 24 }
  /// The most columns of one value before it is cut.
  private static var mostColumns: Int { 240 }

  private mutating func members(
    _ tree: MemberTree, of change: KeyChange, names: Int, like: String, shows: String?
  ) {
    let leaves = tree.nodes.indices.filter {
      !tree.nodes[$0].isBranch && (shows == nil || tree.nodes[$0].fate != .kept)
    }
    let sign = change.before == nil ? "+ " : "~ "
    add(
      [
        Span(sign + ink.name(change.key, columns: names).padded(names), change.before == nil ? .added : .changed),
        Span(
          (change.after?.kind.word ?? "").padded(7)
            + (change.before == nil ? "JSON, compared with the legacy value" : "JSON"),
          .muted),
      ], indent: 4, hanging: min(columns / 2, 4 + 2 + names + 2 + "string   ".utf8.count))
    let listed = shows == nil ? leaves : Array(leaves.prefix(Self.mostMembers))
    let paths = listed.map { tree.path(of: $0).map { ink.name($0) }.joined(separator: ".") }
    let width = paths.reduce(1) { min(columns / 3, max($0, DisplayWidth.columns(of: $1))) }
    for (index, path) in zip(listed, paths) {
      let node = tree.nodes[index]
      for (side, sign) in [(0, "-"), (1, node.fate == .kept ? " " : "+")] {
        guard let value = node.sides[side], node.fate != .kept || side == 1 else { continue }
        let role: Role = node.fate == .kept ? .muted : side == 0 ? .removed : .added
        let name = DisplayWidth.truncate(path, columns: columns / 3, glyphs: ink.glyphs).text
        add(
          [Span("\(sign) \(name.padded(width))\(part(value.text(), shows))", role)], indent: 8,
          hanging: min(columns / 2, 8 + 2 + width + 2), exact: true)
      }
    }
    guard let shows else { return }
    var folded: [String] = []
    if leaves.count > listed.count { folded.append(counted(leaves.count - listed.count, "more change")) }
    if let kept = tree.counts[.kept] { folded.append("\(counted(kept, "nested value")) \(like)") }
    guard !folded.isEmpty else { return }
    add(
      [
        Span(ink.words("… " + folded.joined(separator: ", ") + "; "), .muted), Span(shows, .key),
        Span(" shows them", .muted),
      ], indent: 8)
  }

  private mutating func side(
    _ sign: String, _ key: String, _ value: PropertyListValue, names: Int, _ role: Role, shows: String?
  ) {
    let name = ink.name(key, columns: names)
    let kind = value.kind.word
    let hanging = min(columns / 2, 4 + 2 + names + 2 + max(7, kind.utf8.count) + 2)
    var shown = ink.whole(value)
    if shows != nil, case .string(let text) = ink.shown(value), text.utf8.count > Self.mostColumns {
      shown = part(text, shows)
    }
    add(
      [
        Span(sign + " " + name.padded(names), role), Span(kind.padded(7), .muted),
        Span(shown, role),
      ], indent: 4, hanging: hanging, exact: true)
  }

  /// A value, or its beginning while values are folded.
  private func part(_ text: String, _ shows: String?) -> String {
    let isCut = shows != nil && text.utf8.count > Self.mostColumns && text.unicodeScalars.count > Self.mostColumns
    let part = isCut ? text.firstScalars(Self.mostColumns) : text
    return ink.text(part)
      + (isCut ? ink.words("… (\(text.utf8.count) bytes in all; \(shows ?? "") shows all)") : "")
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
