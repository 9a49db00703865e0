import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  package static let preview = Screen("preview", "Preview")
}

extension ScreenContent<ReviewState> {
  static var preview: ScreenContent {
    text(.preview, back: Back(help: "Go back; nothing is written.")) { $0.preview($1) }.with {
      $0.opened = { $0.preparePreview() }
      $0.title = { state, ink in
        ink.words(Screen.preview.title + (state.pages.preview.scope.map { ", \($0)" } ?? ""))
      }
    }
  }
}

enum PreviewKeys {
  static let applying: [ReviewKey] = [
    ReviewKey(
      [.character("a")], "apply",
      "Preview the exact change; with a range or a filter, only of its fields. Nothing is written yet.",
      in: [.review, .details], .applying, hint: 1, opens: [.preview],
      footer: .init(label: { $0.narrowing == nil ? "apply" : "apply these" })
    ) { $0.open(.preview) },
    ReviewKey(
      [.character("y")], "apply this",
      "Apply the change that is shown. A read-only container is extracted to a folder first.",
      in: [.preview], .applying, hint: 1, duty: .confirmation, opens: [.extraction],
      footer: .init(label: { $0.wrapper == nil ? "apply this" : "extract" }),
      unless: { $0.wrapper == nil ? $0.applyObstacle : nil }
    ) { $0.wrapper == nil ? $0.apply() : $0.askForFolder() },
  ]

  static let seeing: [ReviewKey] = [
    ReviewKey(
      [.character("m")], "whole values", "Show every value in full, and unchanged members (again: fold them).",
      in: [.preview], .seeing, hint: 3,
      footer: .init(label: { $0.pages.preview.isWhole ? "fold values" : "whole values" })
    ) {
      $0.pages.preview.isWhole.toggle()
    }
  ]

  static let moving: [ReviewKey] = [
    ReviewKey(
      [.character("n")], "first undecided",
      "Go to the first undecided field.", in: [.preview], .moving, hint: 3, name: "next", counting: .times,
      unless: noneWaits
    ) { $0.goToWaiting(step: 1) },
    ReviewKey(
      [.character("N")], "last undecided", "Go to the last undecided field.", in: [.preview], .moving, name: "previous",
      counting: .times, unless: noneWaits
    ) { $0.goToWaiting(step: -1) },
  ]

  private static let noneWaits: @Sendable (ReviewState) -> String? = {
    $0.pages.preview.tally.waiting == 0 ? "Every field here is decided." : nil
  }
}

extension ReviewState {
  /// The decisions of a run. With a range or a filter, it omits all other fields, which wait for another run; the scope
  /// says so. What describes the legacy user waits with the field that would replace the target's user.
  var runDecisions: (decisions: Decisions, scope: String?) {
    guard let narrowing else { return (decisions, nil) }
    let (meant, all) = (Set(rows[narrowedRows]), plan.completed(decisions))
    var (run, waiting, isPart) = (decisions, 0, false)
    for (position, field) in plan.fields.enumerated() where !meant.contains(position) {
      run[field.id] = .omit
      if all[field.id] == nil, case .leave = field.resolution(nil) { continue }
      isPart = true
    }
    guard isPart else { return (decisions, nil) }
    for pair in plan.describingFields where run[pair.named.id] == .omit && pair.keepsAnother(.omit) {
      // A decision to keep the target's user decides this field, too.
      guard !pair.keepsAnother(decisions[pair.named.id]) else { continue }
      if case .leave = pair.field.resolution(run[pair.field.id]) { continue }
      run[pair.field.id] = .omit
      waiting += 1
    }
    let scope = "\(meant.count - waiting) of \(counted(plan.fields.count, "field")): only those \(narrowing)"
    guard waiting > 0 else { return (plan.completed(run), scope) }
    let words = waiting == 1 ? "1 waits for the field that names its" : "\(waiting) wait for the field that names their"
    return (plan.completed(run), "\(scope); \(words) user")
  }

