import CarryoverPages
package import CarryoverTerminal

/// A key binding: footer, help, configuration and key dispatch all read these records.
package struct KeyBinding<State: Program>: Sendable {
  typealias Reason = @Sendable (State) -> String?

  /// The keys, the one to be shown first.
  package private(set) var keys: [Key]
  /// The name in the configuration file, unique within a screen.
  package let name: String
  package let label: String
  package let help: String
  package private(set) var screens: Set<Screen>
  /// Its priority in the footer: 0 comes first, higher numbers are dropped first. With nil, only the help shows it.
  package let hintRank: Int?
  package let group: BindingGroup
  let duty: KeyDuty?
  let opens: [Screen]
  let counting: Counting
  private let isByKey: Bool
  private let footer: Footer
  private let reason: Reason?
  private let action: @Sendable (inout State, Key) -> Void

  /// What a number in front of a key means.
  enum Counting: Sendable {
    case nothing
    /// How many times to run the action.
    case times
    /// How many times to move; each time by this many rows, negative for up.
    case rows(Int)
    case row
    /// How many times to run the action that is chosen next.
    case handedOn
  }

  /// The rank and the label in the footer where they depend on the state. A rank of nil keeps the key out.
  struct Footer: Sendable {
    var rank: (@Sendable (State) -> Int?)?
    var label: (@Sendable (State) -> String)?
  }

  /// - Parameter isFamily: Whether each key means something different: each digit picks another value.
  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, duty: KeyDuty? = nil, opens: [Screen] = [], counting: Counting = .nothing,
    footer: Footer = Footer(), isFamily: Bool = true, unless reason: Reason? = nil,
    byKey action: @escaping @Sendable (inout State, Key) -> Void
  ) {
    self.keys = keys
    self.name = name ?? Self.name(from: label)
    self.label = label
    self.help = help
    self.screens = screens
    self.group = group
    self.duty = duty
    self.opens = opens
    self.counting = counting
    self.footer = footer
    self.reason = reason
    self.action = action
    isByKey = isFamily
    hintRank = hint
  }

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, duty: KeyDuty? = nil, opens: [Screen] = [], counting: Counting = .nothing,
    footer: Footer = Footer(), unless reason: Reason? = nil,
    _ action: @escaping @Sendable (inout State) -> Void
  ) {
    self.init(
      keys, label, help, in: screens, group, hint: hint, name: name, duty: duty, opens: opens, counting: counting,
      footer: footer, isFamily: false, unless: reason, byKey: { state, _ in action(&state) })
  }

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: BindingGroup, hint: Int? = nil,
    opens screen: Screen, unless reason: Reason? = nil
  ) {
    self.init(keys, label, help, in: screens, group, hint: hint, opens: [screen], unless: reason) {
      $0.open(screen)
    }
  }

  func with(keys: [Key]? = nil, screens: Set<Screen>? = nil) -> KeyBinding {
    var copy = self
    copy.keys = keys ?? self.keys
    copy.screens = screens ?? self.screens
    return copy
  }

  /// Whether each key means something different.
  var isFamily: Bool { isByKey && keys.count > 1 }

  package func disabledReason(_ state: State) -> String? { reason?(state) }
  func act(_ state: inout State, _ key: Key) { action(&state, key) }
  func rank(_ state: State) -> Int? { footer.rank.map { $0(state) } ?? hintRank }
  func label(_ state: State) -> String { footer.label.map { $0(state) } ?? label }

  /// The words of a label, joined: `keep target's` is `keep-targets`.
  private static func name(from label: String) -> String {
    label.lowercased().filter { $0 != "'" && $0 != "’" }
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }

  /// The digits from 1 on, or letters in their place, are shown as `1-9`.
  private var isSpan: Bool { keys.count > 2 && keys.first == .character("1") }
  package var keyLabel: String { isSpan ? "\(keys[0].name)-\(keys[keys.count - 1].name)" : keys.first?.name ?? "" }
  package var allKeysLabel: String { isSpan ? keyLabel : keys.map(\.name).joined(separator: " ") }

  /// The key that a click on its hint presses; nil where it names several.
  var clicked: Key? { isSpan ? nil : keys.first }

  static func moving(in screens: Set<Screen>) -> [KeyBinding] {
    func move(
      _ keys: [Key], _ name: String, _ help: String, _ move: Move, _ counting: Counting = .times
    ) -> KeyBinding {
      KeyBinding(keys, name, help, in: screens, .moving, counting: counting) { $0.move(move) }
    }
    return [
      move([.up, .character("k")], "up", "Go up one row.", .up, .rows(-1)),
      move([.down, .character("j")], "down", "Go down one row.", .down, .rows(1)),
      move([.pageUp, .control("b")], "page up", "Go up one page.", .pageUp),
      move([.pageDown, .control("f")], "page down", "Go down one page.", .pageDown),
      move([.home, .character("g")], "first", "Go to the first row.", .first, .row),
      move([.end, .character("G")], "last", "Go to the last row.", .last, .row),
    ]
  }

  static func typing(in screens: Set<Screen>) -> [KeyBinding] {
    [
      typed([.control("u")], "clear", "Clear the line.", in: screens, label: "clear", hint: 1) { $0 = TypedLine() },
      typed(
        [.control("k")], "clear-to-end", "Delete to the end of the line.", in: screens, label: "clear to end", hint: 3
      ) { $0.delete(.end) },
      typed(
        [.control("w")], "delete-word", "Delete the word before the cursor.", in: screens, label: "delete word", hint: 3
      ) { $0.delete(.wordLeft) },
      typed([.backspace], "delete-before", "Delete the character before the cursor.", in: screens) { $0.delete(.left) },
      typed([.delete, .control("d")], "delete-after", "Delete the character after the cursor.", in: screens) {
        $0.delete(.right)
      },
      typed([.left], "left", "Go left one character.", in: screens) { $0.move(.left) },
      typed([.right], "right", "Go right one character.", in: screens) { $0.move(.right) },
      typed([.home, .control("a")], "start", "Go to the start of the line.", in: screens) { $0.move(.start) },
      typed([.end, .control("e")], "end", "Go to the end of the line.", in: screens) { $0.move(.end) },
    ]
  }

  private static func typed(
    _ keys: [Key], _ name: String, _ help: String, in screens: Set<Screen>, label: String = "", hint: Int? = nil,
    _ change: @escaping @Sendable (inout TypedLine) -> Void
  ) -> KeyBinding { KeyBinding(keys, label, help, in: screens, .typing, hint: hint, name: name) { $0.edit(change) } }

  /// Leaves a screen; escape ends a search first.
  static func back(_ content: ScreenContent<State>) -> KeyBinding? {
    guard let back = content.back else { return nil }
    return KeyBinding(
      back.keys, back.label, back.help, in: [content.screen], .leaving, hint: 0, duty: .wayOut, isFamily: false
    ) { state, key in
      if state.find != nil, key == .escape {
        state.endFind()
      } else {
        state.back()
      }
    }
  }

  /// Leaves a line without using what was typed.
  static func cancel(in screens: Set<Screen>, _ help: String = "Discard what you typed.") -> KeyBinding {
    KeyBinding([.escape], "cancel", help, in: screens, .typing, hint: 1, duty: .wayOut) { $0.stack.typing = nil }
  }

  static func help(in screens: Set<Screen>, _ help: Screen) -> KeyBinding {
    KeyBinding(
      [.character("?")], "help", "List every action of the screen, and run one.", in: screens, .leaving, hint: 0,
      duty: .help, opens: [help]
    ) { $0.open(help) }
  }

  static func suspend(in screens: Set<Screen>) -> KeyBinding {
    KeyBinding(
      [.control("z")], "suspend", "Suspend Carryover until the shell continues it.", in: screens, .leaving
    ) { $0.emit(.suspend) }
  }
}

