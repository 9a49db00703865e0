package import CarryoverTerminal

/// A key binding: its keys, its words, the screens where it works, and its action. Footer, help, configuration and key
/// dispatch all read these records.
///
/// It never changes. An object, because one is looked up for every key that is pressed, and is too large to be copied.
package final class KeyBinding<State: Program>: Sendable {
  /// The keys, the one to be shown first.
  package let keys: [Key]
  /// What the configuration file calls it: no two of one screen have the same.
  package let name: String
  /// The word after the key in the footer.
  package let label: String
  /// What it does, as a sentence, for the help.
  package let help: String
  /// Where it works.
  package let screens: Set<Screen>
  /// Its priority in the footer: 0 comes first. When room runs out, hints with higher numbers are dropped. With nil,
  /// only the help shows it.
  package let hintRank: Int?
  /// Under which heading the help has it.
  package let group: BindingGroup
  /// The key as the footer shows it.
  package let keyLabel: String
  let duty: KeyDuty?
  /// The screens that it can lead to.
  let opens: [Screen]
  /// What a number in front of it means.
  let counting: Counting
  /// Whether each key means something different: each digit picks another value.
  let isFamily: Bool
  private let footer: Footer
  private let reason: (@Sendable (State) -> String?)?
  private let action: @Sendable (inout State, Key) -> [State.Effect]

  /// What a number in front of a key means.
  enum Counting: Sendable {
    /// Nothing.
    case nothing
    /// How many times to run the action.
    case times
    /// How many times to move; each time by this many rows, negative for up.
    case rows(Int)
    /// The row of that number.
    case row
    /// How many times to run the action that is chosen next.
    case handedOn
  }

  /// What the footer says of it where that depends on the state.
  struct Footer: Sendable {
    /// The rank, by the state; nil keeps it out.
    var rank: (@Sendable (State) -> Int?)?
    /// The word after the key.
    var label: (@Sendable (State) -> String)?
  }

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, duty: KeyDuty? = nil, opens: [Screen] = [], counting: Counting = .nothing,
    footer: Footer = Footer(), isFamily: Bool = true, unless reason: (@Sendable (State) -> String?)? = nil,
    byKey action: @escaping @Sendable (inout State, Key) -> [State.Effect]
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
    self.isFamily = isFamily && keys.count > 1
    hintRank = hint
    keyLabel = Self.keyLabel(keys)
  }

  convenience init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, duty: KeyDuty? = nil, opens: [Screen] = [], counting: Counting = .nothing,
    footer: Footer = Footer(), unless reason: (@Sendable (State) -> String?)? = nil,
    _ action: @escaping @Sendable (inout State) -> [State.Effect]
  ) {
    self.init(
      keys, label, help, in: screens, group, hint: hint, name: name, duty: duty, opens: opens, counting: counting,
      footer: footer, isFamily: false, unless: reason, byKey: { state, _ in action(&state) })
  }

  /// One that opens a screen.
  convenience init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, opens screen: Screen, unless reason: (@Sendable (State) -> String?)? = nil
  ) {
    self.init(
      keys, label, help, in: screens, group, hint: hint, name: name, opens: [screen], unless: reason
    ) {
      $0.open(screen)
      return []
    }
  }

  /// The same with other keys, in other places.
  func with(keys: [Key]? = nil, screens: Set<Screen>? = nil) -> KeyBinding {
    KeyBinding(
      keys ?? self.keys, label, help, in: screens ?? self.screens, group, hint: hintRank, name: name, duty: duty,
      opens: opens, counting: counting, footer: footer, isFamily: isFamily, unless: reason, byKey: action)
  }

  /// Why it can do nothing now; nil when it can.
  package func disabledReason(_ state: State) -> String? { reason?(state) }

  /// Does what the key means.
  func act(_ state: inout State, _ key: Key) -> [State.Effect] { action(&state, key) }

  /// How early it gets a place in the footer now.
  func rank(_ state: State) -> Int? { footer.rank.map { $0(state) } ?? hintRank }

  /// The word after the key, said more closely where that depends on what is on.
  func label(_ state: State) -> String { footer.label.map { $0(state) } ?? label }

  /// The words of a label, joined: `keep target's` is `keep-targets`.
  private static func name(from label: String) -> String {
    label.lowercased().filter { $0 != "'" && $0 != "’" }
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }

  private static func keyLabel(_ keys: [Key]) -> String {
    guard let first = keys.first else { return "" }
    if keys.count > 2, case .character("1") = first, let last = keys.last { return "\(first.name)-\(last.name)" }
    return first.name
  }

  /// Every key, as the help shows them.
  package var allKeysLabel: String {
    keyLabel.contains("-") && keys.count > 2 ? keyLabel : keys.map(\.name).joined(separator: " ")
  }

  /// The key that a click on its hint stands for; nil where it names several.
  var clicked: Key? { keys.count > 2 && keyLabel.contains("-") ? nil : keys.first }
}