  /// Computes the change once: the preview of a file takes its encoding.
  fileprivate mutating func preparePreview() {
    let (decisions, scope) = runDecisions
    // A field that asks is undecided anyway.
    let waiting = plan.waitingFields(decisions).filter { !$0.field.status.asks }
    let sure = plan.withoutWaiting(decisions)
    let changes = plan.changes(sure)
    let files = changes.isEmpty ? [] : (try? plan.filePreviews(sure, in: container)) ?? []
    var tally = Tally()
    for field in plan.fields where decisions[field.id] != .omit { tally.add(FieldState(field, decisions[field.id])) }
    pages.preview = ReviewPages.Preview(
      decisions: decisions, waiting: waiting, scope: scope, tally: tally, changes: changes,
      losses: plan.losses(ofRun: decisions),
      files: files)
  }

  fileprivate mutating func apply() {
    guard screen == .preview, applyObstacle == nil else { return emit(.bell) }
    waiting = .run(.apply)
    noteStart(.apply)
    emit(.apply(pages.preview.decisions))
  }

  fileprivate var runBlockers: [Finding] { plan.blockers(after: pages.preview.decisions) }

  var applyObstacle: String? {
    if let readOnly { return readOnly }
    if let blocker = runBlockers.first {
      if blocker.code == .targetNoWriteKey { return "\(FieldSummary.keyNeeded(by: plan)) (\(key("setup", .review)))." }
      return "Blocked by \(blocker.code.rawValue). \(remedy(of: blocker))"
    }
    if plan.target == nil {
      return "The new SDK's file is unknown; \(key("setup", .review)) sets the write key and the bundle id."
    }
    let waiting = pages.preview.tally.waiting
    if waiting > 0 { return waiting == 1 ? "1 field is undecided." : "\(waiting) fields are undecided." }
    if pages.preview.changes.isEmpty { return "There is nothing to write." }
    return nil
  }
}

extension PageWriter {
  /// - Parameter scope: the fields that a run is about; nil for all.
  mutating func scope(_ scope: String?) {
    guard let scope else { return }
    words("\(scope). The others stay as they are, decided or not.", .flagged)
    blank()
  }

  mutating func preview(_ state: ReviewState) {
    let plan = state.plan
    self.scope(state.pages.preview.scope)
    if !state.pages.preview.losses.isEmpty {
      add(state.pages.preview.losses.blocks(isDone: false))
      blank()
    }
    obstacles(state)
    let errors = plan.containerFindings.filter { $0.severity == .error && !$0.blocks }
    for error in errors {
      blank()
      add(.list([error.item(remedy: state.remedy(of: error))]))
    }
    if !errors.isEmpty { blank() }
    counts(state.pages.preview.tally)
    previewFiles(state)
    leftOut(state)
    // These keys belong to no field.
    if state.pages.preview.scope == nil { add(plan.notMigrated(atMost: Plan.mostKeysOnScreen)) }
    guard state.readOnly == nil, plan.target != nil, !state.pages.preview.changes.isEmpty else { return }
    heading("Backup")
    words(
      plan.targets.allSatisfy { !$0.exists }
        ? "A rollback deletes each new file. The data for it is saved in:"
        : "Before it writes, Carryover copies what exists to:", indent: 2)
    add([Span(ink.text(state.backupLocation), .value)], indent: 2, exact: true)
    let all = state.key("roll-back", .review)
    let single = state.key("history", .review)
    words(
      "Afterwards, \(all) previews a rollback of the whole run; \(single) shows the history, where you can roll back single keys.",
      .muted, indent: 2)
  }

  private mutating func obstacles(_ state: ReviewState) {
    guard state.applyObstacle != nil else {
      add([
        Span("Nothing is written yet. ", .plain), Span(state.key("apply-this", .preview), .key),
        Span(" applies this change; nothing else does.", .plain),
      ])
      return
    }
    if let readOnly = state.readOnly {
      words(readOnly, .flagged)
      guard state.wrapper != nil else { return }
      return add([
        Span(ink.words("Or here: ")), Span(state.key("apply-this", .preview), .key),
        Span(ink.words(" extracts it to a folder, and previews the change there.")),
      ])
    }
    let decisions = state.pages.preview.decisions
    if !state.runBlockers.isEmpty || state.pages.preview.tally.waiting > 0 || state.plan.target == nil {
      words("The plan cannot be applied yet.", .flagged)
      for blocker in state.runBlockers {
        blank()
        add(.list([blocker.item(remedy: state.remedy(of: blocker))]))
      }
      if state.plan.target == nil, state.blockers.isEmpty {
        words(
          "The new SDK's file is unknown. \(state.key("setup", .review)) sets the write key and the bundle id.",
          indent: 2)
      }
      undecided(state)
    } else {
      let isLeftOut = state.plan.fields.contains { Self.reason($0, decisions[$0.id]) != nil }
      // An earlier run may have skipped a field, or kept another value.
      let isInPlace = state.pages.preview.scope == nil && !state.plan.fields.contains(where: \.isKept)
      words(
        isLeftOut
          ? "There is nothing to write. The reasons are below, field by field."
          : "There is nothing to write" + (isInPlace ? ": every value is in place." : "."))
    }
  }

