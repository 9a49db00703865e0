import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let warnings = Screen("findings", "Findings")
  static let finding = Screen("finding", "Finding")
}

extension PageWriter {
  private static let labels = 12

  mutating func finding(_ state: ReviewState) {
    guard let finding = state.findings.selected else { return words("There is nothing to explain here.") }
    add([
      .list([finding.item(remedy: state.remedy(of: finding))]), .blank,
      .paragraph(finding.code.standing, finding.severity.role, indent: 2),
    ])
    place(of: finding, state)
    heading("In general")
    add(finding.code.explained(for: state.reader))
  }

  private mutating func place(of finding: Finding, _ state: ReviewState) {
    heading("In this container")
    guard let id = finding.field, let position = state.positions[id] else {
      return words("It is about the container, not about one field.", indent: 2)
    }
    let field = state.plan.fields[position]
    let decision = state.decisions[id]
    let standing = FieldState(field, decision)
    row(
      "Field", width: Self.labels,
      [
        Span(ink.name(id) + "  ", .value), Span(ink.sign(standing.sign) + " ", standing.role),
        Span(ink.words(standing.word), standing.role),
      ], indent: 2)
    if let source = finding.source ?? field.origin?.source {
      row("Legacy key", width: Self.labels, [Span(ink.name(source.label), .value)], indent: 2)
    }
    if let store = field.origin?.store {
      row("Store", width: Self.labels, [Span(ink.text(store), .value)], indent: 2)
    }
    row("Legacy", width: Self.labels, [Span(ink.value(field.legacy, columns: columns), .value)], indent: 2)
    row("Proposed", width: Self.labels, [Span(ink.value(field.proposed, columns: columns), .value)], indent: 2)
    if field.current != nil {
      row("Target now", width: Self.labels, [Span(ink.value(field.current, columns: columns), .value)], indent: 2)
    }
  }
}

extension ScreenContent<ReviewState> {
  static var warnings: ScreenContent {
    text(.warnings, back: .leftward) { $0.add($1.warningBlocks) }.with {
      $0.opened = { $0.findings = Self.list($0.notedPlan) }
      $0.chosen = Chosen(number: { $0.findings.row }, select: { $0.findings.select($1) })
      $0.summary = { state, ink in
        guard let finding = state.findings.selected else { return "" }
        let place = "\(state.findings.row + 1) of \(state.findings.count)"
        let field = finding.field.map { ink.name($0) + ", " } ?? ""
        return ink.words("At finding \(place): ") + field + finding.code.rawValue
      }
    }
  }

  /// A page can show only so many.
  fileprivate static func list(_ findings: [Finding]) -> RowList<Finding> { RowList(Array(findings.prefix(1000))) }

  fileprivate static func list(_ plan: Plan) -> RowList<Finding> {
    list(plan.findings.gravestFirst)
  }

  static var finding: ScreenContent {
    text(.finding, back: .leftward) { $0.finding($1) }.with {
      $0.subject = { [$0.findings.row] }
      $0.title = { state, _ in "Finding \(state.findings.row + 1) of \(state.findings.count)" }
    }
  }
}

enum FindingKeys {
  static let seeing: [ReviewKey] = [
    ReviewKey(
      [.character("w")], "findings", "List every finding, and the keys that are not migrated.",
      in: [.review, .details, .preview], .seeing, hint: 4, opens: .warnings)
  ]

  static let explaining: [ReviewKey] = [
    ReviewKey(
      [.enter, .character("x")], "explain", "Explain the finding: its cause, and what to do.",
      in: [.warnings], .seeing, hint: 1, opens: [.finding],
      unless: { $0.findings.selected == nil ? "There is nothing to explain here." : nil }
    ) { $0.explain() }
  ]

  static let understanding: [ReviewKey] = [
    ReviewKey(
      [.character("x")], "explain", "Explain the field's findings: their cause, and what to do.",
      in: [.review, .details], .seeing, hint: 4, opens: [.finding],
      unless: { $0.canExplain ? nil : "There is nothing to explain here." }
    ) { $0.explain() },
    ReviewKey(
      [.enter], "go to field", "Go to the finding's field in the review.", in: [.finding], .moving, hint: 1,
      unless: { state in
        guard let id = state.findings.selected?.field else {
          return "This finding is about the container, not about one field."
        }
        return state.positions[id] == nil ? "The plan has no such field." : nil
      }
    ) { $0.goToField() },
    ReviewKey(
      [.character("]")], "next finding", "Go to the next finding.", in: [.finding], .moving, hint: 2,
      unless: { $0.findings.row + 1 < $0.findings.count ? nil : "This is the last finding." }
    ) { $0.chooseFinding(step: 1) },
    ReviewKey(
      [.character("[")], "previous finding", "Go to the previous finding.", in: [.finding], .moving, hint: 2,
      unless: { $0.findings.row > 0 ? nil : "This is the first finding." }
    ) { $0.chooseFinding(step: -1) },
  ]
}

extension ReviewState {
  mutating func explain() {
    if topScreen != .warnings { findings = ScreenContent.list(explainable) }
    guard findings.selected != nil else { return emit(.bell) }
    open(.finding)
  }

  var explainable: [Finding] { ownFindings + plan.containerFindings }

  private var ownFindings: [Finding] { selected.map { noted($0).findings } ?? [] }

  fileprivate var notedPlan: Plan { plan.noting(decisions) { options.redaction?.findings(of: $0) ?? $0 } }

  /// The field with the findings that its decision makes.
  func noted(_ field: Field) -> Field {
    guard field.isFollowing else { return field }
    let noted = plan.noting(field, decisions)
    return options.redaction?.findings(of: noted) ?? noted
  }

  /// The footer asks this for every frame, so nothing is built.
  var canExplain: Bool { !ownFindings.isEmpty || !plan.containerFindings.isEmpty }

  mutating func refreshFindings() {
    show(stack.screens.filter { $0 != .finding })
    findings.replace(stack.screens.contains(.warnings) ? ScreenContent.list(plan).rows : [])
  }

  mutating func chooseFinding(step: Int) {
    findings.select(findings.row + step)
    stack.pageTop = 0
  }

  mutating func goToField() {
    guard let id = findings.selected?.field, let position = positions[id] else { return emit(.bell) }
    go(toField: position)
  }

  /// Shows a field in the list; ends a filter that hides it.
  mutating func go(toField position: Int) {
    if rows.row(of: position) == nil { endFilter() }
    show([.review])
    focus = .fields
    if let row = rows.row(of: position) { select(row: row) }
  }

  fileprivate var warningBlocks: [Block] {
    let findings = self.findings.rows
    let items = findings.flatMap { [.blank, .anchor, Block.list([$0.item(remedy: remedy(of: $0))])] }
    let all = notedPlan
    let more = all.containerFindings.count + all.fields.reduce(0) { $0 + $1.findings.count } - findings.count
    return (findings.isEmpty ? [.paragraph("There are no findings.")] : items)
      + (more > 0 ? [.blank, .paragraph("… and \(more) more, in the details of their fields.", .muted)] : [])
      + plan.notMigrated(atMost: Plan.mostKeysOnScreen)
  }
}
