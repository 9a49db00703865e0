public import Terminal

/// A key, or several that do the same, in the review.
public typealias Binding = KeyBinding<Screen, Command, ReviewState>

/// What a key can be bound to a meaning in: the screens of one program.
public protocol ScreenPlace: Hashable, CaseIterable, Sendable where AllCases: Sendable {
  /// What the place is called in the help, and in the frame.
  var title: String { get }
}

/// One key, or several that do the same, in every place where they do it. Footer, help and the meaning of keys all come
/// from these records.
public struct KeyBinding<Place: ScreenPlace, Meaning: Hashable & Sendable, State>: Sendable {
  /// The keys, the one to be shown first.
  public let keys: [Key]
  /// The word after the key in the footer.
  public let label: String
  /// What it does, as a sentence, for the help.
  public let help: String
  /// Where it works.
  public let screens: Set<Place>
  /// How early it gets a place in the footer, from 1, and 0 for one that is
  /// always there; nil for one that only the help shows.
  public let hintRank: Int?
  /// Under which heading the help has it.
  public let group: BindingGroup
  /// What each of its keys means.
  public let command: @Sendable (Key) -> Meaning
  /// Why it can do nothing now; nil when it can.
  public let disabledReason: @Sendable (State) -> String?

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Place>, _ group: BindingGroup, hint: Int? = nil,
    command: @escaping @Sendable (Key) -> Meaning, unless disabledReason: @escaping @Sendable (State) -> String?
  ) {
    self.keys = keys
    self.label = label
    self.help = help
    self.screens = screens
    self.group = group
    hintRank = hint
    self.command = command
    self.disabledReason = disabledReason
  }

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Place>, _ group: BindingGroup, hint: Int? = nil,
    _ command: Meaning, unless disabledReason: @escaping @Sendable (State) -> String? = { _ in nil }
  ) {
    self.init(
      keys, label, help, in: screens, group, hint: hint, command: { _ in command }, unless: disabledReason)
  }

  /// The key as the footer shows it.
  public var keyLabel: String {
    guard let first = keys.first else { return "" }
    if keys.count > 2, case .character("1") = first, let last = keys.last { return "\(first.name)-\(last.name)" }
    return first.name
  }

  /// Every key, as the help shows them.
  public var allKeysLabel: String {
    keyLabel.contains("-") && keys.count > 2 ? keyLabel : keys.map(\.name).joined(separator: " ")
  }
}

/// The headings of the help, in order.
public enum BindingGroup: String, CaseIterable, Sendable {
  case moving = "Moving"
  case panes = "Panes"
  case opening = "Opening"
  case searching = "Searching"
  case deciding = "Deciding"
  case seeing = "Seeing more"
  case applying = "Applying"
  case takingBack = "Taking back"
  case typing = "Typing"
  case leaving = "Help and leaving"
}

extension Key {
  /// The key's name on screen: `space`, `ctrl-r`, `enter`, `G`.
  var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .enter: "enter"
    case .escape: "esc"
    case .tab: "tab"
    case .backTab: "shift-tab"
    case .backspace: "backspace"
    case .delete: "delete"
    case .insert: "insert"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .pageUp: "pgup"
    case .pageDown: "pgdn"
    case .home: "home"
    case .end: "end"
    case .function(let number): "f\(number)"
    case .control(let character): "ctrl-\(character)"
    }
  }
}