  private mutating func undecided(_ state: ReviewState) {
    let waiting = state.plan.undecided(state.pages.preview.decisions)
    guard !waiting.isEmpty else { return }
    blank()
    add([
      Span("Undecided \(waiting.count): ", .flagged), Span(names(waiting.map(\.id), atMost: 100), .label),
      Span(". ", .plain), Span(state.key("next", .preview), .key), Span(" goes to the first.", .plain),
    ])
  }

  private mutating func leftOut(_ state: ReviewState) {
    var isFirst = true
    let decisions = state.pages.preview.decisions
    let waiting = Dictionary(firstOf: state.pages.preview.waiting.map { ($0.field.id, $0.named.id) })
    for field in state.plan.fields {
      let waits = waiting[field.id].map { "waits for the decision on \($0)" }
      guard let reason = waits ?? Self.reason(field, decisions[field.id]) else { continue }
      if isFirst { heading("Fields that do not change") }
      isFirst = false
      let standing = waits == nil ? FieldState(field, decisions[field.id]) : .toDecide
      add(
        [
          Span(ink.sign(standing.sign) + " ", standing.role), Span(ink.name(field.id, columns: 40) + "  ", .label),
          Span(ink.sentence(reason), .plain),
        ], indent: 2, hanging: 4)
    }
  }

  private static func reason(_ field: Field, _ decision: Decision?) -> String? {
    switch (field.resolution(decision), decision) {
    case (.write, _), (_, .omit), (.leave(.unchanged), nil), (.leave(.unchanged), .migrate),
      (.leave(.unchanged), .edit):
      nil
    case (.undecided(let conflict), _): conflict ? "undecided: the new SDK's file has another value" : "undecided"
    case (.leave, .skip): "skipped"
    case (.leave, .keep): "the target's value is kept"
    case (.leave(.absent), _): field.absence
    case (.leave, _): ChangeSummary.proposal(field)
    }
  }

  mutating func previewFiles(_ state: ReviewState) {
    let targets = state.plan.targets.filter { $0.exists || isWritten($0, state) }
    guard !targets.isEmpty else { return }
    heading("Files \(targets.count)")
    for target in targets { previewFile(target, state) }
  }

  private func isWritten(_ target: TargetSummary, _ state: ReviewState) -> Bool {
    state.plan.recipePlans.contains { $0.target?.path.hasSameBytes(as: target.path) == true }
      || state.pages.preview.changes.contains { change in
        state.positions[change.key].map { isFile(state.plan.fields[$0], of: target, state) } == true
      }
  }

  private func isFile(_ field: Field, of target: TargetSummary, _ state: ReviewState) -> Bool {
    state.plan.file(of: field)?.hasSameBytes(as: target.path) == true
  }

