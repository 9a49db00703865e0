package import Carryover
package import CarryoverPages
package import CarryoverTerminal

/// The choices in a list, for every container that is opened from it.
package struct ListChoices: Hashable, Sendable {
  /// The decisions by finding.
  package var policy = DecisionPolicy()
  /// Nil to use the one from the command line, or each container's own.
  package var writeKey: String?

  package init(writeKey: String? = nil) { self.writeKey = writeKey }
}

/// A listed container for a batch.
package struct ListedContainer: Hashable, Sendable {
  package let candidate: ContainerCandidate
  /// The reason that the batch does not open it, in the list's words; nil if it does.
  package let obstacle: String?
}

/// What a batch would do, or has done.
package struct ListedBatch: Sendable {
  let kind: RunKind
  let blocks: [Block]
  /// How many containers would be written.
  let count: Int
  /// How many of their fields.
  let fields: Int
  /// The number of containers in which the preview recovered an interrupted run.
  let recovered: Int

  package init(_ blocks: [Block], kind: RunKind = .apply, count: Int = 0, fields: Int = 0, recovered: Int = 0) {
    self.kind = kind
    (self.blocks, self.count, self.fields, self.recovered) = (blocks, count, fields, recovered)
  }
}

/// The choice among the containers at a path: a value that `reduce` changes and `render` draws.
package struct PickerState: Sendable {
  package let candidates: [ContainerCandidate]
  /// What was opened, as the user named it.
  package let place: String
  package var stack: ScreenStack
  package var effects: [PickerEffect] = []
  private(set) var states: [ContainerState] {
    didSet { revision += 1 }
  }
  package private(set) var choices: ListChoices {
    didSet { revision += 1 }
  }
  /// The batch that is previewed, or whose result is shown.
  private(set) var batch: ListedBatch? {
    didSet { revision += 1 }
  }
  package private(set) var busy: String?
  /// The runs of a container.
  private(set) var history: (path: String, blocks: [Block])? {
    didSet { revision += 1 }
  }
  /// The decision by finding that the user is asked about.
  var asked: FindingDecision? {
    didSet { revision += 1 }
  }
  private var batchWork = (words: "", number: 0)

  /// The numbers of the listed candidates.
  var list = RowList<Int>()
  var order = PickerOrder.given
  private(set) var filter = ""
  var failure: ReviewFailure? {
    didSet { revision += 1 }
  }
  package private(set) var revision = 0
  var findings = RowList<FoundFinding>()
  /// Whether workers plan the containers. Otherwise no state is shown.
  let isPlanning: Bool
  /// Whether containers can be migrated from here.
  let isReviewing: Bool
  private(set) var widths: CandidateWidths
  /// Of the listed containers that were read.
  private(set) var totals = UserTotals()
  /// Whether they say what becomes of the losses with Carryover.
  private var showsRemedies = true
  /// The sort keys of the candidates, in lower case.
  let names: [String]
  /// The texts to filter by, in lower case, without the state.
  private let places: [String]
  /// The same with the state.
  private var texts: [String]

  /// - Parameters:
  ///   - place: What was opened, as the user named it.
  ///   - isPlanning: Whether ``learn(_:)`` will be given states.
  ///   - isReviewing: Whether containers can be migrated from here; nil if they are planned.
  package init(
    _ candidates: [ContainerCandidate], place: String, isPlanning: Bool = false, isReviewing: Bool? = nil,
    choices: ListChoices = ListChoices(), size: Size, options: ReviewOptions = ReviewOptions()
  ) {
    self.candidates = candidates
    self.place = place
    self.isPlanning = isPlanning
    self.isReviewing = isReviewing ?? isPlanning
    self.choices = choices
    stack = ScreenStack(.containers, size: size, options: options)
    widths = CandidateWidths(candidates)
    states = candidates.map { _ in .unread }
    names = candidates.map { [$0.name, $0.bundleID ?? "", $0.path].joined(separator: "\n").lowercased() }
    places = zip(names, candidates).map { ([$0] + $1.groups).joined(separator: "\n").lowercased() }
    texts = places
    widths.take(states)
    rearrange()
  }

  package var selected: ContainerCandidate? { list.selected.map { candidates[$0] } }
  var rows: Range<Int> {
    let top = 3 + answerLines.count
    return top..<max(top, size.rows - 2)
  }

  /// What an update does to the listed users, in an audit's words, the most serious first.
  var answers: [(sign: Sign, words: String, role: Role)] {
    totals.answers.map { ($0.sign, showsRemedies ? $0.sentence : $0.lossSentence, $0.role) }
  }

  /// Sentences about the listed containers that no answer counts, so that the numbers add up.
  var uncounted: [String] {
    let plans = list.rows.map { states[$0].plan }
    let (idle, unplanned) = (plans.count { $0?.users.isEmpty == true }, plans.count { $0 == nil })
    return (idle > 0 ? [UserTotals.withoutUsers(idle)] : [])
      + (unplanned > 0 ? ["\(counted(unplanned, "container")) \(unplanned == 1 ? "has" : "have") no plan."] : [])
  }

  /// The most serious answer on at most two lines, or one in a small window, and the number of others.
  var answerLines: [[Span]] {
    let answers = totals.answers
    guard let answer = answers.first else { return [] }
    let (ink, columns, most) = (Ink(options), size.columns - 4, size.rows < 20 ? 1 : 2)
    let (more, verdicts) = (answers.count - 1, key("verdicts", .containers))
    func lines(_ words: String, _ end: String) -> [[Span]] {
      var writer = PageWriter(columns: columns, ink: ink)
      writer.add(
        [
          Span(ink.sign(answer.sign) + " " + ink.words(words), answer.role),
          Span(end.isEmpty ? "" : ink.words(" … " + end), .muted),
        ], hanging: 2)
      return writer.lines
    }
    let others = more > 0 ? "\(verdicts) shows \(more) more" : ""
    let end = others.isEmpty ? "\(verdicts) shows the rest" : others
    let wordings =
      (showsRemedies ? [lines(answer.sentence, others), lines(answer.lossSentence, end)] : [])
      + [lines(answer.lossSentence, others)]
    if let whole = wordings.first(where: { $0.count <= most }) { return whole }
    let rest = " " + ink.words(end)
    let (head, cut) = (wordings[0].prefix(most - 1), wordings[0].dropFirst(most - 1).joined().map(\.text).joined())
    let room = columns - DisplayWidth.columns(of: rest)
    let words = DisplayWidth.truncate(cut, columns: room, glyphs: ink.glyphs).text
    return head + [[Span(words, answer.role), Span(rest, .muted)]]
  }

  func bundleID(of number: Int) -> String? { candidates[number].bundleID ?? states[number].plan?.bundleID }

  var unreadCount: Int { isPlanning ? states.count { $0 == .unread } : 0 }
  var policy: DecisionPolicy { choices.policy }
  /// How many fields are decided by finding, and not applied yet.
  var decidedCount: Int {
    policy.choices.isEmpty ? 0 : states.reduce(0) { $0 + ($1.plan?.decidedCount ?? 0) }
  }
  /// Whether quitting may lose decisions. What is not read yet may have fields that they decide.
  var mayLoseDecisions: Bool { !policy.choices.isEmpty && (decidedCount > 0 || unreadCount > 0) }

  /// Stores new states of containers by their numbers. The row with the cursor stays where it is.
  package mutating func learn(_ news: [Int: ContainerState]) {
    guard !news.isEmpty else { return }
    for (number, state) in news where states.indices.contains(number) {
      states[number] = state
      states[number].decide(by: policy)
      describe(number)
    }
    statesChanged()
  }

  /// Decides every field that only such a finding asks about, in containers that are opened from now on; nil removes
  /// the decision.
  mutating func decide(_ code: FindingCode, _ choice: DecisionPolicy.Choice?) {
    choices.policy.choices[code] = choice
    for number in states.indices where states[number].plan?.findings.contains(code) == true {
      states[number].decide(by: policy)
      describe(number)
    }
    statesChanged()
  }

  private mutating func statesChanged() {
    widths.take(states)
    if topScreen == .containersFindings { listFindings() }
    let before = rows
    if order.isByState || !filter.isEmpty { rearrange() } else { count() }
    if order.isByState || !filter.isEmpty || rows != before { reveal(.containers) }
    refresh()
  }

  private mutating func describe(_ number: Int) {
    let codes = states[number].plan?.findings.map(\.rawValue) ?? []
    let verdict = states[number].plan?.verdict.map { [$0.words] } ?? []
    let bundleID = states[number].plan?.bundleID.map { [$0.lowercased()] } ?? []
    texts[number] = ([places[number]] + bundleID + verdict + states[number].parts + codes).joined(separator: "\n")
  }

  mutating func refilter(_ text: String) {
    filter = text
    if !rearrange() { list.select(0) }
    reveal(.containers)
  }

  /// Lists the filtered candidates in order. The row with the cursor stays where it is, so that no key hits another; if
  /// its container is no longer listed, the cursor goes to the next.
  /// - Returns: whether it is listed.
  @discardableResult
  mutating func rearrange() -> Bool {
    let offset = list.row - list.top
    // An unfinished word does not filter yet.
    let query = FilterQuery(filter.lowercased(), among: FilterWord.ofContainers)
    let shown = ordered.filter { number in
      query.matches(states[number]) && query.texts.allSatisfy { $0.isIn(texts[number]) }
    }
    let isListed = list.replace(shown, where: ==)
    count()
    if isListed { list.put(list.row, top: max(0, min(list.row - offset, shown.count - rows.count))) }
    return isListed
  }

  private mutating func count() {
    (totals, showsRemedies) = (UserTotals(), true)
    for number in list.rows {
      guard let plan = states[number].plan else { continue }
      let decided = plan.usersAsDecided
      if decided == nil { showsRemedies = false }
      (decided ?? plan.users).forEach { totals.add($0) }
    }
  }

  /// Plans all containers again with another write key; nil for the command line's, or each container's own.
  mutating func useWriteKey(_ key: String?) {
    guard key != choices.writeKey else { return }
    choices.writeKey = key
    for number in states.indices {
      states[number] = .unread
      describe(number)
    }
    statesChanged()
    let named = options.redaction == nil ? key.map { $0 + " " } ?? "" : ""
    message =
      key == nil ? "Write key no longer set." : "Write key \(named)set for the containers opened from here."
    emit(.replan)
  }

  /// The reason that the listed containers cannot be written together; nil if they can.
  var batchObstacle: String? {
    guard isReviewing else { return "Containers are not migrated here." }
    if list.count == 0 { return emptyWords }
    let unread = isPlanning ? list.rows.count { states[$0] == .unread } : 0
    return unread == 0 ? nil : "\(counted(unread, "container")) not read yet."
  }

  var rollbackObstacle: String? {
    if let batchObstacle { return batchObstacle }
    let isArchives = list.rows.allSatisfy { candidates[$0].kind == nil }
    return isArchives ? "Archives are read-only, so they have no runs." : nil
  }

  mutating func previewBatch(_ kind: RunKind) {
    begin(kind == .apply ? "Planning" : "Reading")
    emit(
      .preview(
        kind,
        list.rows.map { number in
          let reason = if case .failed(let reason) = states[number] { reason } else { String?.none }
          return ListedContainer(candidate: candidates[number], obstacle: reason)
        }))
  }

  mutating func writeBatch() {
    guard screen == .containersPreview, let batch, batch.count > 0 else { return emit(.bell) }
    begin(batch.kind == .apply ? "Applying" : "Rolling back")
    emit(.write)
  }

  private mutating func begin(_ work: String) {
    batchWork = (work, 0)
    busy = "\(work)… (esc stops)"
  }

  /// Says that a batch is at its next container.
  package mutating func progress(of count: Int) {
    batchWork.number += 1
    busy = "\(batchWork.words) \(batchWork.number) of \(count)… (esc stops)"
  }

  /// Shows what a batch would do, or has done.
  package mutating func show(_ batch: ListedBatch, on screen: Screen) {
    busy = nil
    self.batch = batch
    show([.containers, screen])
    stack.pageTop = 0
    refresh()
  }

  /// Shows the runs of a container.
  package mutating func show(historyOf path: String, _ blocks: [Block]) {
    history = (path, blocks)
    show([.containers, .containersHistory])
    stack.pageTop = 0
    refresh()
  }

  package mutating func opening() { message = "Opening…" }

  /// Returns to the choice.
  /// - Parameter failure: The reason that the chosen container could not be opened or continued with.
  package mutating func comeBack(size: Size, failure: ReviewFailure? = nil) {
    stack.size = size
    self.failure = failure
    (message, busy) = (nil, nil)
    show(failure == nil ? [.containers] : [.containers, .containersFailure])
    stack.pageTop = 0
    reveal(.containers)
    refresh()
  }
}

enum PickerOrder: String, CaseIterable, Sendable {
  case given, name, state, findings

  /// Nil for the order at the start.
  var words: String? { self == .given ? nil : "by " + rawValue }

  /// Whether a new state of a container can move it.
  var isByState: Bool { self == .state || self == .findings }
}

extension PickerState {
  var ordered: [Int] {
    switch order {
    case .given: return Array(candidates.indices)
    case .name: return candidates.indices.sorted { (names[$0], $0) < (names[$1], $1) }
    case .state:
      let ranks = states.map(\.rank)
      return candidates.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    case .findings:
      let weights = states.map(\.weight)
      return candidates.indices.sorted { first, second in
        weights[first] == weights[second] ? first < second : weights[second].lexicographicallyPrecedes(weights[first])
      }
    }
  }

  mutating func sortNext() {
    let orders = PickerOrder.allCases.filter { isPlanning || !$0.isByState }
    order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
    rearrange()
    reveal(.containers)
    message = "Containers \(order.words ?? "in their first order")."
  }
}
