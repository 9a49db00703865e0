package import Carryover
package import CarryoverPages
package import CarryoverSystem
package import CarryoverTerminal
import CarryoverVendors

/// The whole state of a review: a value that `reduce` changes and `render` draws.
package struct ReviewState: Sendable {
  package var stack: ScreenStack
  package var effects: [ReviewEffect] = []
  var indexed: IndexedPlan {
    didSet { planRevision += 1 }
  }
  var decided: ReviewDecisions {
    didSet {
      decisionsRevision += 1
      layOutVerdict()
    }
  }
  var pages = ReviewPages() {
    didSet { pagesRevision += 1 }
  }
  /// The verdicts on SDKs that left data here and that the plan is not about.
  var others: [RecipeVerdict] {
    didSet {
      pagesRevision += 1
      layOutVerdict()
    }
  }
  /// The container's runs, newest first, for the timeline of the verdict and the reason that none can be rolled back.
  var pastRuns: [RunSummary] {
    didSet { pagesRevision += 1 }
  }
  private(set) var planRevision = 0
  package private(set) var decisionsRevision = 0
  private var pagesRevision = 0

  /// The listed fields by their positions in the plan, ascending.
  var list = RowList<Int>()
  var filter: FieldFilter?
  var search: FieldSearch?
  var searches: [String] = []
  /// By whether capitals count; made at the first search.
  var texts: [Bool: FieldTexts] = [:]
  package internal(set) var focus = Pane.fields
  var panes: ReviewPanes
  var verdictLines: [[Span]] = []
  var menu: ChoiceMenu?
  var editing = Editing()
  var members: MemberList?
  var findings = RowList<Finding>()
  /// Newest first.
  var runs = RowList<RunSummary>()
  var keys = RowList<RollbackEntry>()
  /// The stores of the container; nil if they were not given.
  package internal(set) var browser: BrowserState?
  /// Whether the stores are shown with what planning does not need.
  var hasReadStores = false
  /// The field at whose key the stores were last opened.
  var browsedField: Field.ID?

  var waiting: Waiting?
  /// Whether a run has ended and its new plan has not arrived; with the plan, the cursor goes to the first undecided
  /// field.
  var beginsAnew = false
  package internal(set) var log = ActivityLog()
  /// Nil until the first `.clock`.
  var now: Moment?
  package internal(set) var container: Container?
  package internal(set) var choices: PlanChoices
  /// The choices that wait for the value of a parameter.
  var wanted: PlanChoices?

  package let backupLocation: String
  package let recovered: [RecoveredRun]
  package let recoveryFailure: ReviewFailure?
  let wrapper: ContainerWrapper?
  /// The reason that nothing can be written here; nil if something can.
  let readOnly: String?
  /// The words of the command that applies a plan under some choices, without decisions; nil if there is none.
  let applyWords: (@Sendable (PlanChoices) -> [String]?)?

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
    backupLocation: String, lastRun: RunSummary.ID? = nil, wrapper: ContainerWrapper? = nil,
    occupied: OccupiedStateFolder? = nil, recovered: [RecoveredRun] = [], recoveryFailure: ReviewFailure? = nil,
    container: Container? = nil, others: [RecipeVerdict] = [], runs: [RunSummary] = [],
    choices: PlanChoices = PlanChoices(), field: Field.ID? = nil, zone: (@Sendable (Moment) -> Int)? = nil,
    applyWords: (@Sendable (PlanChoices) -> [String]?)? = nil
  ) {
    indexed = IndexedPlan(plan, in: container, isInterrupted: recoveryFailure != nil)
    decided = ReviewDecisions(decisions, settled: decisions, of: indexed)
    self.applyWords = applyWords
    stack = ScreenStack(.review, size: size, options: options)
    panes = ReviewPanes(options.layout)
    self.backupLocation = backupLocation
    pages.lastRun = lastRun
    self.wrapper = wrapper
    readOnly = wrapper?.explanation ?? occupied?.explanation
    stack.message = wrapper?.notice ?? occupied?.notice
    self.recovered = recovered
    self.recoveryFailure = recoveryFailure
    self.container = container
    self.others = others
    pastRuns = runs
    self.choices = choices
    browser = container.map { BrowserState($0, size: size, options: options, zone: zone, isEmbedded: true) }
    list = RowList(Array(plan.fields.indices))
    layOutVerdict()
    for run in recovered { noteRecovered(run) }
    if let recoveryFailure { log.add(.failure, recoveryFailure.message, at: nil) }
    goToFirstWaiting()
    if let row = field.flatMap({ positions[$0] }).flatMap({ rows.row(of: $0) }) {
      select(row: row)
    }
    if isUnknown { open(.unknown) }
    if !recovered.isEmpty || recoveryFailure != nil { show([.review, .recovery]) }
    refresh()
  }

  package var editor: LineEditor? { stack.typing.flatMap { $0.screen == .editor ? $0 : nil } }
  package var cursor: Field.ID? { cursorPosition.map { facts[$0].id } }
  var cursorPosition: Int? { list.selected }
  var standing: FieldState? { cursorPosition.map { standings[$0] } }
  var cursorRow: Int? { rows.isEmpty ? nil : list.row }
  var rows: [Int] { list.rows }
  package var hasUnappliedDecisions: Bool { decisions != decided.settled }

  package var selected: Field? { cursorPosition.map { plan.fields[$0] } }

  /// Does not depend on the filter, so that the panes do not move while one is typed.
  var layout: Layout {
    Layout(
      size: size, top: 1 + verdictLines.count, rows: plan.fields.count, form: options.layout.form, sizes: panes.sizes,
      hasDetails: true)
  }

  package var plan: Plan { indexed.plan }
  var positions: [StringByBytes: Int] { indexed.positions }
  var facts: [FieldFacts] { indexed.facts }
  var blockers: [Finding] { indexed.blockers }
  var applyBlockers: [Finding] { plan.blockers(after: decisions) }
  /// Whether no recipe finds data, and the user has named none.
  package var isUnknown: Bool { choices.recipes.isEmpty && indexed.findsNothing }
  /// The verdict on every SDK that left data here, the most serious first.
  var verdicts: [RecipeVerdict] { RecipeVerdict.sorted(indexed.verdicts + others) }
  package var decisions: Decisions { decided.decisions }
  package var tally: Tally { decided.tally }
  var standings: [FieldState] { decided.standings }
  var history: History { decided.history }

  /// Increases with everything that fields, findings and panes say.
  var contentRevision: Int { planRevision + decisionsRevision }
  package var revision: Int { contentRevision + pagesRevision }

  /// Goes to the nearest undecided field in a direction, round at the end. From the preview, which lists them all, goes
  /// to the first or the last one.
  mutating func goToWaiting(step: Int) {
    guard tally.waiting > 0 else { return refuse("Every field is decided.") }
    let isPreview = topScreen == .preview
    let beforeFirst = step > 0 ? narrowedRows.lowerBound - 1 : narrowedRows.upperBound
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
    // A key on the list would decide the whole range, and in the details only the field.
    if isPreview { show(range == nil ? [.review] : [.review, .details]) }
  }

  func row(from start: Int, step: Int, where isMeant: (FieldState) -> Bool) -> Int? {
    ListWindow.next(from: start, step: step, of: rows.count) { isMeant(standings[rows[$0]]) }
  }

  var hiddenWaitingCount: Int {
    guard isFiltered else { return 0 }
    return tally.waiting - rows.count { standings[$0].waits }
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
    let range = topScreen == .review ? nil : list.range
    list.put(row, top: list.top)
    revealCursor()
    if let range { list.hold(range) }
  }

  mutating func revealCursor() {
    let top = ListWindow.top(list.top, showing: list.row, of: rows.count, visible: layout.listRows.count)
    list.put(list.row, top: top)
  }

  mutating func openStores() {
    open(.stores)
    readStores()
  }

  /// Reads what planning does not need of the stores, once.
  mutating func readStores() {
    guard !hasReadStores, container != nil else { return }
    hasReadStores = true
    emit(.readStores)
  }

  /// Closes what depends on the old state of the container: preview and rollback.
  mutating func withdrawQuestions() {
    pages.draft = nil
    let gone: Set<Screen> = [.preview, .rollback, .run]
    show(Array(stack.screens.prefix { !gone.contains($0) }))
  }
}

