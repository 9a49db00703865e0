import CarryoverPages
import CarryoverTerminal

struct ActionChoice: Hashable, Sendable {
  var words = ""
  var index = 0
  /// The number typed in front of the key that opened the list.
  var times: Int?
  /// Whether `:` opened it, so that it closes with its line.
  var isPalette = false
}

struct ListedAction<State: Program> {
  let binding: KeyBinding<State>
  let obstacle: String?
  var isElsewhere = false
}

extension Program {
  /// The screen below the list, whose actions it has.
  var actionsOrigin: Screen {
    let screens = topScreen == Self.table.help ? stack.screens.dropLast() : stack.screens[...]
    return screens.last ?? Self.table.home
  }

  /// The actions of the screen below, by task; narrowed, the best first, then those of other screens.
  var listedActions: [ListedAction<Self>] {
    guard Int(stack.actions.words) == nil else { return [] }
    let origin = actionsOrigin
    var below = self
    below.stack.typing = nil
    if topScreen == Self.table.help { below.stack.screens.removeLast() }
    let here = Self.table.actions(in: origin, options.keymap).filter { isOffered($0) }
    let wanted = ActionWords(stack.actions.words)
    guard !wanted.isEmpty else {
      let groups = Dictionary(grouping: here, by: \.group)
      return BindingGroup.allCases.flatMap { groups[$0] ?? [] }
        .map { ListedAction(binding: $0, obstacle: below.obstacle($0, in: origin)) }
    }
    let elsewhere = Self.table.shown(options.keymap).filter {
      !$0.screens.contains(origin) && $0.screens.contains { !Self.table[$0].isTyped } && isOffered($0)
    }
    return wanted.best(here).map { ListedAction(binding: $0, obstacle: below.obstacle($0, in: origin)) }
      + wanted.best(elsewhere).map {
        ListedAction(binding: $0, obstacle: "Available on \(Self.places($0)).", isElsewhere: true)
      }
  }

  /// The reason that the list cannot run an action. What writes files or loses decisions takes the action's own key.
  private func obstacle(_ binding: KeyBinding<Self>, in origin: Screen) -> String? {
    if let reason = binding.disabledReason(self) { return "Unavailable: " + reason }
    if binding.duty == .confirmation { return "Only \(key(binding.name, origin)) does this." }
    return binding.isFamily ? "Press one of its keys." : nil
  }

  private static func places(_ binding: KeyBinding<Self>) -> String {
    let titles = table.screens.filter { binding.screens.contains($0) && !table[$0].isTyped }.map { "“\($0.title)”" }
    return (titles.count == 1 ? "the screen " : "the screens ") + titles.joined(separator: ", ")
  }

  mutating func narrowActions(to words: String) {
    stack.actions.words = words
    stack.actions.index = 0
    stack.pageTop = 0
  }

  mutating func nameAction() {
    let isPalette = topScreen != Self.table.help
    if isPalette { open(Self.table.help) }
    stack.actions.isPalette = isPalette
    stack.typing = LineEditor(Self.table.palette)
  }

  mutating func cancelAction() {
    stack.typing = nil
    stack.actions.times = nil
    if stack.actions.isPalette { back() } else { narrowActions(to: "") }
  }

  mutating func runAction() {
    if let text = stack.typing?.text, let row = Int(text), row > 0 {
      leaveActions()
      go(toRow: row - 1)
      return
    }
    let actions = listedActions
    if options.lineColumns != nil { return runNamedAction(actions) }
    let index = stack.actions.index
    if actions.indices.contains(index) { run(actions[index]) } else { emit(.bell) }
  }

  private mutating func run(_ action: ListedAction<Self>) {
    if let obstacle = action.obstacle { return refuse(obstacle) }
    let times = stack.actions.times
    leaveActions()
    use(action.binding, action.binding.keys.first ?? .enter, times)
  }

