import CarryoverSystem
import CarryoverTerminal

package struct Keymap: Hashable, Sendable {
  /// Another meaning of a key on a screen.
  struct Change: Hashable, Sendable {
    var key: Key
    /// The name of the binding; nil if the key does nothing.
    var name: String?
    var line: Int
  }

  /// By the names of the screens, in the order of the file. A key has one change at most.
  private(set) var changes: [String: [Change]] = [:]

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }

  mutating func set(_ key: Key, _ name: String?, on screen: String, line: Int) {
    changes[screen, default: []].removeAll { $0.key == key }
    changes[screen, default: []].append(Change(key: key, name: name, line: line))
  }

  func change(of key: Key, on screen: String) -> Change? { changes[screen]?.first { $0.key == key } }

  /// The keys of a binding on a screen: the user's, then the built-in ones that were not changed.
  func keys(of name: String, builtIn: [Key], on screen: String) -> [Key] {
    guard let changes = changes[screen] else { return builtIn }
    let own = changes.filter { $0.name == name }.map(\.key)
    return own + builtIn.filter { key in !changes.contains { $0.key == key } }
  }
}

extension Key {
  /// `space`, `ctrl-r`, `enter`, `G`.
  var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .function(let number): "f\(number)"
    case .control(" "): "ctrl-space"
    case .control(let character): "ctrl-\(character)"
    default: Self.named.first { $0.key == self }?.name ?? ""
    }
  }

  /// The name in the configuration file: quoted if it would be something else without.
  var writtenName: String {
    switch name {
    case "#", "'": "\"\(name)\""
    case "\"": "'\"'"
    default: name
    }
  }

  /// The keys whose names are words. Second names of a key are understood and not shown.
  private static let named: [(name: String, key: Key)] = [
    ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab), ("backspace", .backspace),
    ("delete", .delete), ("insert", .insert), ("up", .up), ("down", .down), ("left", .left), ("right", .right),
    ("pgup", .pageUp), ("pgdn", .pageDown), ("home", .home), ("end", .end), ("space", .character(" ")),
    ("ctrl-space", .control(" ")), ("escape", .escape), ("return", .enter), ("pageup", .pageUp),
    ("pagedown", .pageDown),
  ]

  private static let functionKeys = 63

  static func named(_ name: String) throws(Refusal) -> Key {
    if name.unicodeScalars.count == 1, let character = name.first {
      guard DisplayText.harmless(name) == name, character != " " else { throw .noKey(name, nearest: nil) }
      return .character(character)
    }
    let word = name.lowercased()
    if let known = named.first(where: { $0.name == word }) { return known.key }
    if word.first == "f", let number = Int(word.dropFirst()), (1...functionKeys).contains(number) {
      return .function(number)
    }
    if word.hasPrefix("ctrl-"), word.unicodeScalars.count == 6, let character = word.last {
      return try controlKey(character, name)
    }
    throw .noKey(name, nearest: Nearest.name(to: word, among: named.map(\.name) + ["ctrl-a", "f1"]))
  }

  private static func controlKey(_ character: Character, _ name: String) throws(Refusal) -> Key {
    switch character {
    case "i": throw .sameKey(name, as: "tab")
    case "j", "m": throw .sameKey(name, as: "enter")
    case "h": throw .sameKey(name, as: "backspace")
    case "[": throw .sameKey(name, as: "esc")
    case "@": throw .sameKey(name, as: "ctrl-space")
    case "c", "\\": throw .reservedKey(name, "ends the program")
    case "z": throw .reservedKey(name, "stops the program until the shell continues it")
    case "a"..."y", "]", "^", "_": return .control(character)
    default: throw .noKey(name, nearest: nil)
    }
  }
}

/// The reason for a refusal, in whole sentences; without hidden characters if it is about a line of the configuration
/// file.
struct Refusal: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }

  static func unknown(_ word: String, _ what: String, among names: [String]) -> Self {
    Self("\(quoted(word)) is not \(what).\(hint(word, names)) Choose one of \(names.joined(separator: ", ")).")
  }

  static func repeated(_ what: String, line: Int) -> Self {
    Self("\(what) is already given on line \(line); remove one of the two lines.")
  }

  fileprivate static func noKey(_ word: String, nearest: String?) -> Self {
    Self(
      "\(quoted(word)) is not a key.\(nearest.map { " Did you mean \($0)?" } ?? "") A key is a character, enter, esc, "
        + "space, tab, shift-tab, backspace, delete, insert, an arrow (up, down, left, right), pgup, pgdn, home, end, "
        + "f1 to f63, or ctrl- with a letter, space, ], ^ or _.")
  }

  fileprivate static func sameKey(_ word: String, as other: String) -> Self {
    Self("Terminals cannot tell \(quoted(word)) from \(other); write \(other).")
  }

  fileprivate static func reservedKey(_ word: String, _ what: String) -> Self {
    Self("\(quoted(word)) always \(what); use another key.")
  }

  static func hint(_ word: String, _ names: [String]) -> String {
    Nearest.name(to: word, among: names).map { " Did you mean \($0)?" } ?? ""
  }

  static func quoted(_ word: String) -> String { "“\(DisplayText.visible(word, limit: 40))”" }
}
