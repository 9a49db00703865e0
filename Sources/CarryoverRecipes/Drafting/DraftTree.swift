import Carryover

struct DraftTree {
  private let id: String
  private let chosen: [DraftKeys.Chosen]
  private let omitted: [String]
  /// Whether the container is a single property list, whose place on a device is unknown.
  private let isLoose: Bool
  private var fields: [RecipeNode] = []
  private var notMigrated: [RecipeNode] = []
  private var given: [RecipeNode.Entry] = []
  var target = RecipeFile.placeholder
  var expected: RecipeNode = ["fields": [:]]

  var hasFields: Bool { !fields.isEmpty }

  init(id: String, _ chosen: [DraftKeys.Chosen], _ omitted: [String], isLoose: Bool, _ redaction: Redaction) {
    (self.id, self.chosen, self.omitted, self.isLoose) = (id, chosen, omitted, isLoose)
    var standIns = StandIns(redaction)
    for part in chosen {
      for item in part.items { add(item) }
      guard !part.items.isEmpty else { continue }
      let path = part.source.template.replacing("${\(NameTemplate.bundleID)}", with: RecipeTest.usualBundleID)
      RecipeNode.merge(.init(path, part.given(&standIns)), into: &given)
    }
  }

  private mutating func add(_ item: DraftSource.Item) {
    switch item.rule {
    case .field(let form, let steps, let hint):
      var source: [RecipeNode.Entry] = [.init("key", .init(.text(item.source.key)))]
      if let member = item.source.member { source.append(.init("member", .init(.text(member)))) }
      if !steps.isEmpty { source.append(.init("steps", .init(.list(steps.map { .init(.text($0)) })))) }
      var field: RecipeNode = [
        "key": .init(.text(item.name)), "group": "other", "form": .init(.text(form.rawValue)),
        "from": [.init(.map(source))],
      ]
      field.comments = [hint].compactMap(\.self)
      fields.append(field)
    case .notMigrated(let reason, let hint):
      var entry: RecipeNode = ["key": .init(.text(item.source.key)), "because": .init(.text(reason))]
      if item.isSecret, case .map(let entries) = entry.content {
        entry.content = .map(entries + [.init("secret", .init(.boolean(true)))])
      }
      entry.comments = [hint].compactMap(\.self)
      notMigrated.append(entry)
    }
  }

  /// The file's content, with a comment wherever the author decides.
  var recipe: RecipeNode {
    var entries: [RecipeNode.Entry] = []
    func add(_ key: String, _ value: RecipeNode, _ comments: String?...) {
      let comments = comments.compactMap(\.self)
      entries.append(.init(key, RecipeNode(value.content, comments: comments)))
    }
    let head = [
      "yaml-language-server: $schema=\(RecipeFile.schemaPath)", "$schema: \(RecipeFile.schemaPath)",
      "A draft. Its values are stand-ins. Decide what the comments ask for, then remove them.",
    ]
    entries.append(.init("carryover", RecipeNode(.text(RecipeFile.format), comments: head + omitted)))
    add("id", .init(.text(id)))
    add("version", .init(.integer("1")))
    add("title", .init(.text(id)), "A short title: from which SDK to which.")
    add(
      "read", .init(.list(chosen.map(\.source.entry))),
      isLoose ? "Where is the file on a device?" : "The files to read, most trusted first.")
    add("write", ["suite": .init(.text(target))], "The suite that the new SDK reads.")
    add("detect", .init(.list(detected.map { .init(.text($0)) })), "Keep only keys that no other SDK writes.")
    add(
      "opt-out-keys", .init(.list([])),
      "Keys that say that the user opted out, if no field of the group consent migrates them.")
    add(
      "fields", .init(.list(fields)), "",
      "key: what the new SDK reads. group: identity, traits, session, app, consent (an opt-out) or other.",
      hasMembers ? "Without member, a source is the whole file, as JSON text." : nil)
    if !notMigrated.isEmpty { add("not-migrated", .init(.list(notMigrated)), "", "Give the reason, for users.") }
    let test: RecipeNode = ["name": "every key", "given": .init(.map(given)), "expect": expected]
    add("tests", [test], "", "Add a test for each kind of user: logged in, anonymous, opted out.")
    return RecipeNode(.map(entries))
  }

  private var hasMembers: Bool { chosen.contains { $0.items.contains { $0.source.member != nil } } }

  private var detected: [String] { chosen.flatMap { $0.items.map(\.source.key) }.distinct() }
}

