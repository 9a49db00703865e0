import CarryoverSystem
import PropertyLists

/// Reads an object of a saved plan, of saved decisions, or of a run's record. An error names the member that is not
/// valid, such as `fields[3].id`.
struct JSONReader<Failure: Error> {
  let root: JSONValue
  /// The members and places that lead to the object, with a dot at the end.
  private let prefix: String
  private let failure: (DocumentDamage) -> Failure

  private init(_ root: JSONValue, _ prefix: String, _ failure: @escaping (DocumentDamage) -> Failure) {
    (self.root, self.prefix, self.failure) = (root, prefix, failure)
  }

  init(
    _ bytes: [UInt8], _ limits: JSONLimits, _ failure: @escaping (DocumentDamage) -> Failure
  ) throws(Failure) {
    guard bytes.count <= limits.size else { throw failure(.tooLong(limit: limits.size)) }
    do throws(JSONError) {
      self.init(try JSONText(bytes: bytes, limits: limits).value, "", failure)
    } catch {
      throw failure(.notJSON(error))
    }
  }

  /// - Parameters:
  ///   - schemas: those that this version reads.
  ///   - families: the beginnings of their names in any version.
  func require(_ schemas: [String], _ families: [String]) throws(Failure) {
    guard let schema = root["schema"]?.stringValue else { throw failure(.otherForm(nil)) }
    guard !schemas.contains(schema) else { return }
    throw failure(families.contains(where: schema.hasPrefix) ? .laterSchema(schema) : .otherForm(schema))
  }

  func damage(_ member: String) -> Failure { failure(.member(name(of: member))) }
  func name(of member: String) -> String { prefix + member }
  func has(_ member: String) -> Bool { root[member] != nil }

  func object(_ member: String) throws(Failure) -> JSONReader {
    guard let value = root[member], case .object = value else { throw damage(member) }
    return JSONReader(value, name(of: member) + ".", failure)
  }

  func list<Item>(
    _ member: String, limit: Int = .max, _ body: (JSONReader) throws(Failure) -> Item
  ) throws(Failure) -> [Item] {
    guard let elements = root[member]?.elements else { throw damage(member) }
    guard elements.count <= limit else { throw failure(.tooMany(name(of: member), elements.count, limit: limit)) }
    var items: [Item] = []
    items.reserveCapacity(elements.count)
    for (place, element) in elements.enumerated() {
      items.append(try body(JSONReader(element, name(of: "\(member)[\(place)]."), failure)))
    }
    return items
  }

  func texts(_ member: String) throws(Failure) -> [String] {
    guard let elements = root[member]?.elements else { throw damage(member) }
    var texts: [String] = []
    for (place, element) in elements.enumerated() {
      guard let text = element.stringValue else { throw damage("\(member)[\(place)]") }
      texts.append(text)
    }
    return texts
  }

  func text(_ member: String) throws(Failure) -> String {
    guard let text = root[member]?.stringValue else { throw damage(member) }
    return text
  }

  func parsed<Value>(_ member: String, _ parse: (String) -> Value?) throws(Failure) -> Value {
    guard let value = parse(try text(member)) else { throw damage(member) }
    return value
  }

  /// Text; nil if the member is null or missing.
  func optional(_ member: String, _ isValid: (String) -> Bool = { _ in true }) throws(Failure) -> String? {
    guard let value = root[member], value != .null else { return nil }
    return try parsed(member) { isValid($0) ? $0 : nil }
  }

  func number(_ member: String) throws(Failure) -> Int {
    guard let number = root[member]?.numberValue.flatMap({ Int($0.lexeme) }), number >= 0 else {
      throw damage(member)
    }
    return number
  }

  func moment() throws(Failure) -> Moment {
    Moment(millisecondsSince1970: try parsed("milliseconds") { Int64($0) })
  }

  func flag(_ member: String) -> Bool { root[member]?.booleanValue == true }

  func value(_ member: String) throws(Failure) -> SavedValue? {
    guard let json = root[member] else { throw damage(member) }
    guard json != .null else { return nil }
    guard let value = SavedValue(json: json) else { throw damage(member) }
    return value
  }
}
