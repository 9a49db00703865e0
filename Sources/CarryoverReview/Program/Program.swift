import CarryoverPages
package import CarryoverTerminal

package enum ScreenInput: Sendable {
  case key(Key)
  /// Pasted text is typed into a line and never acts as keys.
  case paste(String)
  case mouse(Mouse)
  case resized(Size)
  /// A whole line was typed, in place of the one that is being typed.
  case line(String)
  /// A row was named, counted from 0.
  case row(Int)
  case answer(ErrandAnswer)

  /// Nil for events that concern only the loop around the program.
  package init?(_ event: Event) {
    switch event {
    case .key(let key): self = .key(key)
    case .paste(let text): self = .paste(text)
    case .resize(let size): self = .resized(size)
    case .mouse(let mouse): self = .mouse(mouse)
    case .resumed, .signal, .endOfInput, .tick: return nil
    }
  }
}

package protocol ScreenEffect: Hashable, Sendable {
  /// The key does nothing here.
  static var bell: Self { get }
  /// Hand the terminal back to the shell until the process is continued.
  static var suspend: Self { get }
  static func errand(_ errand: Errand) -> Self
  /// Nil for an effect of the program's own.
  var errand: Errand? { get }
  /// Whether a click may ask for it. False if it writes files or loses decisions: an accidental click is too easy.
  var isForClicks: Bool { get }
}

/// A program on the screen: a value that keys, mouse and text change, drawn afresh after each change. Pure.
package protocol Program: Sendable {
  associatedtype Effect: ScreenEffect

  static var table: ScreenTable<Self> { get }
  var stack: ScreenStack { get set }
  /// What the loop around the program has to do after the current input, in order.
  var effects: [Effect] { get set }
  /// Increases with everything that pages show.
  var revision: Int { get }
  /// The words while the program waits for a result; until it arrives, keys do nothing.
  var busy: String? { get }
  var lastLineWords: String? { get }
  /// The last match with the lines around it, where the row with the cursor does not say it.
  var foundLines: [String] { get }

  /// The parts at the left of the title bar, ready to be drawn.
  func titleParts(columns: Int) -> [String]
  var titleCounts: [TitleCount] { get }

  mutating func receive(_ input: ScreenInput)
  mutating func lineChanged()
  mutating func sizeChanged()
  /// Lays out what is shown beside the page, where it is not up to date.
  mutating func refreshPanes()
  var lineView: LineView { get }
}

/// Changes a program by one input.
/// - Returns: what the loop around it has to do.
package func reduce<State: Program>(_ state: inout State, _ input: ScreenInput) -> [State.Effect] {
  state.receive(input)
  state.refresh()
  return state.takeEffects()
}

extension Program {
  package var busy: String? { nil }
  package var lastLineWords: String? { nil }
  package var foundLines: [String] { foundOnPage }
  package mutating func receive(_ input: ScreenInput) { take(input) }
  package mutating func lineChanged() {}
  package mutating func sizeChanged() {}
  package mutating func refreshPanes() {}

  package var size: Size { stack.size }
  package var options: ReviewOptions { stack.options }
  /// What the last key did, for the last line, until the next key.
  package internal(set) var message: String? {
    get { stack.message }
    set { stack.message = newValue }
  }
  var topScreen: Screen { stack.screens.last ?? Self.table.home }
  var isTooSmall: Bool { stack.isTooSmall }
  var page: Page { stack.page }
  var pageTop: Int { stack.pageTop }

  /// The screen or typed line that decides what keys mean.
  package var screen: Screen {
    if isTooSmall { return Self.table[topScreen].question == nil ? Self.table.tooSmall : topScreen }
    return stack.typing?.screen ?? topScreen
  }

  /// The key that sentences name for a binding: its first on a screen, or the word that the accessible mode requires.
  func key(_ name: String, _ screen: Screen) -> String {
    guard let binding = Self.table.binding(named: name, in: screen) else { return "no key" }
    let keys = options.keymap.keys(of: name, builtIn: binding.keys, on: screen.name)
    return lineWords(binding, in: screen) ?? keys.first?.name ?? "no key"
  }

  mutating func take(_ input: ScreenInput) {
    switch input {
    case .key(let key): press(key)
    case .paste(let text): if !type(text) { emit(.bell) }
    case .mouse(let mouse): use(mouse)
    case .line(let text): enter(text)
    case .resized(let size):
      stack.size = size
      sizeChanged()
    case .row(let row):
      message = nil
      go(toRow: row)
    case .answer(let answer): take(answer)
    }
  }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func refuse(_ reason: String) {
    message = reason
    emit(.bell)
  }