extension RecipeNode {
  /// Adds an entry. A map that is there already gets the new map's entries: the tables of one database.
  fileprivate static func merge(_ entry: Entry, into entries: inout [Entry]) {
    guard let place = entries.firstIndex(where: { $0.key.hasSameBytes(as: entry.key) }) else {
      return entries.append(entry)
    }
    guard case .map(var old) = entries[place].value.content, case .map(let new) = entry.value.content else { return }
    for entry in new { merge(entry, into: &old) }
    entries[place].value.content = .map(old)
  }
}

extension DraftKeys.Chosen {
  /// The file in a test, with stand-ins for its values.
  fileprivate func given(_ standIns: inout StandIns) -> RecipeNode {
    switch source.shape {
    case .keys, .table:
      let keys = items.compactMap { item in
        (item.isSecret ? standIns.secret(item.value) : standIns.value(item.value))
          .flatMap { RecipeNode(propertyList: $0) }.map { RecipeNode.Entry(item.name, $0) }
      }
      if case .table(let name) = source.shape { return ["sqlite": .init(.map([.init(name, .init(.map(keys)))]))] }
      // A file with only one of these keys would be read in another way.
      let isPlain = keys.count != 1 || !["plist", "sqlite"].contains(keys[0].key)
      return isPlain ? .init(.map(keys)) : ["plist": .init(.map(keys))]
    case .root:
      let root = items.first.flatMap { standIns.value($0.value) }.flatMap { RecipeNode(propertyList: $0) }
      return ["plist": root ?? "text"]
    case .object:
      var members = items.compactMap { item in item.json.map { JSONMember(item.name, standIns.json($0)) } }
      // An object with one member can stand for the member's value.
      if members.count == 1, items[0].source.member != nil { members.append(JSONMember("other", .null)) }
      return .init(.text(JSONValue.object(members).text()))
    case .json: return .init(.text(items.first?.json.map { standIns.json($0).text() } ?? "null"))
    }
  }
}

enum DraftRule {
  /// A field with this form and these steps. The hint is for the author.
  case field(TargetForm, steps: [String], hint: String?)
  case notMigrated(String, hint: String?)

  init(_ value: PropertyListValue) {
    switch value {
    case .string: self = Self.holds(value, .jsonObjectString) ? Self.plain(.jsonObjectString) : Self.plain(.string)
    case .integer(let integer):
      self = integer.int64 == nil ? .field(.string, steps: ["text"], hint: nil) : Self.plain(.integer)
    case .boolean: self = Self.plain(.boolean)
    case .data(let bytes):
      let isPropertyList = bytes.starts(with: "bplist".utf8)
      self =
        Self.holds(value, .jsonObjectData)
        ? Self.plain(.jsonObjectData)
        : .field(
          .data, steps: [],
          hint: isPropertyList ? "To write its dictionary as JSON: json-object-string, steps: [archived-json]." : nil)
    case .dictionary:
      self = .field(
        .jsonObjectString, steps: ["json-text"], hint: "The dictionary as JSON, in which dates and data are text.")
    case .real:
      self = .notMigrated(
        "A field cannot be a real number.",
        hint: "To migrate it as another type: a field with whole, number-text or past-seconds-to-milliseconds.")
    case .date: self = .notMigrated("A field cannot be a date.", hint: nil)
    case .array, .set: self = .notMigrated("A field cannot be a list.", hint: nil)
    case .uid, .null: self = .notMigrated("A field cannot have a value of this type.", hint: nil)
    }
  }

  private static func plain(_ form: TargetForm) -> DraftRule { .field(form, steps: [], hint: nil) }

  private static func holds(_ value: PropertyListValue, _ form: TargetForm) -> Bool { form.mismatch(value) == nil }
}

extension DraftSource.Item {
  var rule: DraftRule {
    if isSecret {
      return .notMigrated("Its name says that it is a secret.", hint: "If the new SDK reads it, make it a field.")
    }
    let rule = DraftRule(value)
    // JSON has no dates or data.
    if json != nil, case .field(let form, let steps, _) = rule { return .field(form, steps: steps, hint: nil) }
    return rule
  }

  /// Whether a draft has no place for it: only a whole key can be not migrated, not a member of the JSON under it.
  var hasNoPlace: Bool {
    guard source.member != nil, case .notMigrated = rule else { return false }
    return true
  }
}

