import CarryoverSystem
import CarryoverTerminal

/// The user's changes to keys, checked against the rules of ``KeyCatalogue``.
package struct Keymap: Hashable, Sendable {
  /// Another meaning of a key on a screen.
  struct Change: Hashable, Sendable {
    var key: Key
    /// The name of the binding; nil if the key does nothing.
    var name: String?
    /// Its line in the configuration file.
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

  /// The reason that a text names no key that can be bound.
  enum NameFailure: Error, Hashable, Sendable {
    /// Not the name of a key; with a name that may have been meant.
    case unknown(nearest: String?)
    /// Terminals send the same for it as for this key.
    case sameAs(String)
    /// What it always does.
    case reserved(String)
  }

  private static let functionKeys = 63

  /// Words are understood in either case.
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