typealias ReviewKey = KeyBinding<ReviewState>

extension ReviewState: Program {
  package typealias Effect = ReviewEffect

  /// In the order of footer and help.
  package static let table = ScreenTable<ReviewState>(
    .review,
    [
      .details, .members, .verdict, .warnings, .finding, .preview, .extraction, .result, .history, .run, .rollback,
      .recovery,
      .stores, .log, .recipes, .nextLaunch, .command, .report, .kept, .quit, .failure, .editor, .search, .filter,
      .decideMany, .filterMenu, .setup, .parameter, .bundleID, .recipe, .optedOut, .unknown,
    ],
    marks: { writer, state in
      writer.marks(
        "Signs", state.stack.actions.words,
        Sign.allCases.compactMap { sign in sign.meaning.map { (writer.ink.sign(sign), .plain, $0) } })
    },
    keys: FieldKeys.deciding + FieldKeys.many + MenuKeys.deciding + DetailsKeys.all + PreviewKeys.applying
      + FieldKeys.undoing + RunKeys.all + NarrowingKeys.all + FilterKeys.all + MenuKeys.filtering + FieldKeys.moving
      + PreviewKeys.seeing + PreviewKeys.moving
      + PaneKeys.all + FindingKeys.explaining + FindingKeys.seeing + FieldKeys.seeing + FindingKeys.understanding
      + MembersKeys.opening + EditorKeys.all + KeptKeys.all, leaving: FieldKeys.leaving)

