import CarryoverStorage
import PropertyLists

/// What is known of a value from where it stands.
enum ValueRole: Hashable, Sendable {
  /// A time of a session, a version or a build: shown where it has the look of one.
  case plain
  /// A trait, which is a person's own whatever its name says.
  case trait
  /// The data of a model, a person's own but for the member with this name, which says its version.
  case model(marker: String?)
  /// Anything else: masked, of a kind that its name tells where it tells one.
  case other
  /// Of a kind.
  case of(Mask.Kind)
}

/// What recipes and the names of keys say of values.
struct ValueRoles: Hashable, Sendable {
  private var roles: [String: ValueRole] = [:]

  init(_ recipes: [Recipe]) {
    for recipe in recipes {
      for key in recipe.leftBehind {
        roles[key.key] = key.secret ? .of(.secret) : Self.saysState(key.key) ? .plain : nil
      }
      for rule in recipe.rules {
        let role = Self.role(rule)
        roles[rule.target] = role
        for candidate in rule.candidates where candidate.source.member == nil { roles[candidate.source.key] = role }
      }
    }
  }

  /// The role of the value under a key of a store.
  func role(ofKey key: String) -> ValueRole { roles[key] ?? Self.role(ofName: key) }

  /// Whether a recipe says anything of a key.
  func isNamed(_ key: String) -> Bool { roles[key] != nil }

  /// The keys to which recipes give one of some roles, sorted.
  func keys(in wanted: Set<ValueRole>) -> [String] {
    roles.filter { wanted.contains($0.value.isPersonal ? .trait : $0.value) }.map(\.key).sorted()
  }

  /// The role of a value inside another.
  static func role(ofName name: String, within role: ValueRole) -> ValueRole {
    switch role {
    case .of(.secret): return role
    case .model(let marker) where name == marker: return .plain
    case .trait, .model:
      if case .of(let kind) = Self.role(ofName: name), kind == .user || kind == .id { return .of(kind) }
      return .trait
    // Beside an id stand its type and its source, which are none.
    case .plain, .other, .of(.id): return Self.role(ofName: name)
    case .of:
      let own = Self.role(ofName: name)
      return own == .other ? role : own
    }
  }

  private static func role(_ rule: FieldRule) -> ValueRole {
    switch rule.group {
    case .identity: words(rule.target).contains(user) ? .of(.user) : .of(.id)
    case .traits: .trait
    case .session, .app: .plain
    // What a model holds is a person's own, whatever the names of its members say.
    case .other:
      if let model = rule.model { .model(marker: model.migrator.versioning.marker) } else { role(ofName: rule.target) }
    }
  }

  /// Whether a key that stays behind says when or how something was, and nothing of a person.
  private static func saysState(_ name: String) -> Bool {
    !words(name).isDisjoint(with: NameWord.set(["time", "status", "updated", "copied"]))
  }

  private static func role(ofName name: String) -> ValueRole {
    var (hasUser, hasID, isUser, isID) = (false, false, false, false)
    var isSecret = false
    NameWord.forEach(in: name) { word in
      isSecret = isSecret || secretWords.contains(word)
      isUser = isUser || word == userID
      hasUser = hasUser || word == user
      hasID = hasID || word == id
      isID = isID || idWords.contains(word)
    }
    if isSecret { return .of(.secret) }
    if isUser || hasUser && hasID { return .of(.user) }
    return isID ? .of(.id) : .other
  }

  /// The words of a name, in lower case: `rl_authToken` has rl, auth and token.
  static func words(_ name: String) -> Set<NameWord> {
    var words: Set<NameWord> = []
    NameWord.forEach(in: name) { words.insert($0) }
    return words
  }

  private static let secretWords = NameWord.set([
    "apikey", "auth", "authorization", "bearer", "cookie", "cookies", "credential", "credentials", "jwt", "key", "keys",
    "passphrase", "passwd", "password", "secret", "secrets", "signature", "token", "tokens",
  ])
  private static let idWords = NameWord.set(["guid", "id", "identifier", "idfa", "idfv", "ids", "uid", "uuid"])
  private static let (user, id, userID) = (NameWord("user"), NameWord("id"), NameWord("userid"))
}

extension ValueRole {
  /// The kind of mask for a text in this role.
  func kind(ofText text: String) -> Mask.Kind {
    switch self {
    case .of(let kind) where kind == .secret || kind == .user: kind
    case .of(let kind): TextPattern.kind(of: text) ?? kind
    case .plain, .trait, .model, .other: TextPattern.kind(of: text) ?? .text
    }
  }

  /// The kind of mask for a value that is no text, of which the type tells one.
  func kind(ofType kind: Mask.Kind) -> Mask.Kind {
    if case .of(let own) = self { own } else { kind }
  }

  /// Whether it is a person's own, whatever its name says.
  var isPersonal: Bool {
    switch self {
    case .trait, .model: true
    case .plain, .other, .of: false
    }
  }

  /// Whether the value is masked everywhere, even where an equal one would be harmless.
  var isStrong: Bool {
    switch self {
    case .trait, .model: true
    case .of(let kind): Mask(kind: kind).isStrong
    case .plain, .other: false
    }
  }

  /// Whether a text has the look of a number, a version or a build, and of nothing else.
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