/// The special role of a key, which limits how it can be configured.
package enum KeyDuty: Hashable, Sendable {
  case wayOut
  case help
  /// It writes files or loses decisions, at once.
  case confirmation
}

/// The tasks under which the help lists keys, in order.
package enum BindingGroup: String, CaseIterable, Sendable {
  case deciding = "Decide"
  case applying = "Apply and roll back"
  case seeing = "Look"
  case searching = "Search and filter"
  case typing = "Type"
  case leaving = "Session"
  case moving = "Move"
  case panes = "Layout"
}

/// A program's screens and keys, with those that every program has: moving, typing, help, leaving.
package final class ScreenTable<State: Program>: Sendable {
  package typealias Entry = KeyBinding<State>

  let home: Screen
  let help: Screen
  let palette: Screen
  let save: Screen
  let replace: Screen
  let find: Screen
  let tooSmall: Screen
  let screens: [Screen]
  /// Every binding with its built-in keys, in the order of footer and help.
  package let all: [Entry]
  /// The screens on which a number before a key is a count: lists and texts where digits have no other meaning.
  let counting: Set<Screen>

  private let contents: [Screen: ScreenContent<State>]

  /// - Parameters:
  ///   - prefix: Begins the names of the shared screens.
  ///   - marks: Writes the meanings of the signs into the help.
  ///   - keys: Come before those of the screens. Of several bindings of a key on a screen, the first counts.
  ///   - leaving: Come last in the footer. The one with hint 0 also leaves a window that is too small.
  init(
    prefix: String = "", _ own: ScreenContent<State>, _ others: [ScreenContent<State>],
    marks: @escaping @Sendable (inout PageWriter, State) -> Void, keys: [Entry], leaving: [Entry]
  ) {
    let (home, screens) = (own.screen, [own] + others)
    let help = Screen(prefix + "help", "Help")
    let palette = Screen(prefix + "palette", "Action")
    let find = Screen(prefix + "find", "Find")
    let tooSmall = Screen(prefix + "too-small", "Too small")
    let (save, replace) = (Screen(prefix + "save", "Save as"), Screen(prefix + "replace", "Replace a file"))
    (self.home, self.help, self.palette, self.find) = (home, help, palette, find)
    (self.tooSmall, self.save, self.replace) = (tooSmall, save, replace)
    let contents =
      screens + [
        .help(help, marks), .palette(palette), .find(find), .line(save, prompt: "Save as: "), .replace(replace),
        ScreenContent(tooSmall, .text).with { $0.isRead = true },
      ]
    self.contents = Dictionary(contents.map { ($0.screen, $0) }, uniquingKeysWith: { first, _ in first })
    self.screens = contents.map(\.screen)
    let moved = Set(contents.filter(\.isMovedIn).map(\.screen))
    let lines = Set(contents.filter(\.isTyped).map(\.screen))
    let texts = contents.filter { $0.whole != nil && !$0.isLeftByAnyKey && $0.screen != replace }.map(\.screen)
    let numbered = moved.subtracting(contents.filter(\.isLeftByAnyKey).map(\.screen))
    let own = keys + screens.flatMap(\.keys)
    func without(_ key: Key, _ screens: Set<Screen>) -> Set<Screen> {
      own.filter { $0.keys.contains(key) }.reduce(into: screens) { $0.subtract($1.screens) }
    }
    let found = without(
      .character("/"), numbered.subtracting(contents.filter(\.isMenu).map(\.screen)).subtracting([help]))
    all =
      own + Entry.moving(in: moved) + Entry.actions(in: numbered, help, palette)
      + Entry.finding(in: found, next: without(.character("n"), found), previous: without(.character("N"), found), find)
      + Entry.errands(in: Set(texts), save, replace) + Entry.typing(in: lines) + contents.compactMap(Entry.back) + [
        Entry.help(in: moved.intersection(contents.filter(\.hasHelp).map(\.screen)).subtracting([help]), help)
      ] + leaving.map { $0.hintRank == 0 ? $0.with(screens: $0.screens.union([tooSmall])) : $0 } + [
        Entry.suspend(in: Set(contents.map(\.screen)))
      ]
    let digits = Set("123456789".map { Key.character($0) })
    counting = all.reduce(into: numbered) { if !digits.isDisjoint(with: $1.keys) { $0.subtract($1.screens) } }
  }

  package var asking: Set<Screen> { Set(all.filter { $0.duty == .confirmation }.flatMap(\.screens)) }

  subscript(_ screen: Screen) -> ScreenContent<State> { contents[screen] ?? ScreenContent(screen, .text) }

  package func binding(for key: Key, in screen: Screen, _ keymap: Keymap) -> Entry? {
    guard !keymap.isEmpty, let change = keymap.change(of: key, on: screen.name) else {
      return all.first { $0.screens.contains(screen) && $0.keys.contains(key) }
    }
    return change.name.flatMap { binding(named: $0, in: screen) }
  }

  /// The bindings of a screen, in order, with their present keys; without those that have none left.
  package func bindings(in screen: Screen, _ keymap: Keymap) -> [Entry] {
    let bindings = actions(in: screen, keymap)
    return keymap.changes[screen.name] == nil ? bindings : bindings.filter { !$0.keys.isEmpty }
  }

  /// Also those that have no key left.
  func actions(in screen: Screen, _ keymap: Keymap) -> [Entry] {
    let bindings = all.filter { $0.screens.contains(screen) }
    guard keymap.changes[screen.name] != nil else { return bindings }
    return bindings.map { $0.with(keys: keymap.keys(of: $0.name, builtIn: $0.keys, on: screen.name)) }
  }

  func binding(named name: String, in screen: Screen) -> Entry? {
    all.first { $0.name == name && $0.screens.contains(screen) }
  }

  /// All bindings as the help lists them: a binding with different keys on different screens is listed for each.
  func shown(_ keymap: Keymap) -> [Entry] {
    guard !keymap.isEmpty else { return all }
    return all.flatMap { binding in
      var shown: [Entry] = []
      for screen in screens where binding.screens.contains(screen) {
        let keys = keymap.keys(of: binding.name, builtIn: binding.keys, on: screen.name)
        if let index = shown.firstIndex(where: { $0.keys == keys }) {
          shown[index] = shown[index].with(screens: shown[index].screens.union([screen]))
        } else if !keys.isEmpty {
          shown.append(binding.with(keys: keys, screens: [screen]))
        }
      }
      return shown
    }
  }
}
