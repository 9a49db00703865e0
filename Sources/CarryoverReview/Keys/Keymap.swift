import CarryoverSystem
import CarryoverTerminal

/// What the user has changed of the keys. Whoever makes one has checked it against the rules of ``KeyCatalogue``.
package struct Keymap: Hashable, Sendable {
  /// A key that has another meaning on a screen than the built-in one.
  struct Change: Hashable, Sendable {
    var key: Key
    /// The name of the binding; nil where the key does nothing.
    var name: String?
    /// The line of the configuration file that says so.
    var line: Int
  }

  /// By the names of the screens, in the order of the file. A key has one at most.
  private(set) var changes: [String: [Change]] = [:]

  /// The built-in keys.
  package init() {}

  /// Whether every key is as it is built in.
  package var isEmpty: Bool { changes.isEmpty }

  /// Gives a key a meaning on a screen, or takes it away.
  mutating func set(_ key: Key, _ name: String?, on screen: String, line: Int) {
    changes[screen, default: []].removeAll { $0.key == key }
    changes[screen, default: []].append(Change(key: key, name: name, line: line))
  }

  /// What a line says of a key on a screen; nil where none does.
  func change(of key: Key, on screen: String) -> Change? { changes[screen]?.first { $0.key == key } }

  /// The keys of a binding on a screen: the user's own, then those of the built-in ones that were left to it.
  func keys(of name: String, builtIn: [Key], on screen: String) -> [Key] {
    guard let changes = changes[screen] else { return builtIn }
    let own = changes.filter { $0.name == name }.map(\.key)
    return own + builtIn.filter { key in !changes.contains { $0.key == key } }
  }
}

extension Key {
  /// The key's name on screen: `space`, `ctrl-r`, `enter`, `G`.
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

  /// The name as the configuration file has it: in quotes where it would be something else without.
  var writtenName: String {
    switch name {
    case "#", "'": "\"\(name)\""
    case "\"": "'\"'"
    default: name
    }
  }

  /// The keys that have a word for a name. Those after the first of a key are understood and not shown.
  private static let named: [(name: String, key: Key)] = [
    ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab), ("backspace", .backspace),
    ("delete", .delete), ("insert", .insert), ("up", .up), ("down", .down), ("left", .left), ("right", .right),
    ("pgup", .pageUp), ("pgdn", .pageDown), ("home", .home), ("end", .end), ("space", .character(" ")),
    ("ctrl-space", .control(" ")), ("escape", .escape), ("return", .enter), ("pageup", .pageUp),
    ("pagedown", .pageDown),
  ]

  /// Why a text names no key that can be bound.
  enum NameFailure: Error, Hashable, Sendable {
    /// It is no key's name; a name that may have been meant.
    case unknown(nearest: String?)
    /// Terminals send the same for it as for another key.
    case sameAs(String)
    /// What it does is not the review's to decide, in words.
    case reserved(String)
  }

  /// The highest number of a function key.
  private static let functionKeys = 63

  /// The key of a name, in either case where it is a word.
  static func named(_ name: String) throws(NameFailure) -> Key {
    if name.unicodeScalars.count == 1, let character = name.first {
      guard !name.isEmpty, DisplayText.harmless(name) == name, character != " " else { throw .unknown(nearest: nil) }
      return .character(character)
    }
    let word = name.lowercased()
    if let known = named.first(where: { $0.name == word }) { return known.key }
    if word.first == "f", let number = Int(word.dropFirst()), (1...functionKeys).contains(number) {
      return .function(number)
    }
    if word.hasPrefix("ctrl-"), word.unicodeScalars.count == 6, let character = word.last {
      return try controlKey(character)
    }
    throw .unknown(nearest: Nearest.name(to: word, among: named.map(\.name) + ["ctrl-a", "f1"]))
  }

  private static func controlKey(_ character: Character) throws(NameFailure) -> Key {
    switch character {
    case "i": throw .sameAs("tab")
    case "j", "m": throw .sameAs("enter")
    case "h": throw .sameAs("backspace")
    case "[": throw .sameAs("esc")
    case "@": throw .sameAs("ctrl-space")
    case "c", "\\": throw .reserved("ends the program")
    case "z": throw .reserved("stops the program until the shell continues it")
    case "a"..."y", "]", "^", "_": return .control(character)
    default: throw .unknown(nearest: nil)
    }
  }
}
