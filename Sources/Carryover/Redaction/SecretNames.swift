import PropertyLists

/// The names of keys and members whose values are secrets: those that a recipe says, and those with a word such as
/// password, token or cookie. Apps end the names of ordinary keys with “Key”, so this word says nothing.
package struct SecretNames: Sendable {
  private let roles: ValueRoles
  private let known: Set<StringByBytes>

  /// - Parameter recipes: the recipes with knowledge of keys.
  package init(_ recipes: [Recipe]) {
    roles = ValueRoles(recipes)
    known = recipes.secretKeys
  }

  /// Whether the value under a name is a secret.
  package func contains(_ name: String) -> Bool { known.contains(name) || roles.isSecret(name) }

  /// Whether a text is a JSON web token, alone or after the word Bearer: a secret under any name.
  package static func isToken(_ text: String) -> Bool {
    var bytes = Substring(text).utf8
    for word in ["Bearer ", "bearer "] where bytes.starts(with: word.utf8) { bytes = bytes.dropFirst(word.utf8.count) }
    // The beginning of {" in base64.
    guard bytes.starts(with: "eyJ".utf8) else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let marks = Array("-_".utf8)
    return parts.count == 3 && parts[0].count >= 16 && parts[1].starts(with: "eyJ".utf8)
      && parts.allSatisfy { part in part.allSatisfy { Characters.isWord($0) || marks.contains($0) } }
  }
}
