/// What a drafted recipe may not contain.
extension Redaction {
  /// Whether personal data or a learned value is in a name or a path.
  package func isPersonal(_ name: String) -> Bool { text(name) != name }

  /// Whether a text, or the number that it spells, is a value of the container.
  package func hasLearned(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return known[bytes] != nil || plain.contains(bytes)
  }

  /// Whether the value under a key is a secret, as for ``SecretNames``.
  package func isSecret(key: String) -> Bool { roles.isSecret(key) }

  /// Whether a text is a UUID.
  package static func isUUID(_ text: String) -> Bool { TextPattern.kind(of: text) == .id }
}