  package var busy: String? { waiting?.words }

  package func titleParts(columns: Int) -> [String] {
    let ink = Ink(options)
    let (names, recipe) = (plan.container.names.map { ink.name($0) }, isUnknown ? [] : [ink.words(plan.recipeTitle)])
    // Of several SDKs, the one whose fields these are is first: a narrow window has no room for the last.
    return verdicts.count > 1 ? recipe + names : names + recipe
  }

  package var titleCounts: [TitleCount] {
    guard !isUnknown else { return [] }
    var counts: [TitleCount] = []
    if readOnly != nil {
      counts.append(TitleCount(text: FieldSummary.readOnly, role: .flagged))
    } else if let obstacle = blockers.first?.obstacle(in: plan) {
      let setup = obstacle.isSetUp ? " (\(key("setup", .review)))" : ""
      counts.append(TitleCount(text: obstacle.words + setup, role: .flagged))
    }
    let written = min(pages.writtenCount, tally[.unchanged])
    for state in FieldState.allCases where tally[state] > 0 {
      func count(_ number: Int, _ word: String) {
        guard number > 0 else { return }
        counts.append(TitleCount(text: "\(number) \(word)", role: state.waits ? state.role : nil, tag: state.rawValue))
      }
      if state == .unchanged { count(written, Outcome.migrated.word) }
      count(tally[state] - (state == .unchanged ? written : 0), state.word)
    }
    return TitleCount.placed(counts, Ink(options), columns: size.columns)
  }

  package var lineView: LineView { screen == .stores ? browser?.lineView ?? ownLineView : ownLineView }

  package mutating func lineChanged() {
    guard let text = stack.typing?.text else { return }
    if screen == .search { search(for: text) } else if screen == .filter { filter(by: text) }
  }

  package mutating func sizeChanged() {
    layOutVerdict()
    if browser != nil { browse(.resized(size)) }
    revealCursor()
    for screen in [Screen.decideMany, .members, .history, .run] { reveal(screen) }
  }

  /// Handles an input. Only the confirmation key of the preview applies a run, and only that of the rollback question
  /// rolls one back.
  package mutating func receive(_ input: ScreenInput) {
    switch input {
    case .answer(.edited(let text)): acceptEdited(text)
    case .key, .paste, .mouse, .line, .row, .answer: if screen == .stores { browse(input) } else { take(input) }
    case .resized: take(input)
    }
    coverUnknown()
  }

  /// Never shows the list of a container in which no recipe finds data, and shows it again once one does.
  mutating func coverUnknown() {
    if isUnknown {
      if topScreen == .review { open(.unknown) }
      readStores()
    } else if stack.screens.contains(.unknown) {
      show(stack.screens.filter { $0 != .unknown })
    }
  }
}

/// What screens show in addition to the plan, the decisions and their cursors: a cursor moves without another layout.
struct ReviewPages: Sendable {
  var preview = Preview()
  var lastRun: RunSummary.ID?
  var report: RunReport?
  /// How many fields the last run wrote; 0 if it was a rollback.
  var writtenCount = 0
  var failure: ReviewFailure?
  /// The offsets of local time from UTC when the runs began, in seconds.
  var runOffsets: [RunSummary.ID: Int] = [:]
  /// The run that was rolled back, until its decisions are offered.
  var rolledBack: RunSummary?
  /// The rollback of a run, while its keys or its question are open.
  var draft: RollbackDraft?
  /// The decisions of an earlier review, until they are answered.
  var kept: KeptReview?
  var hasAnsweredKept = false
  /// The reason that decisions cannot be saved; nil if they can.
  var keepingObstacle: String?
  var commandLine: String?
  var sharedReport: SharedReport?

  struct Preview: Sendable {
    var decisions: Decisions = [:]
    /// The fields that wait for the decision on the id of their user.
    var waiting: [DescribingField] = []
    /// With a range or a filter, how many of the fields the run is about: `2 of 8 fields: only those listed`.
    var scope: String?
    /// The counts of the fields that the run is about.
    var tally = Tally()
    var changes: [KeyChange] = []
    /// What the app loses by the run.
    var losses: [RunLoss] = []
    var files: [FilePreview] = []
    /// Whether every value is shown in full, and unchanged members.
    var isWhole = false
  }
}
