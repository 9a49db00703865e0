import PropertyLists

/// Legacy keys that are not migrated by design, or a file.
package struct LeftBehind: Hashable, Sendable {
  /// The key; with a `*` at its end, all keys that begin with the text before it. For a file, its path as the recipe
  /// writes it.
  package var key: String
  /// The reason, as a sentence.
  package var reason: String
  /// Whether its value is a secret that no output may show.
  package var secret: Bool
  /// The event at the time in the value; nil if the value is not a time.
  package var moment: String?
  /// The file, relative to the app's data container; nil for keys.
  package var file: NameTemplate?

  /// Keys from their parts.
  package init(_ key: String, because reason: String, secret: Bool = false, moment: String? = nil) {
    self.key = key
    self.reason = reason
    self.secret = secret
    self.moment = moment
  }

  /// A file from its parts.
  /// - Parameter path: its path as the recipe writes it.
  package init(_ path: String, file: NameTemplate, because reason: String) {
    self.init(path, because: reason)
    self.file = file
  }

  /// Whether it is a key of a container, in which a `*` is only a character.
  private(set) var isLiteral = false

  /// A single key of a container.
  init(literal key: String, because reason: String) {
    self.init(key, because: reason)
    isLiteral = true
  }

  /// The beginning of the keys; nil for a single key or a file.
  package var prefix: String? { file == nil && !isLiteral && key.hasSuffix("*") ? String(key.dropLast()) : nil }

  /// Whether it is a single key.
  var isKey: Bool { file == nil && prefix == nil }

  /// Whether a plan lists a key or a file of this name because of it.
  package func matches(_ name: String) -> Bool {
    if let file { return file.matches(name) }
    return prefix.map(name.beginsWithBytes) ?? name.hasSameBytes(as: key)
  }
}

/// Rules for what is not migrated, by key: an expanded recipe may have one for each key of a container.
package struct LeftBehindIndex {
  private let rules: [LeftBehind]
  private let keys: [StringByBytes: Int]
  /// The places of the rules for several keys and for files, of which a recipe has few.
  private let patterns: [Int]

  package init(_ rules: [LeftBehind]) {
    self.rules = rules
    keys = Dictionary(firstOf: rules.enumerated().filter(\.element.isKey).map { ($0.element.key, $0.offset) })
    patterns = rules.indices.filter { !rules[$0].isKey }
  }

  /// The first rule because of which a plan lists a key or a file of this name; nil if there is none.
  package func first(for name: String) -> LeftBehind? {
    [keys[name], patterns.first { rules[$0].matches(name) }].compactMap(\.self).min().map { rules[$0] }
  }
}