/// Makes values that have the types and the structure of a container's values, and nothing of their content.
struct StandIns {
  private let redaction: Redaction
  private var texts = 0
  private var numbers: Int
  /// The number of nested values that may still be made.
  private var left = 600
  /// The maximum number of members and of levels in one value.
  private static let (members, levels) = (12, 4)

  /// - Parameter redaction: what is personal in the container, whose values it has learned.
  init(_ redaction: Redaction) {
    self.redaction = redaction
    // Skipping only the container's own numbers would show them.
    let isFree = { (first: Int) in
      (first...first + 999).allSatisfy { !redaction.hasLearned("\($0)") && !redaction.hasLearned("\($0).5") }
    }
    numbers = stride(from: 0, to: 100_000, by: 1000).first { isFree($0 + 1) } ?? 0
  }

  /// A value in place of a secret, without its structure; nil for a type that has one.
  mutating func secret(_ value: PropertyListValue) -> PropertyListValue? {
    switch value {
    case .string: .string(nextText("text"))
    case .data: .data(Array(nextText("data").utf8))
    case .array, .set, .dictionary: nil
    default: self.value(value)
    }
  }

  /// A value in place of another one; nil for a type that a recipe's tests cannot write.
  mutating func value(_ value: PropertyListValue, depth: Int = 0) -> PropertyListValue? {
    switch value {
    case .string(let text): return .string(self.text(text))
    case .integer: return .integer(PropertyListInteger(Int64(nextNumber())))
    case .real: return .real(PropertyListReal(Double(nextNumber()) + 0.5))
    case .boolean: return true
    case .date: return .date(PropertyListDate(secondsSince2001: Double(nextNumber())))
    case .data(let bytes):
      let json = try? JSONText(bytes: bytes)
      return .data(Array((json.map { self.json($0.value).text() } ?? nextText("data")).utf8))
    case .array(let elements), .set(let elements):
      return .array(inside(elements, depth) { $0.value($1, depth: depth + 1) })
    case .dictionary(let dictionary):
      let entries = inside(dictionary.entries, depth) { me, entry in
        me.value(entry.value, depth: depth + 1).map { (me.name(entry.key), $0) }
      }
      return .dictionary(
        PropertyListDictionary(entries: entries.distinct { StringByBytes($0.0) }.map { .init(key: $0.0, value: $0.1) }))
    case .uid, .null: return nil
    }
  }

  private mutating func text(_ text: String) -> String {
    if let json = try? JSONText(text).value, json.members != nil || json.elements != nil {
      return self.json(json).text()
    }
    if Redaction.isUUID(text) {
      texts += 1
      return "00000000-0000-0000-0000-" + String(texts).zeroPadded(to: 12)
    }
    let isNumber = !text.isEmpty && text.utf8.allSatisfy(Self.isDigit)
    return isNumber ? String(nextNumber()) : nextText("text")
  }

  mutating func json(_ value: JSONValue, depth: Int = 0) -> JSONValue {
    switch value {
    case .object(let members):
      let shown = inside(members, depth) { me, member in
        (me.name(member.name), me.json(member.value, depth: depth + 1))
      }
      return .object(shown.distinct { StringByBytes($0.0) }.map { JSONMember($0.0, $0.1) })
    case .array(let elements): return .array(inside(elements, depth) { $0.json($1, depth: depth + 1) })
    case .string(let text): return .string(self.text(text))
    case .number(let number):
      let isInteger = PropertyListInteger(number.lexeme) != nil
      return isInteger ? JSONValue(nextNumber()) : JSONValue(Double(nextNumber()) + 0.5)
    case .boolean: return true
    case .null: return .null
    }
  }

  /// The first values inside of another one, within the limits.
  private mutating func inside<Inner, Made>(
    _ values: [Inner], _ depth: Int, _ make: (inout StandIns, Inner) -> Made?
  ) -> [Made] {
    guard depth < Self.levels else { return [] }
    return values.prefix(Self.members).compactMap { value in
      guard left > 0 else { return nil }
      left -= 1
      return make(&self, value)
    }
  }

  /// A name inside of a value: its own, or another one if it is long, personal or an id, or means something in a test.
  private mutating func name(_ name: String) -> String {
    let isOwn =
      (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
      && !name.utf8.split(whereSeparator: Self.isLetter).contains { $0.count > 3 }
      && !["data", "date", "real"].contains(name) && !redaction.isPersonal(name)
    return isOwn ? name : nextText("name")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF) || "_-.$".utf8.contains(byte)
  }

  private mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  private mutating func nextText(_ word: String) -> String {
    texts += 1
    return "\(word)-\(texts)"
  }
}