  /// The accessible mode does not show which action is first, so it has to be named.
  private mutating func runNamedAction(_ actions: [ListedAction<Self>]) {
    let wanted = ActionWords(stack.actions.words)
    // In the help, the words only narrow the list.
    guard stack.actions.isPalette else {
      stack.typing = nil
      return
    }
    leaveActions()
    guard !wanted.isEmpty, let first = actions.first else {
      return refuse("No action has that name. \(key("help", topScreen)) lists them.")
    }
    // An action of another screen does not compete with one of this screen.
    let best = actions.filter {
      wanted.rank($0.binding) == wanted.rank(first.binding) && $0.isElsewhere == first.isElsewhere
    }
    guard best.count == 1 else {
      let names = best.prefix(8).map { "\($0.binding.name) (\($0.binding.keyLabel))" }.joined(separator: ", ")
      return refuse("Several actions match: \(names)\(best.count > 8 ? " and more" : ""). Nothing was done.")
    }
    run(first)
  }

  private mutating func leaveActions() {
    stack.typing = nil
    if topScreen == Self.table.help { back() }
    refreshPage()
  }

  /// Chooses the action under the pointer, or runs it if it is chosen already.
  mutating func clickAction(at position: Position) {
    let layout = PageLayout(size: size)
    guard layout.rows.contains(position.row) else { return }
    let line = pageTop + position.row - layout.rows.lowerBound
    guard line < page.lines.count, !page.lines[line].isEmpty,
      let index = page.anchors.lastIndex(where: { $0 <= line }), page.anchors[index] + Self.longestAction > line
    else { return }
    guard index == stack.actions.index else {
      stack.actions.index = index
      return
    }
    runAction()
  }

  private static var longestAction: Int { 4 }
}

struct ActionWords {
  private let text: String
  private let lowered: String
  private let words: [Substring]

  var isEmpty: Bool { words.isEmpty }

  init(_ text: String) {
    self.text = text
    lowered = text.lowercased()
    words = lowered.split(separator: " ")
  }

  func match(_ text: String) -> Bool {
    let text = text.lowercased()
    return words.allSatisfy { text.contains($0) }
  }

  /// How well an action matches, 0 for its whole name or its key; nil if it does not.
  func rank<State: Program>(_ binding: KeyBinding<State>) -> Int? {
    let names = [binding.label.lowercased(), binding.name, binding.name.replacing("-", with: " ")]
    if names.contains(lowered) || binding.keys.contains(where: { $0.name == text }) { return 0 }
    if names.contains(where: { $0.hasPrefix(lowered) }) { return 1 }
    if names.contains(where: match) { return 2 }
    return match(names.joined(separator: " ") + " " + binding.help) ? 3 : nil
  }

  func best<State: Program>(_ bindings: [KeyBinding<State>]) -> [KeyBinding<State>] {
    let ranked = bindings.compactMap { binding in rank(binding).map { (rank: $0, binding: binding) } }
    return (0...3).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.binding) }
  }
}

extension KeyBinding {
  static func actions(in screens: Set<Screen>, _ help: Screen, _ palette: Screen) -> [KeyBinding] {
    [
      KeyBinding(
        [.character(":")], "action", "Find an action by its name and run it; a number goes to that row.",
        in: screens, .leaving, opens: [help, palette], counting: .handedOn
      ) { $0.nameAction() },
      KeyBinding(
        [.character("/")], "search", "Find an action by its name.", in: [help], .searching, hint: 1, opens: [palette]
      ) { $0.nameAction() },
      KeyBinding([.enter], "run", "Run the chosen action on the screen below.", in: [help], .leaving, hint: 1) {
        $0.runAction()
      },
      KeyBinding([.enter], "run", "Run the chosen action, or go to the row.", in: [palette], .leaving, hint: 1) {
        $0.runAction()
      },
      KeyBinding([.escape], "cancel", "Do nothing.", in: [palette], .leaving, hint: 1, duty: .wayOut) {
        $0.cancelAction()
      },
      KeyBinding([.down], "next", "Choose the next action.", in: [palette], .moving, hint: 3) { $0.move(.down) },
      KeyBinding([.up], "previous", "Choose the previous action.", in: [palette], .moving) { $0.move(.up) },
      KeyBinding([.pageDown], "page down", "Go down one page.", in: [palette], .moving) { $0.move(.pageDown) },
      KeyBinding([.pageUp], "page up", "Go up one page.", in: [palette], .moving) { $0.move(.pageUp) },
    ]
  }
}

