/// A key of one file of a container.
package struct KeyPlace: Hashable, Sendable {
  /// The file, relative to the container's root.
  package var file: String
  /// The key.
  package var key: String

  /// A place from its parts.
  package init(file: String, key: String) {
    self.file = file
    self.key = key
  }
}

/// A key of a legacy store, or a member of the JSON text under it.
package struct SourceKey: Hashable, Sendable {
  /// The store's key.
  package var key: String
  /// A top-level member of the JSON text stored under the key; nil for the value itself.
  package var member: String?

  /// A source key, or a member of its JSON text.
  package init(_ key: String, member: String? = nil) {
    self.key = key
    self.member = member
  }

  /// `key`, or `key.member`.
  package var label: String { member.map { "\(key).\($0)" } ?? key }
}
