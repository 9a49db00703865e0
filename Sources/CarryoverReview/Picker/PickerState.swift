package import Carryover
package import CarryoverTerminal

/// The state of a choice among the containers at a path: a value that `reduce` changes and `render` draws.
package struct PickerState: Sendable {
  /// The containers, in the order given.
  package let candidates: [ContainerCandidate]
  /// What was opened, as the user named it.
  package let place: String
  package var stack: ScreenStack
  /// What is known of each container.
  private(set) var states: [ContainerState]
  /// The decisions by finding for every container that is opened from here.
  package private(set) var policy = DecisionPolicy()

  /// The numbers of the candidates that are shown.
  private(set) var shown: [Int] = []
  /// The candidate with the cursor; nil where none is shown.
  var cursor: Int?
  /// The row at the top.
  var topRow = 0
  /// What the list is sorted by.
  var order = PickerOrder.given
  /// The words that narrow the list.
  private(set) var filter = ""
  /// Why the container that was chosen last could not be opened.
  var failure: ReviewFailure?
  /// The findings of all containers, while they are shown, and the number of the one that is chosen.
  var findings: [FoundFinding] = []
  var findingIndex = 0
  /// Whether workers plan the containers. Otherwise no state is shown.
  let isPlanning: Bool
  let widths: CandidateWidths
  /// What each candidate is sorted by, in lower case.
  let names: [String]
  /// What each candidate is found by, in lower case, its state aside.
  private let places: [String]
  /// The same with its state.
  private var texts: [String]

  /// A choice among containers.
  /// - Parameters:
  ///   - candidates: The containers.
  ///   - place: What was opened, as the user named it.
  ///   - isPlanning: Whether ``learn(_:)`` will be given states.
  ///   - size: The size of the screen.
  ///   - options: What drawing depends on.
  package init(
    _ candidates: [ContainerCandidate], place: String, isPlanning: Bool = false, size: Size,
    options: ReviewOptions = ReviewOptions()
  ) {
    self.candidates = candidates
    self.place = place
    self.isPlanning = isPlanning
    stack = ScreenStack(.containers, size: size, options: options)
    widths = CandidateWidths(candidates)
    states = candidates.map { _ in .unread }
    names = candidates.map { ([$0.bundleID ?? "", $0.name, $0.path]).joined(separator: "\n").lowercased() }
    places = zip(names, candidates).map { ([$0] + $1.groups).joined(separator: "\n").lowercased() }
    texts = places
    rearrange()
    cursor = shown.first
  }

  /// The candidate with the cursor.
  package var selected: ContainerCandidate? { cursor.map { candidates[$0] } }

  /// The row with the cursor.
  var row: Int? { cursor.flatMap { shown.firstIndex(of: $0) } }

  /// The rows of the screen that hold candidates.
  var rows: Range<Int> { 3..<max(3, size.rows - 2) }

  /// How many containers are not read yet.
  var unreadCount: Int { isPlanning ? states.count { $0 == .unread } : 0 }

  /// Takes new states of containers, by their numbers. The row with the cursor stays where it is.
  package mutating func learn(_ news: [Int: ContainerState]) {
    guard !news.isEmpty else { return }
    for (number, state) in news where states.indices.contains(number) {
      states[number] = state
      states[number].decide(by: policy)
      describe(number)
    }
    statesChanged()
  }

  /// Decides every field that only such a finding asks about, in containers that are opened from now on; nil takes the
  /// decision back.
  mutating func decide(_ code: FindingCode, _ choice: DecisionPolicy.Choice?) {
    policy.choices[code] = choice
    for number in states.indices where states[number].plan?.findings.contains(code) == true {
      states[number].decide(by: policy)
      describe(number)
    }
    statesChanged()
  }

  private mutating func statesChanged() {
    if topScreen == .containersFindings { listFindings() }
    stack.revision += 1
    if order.isByState || !filter.isEmpty {
      let before = row ?? 0
      rearrange()
      // One that is no longer listed leaves the cursor to the next.
      if row == nil { cursor = shown.element(min(before, shown.count - 1)) }
      revealCursor()
    }
    refresh()
  }

  /// Notes what a container is found by.
  private mutating func describe(_ number: Int) {
    let codes = states[number].plan?.findings.map(\.rawValue) ?? []
    texts[number] = ([places[number]] + states[number].parts + codes).joined(separator: "\n")
  }

  /// Shows the candidates that meet every word. The cursor stays where it is, if that is still shown.
  mutating func refilter(_ text: String) {
    filter = text
    rearrange()
    if row == nil { cursor = shown.first }
    revealCursor()
  }

  /// Lists what the filter leaves, in order. The row with the cursor stays where it is, so that no key hits another.
  mutating func rearrange() {
    let offset = row.map { $0 - topRow }
    // A word that is being typed narrows nothing yet.
    let query = FilterQuery(filter.lowercased())
    shown = ordered.filter { number in
      query.holds(states[number]) && query.texts.allSatisfy { $0.isIn(texts[number]) }
    }
    if let row, let offset { topRow = max(0, min(row - offset, shown.count - rows.count)) }
  }

  /// Puts the cursor on a row and shows it.
  mutating func select(row: Int) {
    guard shown.indices.contains(row) else { return }
    cursor = shown[row]
    revealCursor()
  }

  mutating func revealCursor() {
    topRow = ListWindow.top(topRow, showing: row ?? 0, of: shown.count, visible: rows.count)
  }

  /// Says that the container that was chosen is being opened.
  package mutating func opening() { message = "Opening…" }

  /// Takes up the choice again where it was left.
  /// - Parameters:
  ///   - size: The size the screen has by now.
  ///   - failure: Why the container that was chosen could not be opened, or be gone on with.
  package mutating func comeBack(size: Size, failure: ReviewFailure? = nil) {
    stack.size = size
    self.failure = failure
    message = nil
    show(failure == nil ? [.containers] : [.containers, .containersFailure])
    stack.pageTop = 0
    stack.revision += 1
    revealCursor()
    refresh()
  }
}

/// What the containers are listed by.
enum PickerOrder: CaseIterable, Sendable {
  /// As they were found.
  case given
  case name
  /// Those that wait for a decision first.
  case state
  /// Those with the worst findings first.
  case findings

  /// What the title says of it; nil for the order at the start.
  var words: String? {
    switch self {
    case .given: nil
    case .name: "by name"
    case .state: "by state"
    case .findings: "by findings"
    }
  }

  /// Whether a new state of a container can move it.
  var isByState: Bool { self == .state || self == .findings }
}

extension PickerState {
  /// The numbers of the candidates in the present order.
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
        weights[first] == weights[second]
          ? first < second : weights[second].lexicographicallyPrecedes(weights[first])
      }
    }
  }

  /// Lists the containers in the next order.
  mutating func sortNext() -> [PickerEffect] {
    let orders = PickerOrder.allCases.filter { isPlanning || !$0.isByState }
    order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
    rearrange()
    revealCursor()
    message = "Containers \(order.words ?? "in their first order")."
    return []
  }
}
