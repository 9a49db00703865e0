package import CarryoverTerminal

/// A key, or several that do the same, in the review.
package typealias Binding = KeyBinding<Screen, Command, ReviewState>

/// What a key can be bound to a meaning in: the screens of one program.
package protocol ScreenPlace: Hashable, CaseIterable, Sendable where AllCases: Sendable {
  /// What the place is called in the help, and in the frame.
  var title: String { get }
  /// What it is called in the configuration file.
  var name: String { get }
}

/// One key, or several that do the same, in every place where they do it. Footer, help and the meaning of keys all come
/// from these records.
///
/// It never changes. An object, because one is looked up for every key that is pressed, and is too large to be copied.
package final class KeyBinding<Place: ScreenPlace, Meaning: Hashable & Sendable, State>: Sendable {
  /// The keys, the one to be shown first.
  package let keys: [Key]
  /// What the configuration file calls it: no two of one screen have the same.
  package let name: String
  /// The word after the key in the footer.
  package let label: String
  /// What it does, as a sentence, for the help.
  package let help: String
  /// Where it works.
  package let screens: Set<Place>
  /// How early it gets a place in the footer, from 1, and 0 for one that is
  /// always there; nil for one that only the help shows.
  package let hintRank: Int?
  /// Under which heading the help has it.
  package let group: BindingGroup
  /// What each of its keys means.
  package let command: @Sendable (Key) -> Meaning
  /// What says why it can do nothing now; nil where it always can.
  private let reason: (@Sendable (State) -> String?)?
  /// The key as the footer shows it.
  package let keyLabel: String
  /// What its first key means.
  let meaning: Meaning
  /// The hint in the footer, where nothing more than the binding decides on it.
  let hint: Footer.Hint

  init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Place>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, command: @escaping @Sendable (Key) -> Meaning,
    unless reason: (@Sendable (State) -> String?)? = nil
  ) {
    self.keys = keys
    self.name = name ?? Self.name(from: label)
    self.label = label
    self.help = help
    self.screens = screens
    self.group = group
    hintRank = hint
    self.command = command
    self.reason = reason
    keyLabel = Self.keyLabel(keys)
    meaning = command(keys.first ?? .enter)
    self.hint = Self.hint(keys, keyLabel, label)
  }

  convenience init(
    _ keys: [Key], _ label: String, _ help: String, in screens: Set<Place>, _ group: BindingGroup, hint: Int? = nil,
    name: String? = nil, _ command: Meaning, unless reason: (@Sendable (State) -> String?)? = nil
  ) {
    self.init(
      keys, label, help, in: screens, group, hint: hint, name: name, command: { _ in command }, unless: reason)
  }

  /// The same with other keys, in other places.
  func with(keys: [Key]? = nil, screens: Set<Place>? = nil) -> KeyBinding {
    KeyBinding(
      keys ?? self.keys, label, help, in: screens ?? self.screens, group, hint: hintRank, name: name, command: command,
      unless: reason)
  }

  /// Why it can do nothing now; nil when it can.
  package func disabledReason(_ state: State) -> String? { reason?(state) }

  /// The words of a label, joined: `keep target's` is `keep-targets`.
  private static func name(from label: String) -> String {
    label.lowercased().filter { $0 != "'" && $0 != "’" }
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }

  /// Whether each of its keys means something else, as the digits do that take the value of that number.
  var isFamily: Bool { Set(keys.map(command)).count > 1 }

  private static func keyLabel(_ keys: [Key]) -> String {
    guard let first = keys.first else { return "" }
    if keys.count > 2, case .character("1") = first, let last = keys.last { return "\(first.name)-\(last.name)" }
    return first.name
  }

  private static func hint(_ keys: [Key], _ keyLabel: String, _ label: String) -> Footer.Hint {
    let press = keys.count > 2 && keyLabel.contains("-") ? nil : keys.first
    return Footer.Hint(key: keyLabel, label: label, isEnabled: true, press: press)
  }

  /// Every key, as the help shows them.
  package var allKeysLabel: String {
    keyLabel.contains("-") && keys.count > 2 ? keyLabel : keys.map(\.name).joined(separator: " ")
  }
}

/// The headings of the help, in order.
package enum BindingGroup: String, CaseIterable, Sendable {
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

extension ScreenPlace {
  /// The name of the case, its words joined by hyphens: `tooSmall` is `too-small`.
  package var name: String { caseName }

  var caseName: String {
    String(describing: self).reduce(into: "") { name, character in
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}

extension BrowserScreen {
  /// The outline is `stores`, what belongs to it begins with that.
  package var name: String { self == .outline ? "stores" : "stores-" + caseName }
}

extension PickerScreen {
  /// The list is `containers`, what belongs to it begins with that.
  package var name: String { self == .list ? "containers" : "containers-" + caseName }
}
