import CarryoverStorage
import CarryoverSystem
package import PropertyLists

enum ValueRole: Hashable, Sendable {
  /// A session's time, a version or a build: shown if it looks like one.
  case plain
  /// A trait: always personal, regardless of its name.
  case trait
  /// A model's data: personal, except the member with this name, which contains its version.
  case model(marker: String?)
  /// Any other value: masked, with a kind that follows from its name if possible.
  case other
  case of(Mask.Kind)

  func kind(ofText text: String) -> Mask.Kind {
    switch self {
    case .of(let kind) where kind == .secret || kind == .user: kind
    case .of(let kind): TextPattern.kind(of: text) ?? kind
    case .plain, .trait, .model, .other: TextPattern.kind(of: text) ?? .text
    }
  }

  func kind(ofType kind: Mask.Kind) -> Mask.Kind {
    if case .of(let own) = self { own } else { kind }
  }

  var isPersonal: Bool {
    switch self {
    case .trait, .model: true
    case .plain, .other, .of: false
    }
  }

  /// Whether the value is masked in every place, even if an equal value elsewhere would be harmless.
  var isStrong: Bool {
    if case .of(let kind) = self { Mask(kind: kind).isStrong } else { isPersonal }
  }

  static func looksPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(33))
    guard let first = bytes.first, bytes.count <= 32 else { return false }
    let isVersion = first | 0x20 == UInt8(ascii: "v") && bytes.count > 1 && Characters.isDigit(bytes[1])
    let isNumber = Characters.isDigit(first) || (first == UInt8(ascii: "-") || first == UInt8(ascii: "+"))
    let marks = Set(".+-_ ()".utf8)
    return (isVersion || isNumber && bytes.contains(where: Characters.isDigit))
      && bytes.allSatisfy { Characters.isWord($0) || marks.contains($0) } && !TextPattern.occurs(in: text)
  }
}

struct ValueRoles: Sendable {
  private var roles: [StringByBytes: ValueRole] = [:]
  private var secretPrefixes: [String] = []

  /// - Parameter secrets: keys whose values are secrets, whatever else a recipe says of them.
  init(_ recipes: [Recipe], secrets: Set<StringByBytes> = []) {
    for recipe in recipes {
      secretPrefixes += recipe.leftBehind.filter(\.secret).compactMap(\.prefix)
      for key in recipe.leftBehind {
        roles[key.key] = key.secret ? .of(.secret) : Self.saysState(key.key) ? .plain : nil
      }
      for rule in recipe.rules {
        roles[rule.target] = Self.role(rule, of: [rule.target])
        for candidate in rule.candidates where candidate.source.member == nil {
          // A user's id stays one under another vendor's name.
          let key = candidate.source.key
          roles[key] = Self.role(rule, of: [rule.target, key])
        }
      }
    }
    for key in secrets { roles[key] = .of(.secret) }
  }

  func role(ofKey key: String) -> ValueRole {
    if let role = roles[key] { return role }
    return secretPrefixes.contains(where: key.beginsWithBytes) ? .of(.secret) : Self.role(ofName: key)
  }

  func isNamed(_ key: String) -> Bool { roles[key] != nil || secretPrefixes.contains(where: key.beginsWithBytes) }

  func keys(in wanted: Set<ValueRole>) -> [String] {
    roles.filter { wanted.contains($0.value.isPersonal ? .trait : $0.value) }.map(\.key).sorted().map(\.text)
  }

  static func role(ofName name: String, within role: ValueRole) -> ValueRole {
    switch role {
    case .of(.secret): return role
    case .model(let marker?) where name.hasSameBytes(as: marker): return .plain
    case .trait, .model:
      if case .of(let kind) = Self.role(ofName: name), kind == .user || kind == .id { return .of(kind) }
      return .trait
    // An id's type and source are beside it, and are not ids.
    case .plain, .other, .of(.id): return Self.role(ofName: name)
    case .of:
      let own = Self.role(ofName: name)
      return own == .other ? role : own
    }
  }

  private static func role(_ rule: FieldRule, of names: [String]) -> ValueRole {
    switch rule.group {
    case .identity: names.contains { words($0).contains("user") } ? .of(.user) : .of(.id)
    case .traits: .trait
    case .session, .app, .consent: .plain
    // A model's members are personal, regardless of their names.
    case .other:
      if let model = rule.model { .model(marker: model.migrator.versioning.marker) } else { role(ofName: rule.target) }
    }
  }

  /// Whether a key that is not migrated describes a time or a state, and no person.
  private static func saysState(_ name: String) -> Bool {
    words(name).contains { ["time", "status", "updated", "copied"].contains($0) }
  }

  private static func role(ofName name: String) -> ValueRole {
    let words = words(name)
    let kinds = words.compactMap { Self.kinds[$0] }
    // A name that is nothing but “key” is a column of keys far more often than a secret.
    if kinds.contains(.secret), !words.allSatisfy(["key", "keys"].contains) { return .of(.secret) }
    if words.contains("userid") || words.contains("user") && words.contains("id") { return .of(.user) }
    return kinds.contains(.id) ? .of(.id) : .other
  }

  /// Whether the value under a key is a secret, by a recipe or by the key's name, in which the word “key” says nothing.
  func isSecret(_ key: String) -> Bool {
    if let role = roles[key] { return role == .of(.secret) }
    return secretPrefixes.contains(where: key.beginsWithBytes) || Self.hasSecretWord(key, besides: ["key", "keys"])
  }

  /// Whether one of a name's words, other than these, says that its value is a secret.
  static func hasSecretWord(_ name: String, besides words: [String]) -> Bool {
    self.words(name).contains { kinds[$0] == .secret && !words.contains($0) }
  }

  static func words(_ name: String) -> [String] { NameWords(name, splitsCapitals: false).words }

  /// What a word of a name says of the value.
  private static let kinds: [String: Mask.Kind] = {
    let secrets = [
      "apikey", "auth", "authorization", "bearer", "cookie", "cookies", "credential", "credentials", "jwt", "key",
      "keys", "passphrase", "passwd", "password", "secret", "secrets", "signature", "token", "tokens",
    ]
    let ids = ["guid", "id", "identifier", "idfa", "idfv", "ids", "uid", "uuid"]
    return Dictionary(uniqueKeysWithValues: secrets.map { ($0, .secret) } + ids.map { ($0, .id) })
  }()
}

/// The names of keys and members whose values are secrets: those that a recipe says, and those with a word such as
/// password, token or cookie. Apps end the names of ordinary keys with “Key”, so this word says nothing.
package struct SecretNames: Sendable {
  private let roles: ValueRoles

  package init(_ recipes: [Recipe]) { roles = ValueRoles(recipes, secrets: recipes.secretKeys) }

  package func contains(_ name: String) -> Bool { roles.isSecret(name) }

  /// Whether a text is a JSON web token, alone or after the word Bearer: a secret under any name.
  package static func isToken(_ text: String) -> Bool {
    guard text.utf8.count > 20 else { return false }
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

extension RowName {
  /// A value of the key as the name has it. A secret is `hidden` and the first digits of its checksum, so that rows can
  /// be told apart. The word “secret” would make the whole row one.
  package static func part(_ value: PropertyListValue, isSecret: Bool) -> PropertyListValue {
    let isToken = if case .string(let text) = value { SecretNames.isToken(text) } else { false }
    guard value != .null, isSecret || isToken else { return value }
    let digest = SHA256.digest(Array(text([value]).utf8))
    return .string("hidden " + digest.hexadecimal.prefix(12))
  }
}
