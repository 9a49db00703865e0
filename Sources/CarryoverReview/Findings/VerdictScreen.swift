import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  static let verdict = Screen("verdict", "Verdict")
  static let unknown = Screen("unknown", "Container")
}

extension ScreenContent<ReviewState> {
  static var verdict: ScreenContent {
    text(.verdict, back: .leftward, keys: VerdictKeys.all) { $0.add($1.verdictBlocks) }.with {
      $0.saving = Saving(
        name: "verdict.txt",
        obstacle: { state, path in
          guard SharedReport.isPage(path) else { return nil }
          return "Nothing was saved: \(state.key("report", .verdict)) saves the report as HTML."
        })
    }
  }

  /// Replaces the review's list if no recipe finds data.
  static var unknown: ScreenContent {
    text(
      .unknown, back: nil,
      keys: [
        ReviewKey(
          [.character("/")], "search", "Search every key and value of the stores.", in: [.unknown], .searching,
          hint: 1, opens: [.stores]
        ) { state in
          state.openStores()
          state.browser?.beginSearch()
        },
        ReviewKey(
          [.character("q")], "quit", "Quit.", in: [.unknown], .leaving, hint: 0, duty: .wayOut
        ) { $0.emit(.quit) },
      ]
    ) { $0.add($1.unknownBlocks) }
    .with { $0.subject = { [$0.browser?.revision ?? 0] } }
  }
}

extension ReviewState {
  fileprivate var unknownBlocks: [Block] {
    func line(_ name: String, _ words: String) -> Block {
      .paragraph([.key(key(name, .unknown)), .text("  " + words)], indent: 2)
    }
    return ((browser?.draft.container ?? container)?.unknownAnswer ?? []) + [
      .blank, line("stores", "shows the stores"), line("search", "searches their keys and values"),
      line("recipes", "shows the recipes, and what each of them reads"), line("setup", "chooses a recipe by its name"),
      .blank, .paragraph("A recipe for another SDK can be drafted from these stores:", indent: 2),
      .commands([
        ShellCommand(["carryover", "recipe", "new", "ID", "--from", applyWords?(choices)?.element(2) ?? "PATH"])
      ]),
    ]
  }
}

