/// What a drafted recipe may not contain.
extension Redaction {
  /// Whether personal data or a learned value is in a name or a path.
  package func isPersonal(_ name: String) -> Bool { text(name) != name }

  /// Whether a text, or the number that it spells, is a value of the container.
  package func hasLearned(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return known[bytes] != nil || plain.contains(bytes)
  }

  /// Whether the value under a key is a secret, by a recipe or by the key's name. Apps end the names of ordinary keys
  /// with “Key”, so this word says nothing.
  package func isSecret(key: String) -> Bool {
    guard roles.role(ofKey: key) == .of(.secret) else { return false }
    return roles.isNamed(key) || ValueRoles.hasSecretWord(key, besides: ["key", "keys"])
  }

  /// Whether a text is a UUID.
  package static func isUUID(_ text: String) -> Bool { TextPattern.kind(of: text) == .id }
}
