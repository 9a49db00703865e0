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
