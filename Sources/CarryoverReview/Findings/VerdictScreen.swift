import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

extension Screen {
  static let verdict = Screen("verdict", "Verdict")
}

extension ScreenContent<ReviewState> {
  static var verdict: ScreenContent {
    text(.verdict, back: .leftward, keys: VerdictKeys.all) { $0.verdict($1) }.with {
      $0.saving = Saving(
        name: "verdict.txt",
        obstacle: { state, path in
          guard SharedReport.isPage(path) else { return nil }
          return "Nothing was saved: \(state.key("report", .verdict)) saves the report as HTML."
        })
    }
  }
}

enum VerdictKeys {
  static let all: [KeyBinding<ReviewState>] = [
    KeyBinding(
      [.character("V")], "verdict", "Show what became of the user and when, what is lost and how to repair it.",
      in: [.review, .details, .warnings], .seeing, hint: 4, opens: [.verdict],
      // The first screen shows the verdict; line by line there is room for its key.
      footer: .init(rank: { $0.options.lineColumns == nil ? 4 : 1 })
    ) { $0.open(.verdict) },
    KeyBinding(
      [.enter], "go to field", "Go to the field to repair.", in: [.verdict], .moving, hint: 1,
      unless: { $0.mendingField == nil ? "No field fixes this." : nil }
    ) { $0.goToMendingField() },
  ]
}

extension ReviewState {
  /// Lays out the verdict above the list: at most two lines, and a line for each of two other SDKs; none in a small
  /// window.
  mutating func layOutVerdict() {
    verdictLines = []
    guard size.rows >= 20 else { return }
    let ink = Ink(options)
    var writer = PageWriter(columns: size.columns - 2, ink: ink)
    writer.headline(self)
    let most = size.rows >= 24 ? 2 : 1
    verdictLines = Array(writer.lines.prefix(most))
    if writer.lines.count > most { cutVerdict(most, ink) }
    let others = otherLines
    for (index, other) in others.prefix(most).enumerated() {
      let more = index == most - 1 ? max(0, others.count - most) : 0
      let end = more > 0 ? "\(key("verdict", .review)) shows \(more) more" : ""
      let line = ink.prose(other.line)
      let isWhole = more == 0 && DisplayWidth.columns(of: line) <= size.columns - 4
      let rest = isWhole ? "" : ink.words("… " + end)
      let room = size.columns - 5 - DisplayWidth.columns(of: rest)
      verdictLines.append([
        Span(ink.sign(other.sign) + " ", other.role),
        Span(isWhole ? line : Self.words(of: line, columns: room) + " "), Span(rest, .muted),
      ])
    }
  }

  fileprivate var otherLines: [(line: String, sign: Sign, role: Role)] {
    verdicts.dropFirst().map { told in
      ("\(told.plan.recipe.title): \(told.verdict.text)", told.verdict.sign, told.verdict.role)
    } + others.map { ($0.line(), $0.sign, $0.verdict?.role ?? .flagged) }
  }

  private mutating func cutVerdict(_ most: Int, _ ink: Ink) {
    let rest = ink.words("… \(key("verdict", .review)) shows the rest")
    let line = verdictLines[most - 1].map(\.text).joined()
    let room = size.columns - 4 - DisplayWidth.columns(of: rest)
    verdictLines[most - 1] = [
      Span((most == 1 ? "" : "  ") + Self.words(of: line, columns: room) + " ", bold: true), Span(rest, .muted),
    ]
  }

  private static func words(of line: String, columns: Int) -> String {
    var fitting = ""
    for word in line.split(separator: " ") {
      let longer = fitting.isEmpty ? String(word) : fitting + " " + word
      guard DisplayWidth.columns(of: longer) <= columns else { break }
      fitting = longer
    }
    return fitting
  }

  /// In one line, as it is above the list; empty without a verdict.
  func verdictText(_ ink: Ink) -> String {
    var writer = PageWriter(columns: .max, ink: ink)
    writer.headline(self)
    let lines = otherLines.map { ink.sign($0.sign) + " " + ink.prose($0.line) }
    return ([writer.lines.joined().map(\.text).joined()] + lines).filter { !$0.isEmpty }.joined(separator: " ")
  }

  fileprivate func isDecided(_ lost: LostValue, of told: RecipeVerdict) -> Bool {
    lost.fields.contains { decisions[plan.name(of: $0, in: told.plan.recipe)] != nil }
  }

  fileprivate func isFixed(_ lost: LostValue, of told: RecipeVerdict) -> Bool {
    !lost.fields.isEmpty
      && lost.fields.allSatisfy { id in
        let name = plan.name(of: id, in: told.plan.recipe)
        guard let field = positions[name].map({ plan.fields[$0] }) else { return false }
        if case .write = field.resolution(decisions[name]) { return true } else { return false }
      }
  }

  fileprivate func mending(_ told: RecipeVerdict) -> Mending {
    Mending(told.verdict, told.plan, plan.decisions(decisions, of: told.plan))
  }

  fileprivate var mendingField: Field.ID? {
    verdicts.first.flatMap { told in
      told.verdict.isSound ? nil : mending(told).field.map { plan.name(of: $0, in: told.plan.recipe) }
    }
  }

  fileprivate mutating func goToMendingField() -> [ReviewEffect] {
    guard let id = mendingField, let position = positions[id] else { return [.bell] }
    go(toField: position)
    return []
  }
}

extension Verdict {
  var sign: Sign { isSound ? .note : isLoggedOut ? .error : .warning }

  /// How certain it is; empty where the sentence says so itself.
  fileprivate var label: String {
    let words = certainty.words
    return isSound || certainty == .cannotTell ? "" : words.prefix(1).uppercased() + words.dropFirst() + ": "
  }