  private mutating func previewFile(_ target: TargetSummary, _ state: ReviewState) {
    // With several recipes, the file of a field can be unknown while another SDK's is known.
    let isOnly = state.plan.parts.isEmpty && state.plan.targets.count == 1
    func isOfFile(_ field: Field) -> Bool { isOnly || isFile(field, of: target, state) }
    let changes = state.pages.preview.changes.filter { change in
      isOnly || state.positions[change.key].map { isOfFile(state.plan.fields[$0]) } ?? false
    }
    let preview = state.pages.preview.files.first { $0.path.hasSameBytes(as: target.path) }
    let isWritten = !changes.isEmpty
    let verb = !isWritten ? "unchanged" : target.exists ? "changed" : "created"
    add(
      [Span(verb + "  ", isWritten ? .changed : .muted), Span(ink.text(target.path), .value)], indent: 2,
      hanging: 2 + verb.utf8.count + 2)
    if isWritten, let file = preview { words(Self.facts(file), .muted, indent: 4) }
    self.changes(changes, state)
    let decisions = state.pages.preview.decisions
    let unchanged = state.plan.fields.count { field in
      let decision = decisions[field.id]
      return isOfFile(field) && decision != .omit && field.resolution(decision) == .leave(.unchanged)
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
    let format = file.format.words
    guard let before = file.sizeBefore else { return "\(format), \(counted(file.sizeAfter, "byte"))" }
    return "\(format), as before · \(before) → \(counted(file.sizeAfter, "byte"))"
  }

  private mutating func changes(_ changes: [KeyChange], _ state: ReviewState) {
    // The file is named above: of several recipes, its keys are shown without the recipe.
    let keys = changes.map { change in state.positions[change.key].map { state.plan.fields[$0].key } ?? change.key }
    let names = nameColumns(keys)
    let shows = ink.isWhole || state.pages.preview.isWhole ? nil : state.key("whole-values", .preview)
    for (change, key) in zip(changes, keys) {
      if let (tree, like) = members(change, state) {
        members(tree, of: change, key, names: names, like: like, shows: shows)
        continue
      }
      if let before = change.before { side("-", key, before, names: names, .removed, shows: shows) }
      if let after = change.after { side("+", key, after, names: names, .added, shows: shows) }
    }
  }

  /// The members of a value beside those of the one it replaces; if the target has none, beside those of the legacy
  /// value. Nil if they cannot be compared, or do not differ.
  private func members(_ change: KeyChange, _ state: ReviewState) -> (tree: MemberTree, like: String)? {
    let legacy = state.positions[change.key].flatMap { state.plan.fields[$0].legacy }
    guard let after = change.after, let text = text(after), let other = change.before ?? legacy,
      let old = self.text(other), let tree = MemberTree([old, text]), !tree.leaves.isEmpty
    else { return nil }
    let differs = Set(tree.counts.keys) != [.kept]
    // A short value is read at once.
    if change.before == nil, text.utf8.count <= Self.mostColumns { return nil }
    if change.before != nil { return differs ? (tree, "as before") : nil }
    return (tree, "as in the legacy value")
  }

  /// The text of a JSON object, masked if need be.
  private func text(_ value: PropertyListValue) -> String? {
    value.objectText.flatMap { ink.shown(.string($0)).jsonText }
  }

  private static var mostMembers: Int { 24 }
  private static var mostColumns: Int { 240 }

  private mutating func members(
    _ tree: MemberTree, of change: KeyChange, _ key: String, names: Int, like: String, shows: String?
  ) {
    let leaves = tree.nodes.indices.filter {
      !tree.nodes[$0].isBranch && (shows == nil || tree.nodes[$0].fate != .kept)
    }
    let sign = change.before == nil ? "+ " : "~ "
    add(
      [
        Span(sign + ink.name(key, columns: names).padded(names), change.before == nil ? .added : .changed),
        Span(
          (change.after?.kind.word ?? "").padded(7)
            + (change.before == nil ? "JSON, compared with the legacy value" : "JSON"), .muted),
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
    if let kept = tree.counts[.kept] { folded.append("\(counted(kept, "member")) \(like)") }
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
      [Span(sign + " " + name.padded(names), role), Span(kind.padded(7), .muted), Span(shown, role)], indent: 4,
      hanging: hanging, exact: true)
  }

  private func part(_ text: String, _ shows: String?) -> String {
    let isCut = shows != nil && text.utf8.count > Self.mostColumns && text.unicodeScalars.count > Self.mostColumns
    let part = isCut ? text.firstScalars(Self.mostColumns) : text
    return ink.text(part)
      + (isCut ? ink.words("… (\(text.utf8.count) bytes in all; \(shows ?? "") shows all)") : "")
  }

  mutating func counts(_ tally: Tally) {
    var spans: [Span] = []
    for state in FieldState.allCases where tally[state] > 0 {
      if !spans.isEmpty { spans.append(Span(ink.words(" · "), .muted)) }
      spans.append(Span("\(tally[state]) \(state.word)", state.role))
    }
    if !spans.isEmpty { add(spans) }
  }
}