/// What must not be lost with a key, or not be too easy to press.
package enum KeyDuty: Hashable, Sendable {
  /// It leads out of the screen.
  case wayOut
  /// It shows every key.
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

/// The bindings that are the same in every program.
extension KeyBinding {
  /// Moving among rows, or lines of text.
  static func moving(in screens: Set<Screen>) -> [KeyBinding] {
    func move(
      _ keys: [Key], _ label: String, _ help: String, _ move: Move, _ counting: Counting = .times
    ) -> KeyBinding {
      KeyBinding(keys, label, help, in: screens, .moving, counting: counting) { $0.move(move) }
    }
    return [
      move([.up, .character("k")], "up", "Go up by a row.", .up, .rows(-1)),
      move([.down, .character("j")], "down", "Go down by a row.", .down, .rows(1)),
      move([.pageUp, .control("b")], "page up", "Go up by a page.", .pageUp),
      move([.pageDown, .control("f")], "page down", "Go down by a page.", .pageDown),
      move([.home, .character("g")], "first", "Go to the first row.", .first, .row),
      move([.end, .character("G")], "last", "Go to the last row.", .last, .row),
    ]
  }

  /// Changing a line that is being typed.
  static func typing(in screens: Set<Screen>) -> [KeyBinding] {
    [
      typed([.control("u")], "clear", "Clear the line.", in: screens, label: "clear", hint: 1) { $0 = TypedLine() },
      typed(
        [.control("k")], "clear-to-end", "Delete to the end of the line.", in: screens, label: "clear to end", hint: 3
      ) { $0.delete(.end) },
      typed(
        [.control("w")], "delete-word", "Delete the word before the cursor.", in: screens, label: "delete word",
        hint: 3
      ) { $0.delete(.wordLeft) },
      typed([.backspace], "delete-before", "Delete the character before the cursor.", in: screens) {
        $0.delete(.left)
      },
      typed([.delete, .control("d")], "delete-after", "Delete the character after the cursor.", in: screens) {
        $0.delete(.right)
      },
      typed([.left], "left", "Go left by a character.", in: screens) { $0.move(.left) },
      typed([.right], "right", "Go right by a character.", in: screens) { $0.move(.right) },
      typed([.home, .control("a")], "start", "Go to the start of the line.", in: screens) { $0.move(.start) },
      typed([.end, .control("e")], "end", "Go to the end of the line.", in: screens) { $0.move(.end) },
    ]
  }

  private static func typed(
    _ keys: [Key], _ name: String, _ help: String, in screens: Set<Screen>, label: String = "", hint: Int? = nil,
    _ change: @escaping @Sendable (inout TypedLine) -> Void
  ) -> KeyBinding {
    KeyBinding(keys, label, help, in: screens, .typing, hint: hint, name: name) {
      $0.edit(change)
      return []
    }
  }

  /// Leaving a screen; with escape, out of a search first.
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
      return []
    }
  }

  /// Opening the help.
  static func help(in screens: Set<Screen>, _ help: Screen) -> KeyBinding {
    KeyBinding(
      [.character("?")], "help", "List every action of the screen, and run one.", in: screens, .leaving, hint: 0,
      duty: .help, opens: [help]
    ) {
      $0.open(help)
      return []
    }
  }

  /// Stopping the program.
  static func suspend(in screens: Set<Screen>) -> KeyBinding {
    KeyBinding(
      [.control("z")], "suspend", "Suspend Carryover until the shell continues it.", in: screens, .leaving
    ) { _ in [.suspend] }
  }
}
