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
