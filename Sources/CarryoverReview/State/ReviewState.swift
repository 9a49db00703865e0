package import Carryover
package import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// The whole state of a review: a value that `reduce` changes and `render` draws.
package struct ReviewState: Sendable {
  package internal(set) var plan: Plan
  package internal(set) var decisions: Decisions
  package var stack: ScreenStack
  package let backupLocation: String
  package internal(set) var lastRun: LastRun?
  package internal(set) var tally = Tally()
  package internal(set) var report: RunReport?
  /// How many fields the last run wrote; 0 if it was a rollback.
  var writtenCount = 0
  /// The interrupted runs that were recovered before the review began.
  package let recovered: [RecoveredRun]
  package let recoveryFailure: ReviewFailure?
  /// The stores of the container; nil if they were not given.
  package internal(set) var browser: BrowserState?
  package internal(set) var failure: ReviewFailure?
  package internal(set) var focus = Pane.fields
  var panes: ReviewPanes
  package internal(set) var log = ActivityLog()
  /// Nil until the first `.clock`.
  var now: Moment?
  /// The listed fields by their positions in the plan, ascending.
  var list = RowList<Int>()
  var filter: FieldFilter?
  var search: FieldSearch?
  var searches: [String] = []
  /// By whether capitals count; made at the first search.
  var texts: [Bool: FieldTexts] = [:]
  /// The state of each field under its decision, by its position in the plan.
  var standings: [FieldState] = []
  var facts: [FieldFacts] = []
  var menu: ChoiceMenu?
  var pendingChanges: [KeyChange] = []
  /// What happens to each file as a whole in the preview.
  var filePreviews: [FilePreview] = []
  var waiting: Waiting?
  /// Whether a run has ended and its new plan has not arrived; with the plan, the cursor goes to the first undecided
  /// field.
  var beginsAnew = false
  /// Newest first.
  var runs = RowList<RunSummary>()
  /// The offsets of local time from UTC when the runs began, in seconds.
  var runOffsets: [RunSummary.ID: Int] = [:]
  /// The rollback of a run, while its keys or its question are open.
  var draft: RollbackDraft?
  var history = History()
  var findings = RowList<Finding>()
  /// The decisions at the start or at the last apply. Quitting loses nothing if they are the present ones.
  var settled: Decisions
  /// The decisions of an earlier review, until they are answered.
  package internal(set) var kept: KeptReview?
  package internal(set) var hasAnsweredKept = false
  package internal(set) var keeping = Keeping.possible
  /// Incremented whenever a decision changes or is applied.
  package internal(set) var decisionsRevision = 0
  package internal(set) var container: Container?
  var members: MemberList?
  /// Whether the preview shows every value in full, and unchanged members.
  var previewsAll = false
  var sentToEditor: EditedPart?
  /// Texts from the user's editor that are not valid, to be edited again.
  var drafts: [EditedPart: String] = [:]
  /// What was typed for each field, the newest last.
  var typed: [StringByBytes: [String]] = [:]
  /// An id with hidden characters that the user was asked about: typed again, it is accepted.
  var confirmedEdges: String?
  var positions: [StringByBytes: Int] = [:]
  /// The reason that nothing can be written here; nil if something can.
  let readOnly: String?
  /// The findings that block every apply.
  var blockers: [Finding] = []
  var findingsCount = 0
  var widths = NameWidths()
  /// Incremented whenever the plan changes.
  var planRevision = 0
  /// By recipe, the gravest first.
  var verdicts: [RecipeVerdict] = []
  var verdict: Verdict? { verdicts.first?.verdict }
  /// The verdicts on other SDKs that left data here, the gravest first.
  var others: [OtherVerdict] {
    didSet {
      guard others != oldValue else { return }
      layOutVerdict()
      stack.revision += 1
    }
  }
  var verdictLines: [[Span]] = []
  var choices: PlanChoices
  var commandLine: String?
  var sharedReport: SharedReport?
  /// The words of the command that applies a plan under some choices, without decisions; nil if there is none.
  let applyWords: (@Sendable (PlanChoices) -> [String]?)?
  /// The field at whose key the stores were last opened.
  var browsedField: Field.ID?

  /// - Parameters:
  ///   - wrapper: The archive or backup that contains a read-only container; reported at first.
  ///   - occupied: What is in the place of the backups, so that nothing can be written; reported at first.
  ///   - recoveryFailure: The reason that an interrupted run could not be recovered; shown at first.
  ///   - field: The field with the cursor at first; nil for the first undecided one.
  ///   - zone: The offset of local time from UTC at a moment, in seconds, for the stores.
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
    for run in recovered { noteRecovered(run) }
    if let recoveryFailure { log.add(.failure, recoveryFailure.message, at: nil) }
    goToFirstWaiting()
    if let row = field.flatMap({ positions[$0] }).flatMap({ rows.row(of: $0) }) {
      select(row: row)
    }
    if !recovered.isEmpty || recoveryFailure != nil { show([.review, .recovery]) }
    refresh()
  }

  package var editor: LineEditor? { stack.typing.flatMap { $0.screen == .editor ? $0 : nil } }
  package var cursor: Field.ID? { cursorPosition.map { facts[$0].id } }
  var cursorPosition: Int? { list.selected }
  var standing: FieldState? { cursorPosition.map { standings[$0] } }
  var cursorRow: Int? { rows.isEmpty ? nil : list.row }
  var rows: [Int] { list.rows }
  package var hasUnappliedDecisions: Bool { decisions != settled }

  var unappliedCount: Int {
    decisions.count { settled[$0.key] != $0.value } + settled.count { decisions[$0.key] == nil }
  }

  package var selected: Field? { cursorPosition.map { plan.fields[$0] } }

  /// Does not depend on the filter, so that the panes do not move while one is typed.
  var layout: Layout {
    Layout(
      size: size, top: 1 + verdictLines.count, rows: plan.fields.count, form: options.layout.form, sizes: panes.sizes,
      hasDetails: true)
  }

  /// Computes everything that goes through all fields once a plan, so that no frame does.
  mutating func indexPlan() {
    positions = Dictionary(firstOf: plan.fields.enumerated().map { ($1.id, $0) })
    list.replace(Array(plan.fields.indices))
    texts = [:]
    decisions = decisions.filter { positions[$0.key] != nil }
    settled = settled.filter { positions[$0.key] != nil }
    standings = plan.fields.map { FieldState($0, decisions[$0.id]) }
    facts = plan.fields.map { FieldFacts($0) }
    findingsCount = plan.containerFindings.count + facts.reduce(0) { $0 + $1.severities.count }
    (tally, widths) = (Tally(), NameWidths())
    for standing in standings { tally.add(standing) }
    for field in plan.fields { widths.meet(legacy: field.sourceLabel, target: field.id) }
    blockers = plan.blockers
    verdicts = RecipeVerdict.all(of: plan, isInterrupted: recoveryFailure != nil)
    layOutVerdict()
    stack.revision += 1
    planRevision += 1
  }
}