  mutating func refresh() {
    refreshPage()
    refreshPanes()
  }

  /// Presses a key. Ignored while the program is busy: the user has not seen the screen that the key would act on.
  mutating func press(_ key: Key) {
    guard busy == nil else { return }
    message = nil
    if addsToCount(key) { return }
    let times = stack.count
    stack.count = nil
    let binding = Self.table.binding(for: key, in: screen, options.keymap)
    if Self.table[screen].isLeftByAnyKey, isLeft(by: binding) {
      back()
      return
    }
    guard let binding else {
      if case .character(let character) = key, type(String(character)) { return }
      return emit(.bell)
    }
    use(binding, key, times)
  }

  /// Runs a key's action, repeated by the count before it, or moves to the row with that number; says why if it cannot.
  mutating func use(_ binding: KeyBinding<Self>, _ key: Key, _ times: Int?) {
    if let step = findStep(binding) { return goToFound(step: step * min(times ?? 1, Self.mostTimes)) }
    if let reason = binding.disabledReason(self) { return refuse(reason) }
    switch (binding.counting, times) {
    case (.row, let number?):
      go(toRow: number - 1)
    case (.rows(let step), let times?):
      guard let scroller = scroller() else { return }
      let from = scroller.row ?? scroller.top
      go(toRow: from + step * min(times, scroller.count))
    case (.times, let times?):
      for _ in 0..<min(times, Self.mostTimes) {
        binding.act(&self, key)
        if !effects.isEmpty || message != nil { return }
      }
    case (.handedOn, let times?):
      binding.act(&self, key)
      stack.actions.times = times
    case (_, _?) where binding.duty == .confirmation:
      refuse("\(key.name) takes no number, so nothing happened. Press it without one.")
    default: binding.act(&self, key)
    }
  }

  /// The most times a count repeats an action. Each repetition may scan every row.
  private static var mostTimes: Int { 1000 }

  /// Whether a key closes a notice: every key except `suspend`, and the moving keys if it scrolls.
  private func isLeft(by binding: KeyBinding<Self>?) -> Bool {
    switch binding?.group {
    case .moving: page.lines.count <= PageLayout(size: size).rows.count
    case .leaving: binding?.duty != nil
    default: true
    }
  }

  mutating func type(_ text: String) -> Bool {
    guard let typing = stack.typing, typing.screen == screen else { return false }
    stack.typing?.line.insert(typing.accepted(text))
    lineHasChanged()
    return true
  }

  /// Types a whole line and ends it as enter does.
  private mutating func enter(_ text: String) {
    message = nil
    let screen = screen
    guard busy == nil, stack.typing?.screen == screen else { return emit(.bell) }
    edit { $0 = TypedLine() }
    guard text.isEmpty || type(text),
      let ended = Self.table.binding(for: .enter, in: screen, Keymap())
    else { return emit(.bell) }
    message = ended.disabledReason(self)
    if message == nil { ended.act(&self, .enter) } else { emit(.bell) }
  }

  mutating func edit(_ change: (inout TypedLine) -> Void) {
    guard var typing = stack.typing else { return }
    let old = typing.text
    change(&typing.line)
    stack.typing = typing
    if typing.text != old { lineHasChanged() }
  }

  mutating func stepLine(by distance: Int) {
    guard stack.typing?.step(by: distance) == true else { return emit(.bell) }
    lineHasChanged()
  }

  private mutating func lineHasChanged() {
    if screen == Self.table.palette {
      narrowActions(to: stack.typing?.text ?? "")
    } else if screen == Self.table.find {
      find(stack.typing?.text ?? "")
    } else {
      lineChanged()
    }
  }

  /// Adds a digit to the count in front of a key, as in `5j`, or drops the count on escape; false for any other key.
  /// Counts work only on screens that scroll and bind no digit.
  private mutating func addsToCount(_ key: Key) -> Bool {
    if stack.count != nil, key == .escape {
      stack.count = nil
      return true
    }
    guard case .character(let character) = key, let byte = character.asciiValue, (0x30...0x39).contains(byte),
      byte > 0x30 || stack.count != nil, Self.table.counting.contains(screen),
      Self.table.binding(for: key, in: screen, options.keymap) == nil
    else { return false }
    stack.count = min(9_999_999, (stack.count ?? 0) * 10 + Int(byte) - 0x30)
    return true
  }

  var countMessage: String? { stack.count.map { "\($0) … then a key: repeats it, or goes to that row. esc cancels." } }
}