extension ScreenContent {
  /// The help: the actions of the screen below by task, each of which can be run, then what the signs mean.
  static func help(_ screen: Screen, _ marks: @escaping @Sendable (inout PageWriter, State) -> Void) -> ScreenContent {
    text(screen, back: Back(keys: [.escape, .character("q"), .character("?")])) { writer, state in
      let words = ActionWords(state.stack.actions.words)
      if state.options.lineColumns != nil { writer.lineHelp(words) }
      writer.actions(state.listedActions, isNarrowed: !words.isEmpty, state)
      if let number = Int(state.stack.actions.words), number > 0 {
        writer.words("Enter goes to row \(number), or to the last.")
      }
      marks(&writer, state)
      if writer.lines.isEmpty { writer.words("No action matches.", .muted) }
    }
    .with {
      $0.title = { state, ink in ink.words("\(screen.title): \(state.actionsOrigin.title)") }
      $0.opened = { $0.stack.actions = ActionChoice() }
      $0.closed = { if $0.stack.typing?.screen == State.table.palette { $0.stack.typing = nil } }
      $0.chosen = Chosen(number: { $0.stack.actions.index }, select: { $0.stack.actions.index = $1 })
      $0.click = { $0.clickAction(at: $1) }
    }
  }

  static func palette(_ screen: Screen) -> ScreenContent {
    line(screen, prompt: ":").with {
      $0.words = { state in
        guard !state.stack.actions.words.isEmpty, Int(state.stack.actions.words) == nil else { return ("", false) }
        let count = state.page.anchors.count
        return ("\(count) found", count == 0)
      }
      $0.note = { state in
        state.message.map { ($0, true) } ?? ("enter runs the action · a number goes to that row", false)
      }
    }
  }
}

extension PageWriter {
  mutating func marks(_ title: String, _ words: String, _ marks: [(mark: String, role: Role, words: String)]) {
    let wanted = ActionWords(words)
    let shown = marks.filter { wanted.match("\($0.mark) \($0.words)") }
    guard !shown.isEmpty else { return }
    heading(title)
    for (mark, role, text) in shown { add([Span(mark + "  ", role), Span(ink.words(text))], indent: 2) }
  }

  fileprivate mutating func actions<State: Program>(
    _ actions: [ListedAction<State>], isNarrowed: Bool, _ state: State
  ) {
    let labels = actions.map { Self.label($0.binding, state) }
    let width = min(columns / 3, (labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0)) + 2
    var group: BindingGroup?
    for (action, label) in zip(actions, labels) {
      if !isNarrowed, group != action.binding.group {
        group = action.binding.group
        heading(action.binding.group.rawValue)
      }
      anchor()
      let isOpen = action.obstacle == nil
      var spans = [
        Span(label.padded(width - 1, gap: 1), isOpen ? .key : .muted),
        Span(ink.words(action.binding.help), isOpen ? .plain : .muted),
      ]
      if let obstacle = action.obstacle { spans.append(Span("  " + ink.words(obstacle), .flagged)) }
      add(spans, indent: 2, hanging: 2 + width)
    }
  }

  private static func label<State: Program>(_ binding: KeyBinding<State>, _ state: State) -> String {
    guard state.options.lineColumns != nil else { return binding.allKeysLabel }
    let place = binding.screens.contains(state.actionsOrigin) ? state.actionsOrigin : nil
    return place.flatMap { state.lineWords(binding, in: $0) }
      ?? (binding.keys.map(\.name).filter { $0 != binding.name } + (binding.isFamily ? [] : [binding.name]))
      .joined(separator: " ")
  }
}
