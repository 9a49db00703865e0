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

  /// The beginning of the keys; nil for a single key or a file.
  package var prefix: String? { file == nil && key.hasSuffix("*") ? String(key.dropLast()) : nil }

  /// Whether it is a single key.
  var isKey: Bool { file == nil && prefix == nil }

  /// Whether a plan lists a key or a file of this name because of it.
  package func matches(_ name: String) -> Bool {
    if let file { return file.matches(name) }
    return prefix.map(name.beginsWithBytes) ?? name.hasSameBytes(as: key)
  }
}