/// The widths of the longest names, so that columns line up and do not move while scrolling.
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
  /// Goes to the nearest undecided field in a direction, round at the end. From the preview, which lists them all, goes
  /// to the first or the last one, and clears the filter if it hides all of them.
  mutating func goToWaiting(step: Int) -> [ReviewEffect] {
    guard tally.waiting > 0 else { return refuse("Every field is decided.") }
    let isPreview = topScreen == .preview
    if isPreview, hiddenWaitingCount == tally.waiting { endFilter() }
    let beforeFirst = step > 0 ? rows.count - 1 : 0
    guard let start = isPreview ? beforeFirst : cursorRow, let row = row(from: start, step: step, where: \.waits) else {
      let leave = key("clear", .review)
      return refuse("\(Self.waitingWords(tally.waiting)) not listed; \(leave) leaves the filter.")
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

  func row(from start: Int, step: Int, where isMeant: (FieldState) -> Bool) -> Int? {
    ListWindow.next(from: start, step: step, of: rows.count) { isMeant(standings[rows[$0]]) }
  }

  private static func waitingWords(_ count: Int) -> String {
    count == 1 ? "1 undecided field is" : "\(count) undecided fields are"
  }

  mutating func goToFirstWaiting() {
    let waiting = tally.waiting > 0 ? rows.firstIndex { standings[$0].waits } : nil
    select(row: waiting ?? 0)
  }

  mutating func select(row: Int) {
    guard rows.indices.contains(row) else { return }
    if row != list.row { stack.pageTop = 0 }
    list.put(row, top: list.top)
    revealCursor()
  }

  mutating func revealCursor() {
    let top = ListWindow.top(list.top, showing: list.row, of: rows.count, visible: layout.listRows.count)
    list.put(list.row, top: top)
  }

  /// Closes what depends on the old state of the container: preview and rollback.
  mutating func withdrawQuestions() {
    draft = nil
    let gone: Set<Screen> = [.preview, .rollback, .run]
    show(Array(stack.screens.prefix { !gone.contains($0) }))
  }
}

extension Screen {
  package static let review = Screen("review", "Review")
  static let details = Screen("details", "Details")
  static let warnings = Screen("findings", "Findings")
  static let finding = Screen("finding", "Finding")
  package static let preview = Screen("preview", "Preview")
  package static let result = Screen("result", "Result")
  static let history = Screen("history", "History")
  static let run = Screen("run", "Run")
  package static let rollback = Screen("rollback", "Roll back")
  /// The notice of recovered runs, at the start.
  static let recovery = Screen("recovery", "Recovery")
  /// The offer of an earlier review's decisions.
  static let kept = Screen("kept", "Saved decisions")
  package static let quit = Screen("quit", "Quit")
  package static let failure = Screen("failure", "Failed")
  static let editor = Screen("editor", "Edit")
  static let search = Screen("search", "Search")
  static let filter = Screen("filter", "Filter")
  static let decideMany = Screen("decide-many", "Decide many")
  static let filterMenu = Screen("filter-menu", "Filters")
}

struct RecipeVerdict: Sendable {
  let plan: Plan
  let verdict: Verdict

  static func all(of plan: Plan, isInterrupted: Bool) -> [RecipeVerdict] {
    let verdicts = plan.recipePlans.map { part in
      RecipeVerdict(plan: part, verdict: part.definition.verdict(on: part, isInterrupted: isInterrupted))
    }
    return Verdict.Weight.allCases.flatMap { weight in verdicts.filter { $0.verdict.weight == weight } }
  }
}

extension OtherVerdict {
  package var sign: Sign { verdict?.sign ?? .warning }

  /// The recipe and its verdict on one line: "Mixpanel Obj-C → Swift 3+ (mixpanel-objc): This user was logged out …".
  /// - Parameter option: comes before the recipe's id.
  package func line(option: String = "") -> String { "\(recipe.title) (\(option)\(recipe.id)): \(text)" }
}

struct EditedPart: Hashable, Sendable {
  var field: Field.ID
  /// The names that lead to the member; empty for the whole value.
  var path: [String] = []

  var name: String { ([field] + path).joined(separator: ".") }
}
