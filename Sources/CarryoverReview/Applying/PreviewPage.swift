import Carryover
import CarryoverTerminal

extension ScreenContent<ReviewState> {
  /// The exact change, before it is made.
  static var preview: ScreenContent {
    text(.preview, back: Back(help: "Go back; nothing is written.")) { $0.preview($1) }.with {
      $0.opened = { $0.preparePreview() }
    }
  }
}

/// What the keys do on the way to an apply.
enum PreviewKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let applying: [Binding] = [
    Binding(
      [.character("a")], "apply", "Preview the exact change; nothing is written before you agree to it.",
      in: [.review, .details], .applying, hint: 1, opens: .preview),
    Binding(
      [.character("y")], "apply this", "Apply the change that is shown.", in: [.preview], .applying, hint: 1,
      duty: .confirmation, unless: { $0.applyObstacle }
    ) { $0.apply() },
  ]

  static let seeing: [Binding] = [
    Binding(
      [.character("m")], "whole values",
      "Show every value in full, and unchanged members (again: fold them).", in: [.preview], .seeing,
      hint: 3, footer: .init(label: { $0.previewsAll ? "fold values" : "whole values" })
    ) {
      $0.previewsAll.toggle()
      $0.stack.revision += 1
      return []
    }
  ]

  static let moving: [Binding] = [
    Binding(
      [.character("n")], "first undecided",
      "Go to the first undecided field; clear the filter if it hides all of them.",
      in: [.preview], .moving, hint: 3, name: "next", counting: .times,
      unless: { $0.tally.waiting == 0 ? "Every field is decided." : nil }
    ) { $0.goToWaiting(step: 1) },
    Binding(
      [.character("N")], "last undecided", "Go to the last undecided field.", in: [.preview], .moving,
      name: "previous", counting: .times,
      unless: { $0.tally.waiting == 0 ? "Every field is decided." : nil }
    ) { $0.goToWaiting(step: -1) },
  ]
}

extension ReviewState {
  /// Works out the change for the preview. What becomes of the file takes its encoding, so it is done once.
  fileprivate mutating func preparePreview() {
    previewsAll = false
    pendingChanges = plan.changes(decisions)
    filePreviews = pendingChanges.isEmpty ? [] : (try? plan.filePreviews(decisions, in: container)) ?? []
  }

  fileprivate mutating func apply() -> [ReviewEffect] {
    guard screen == .preview, applyObstacle == nil else { return [.bell] }
    waiting = .run(.apply)
    noteStart(.apply)
    return [.apply(decisions)]
  }

  /// What blocks an apply with the present decisions.
  var applyBlockers: [Finding] { plan.blockers(after: decisions) }

  /// Why the change in the preview cannot be applied; nil when it can.
  var applyObstacle: String? {
    if let readOnly { return readOnly }
    if let blocker = applyBlockers.first { return "Blocked by \(blocker.code.rawValue). \(blocker.commandRemedy)" }
    if plan.target == nil {
      return "The target file is unknown; \(key("setup", .review)) sets the write key and the bundle id."
    }
    let waiting = tally.waiting
    if waiting > 0 { return waiting == 1 ? "1 field is undecided." : "\(waiting) fields are undecided." }
    if pendingChanges.isEmpty { return "There is nothing to write." }
    return nil
  }
}

extension PageWriter {
  /// The exact change, what is left out and why, and where the way back is.
  mutating func preview(_ state: ReviewState) {
    let plan = state.plan
    obstacles(state)
    let errors = plan.containerFindings.filter { $0.severity == .error && !$0.blocks }
    for error in errors {
      blank()
      finding(error, state.remedy(of: error))
    }
    if !errors.isEmpty { blank() }
    counts(state.tally)
    previewFiles(state)
    leftOut(state)
    if !plan.dropped.isEmpty {
      heading("Keys without a field \(plan.dropped.count)")
      keysLeftBehind(plan.dropped)
    }
    guard state.readOnly == nil, plan.target != nil, !state.pendingChanges.isEmpty else { return }
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

  /// What stands in the way of the apply, or what the key to it is.
  private mutating func obstacles(_ state: ReviewState) {
    guard state.applyObstacle != nil else {
      add([
        Span("Nothing is written yet. ", .plain), Span(state.key("apply-this", .preview), .key),
        Span(" applies this change; nothing else does.", .plain),
      ])
      return
    }
    if let readOnly = state.readOnly { return words(readOnly, .flagged) }
    if !state.applyBlockers.isEmpty || state.tally.waiting > 0 || state.plan.target == nil {
      words("The plan cannot be applied yet.", .flagged)
      for blocker in state.applyBlockers {
        blank()
        finding(blocker, state.remedy(of: blocker))
      }
      if state.plan.target == nil, state.blockers.isEmpty {
        words("The target file is unknown. \(state.key("setup", .review)) sets what it is named after.", indent: 2)
      }
      undecided(state)
    } else {
      let isLeftOut = state.plan.fields.contains { Self.reason($0, state.decisions[$0.id]) != nil }
      words(
        isLeftOut
          ? "There is nothing to write. The reasons are below, field by field."
          : "There is nothing to write: the target has every value.")
    }
  }

  private mutating func undecided(_ state: ReviewState) {
    let waiting = state.plan.undecided(state.decisions)
    guard !waiting.isEmpty else { return }
    blank()
    let names = waiting.prefix(100).map { ink.name($0.id, columns: 60) }.joined(separator: ", ")
    let more = waiting.count > 100 ? " and \(waiting.count - 100) more" : ""
    add(
      [
        Span("Undecided \(waiting.count): ", .flagged), Span(names + more, .label), Span(". ", .plain),
        Span(state.key("next", .preview), .key), Span(" goes to the first.", .plain),
      ])
    let next = state.key("next", .preview)
    let hidden = state.hiddenWaitingCount
    guard hidden > 0 else { return }
    words(
      hidden == waiting.count
        ? "The filter hides \(hidden == 1 ? "it" : "them"); \(next) leaves the filter."
        : "The filter hides \(hidden) of them; \(next) goes through those listed first.", .muted)
  }

  private mutating func leftOut(_ state: ReviewState) {
    var isFirst = true
    for field in state.plan.fields {
      guard let reason = Self.reason(field, state.decisions[field.id]) else { continue }
      if isFirst { heading("Fields that do not change") }
      isFirst = false
      let standing = FieldState(field, state.decisions[field.id])
      add(
        [
          Span(ink.sign(standing.sign) + " ", standing.role), Span(ink.name(field.id, columns: 40) + "  ", .label),
          Span(ink.sentence(reason), .plain),
        ], indent: 2, hanging: 4)
    }
  }

  private static func reason(_ field: Field, _ decision: Decision?) -> String? {
    switch (field.resolution(decision), decision) {
    case (.write, _), (.leave(.unchanged), nil), (.leave(.unchanged), .migrate), (.leave(.unchanged), .edit): nil
    case (.undecided(let conflict), _):
      conflict ? "undecided: the target has another value" : "undecided"
    case (.leave, .skip): "skipped"
    case (.leave, .keep): "the target's value is kept"
    case (.leave(.absent), _): field.absence
    case (.leave, _): ChangeSummary.proposal(field)
    }
  }
}
