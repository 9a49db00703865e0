package import Carryover
package import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// The whole state of a review: a value that `reduce` changes and `render` draws.
package struct ReviewState: Sendable {
  /// The plan under review.
  package internal(set) var plan: Plan
  /// What was decided so far.
  package internal(set) var decisions: Decisions
  package var stack: ScreenStack
  /// Where an apply puts its backup, as the preview says it.
  package let backupLocation: String
  /// The run that a rollback would take back.
  package internal(set) var lastRun: LastRun?
  /// The number of fields in each state.
  package internal(set) var tally = Tally()
  /// How the last run ended.
  package internal(set) var report: RunReport?
  /// How many fields that run wrote; none if it was a rollback.
  var writtenCount = 0
  /// The runs that had been interrupted and were brought to an end before the review began.
  package let recovered: [RecoveredRun]
  /// Why an interrupted run could not be brought to an end.
  package let recoveryFailure: ReviewFailure?
  /// The stores of the container, to be looked into; nil where they were not given.
  package internal(set) var browser: BrowserState?
  /// What went wrong last.
  package internal(set) var failure: ReviewFailure?
  /// The part of the review's screen that receives the keys.
  package internal(set) var focus = Pane.fields
  /// What the panes around the list show, and their sizes.
  var panes: ReviewPanes
  /// What was done so far.
  package internal(set) var log = ActivityLog()
  /// The present moment, as far as it was told.
  var now: Moment?
  /// The list of fields.
  var list = FieldList()
  /// How each field stands under its decision, by its position in the plan.
  var standings: [FieldState] = []
  /// What is asked of many fields at once, by position.
  var facts: [FieldFacts] = []
  /// The menu that is open over the list.
  var menu: ChoiceMenu?
  /// The change the preview shows.
  var pendingChanges: [KeyChange] = []
  /// What becomes of each file as a whole in the preview, as far as that can be told.
  var filePreviews: [FilePreview] = []
  /// What was asked for and has not come yet.
  var waiting: Waiting?
  /// Whether a run has ended whose plan is not there yet: with that, the cursor goes where the work begins.
  var beginsAnew = false
  var runs = RunList()
  /// The run that is being taken back, while its keys or its question are open.
  var draft: RollbackDraft?
  var history = History()
  /// The findings of the warnings' screen, or those that are explained.
  var findingList = FindingList()
  /// The decisions as they were at the start, or at the last apply: what quitting leaves nothing of undone.
  var settled: Decisions
  /// The decisions of an earlier review, until somebody answers.
  package internal(set) var kept: KeptReview?
  /// Whether somebody has answered to those.
  package internal(set) var hasAnsweredKept = false
  /// Whether decisions can be kept for the next review.
  package internal(set) var keeping = Keeping.possible
  /// Raised whenever a decision changes, or is applied.
  package internal(set) var decisionsRevision = 0
  /// The container, as far as it was given.
  package internal(set) var container: Container?
  /// The members of a field's value, while they are shown.
  var members: MemberList?
  /// Whether the preview shows every value in full, and the members that do not change.
  var previewsAll = false
  /// What is being changed in the user's editor.
  var sentToEditor: EditedPart?
  /// What came back from there and does not fit, for whoever goes on with it.
  var drafts: [EditedPart: String] = [:]
  /// What was typed for each field so far, the newest last.
  var typed: [StringByBytes: [String]] = [:]
  /// The id with hidden characters that was asked about: typed again, it is accepted.
  var confirmedEdges: String?
  /// Where each field stands in the plan.
  var positions: [StringByBytes: Int] = [:]
  /// Why nothing can be written here at all; nil where it can.
  let readOnly: String?
  /// What stops every apply.
  var blockers: [Finding] = []
  var findingsCount = 0
  var widths = NameWidths()
  /// Raised whenever the plan changes.
  var planRevision = 0
  /// What became of the container's user, as each recipe tells it, the gravest first.
  var verdicts: [RecipeVerdict] = []
  /// The gravest; nil where no recipe tells.
  var verdict: Verdict? { verdicts.first?.verdict }
  /// The verdicts on the SDKs that left data here and that the plan is not about, the gravest first.
  var others: [OtherVerdict] {
    didSet {
      guard others != oldValue else { return }
      layOutVerdict()
      stack.revision += 1
    }
  }
  /// The first verdict and a line for each other SDK above the list, laid out for the screen's width.
  var verdictLines: [[Span]] = []
  /// What the plan depends on.
  var choices: PlanChoices
  /// The command line that does what was decided, while it is shown.
  var commandLine: String?
  /// The report on the container, while it is shown.
  var sharedReport: SharedReport?
  /// The words of the command that applies a plan under some choices, decisions aside; nil where none does.
  let applyWords: (@Sendable (PlanChoices) -> [String]?)?
  /// The field whose key the stores were last opened at.
  var browsedField: Field.ID?

  /// A review of a plan.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - decisions: What was decided before, if anything.
  ///   - size: The size of the screen.
  ///   - options: What drawing depends on.
  ///   - backupLocation: Where an apply puts its backup, for the preview.
  ///   - lastRun: The run that a rollback would take back, if there is one.
  ///   - wrapper: What the container lies in, where that is only read; said at first.
  ///   - occupied: What stands where the backups are to be, so that nothing can be written; said at first.
  ///   - recovered: Runs that had been interrupted and were brought to an end before the review began; shown at first.
  ///   - recoveryFailure: Why an interrupted run could not be brought to an end; shown at first.
  ///   - container: The container, for its stores to be looked into.
  ///   - others: The verdicts on the SDKs that left data here and that the plan is not about.
  ///   - choices: What the plan was made under.
  ///   - field: The field with the cursor at first; nil for the first that waits for a decision.
  ///   - zone: How far local time is from UTC at a moment, in seconds, for the stores.
  ///   - applyWords: The words of the command that applies the plan: `carryover apply`, the path, and the options the
  ///     container was opened and planned with.
  package init(
    plan: Plan, decisions: Decisions = [:], size: Size, options: ReviewOptions = ReviewOptions(),
    backupLocation: String, lastRun: LastRun? = nil, wrapper: ContainerWrapper? = nil,
    occupied: OccupiedStateFolder? = nil, recovered: [RecoveredRun] = [], recoveryFailure: ReviewFailure? = nil,
    container: Container? = nil, others: [OtherVerdict] = [], choices: PlanChoices = PlanChoices(),
    field: Field.ID? = nil, zone: (@Sendable (Moment) -> Int)? = nil,
    applyWords: (@Sendable (PlanChoices) -> [String]?)? = nil
  ) {
    self.plan = plan
    self.applyWords = applyWords
    stack = ScreenStack(.review, size: size, options: options)
    panes = ReviewPanes(options.layout)
    self.backupLocation = backupLocation
    self.lastRun = lastRun
    readOnly = wrapper?.explanation ?? occupied?.explanation
    stack.message = wrapper?.notice ?? occupied?.notice
    self.recovered = recovered
    self.recoveryFailure = recoveryFailure
    self.decisions = decisions
    self.container = container
    self.others = others
    self.choices = choices
    browser = container.map { BrowserState($0, size: size, options: options, zone: zone, isEmbedded: true) }
    settled = decisions
    indexPlan()
    list.rows = FieldRows(all: plan.fields.count)
    for run in recovered { noteRecovered(run) }
    if let recoveryFailure { log.add(.failure, recoveryFailure.message, at: nil) }
    goToFirstWaiting()
    if let row = field.flatMap({ positions[$0] }).flatMap({ list.rows.positions.firstIndex(of: $0) }) {
      select(row: row)
    }
    if !recovered.isEmpty || recoveryFailure != nil {
      show([.review, .recovery])
    }
    refresh()
  }

  /// The line being typed, while a value is edited.
  package var editor: LineEditor? { stack.typing.flatMap { $0.screen == .editor ? $0 : nil } }

  /// The field with the cursor; nil only where no field is listed.
  package var cursor: Field.ID? { list.cursor }
  /// Where that stands in the plan.
  var cursorPosition: Int? { list.position }
  /// How it stands; nil where there is no field.
  var standing: FieldState? { cursorPosition.map { standings[$0] } }
  /// Its row in the list; nil where there is none.
  var cursorRow: Int? { list.row }
  /// The fields in the list.
  var rows: FieldRows { list.rows }

  /// Whether there are decisions that are not applied.
  package var hasUnappliedDecisions: Bool { decisions != settled }

  /// How many decisions are not applied.
  var unappliedCount: Int {
    decisions.count { settled[$0.key] != $0.value } + settled.count { decisions[$0.key] == nil }
  }

  /// The field with the cursor.
  package var selected: Field? { cursorPosition.map { plan.fields[$0] } }

  /// The same whatever is filtered: the panes do not move while somebody types.
  var layout: Layout {
    Layout(
      size: size, top: 1 + verdictLines.count, rows: plan.fields.count, form: options.layout.form, sizes: panes.sizes,
      hasDetails: true)
  }

  /// Everything that is read off the plan once, so that no frame walks all fields.
  mutating func indexPlan() {
    positions = Dictionary(firstOf: plan.fields.enumerated().map { ($1.id, $0) })
    list.renew(positions)
    decisions = decisions.filter { positions[$0.key] != nil }
    settled = settled.filter { positions[$0.key] != nil }
    tally = Tally()
    (standings, facts) = ([], [])
    facts.reserveCapacity(plan.fields.count)
    standings.reserveCapacity(plan.fields.count)
    widths = NameWidths()
    findingsCount = plan.containerFindings.count
    for field in plan.fields {
      let standing = FieldState(field, decisions[field.id])
      tally.add(standing)
      standings.append(standing)
      facts.append(FieldFacts(field))
      findingsCount += field.findings.count
      widths.meet(legacy: field.sourceLabel, target: field.id)
    }
    blockers = plan.blockers
    verdicts = RecipeVerdict.all(of: plan, isInterrupted: recoveryFailure != nil)
    layOutVerdict()
    stack.revision += 1
    planRevision += 1
  }
}

