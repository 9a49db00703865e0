package import PropertyLists

/// A key of one file of a container.
package struct KeyPlace: Hashable, Sendable {
  /// The file, relative to the container's root.
  @StringByBytes package var file: String
  /// The key.
  @StringByBytes package var key: String

  /// A place from its parts.
  package init(file: String, key: String) {
    self.file = file
    self.key = key
  }
}

/// A key of a legacy store, or a member of the JSON text under it.
package struct SourceKey: Hashable, Sendable {
  /// The store's key.
  @StringByBytes package var key: String
  /// A top-level member of the JSON text stored under the key; nil for the value itself.
  package var member: String? {
    get { memberByBytes?.text }
    set { memberByBytes = newValue.map { StringByBytes($0) } }
  }
  private var memberByBytes: StringByBytes?

  /// A source key, or a member of its JSON text.
  package init(_ key: String, member: String? = nil) {
    self.key = key
    memberByBytes = member.map { StringByBytes($0) }
  }

  /// `key`, or `key.member`.
  package var label: String { member.map { "\(key).\($0)" } ?? key }
}