enum VerdictKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.character("V")], "verdict", "Show what became of the user and when, what is lost and how to repair it.",
      in: [.review, .details, .warnings], .seeing, hint: 4, opens: [.verdict],
      // The first screen shows the verdict; line by line there is room for its key.
      footer: .init(rank: { $0.options.lineColumns == nil ? 4 : 1 })
    ) { $0.open(.verdict) },
    ReviewKey(
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
    writer.add(headline)
    let most = size.rows >= 24 ? 2 : 1
    verdictLines = Array(writer.lines.prefix(most))
    if writer.lines.count > most { cutVerdict(most, ink) }
    let others = verdictsOfPlanFirst.dropFirst()
    if most > 1, others.count == 1, let other = others.first { return layOutAlone(other, atMost: most, ink) }
    for (index, other) in others.prefix(most).enumerated() {
      let more = index == most - 1 ? max(0, others.count - most) : 0
      let end = more > 0 ? "\(key("verdict", .review)) shows \(more) more" : ""
      let line = ink.prose(other.line())
      let isWhole = more == 0 && DisplayWidth.columns(of: line) <= size.columns - 4
      let rest = isWhole ? "" : ink.words("… " + end)
      let room = size.columns - 5 - DisplayWidth.columns(of: rest)
      verdictLines.append([
        Span(ink.sign(other.verdict.sign) + " ", other.verdict.role),
        Span(isWhole ? line : Self.words(of: line, columns: room) + " "), Span(rest, .muted),
      ])
    }
  }

  /// Lays out the line of a single other SDK, which has the room of two.
  private mutating func layOutAlone(_ other: RecipeVerdict, atMost most: Int, _ ink: Ink) {
    var writer = PageWriter(columns: size.columns - 2, ink: ink)
    writer.add(.list([Item([.text(other.line())], sign: other.verdict.sign, role: other.verdict.role, indent: 0)]))
    let lines = writer.lines
    verdictLines += lines.prefix(most)
    if lines.count > most { cutVerdict(verdictLines.count, ink) }
  }

  private mutating func cutVerdict(_ most: Int, _ ink: Ink) {
    let rest = ink.words("… \(key("verdict", .review)) shows the rest")
    let cut = verdictLines[most - 1]
    let isBold = cut.contains { $0.style.bold }
    let line = cut.map(\.text).joined()
    let room = size.columns - 4 - DisplayWidth.columns(of: rest)
    verdictLines[most - 1] = [
      Span((most == 1 ? "" : "  ") + Self.words(of: line, columns: room) + " ", bold: isBold), Span(rest, .muted),
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
    writer.add(headline)
    let lines = verdictsOfPlanFirst.dropFirst().map { ink.sign($0.verdict.sign) + " " + ink.prose($0.line()) }
    return ([writer.lines.joined().map(\.text).joined()] + lines).filter { !$0.isEmpty }.joined(separator: " ")
  }

  fileprivate func isFixed(_ lost: LostValue, of told: RecipeVerdict) -> Bool {
    !lost.fields.isEmpty
      && lost.fields.allSatisfy { id in
        let name = plan.name(of: id, in: told.plan.recipe)
        guard let field = plan.field(name), !plan.waits(field, decisions) else { return false }
        if case .write = field.resolution(decisions[name]) { return true } else { return false }
      }
  }

  fileprivate func mending(_ told: RecipeVerdict) -> Mending {
    Mending(told.verdict, told.plan, plan.decisions(decisions, of: told.plan))
  }

  fileprivate var mendingField: Field.ID? {
    verdicts.first(where: isFollowed).flatMap { told in
      told.verdict.isSound ? nil : mending(told).field.map { plan.name(of: $0, in: told.recipe) }
    }
  }

  fileprivate mutating func goToMendingField() {
    guard let id = mendingField, let position = positions[id] else { return emit(.bell) }
    go(toField: position)
  }

  /// The verdicts on the plan's SDKs first, so that the headline and the fields below it are about the same SDK.
  private var verdictsOfPlanFirst: [RecipeVerdict] {
    verdicts.filter(isFollowed) + verdicts.filter { !isFollowed($0) }
  }

  private var headline: [Block] {
    let verdicts = verdictsOfPlanFirst
    guard let told = verdicts.first else { return [] }
    let isNamed = verdicts.count > 1
    return [(isFollowed(told) ? verdictAsDecided(told) : nil) ?? told.answer(isNamed: isNamed, withReason: false)]
  }

  /// Whether the plan is about the SDK, so that its fields can be decided here.
  fileprivate func isFollowed(_ told: RecipeVerdict) -> Bool { plan.recipes.contains(told.recipe) }

  /// What the decisions fix, and what stays lost; nil if they change nothing.
  private func verdictAsDecided(_ told: RecipeVerdict) -> Block? {
    let verdict = told.verdict
    // Ready fields need no decision: before any, the sentence is about the update.
    guard applyBlockers.isEmpty, !decisions.isEmpty else { return nil }
    switch verdict.situation {
    case .unknown: return nil
    case _ where verdict.certainty == .cannotTell:
      // What cannot be told depends on the field to decide, and not on what is ready. Without a loss, it is about the
      // user, whatever else is undecided.
      guard let id = Mending(verdict, told.plan).field,
        !verdict.losses.isEmpty || told.plan.field(id)?.group == .identity
      else { return nil }
      let asked = plan.name(of: id, in: told.plan.recipe)
      guard decisions[asked] != nil else { return nil }
      return .answer([.text("Decided: "), .name(asked), .text(".")], .done, .confirmed)
    default:
      guard let main = verdict.losses.first, isFixed(main, of: told) else { return nil }
      let others = verdict.losses.count { !isFixed($0, of: told) }
      let fixed = verdict.losses.count - others - 1
      // Decisions by a policy are settled before any run.
      let isApplied = pages.lastRun != nil && !hasUnappliedDecisions
      return .list([
        Item(
          [
            .strong(
              "\(isApplied ? "Fixed" : "Fixed when you apply"): \(main.loss.what)"
                + (verdicts.count > 1 ? " of \(told.recipe.title)" : "")
                + (fixed == 0 ? "." : " and \(counted(fixed, "other value")).")),
            .text(others == 0 ? "" : " Still lost: \(counted(others, "other value")).", .flagged),
          ], sign: .done, indent: 0)
      ])
    }
  }

  fileprivate var verdictBlocks: [Block] {
    let verdicts = verdicts
    // In full: the gravest verdict, and those whose fields are in the plan. Each other one is a line.
    let whole = verdicts.enumerated().filter { $0 == 0 || isFollowed($1) }.map(\.element)
    let others = verdicts.dropFirst().filter { !isFollowed($0) }
    let followed = verdicts.filter(isFollowed)
    let first = followed.first?.recipe
    let advised = followed.first { mending($0).field != nil && !$0.verdict.isSound }?.recipe
    return whole.enumerated().flatMap { index, told in
      (index > 0 ? [.blank] : [])
        + page(
          told, isFirst: told.recipe == first, advises: told.recipe == advised,
          others: index == whole.count - 1 ? others : []
        ).blocks
    }
  }

  /// - Parameters:
  ///   - isFirst: Whether a key goes to the field that fixes it.
  ///   - advises: Whether it says how many recommendations there are.
  private func page(_ told: RecipeVerdict, isFirst: Bool, advises: Bool, others: [RecipeVerdict]) -> VerdictPage {
    let entries =
      told.plan.definition.timeline(of: told.plan) + (container?.timeline(of: told.plan) ?? [])
      + pastRuns.timeline(until: told.plan.now, "the moment of the plan")
    var page = VerdictPage(told, others: others, timeline: entries.inOrder, isNamed: verdicts.count > 1)
    let isBlocked = !applyBlockers.isEmpty
    if isFollowed(told) {
      page.decided = isFirst ? verdictAsDecided(told) : nil
      page.name = { plan.name(of: $0, in: told.recipe) }
      page.isFixed = { !isBlocked && isFixed($0, of: told) }
      page.remedy = remedy(told, isFirst: isFirst, advises: advises)
      page.isRepairedHere = mending(told).repairs
    } else {
      page.remedy = [
        .paragraph(
          choosingRecipe + [.text(" in the review chooses the recipe \(told.recipe.id), to repair it.")] + choosingAll,
          indent: 2)
      ]
    }
    page.choosing = choosingOthers
    page.showsWriteKey = options.redaction == nil
    page.isRepaired = pastRuns.wrote
    return page
  }

  private var choosingOthers: Block {
    .paragraph(
      choosingRecipe + [.text(" in the review chooses their recipes, to see details and to migrate their data.")]
        + choosingAll, indent: 2)
  }

  /// The SDKs that a run of this plan is not about.
  var otherBlocks: [Block] {
    others.isEmpty ? [] : RecipeVerdict.otherBlocks(RecipeVerdict.sorted(others), option: "") + [choosingOthers]
  }

  private var choosingRecipe: Pieces {
    [.key(key("setup", .review)), .text(", then "), .key("r"), .text(",")]
  }

  /// Where several SDKs lose something, one run repairs all of them.
  private var choosingAll: Pieces {
    verdicts.count { !$0.verdict.losses.isEmpty } > 1
      ? [.text(" There, "), .literal("all"), .text(" repairs every SDK in one run.")] : []
  }

  /// What to do with a field, as Carryover recommends it, and the keys that do it.
  private func repair(_ id: Field.ID, isFirst: Bool) -> Pieces {
    let name = Piece.name(id, .label)
    let go = Piece.key(key("go-to-field", .verdict))
    guard let field = plan.field(id), decisions[id] == nil, let recommendation = field.recommendation else {
      return [.text("To repair: decide "), name] + (isFirst ? [.text(" ("), go, .text(")")] : []) + [.text(".")]
    }
    let value = Piece.value(field.proposed, columns: 40)
    let isReplaced = recommendation == .replace
    let what: Pieces =
      isReplaced
      ? [.text("To repair: replace "), name, .text(" with "), value]
      : [.text("To repair: accept "), value, .text(" for "), name]
    let keys: Pieces = [
      .text(": "), go, .text(" goes there, "), .key(key("accept", .review)),
      .text(isReplaced ? " replaces it" : " accepts it"),
    ]
    return what + [.text(" (recommended)")] + (isFirst ? keys : []) + [.text(".")]
  }

  /// Of all SDKs: the key accepts them all.
  private var recommendations: [Block] {
    let count = decided.recommended
    guard count > 1, narrowing == nil else { return [] }
    let words = " in the review accepts all \(count) recommendations."
    return [.paragraph([.key(key("decide-many", .review)), .text(words)], indent: 2)]
  }

  private func remedy(_ told: RecipeVerdict, isFirst: Bool, advises: Bool) -> [Block] {
    let (verdict, mending, recipe) = (told.verdict, mending(told), told.plan.recipe)
    // First what is done here, then what is done elsewhere, as diagnose does.
    let blockers = [Block.list(mending.blockers.map { "→ " + remedy(of: $0) })]
    let outside = [Block.list(mending.outsideRemedies(for: reader))]
    if let id = mending.field, !verdict.isSound {
      return blockers + [.paragraph(repair(plan.name(of: id, in: recipe), isFirst: isFirst), indent: 2)]
        + (advises ? recommendations : []) + outside
    }
    if mending.blockers.isEmpty, !told.plan.changes(plan.decisions(decisions, of: told.plan)).isEmpty {
      return [.paragraph([.key(key("apply", .review)), .text(" in the review previews the change.")], indent: 2)]
        + outside
    }
    guard mending.outside.isEmpty, mending.blockers.isEmpty || verdict.isSound && !told.waits else {
      return blockers + outside
    }
    return [.paragraph(verdicts.count > 1 ? "Nothing to do for \(recipe.title)." : "Nothing to do.", indent: 2)]
  }
}