/// How wide the longest names are, up to a bound, so that columns line up and do not move while scrolling.
struct NameWidths: Hashable, Sendable {
  private(set) var legacy = 8
  private(set) var target = 8
  static let bound = 40

  mutating func meet(legacy label: String, target id: String) {
    legacy = Self.wider(legacy, label)
    target = Self.wider(target, id)
  }

  private static func wider(_ width: Int, _ name: String) -> Int {
    // No column takes less than a byte, so shorter names need no measuring.
    guard width < bound, name.utf8.count > width else { return width }
    return min(bound, max(width, DisplayWidth.columns(of: DisplayText.visible(name, limit: bound))))
  }
}

extension ReviewState {
  /// Notes that a run was asked for.
  mutating func noteStart(_ kind: RunKind) {
    switch kind {
    case .rollback: log.add(.run, "Asked to roll back run \(draft?.plan.run.id ?? "?")", at: now)
    default: log.add(.run, "You asked to apply \(counted(pendingChanges.count, "key"))", at: now)
    }
  }

  /// Notes how a run ended.
  mutating func note(_ result: Result<RunReport, ReviewFailure>) {
    switch result {
    case .failure(let failure): log.add(.failure, failure.message, at: now)
    case .success(let report):
      for run in report.recovered { noteRecovered(run) }
      log.add(.run, Self.sentence(report), at: now)
    }
  }

