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
      .line(.containersFilter, prompt: "/"),
      .text(
        .containersFailure,
        back: .init(keys: [.escape, .enter, .character("q")], help: "Go back to the containers.")
      ) { $0.failure($1.failure) }.with { $0.hasHelp = false },
    ],
    marks: { _, _ in }, keys: keys, leaving: leaving)

  private static let keys: [KeyBinding<PickerState>] = [
    KeyBinding(
      [.enter, .right, .character("l")], "open", "Open the container.", in: [.containers], .seeing, hint: 1,
      unless: { $0.selected == nil ? "There is no container here." : nil }
    ) { state in state.selected.map { [.choose($0)] } ?? [.bell] },
    KeyBinding(
      [.character("/")], "filter", "List only the containers that match every word.", in: [.containers],
      .searching, hint: 1, opens: [.containersFilter]
    ) {
      $0.stack.typing = LineEditor(.containersFilter, text: $0.filter)
      return []
    },
    KeyBinding(
      [.enter], "done", "Keep the filter; enter again opens the container.", in: [.containersFilter], .searching,
      hint: 1, name: "keep"
    ) {
      $0.stack.typing = nil
      return []
    },
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
    return TitleCount.placed([TitleCount(text: text)], Ink(options), columns: size.columns)
  }

  package mutating func sizeChanged() { revealCursor() }

  package mutating func lineChanged() { if let words = stack.typing?.text { refilter(words) } }

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
    return parts.joined(separator: ", ")
  }

  /// Selects a row; opens the one that is selected already.
  private mutating func clickList(at position: Position) -> [PickerEffect] {
    let before = row
    guard selectRow(at: position), row == before else { return [] }
    return act(byClick: "open")
  }
}
