public import Terminal

/// One key, or several that do the same, in every place where they do it. Footer, help and the meaning of keys all come
/// from these records.
public struct Binding: Sendable {
  /// The keys, the one to be shown first.
  public let keys: [Key]
  /// The word after the key in the footer.
  public let label: String
  /// What it does, as a sentence, for the help.
  public let help: String
  /// Where it works.
  public let screens: Set<Screen>
  /// How early it gets a place in the footer, from 1; nil for one that only the help shows.
  public let hintRank: Int?
  /// Under which heading the help has it.
  public let group: Group
  /// What each of its keys means.
  public let command: @Sendable (Key) -> Command
  /// Why it can do nothing now; nil when it can.
  public let disabledReason: @Sendable (ReviewState) -> String?

  /// The headings of the help, in order.
  public enum Group: String, CaseIterable, Sendable {
    case moving = "Moving"
    case deciding = "Deciding"
    case seeing = "Seeing more"
    case applying = "Applying"
    case takingBack = "Taking back"
    case typing = "Typing a value"
    case leaving = "Help and leaving"
  }

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: Group, hint: Int? = nil,
    command: @escaping @Sendable (Key) -> Command, unless disabledReason: @escaping @Sendable (ReviewState) -> String?
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
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Screen>, _ group: Group, hint: Int? = nil,
    _ command: Command, unless disabledReason: @escaping @Sendable (ReviewState) -> String? = { _ in nil }
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