  /// Notes a run that had been interrupted and was brought to its end.
  mutating func noteRecovered(_ run: RecoveredRun) {
    log.add(.run, String(run.words.dropLast()), at: now)
  }

  private static func sentence(_ report: RunReport) -> String {
    guard let id = report.runID else { return "Nothing had to be written" }
    let files = report.files.joined(separator: ", ")
    let calls = counted(report.synchronizations, "fsync call")
    let syncs = report.synchronizations > 0 ? "; flushed to disk with \(calls)" : ""
    switch report.kind {
    case .rollback: return "Run \(id) rolled back run \(report.rolledBack ?? "?"): \(files)\(syncs)"
    default:
      let written = report.outcomes.count { $0.outcome == .migrated }
      return "Run \(id) wrote \(counted(written, "key")) to \(files)\(syncs)"
    }
  }
}

/// The way among the fields.
extension ReviewState {
  /// The nearest field in a direction that the apply waits for, going round at the end. From the preview, which lists
  /// them all, the first or the last one; the filter is left where it hides all of them.
  mutating func goToWaiting(step: Int) -> [ReviewEffect] {
    guard tally.waiting > 0 else {
      message = "Every field is decided."
      return [.bell]
    }
    let isPreview = topScreen == .preview
    if isPreview, hiddenWaitingCount == tally.waiting { endFilter() }
    let beforeFirst = step > 0 ? rows.count - 1 : 0
    guard let start = isPreview ? beforeFirst : cursorRow, let row = row(from: start, step: step, where: \.waits) else {
      let leave = key("clear", .review)
      message = "\(Self.waitingWords(tally.waiting)) not listed; \(leave) leaves the filter."
      return [.bell]
    }
    if row == start, !isPreview {
      let hidden = hiddenWaitingCount
      message =
        hidden == 0
        ? "This is the only undecided field."
        : "This is the only one listed; \(Self.waitingWords(hidden)) not."
    }
    select(row: row)
    if isPreview { show([.review]) }
    return []
  }

