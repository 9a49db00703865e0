package import Carryover
import CarryoverTerminal

extension Screen {
  /// The containers to choose from.
  static let containers = Screen("containers", "Containers")
  /// A filter being typed over the containers.
  static let containersFilter = Screen("containers-filter", "Filter")
  /// Why a container could not be opened.
  static let containersFailure = Screen("containers-failure", "Not opened")
}

/// What the choice asks of the loop around it.
package enum PickerEffect: ScreenEffect {
  /// Open this container.
  case choose(ContainerCandidate)
  /// Do what any program may ask for.
  case errand(Errand)
  /// Hand the terminal back to the shell until the process is continued.
  case suspend
  /// Sound the bell: the key does nothing here.
  case bell
  /// Leave without a choice.
  case leave

  package var errand: Errand? { if case .errand(let errand) = self { errand } else { nil } }

  package var isForClicks: Bool { true }
}

extension PickerState: Program {
  package typealias Effect = PickerEffect

  package static let table = ScreenTable<PickerState>(
    prefix: "containers-",
    .drawn(.containers) { $0.drawList() }.with {
      $0.scroller = { state, _ in
        Scroller(
          count: state.shown.count, rows: state.rows, columns: 1..<max(1, state.size.columns - 1), top: state.topRow,
          row: state.row, select: { $0.select(row: $1) }, scroll: { $0.topRow = $1 })
      }
      $0.click = { $0.clickList(at: $1) }
      $0.empty = { $0.emptyWords }
      $0.line = { $0.line(ofRow: $1, $2) }
    },
    [
      .line(.containersFilter, prompt: "/").with {
        $0.words = { state in (state.filterWords, state.shown.isEmpty) }
        $0.note = { $0.isPlanning ? $0.filterNote($0.filter) : ("words that all have to match", false) }
      },
      .containersFindings,
      .text(
        .containersFailure,
        back: .init(keys: [.escape, .enter, .character("q")], help: "Go back to the containers.")
      ) { $0.failure($1.failure) }.with { $0.hasHelp = false },
    ],
    marks: { writer, state in
      guard state.isPlanning else { return }
      writer.marks(
        "Signs", state.stack.actions.words,
        [
          (writer.ink.sign(.error), .error, "has an error, or cannot be read"),
          (writer.ink.sign(.conflict), .conflict, "the target has another value"),
          (writer.ink.sign(.undecided), .flagged, "undecided"), (writer.ink.sign(.ready), .ready, "ready"),
          (writer.ink.sign(.done), .confirmed, "decided by finding"),
          (writer.ink.sign(.omitted), .flagged, "values that are not migrated"),
          (writer.ink.sign(.unchanged), .skipped, "applied: the target has every value"),
        ])
    }, keys: keys, leaving: leaving)

  private static let keys: [KeyBinding<PickerState>] = [
    KeyBinding(
      [.enter, .right, .character("l")], "open", "Open the container.", in: [.containers], .seeing, hint: 1,
      unless: { $0.selected == nil ? "There is no container here." : nil }
    ) { state in state.selected.map { [.choose($0)] } ?? [.bell] },
    KeyBinding(
      [.character("/")], "filter",
      "List only the containers that match every word: a name, a finding, is:undecided, has:error.", in: [.containers],
      .searching, hint: 1, opens: [.containersFilter]
    ) {
      $0.stack.typing = LineEditor(.containersFilter, text: $0.filter)
      return []
    },
    KeyBinding(
      [.character("s")], "sort", "Sort the containers in the next order: name, state, findings, original.",
      in: [.containers], .seeing, hint: 2
    ) { $0.sortNext() },
    KeyBinding(
      [.enter], "done", "Keep the filter; enter again opens the container.", in: [.containersFilter], .searching,
      hint: 1, name: "keep"
    ) { $0.keepFilter() },
    KeyBinding(
      [.tab], "complete", "Complete a filter word: is:…, has:…, group:….", in: [.containersFilter], .searching, hint: 1
    ) { $0.completeFilter() },
    KeyBinding(
      [.escape], "cancel", "Clear the filter.", in: [.containersFilter], .searching, hint: 1, duty: .wayOut
    ) {
      $0.stack.typing = nil
      $0.refilter("")
      return []
    },
  ]

  private static let leaving: [KeyBinding<PickerState>] = [
    KeyBinding(
      [.escape], "clear", "Clear the filter.", in: [.containers], .searching, hint: 1,
      unless: { $0.filter.isEmpty ? "No filter is on; \($0.key("quit", .containers)) quits." : nil }
    ) {
      $0.refilter("")
      return []
    },
    KeyBinding(
      [.character("q")], "quit", "Quit without opening a container.", in: [.containers], .leaving, hint: 0,
      duty: .wayOut
    ) { _ in [.leave] },
  ]

  package func titleParts(columns: Int) -> [String] { [Ink(options).tail(place, columns: columns)] }

  package var titleCounts: [TitleCount] {
    let all = counted(candidates.count, "container")
    let text = filter.isEmpty ? all : "\(shown.count) of \(all)"
    var counts = [TitleCount(text: text)]
    if unreadCount > 0 { counts.append(TitleCount(text: "\(unreadCount) not read yet")) }
    let decided = policy.choices.count
    if decided > 0 { counts.append(TitleCount(text: "\(counted(decided, "finding")) decided", role: .confirmed)) }
    return TitleCount.placed(counts, Ink(options), columns: size.columns)
  }

  package mutating func sizeChanged() { revealCursor() }

  package mutating func lineChanged() {
    if let typing = stack.typing, typing.screen == .containersFilter { refilter(typing.text) }
  }

  /// What is said behind a filter that is typed.
  private var filterWords: String { "\(shown.count) of \(candidates.count)" }

  /// Keeps the filter that is typed.
  private mutating func keepFilter() -> [PickerEffect] {
    if let complaint = FilterQuery(filter).complaint {
      message = complaint
      return [.bell]
    }
    stack.typing = nil
    return []
  }

  /// Completes the word at the end, as far as there is only one way to.
  private mutating func completeFilter() -> [PickerEffect] {
    guard let line = stack.typing, line.cursor == line.characters.count,
      let text = FilterWord.completed(line.text)
    else { return [.bell] }
    if text != line.text { edit { $0 = TypedLine(text) } }
    return []
  }

  /// What is said where no container is listed.
  var emptyWords: String {
    candidates.isEmpty ? "There is no container here." : "No container contains every word typed."
  }

  /// A container in words.
  private func line(ofRow row: Int, _ ink: Ink) -> String {
    guard let candidate = shown.element(row).map({ candidates[$0] }) else { return "" }
    var parts = [ink.name(candidate.bundleID ?? "unknown app")]
    if let name = candidate.ownName { parts.append(ink.name(name)) }
    parts.append(candidate.kind.rawValue)
    if !candidate.filesText.isEmpty { parts.append("files: " + candidate.filesText) }
    if candidate.path != candidate.bundleID { parts.append(ink.text(candidate.path)) }
    let text = parts.joined(separator: ", ")
    guard isPlanning, let state = shown.element(row).map({ states[$0] }) else { return text }
    return text + ": " + ink.words(state.parts.joined(separator: ", "))
  }

  /// Selects a row; opens the one that is selected already.
  private mutating func clickList(at position: Position) -> [PickerEffect] {
    let before = row
    guard selectRow(at: position), row == before else { return [] }
    return act(byClick: "open")
  }
}