  fileprivate var role: Role {
    isSound ? .confirmed : certainty == .cannotTell ? .flagged : isLoggedOut ? .error : .flagged
  }
}

extension PageWriter {
  fileprivate mutating func verdict(_ verdict: Verdict) {
    let sign = Span(ink.sign(verdict.sign) + " ", verdict.role)
    add([sign, Span(ink.words(verdict.label), .muted), Span(ink.prose(verdict.text), bold: true)], hanging: 2)
  }

  fileprivate mutating func headline(_ state: ReviewState) {
    guard let told = state.verdicts.first else { return }
    if !verdictAsDecided(told, state) { verdict(told.verdict) }
  }

  /// What the decisions fix, and what stays lost; false if they change nothing.
  private mutating func verdictAsDecided(_ told: RecipeVerdict, _ state: ReviewState) -> Bool {
    let verdict = told.verdict
    guard state.applyBlockers.isEmpty, let main = verdict.losses.first,
      // Ready fields need no decision: before any, the sentence is about the update.
      state.isDecided(main, of: told) || (!state.decisions.isEmpty && state.isFixed(main, of: told))
    else { return false }
    let sign = Span(ink.sign(.done) + " ", .confirmed)
    switch verdict.situation {
    case .unknown: return false
    case _ where verdict.certainty == .cannotTell:
      let names = main.fields.map { ink.name(state.plan.name(of: $0, in: told.plan.recipe)) }
      add([sign, Span(ink.words("Decided: "), bold: true), Span(names.joined(separator: ", ") + ".", bold: true)])
    case _ where state.isFixed(main, of: told):
      let others = verdict.losses.count { !state.isFixed($0, of: told) }
      add(
        [
          sign,
          Span(
            ink.words("\(state.hasUnappliedDecisions ? "Fixed when you apply" : "Fixed"): \(main.loss.what)."),
            bold: true),
          Span(ink.words(others == 0 ? "" : " Still lost: \(counted(others, "other value"))."), .flagged),
        ], hanging: 2)
    default: return false
    }
    return true
  }

  fileprivate mutating func verdict(_ state: ReviewState) {
    guard !state.verdicts.isEmpty else { return words("No recipe tells what became of this container's user.") }
    for (index, told) in state.verdicts.enumerated() {
      if index > 0 { blank() }
      if !state.plan.parts.isEmpty { words(told.plan.recipe.title, .title) }
      verdict(told, isFirst: index == 0, state)
    }
    guard !state.others.isEmpty else { return }
    heading("Other SDKs that left data here")
    for other in state.others {
      let sign = Span(ink.sign(other.sign) + " ", other.verdict?.role ?? .flagged)
      add([sign, Span(ink.prose(other.line()))], indent: 2, hanging: 4)
    }
    add([
      Span("  "), Span(state.key("setup", .review), .key),
      Span(ink.words(" in the review chooses their recipes, to see details and to migrate their data.")),
    ])
  }

  /// - Parameter isFirst: Whether a key goes to the field that fixes it.
  private mutating func verdict(_ told: RecipeVerdict, isFirst: Bool, _ state: ReviewState) {
    let (verdict, mending, recipe) = (told.verdict, state.mending(told), told.plan.recipe)
    if isFirst { _ = verdictAsDecided(told, state) }
    self.verdict(verdict)
    add([Span(ink.prose(verdict.reasonText), .muted)], indent: 2)
    if !verdict.losses.isEmpty { heading("Lost") }
    let (outside, isBlocked) = (Set(mending.outside), !state.applyBlockers.isEmpty)
    for lost in verdict.losses {
      let names = lost.fields.map { ink.name(state.plan.name(of: $0, in: recipe)) }.joined(separator: ", ")
      let isFixed = !isBlocked && state.isFixed(lost, of: told)
      add(
        [
          Span(ink.sign(isFixed ? .done : .omitted) + " ", isFixed ? .confirmed : .flagged),
          Span(ink.words(lost.loss.what)), Span(ink.prose(": \(lost.causeText)")),
          Span(isFixed ? "  fixed when you apply" : "", .confirmed),
          Span(names.isEmpty ? "" : "  \(names)", .label),
        ], indent: 2, hanging: 4)
      if outside.contains(lost), let finding = lost.finding { words("→ " + finding.commandRemedy, indent: 4) }
    }
    heading("Remedy")
    for blocker in mending.blockers { words("→ " + state.remedy(of: blocker), indent: 2) }
    if let id = mending.field, !verdict.isSound {
      let fixes = verdict.losses.first.map { $0.fields.containsBytes(of: id) } ?? false
      let field = state.plan.name(of: id, in: recipe)
      let goes = [Span(state.key("go-to-field", .verdict), .key), Span(ink.words(" goes to "))]
      add(
        [Span("  ")] + (isFirst ? goes : [Span(ink.words("Decide "))])
          + [Span(ink.name(field), .label), Span(fixes ? "; a decision there fixes it." : " to decide.")])
    } else if !told.plan.changes(state.plan.decisions(state.decisions, of: told.plan)).isEmpty {
      add([Span("  "), Span(state.key("apply", .review), .key), Span(ink.words(" in the review previews the change."))])
    } else if verdict.isSound || mending.blockers.isEmpty {
      words(mending.outside.isEmpty ? "Nothing to do." : "Nothing to migrate: the remedies are above.", indent: 2)
    }
    let entries = told.plan.definition.timeline(of: told.plan).inOrder
    if !entries.isEmpty { heading("Timeline") }
    for entry in entries {
      add(
        [
          Span(MomentText.seconds(entry.moment, offset: 0) + " UTC  "), Span(ink.sentence(entry.what)),
          Span(ink.sentence("  \(entry.place)"), .muted),
        ], indent: 2, hanging: 4)
    }
  }
}