  /// The nearest row in a direction whose field is in a given state, wrapping around at the end.
  func row(from start: Int, step: Int, where isMeant: (FieldState) -> Bool) -> Int? {
    var row = start
    for _ in 0..<rows.count {
      row = (row + step + rows.count) % rows.count
      if let position = rows[row], isMeant(standings[position]) { return row }
    }
    return nil
  }

  private static func waitingWords(_ count: Int) -> String {
    count == 1 ? "1 undecided field is" : "\(count) undecided fields are"
  }

  /// Moves the cursor to the first listed field that apply is waiting for; if there is none, to the first field.
  mutating func goToFirstWaiting() {
    let waiting = tally.waiting > 0 ? rows.positions.firstIndex { standings[$0].waits } : nil
    select(row: waiting ?? 0)
  }

  /// Puts the cursor on a row and shows it.
  mutating func select(row: Int) {
    guard let position = rows[row] else { return }
    if position != cursorPosition {
      list.putCursor(at: position, in: plan)
      stack.pageTop = 0
    }
    revealCursor()
  }

  /// Scrolls the list as little as is needed for the cursor to be in it.
  mutating func revealCursor() {
    list.top = ListWindow.top(list.top, showing: cursorRow ?? 0, of: rows.count, visible: layout.listRows.count)
  }

  /// Withdraws what was made from the container as it was: the run that was being taken back, its question, the preview.
  mutating func withdrawQuestions() {
    draft = nil
    let gone: Set<Screen> = [.preview, .rollback, .run]
    show(Array(stack.screens.prefix { !gone.contains($0) }))
  }
}

/// The screens of the review that its state opens or leaves.
extension Screen {
  /// The two panes and the warnings.
  package static let review = Screen("review", "Review")
  /// All about one field.
  static let details = Screen("details", "Details")
  /// Every finding, and what is left behind.
  static let warnings = Screen("findings", "Findings")
  /// All about one finding.
  static let finding = Screen("finding", "Finding")
  /// The exact change, before it is made.
  package static let preview = Screen("preview", "Preview")
  /// How a run ended.
  package static let result = Screen("result", "Result")
  /// The runs of the container.
  static let history = Screen("history", "History")
  /// The keys of one run, and what becomes of them if it is taken back.
  static let run = Screen("run", "Run")
  /// The question before a run is taken back.
  package static let rollback = Screen("rollback", "Roll back")
  /// The notice, at the start, of runs that had been interrupted.
  static let recovery = Screen("recovery", "Recovery")
  /// The offer of an earlier review's decisions.
  static let kept = Screen("kept", "Saved decisions")
  /// The question before leaving decisions that are not applied.
  package static let quit = Screen("quit", "Quit")
  /// What went wrong.
  package static let failure = Screen("failure", "Failed")
  /// A value being typed, over the review or the details.
  static let editor = Screen("editor", "Edit")
  /// A search being typed over the review.
  static let search = Screen("search", "Search")
  /// A filter being typed over the review.
  static let filter = Screen("filter", "Filter")
  /// The ways to decide many fields at once, over the review.
  static let decideMany = Screen("decide-many", "Decide many")
  /// The filters there are, over the review.
  static let filterMenu = Screen("filter-menu", "Filters")
}

/// What one of a plan's recipes tells of the container's user.
struct RecipeVerdict: Sendable {
  /// The plan of the recipe alone.
  let plan: Plan
  let verdict: Verdict

  /// The verdicts of a plan's recipes, the gravest first.
  static func all(of plan: Plan, isInterrupted: Bool) -> [RecipeVerdict] {
    let verdicts = plan.recipePlans.map { part in
      RecipeVerdict(plan: part, verdict: part.definition.verdict(on: part, isInterrupted: isInterrupted))
    }
    return Verdict.Weight.allCases.flatMap { weight in verdicts.filter { $0.verdict.weight == weight } }
  }
}

extension OtherVerdict {
  /// The sign in front of it.
  package var sign: Sign { verdict?.sign ?? .warning }

  /// The recipe and its verdict on one line: "Mixpanel Obj-C → Swift 3+ (mixpanel-objc): This user was logged out …".
  /// - Parameter option: what stands before the recipe's id.
  package func line(option: String = "") -> String { "\(recipe.title) (\(option)\(recipe.id)): \(text)" }
}

/// A field's value, or a member of it.
struct EditedPart: Hashable, Sendable {
  var field: Field.ID
  /// The names that lead to the member; empty for the whole value.
  var path: [String] = []

  /// Its name, as it stands in titles and questions.
  var name: String { ([field] + path).joined(separator: ".") }
}
