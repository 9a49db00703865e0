import PropertyLists

/// Reads an object of a saved plan. An error names the member that is not valid.
struct PlanReader {
  private let object: JSONValue
  /// The members that lead to the object, each followed by a dot.
  private let prefix: String

  init(_ object: JSONValue, prefix: String = "") {
    self.object = object
    self.prefix = prefix
  }

  func damage(_ member: String) -> PlanDamage { .member(prefix + member) }

  func object(_ member: String) throws(PlanDamage) -> PlanReader {
    guard let value = object[member], case .object = value else { throw damage(member) }
    return PlanReader(value, prefix: prefix + member + ".")
  }

  func list<Item>(
    _ member: String, _ body: (PlanReader) throws(PlanDamage) -> Item
  ) throws(PlanDamage) -> [Item] {
    guard let elements = object[member]?.elements else { throw damage(member) }
    var items: [Item] = []
    items.reserveCapacity(elements.count)
    for element in elements { items.append(try body(PlanReader(element, prefix: prefix + member + "."))) }
    return items
  }

  func text(_ member: String) throws(PlanDamage) -> String {
    guard let text = object[member]?.stringValue else { throw damage(member) }
    return text
  }

  /// Text; nil if the member is null or missing.
  func optionalText(_ member: String) throws(PlanDamage) -> String? {
    guard let value = object[member], value != .null else { return nil }
    return try text(member)
  }

  /// Text that is valid as a name; nil if there is none.
  func name(_ member: String, _ isValid: (String) -> Bool) throws(PlanDamage) -> String? {
    guard let name = try optionalText(member) else { return nil }
    guard isValid(name) else { throw damage(member) }
    return name
  }

  /// Texts that are valid as names, by member. Other values are ignored; there are none if the object is missing.
  func names(_ member: String, _ isValid: (String) -> Bool) throws(PlanDamage) -> [String: String] {
    guard object[member] != nil else { return [:] }
    guard let members = object[member]?.members else { throw damage(member) }
    var names: [String: String] = [:]
    for entry in members {
      guard let name = entry.value.stringValue else { continue }
      guard isValid(name), names.updateValue(name, forKey: entry.name) == nil else { throw damage(member) }
    }
    return names
  }

  /// A path on this machine; nil if there is none.
  func path(_ member: String) throws(PlanDamage) -> String? {
    try name(member) { !$0.isEmpty && !$0.utf8.contains(0) }
  }

  func number(_ member: String) throws(PlanDamage) -> Int {
    guard let number = object[member]?.numberValue.flatMap({ Int($0.lexeme) }), number >= 0 else {
      throw damage(member)
    }
    return number
  }

  func word<Word: RawRepresentable>(_ member: String) throws(PlanDamage) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: try text(member)) else { throw damage(member) }
    return word
  }

  func codes(_ member: String) throws(PlanDamage) -> Set<FindingCode> {
    guard let elements = object[member]?.elements else { throw damage(member) }
    let codes = elements.compactMap { element in FindingCode.general.first { $0.rawValue == element.stringValue } }
    guard codes.count == elements.count else { throw damage(member) }
    return Set(codes)
  }

  /// A value; nil for null.
  func value(_ member: String) throws(PlanDamage) -> SavedValue? {
    guard let json = object[member] else { throw damage(member) }
    guard json != .null else { return nil }
    guard let value = SavedValue(json: json) else { throw damage(member) }
    return value
  }

  /// A value that the user entered.
  func editedValue(_ member: String) throws(PlanDamage) -> PropertyListValue {
    guard let value = object[member].flatMap(CodedValue.value) else { throw damage(member) }
    return value
  }

  /// A decision, with its entered value.
  func decision() throws(PlanDamage) -> Decision {
    switch try word("decision") as SavedDecision {
    case .migrate: .migrate
    case .accept: .accept
    case .skip: .skip
    case .keep: .keep
    case .edit: .edit(try editedValue("value"))
    case .omit: .omit
    }
  }
}
