import Foundation

/// Judges JSON by the keywords of JSON Schema that the published schemas use. One it does not know is an error, so that
/// nothing passes for not having been looked at.
struct SchemaCheck {
  private let root: [String: Any]
  private static let annotations: Set = ["$schema", "$id", "$defs", "title", "description", "then", "else"]

  init(_ name: String) throws {
    let url = Tool.root.appendingPathComponent("Documentation/Schemas/\(name).json")
    guard let root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] else {
      throw Tool.Missing("an object in \(url.path)")
    }
    self.root = root
  }

  /// What is wrong with a document, each with its place; empty for one that suits.
  func problems(_ document: Any) throws -> [String] { try problems(document, root, "") }

  private func problems(_ value: Any, _ schema: [String: Any], _ place: String) throws -> [String] {
    var problems: [String] = []
    for (keyword, argument) in schema where !Self.annotations.contains(keyword) {
      let suits = try self.suits(keyword, argument, value, schema, place, &problems)
      if !suits { problems.append("\(place): \(keyword)") }
    }
    return problems
  }

  private func suits(
    _ keyword: String, _ argument: Any, _ value: Any, _ schema: [String: Any], _ place: String,
    _ problems: inout [String]
  ) throws -> Bool {
    switch (keyword, argument) {
    case ("$ref", let name as String): problems += try self.problems(value, definition(name), place)
    case ("type", let type as String): return Self.types(value).contains(type)
    case ("type", let types as [String]): return !Self.types(value).isDisjoint(with: types)
    case ("const", _): return Self.same(value, argument)
    case ("enum", let choices as [Any]): return choices.contains { Self.same($0, value) }
    case ("required", let names as [String]):
      if let object = value as? [String: Any] { return names.allSatisfy { object[$0] != nil } }
    case ("properties", let properties as [String: [String: Any]]):
      for (name, member) in value as? [String: Any] ?? [:] {
        if let schema = properties[name] { problems += try self.problems(member, schema, place + "/" + name) }
      }
    case ("additionalProperties", let schema as [String: Any]):
      for (name, member) in value as? [String: Any] ?? [:] {
        problems += try self.problems(member, schema, place + "/" + name)
      }
    case ("additionalProperties", false as Bool):
      let known = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
      let patterns = (schema["patternProperties"] as? [String: Any] ?? [:]).keys
      for name in (value as? [String: Any] ?? [:]).keys where !known.contains(name) {
        guard patterns.contains(where: { name.range(of: $0, options: .regularExpression) != nil }) else { return false }
      }
    // Names that match are allowed whatever their values are; the schemas say nothing more of them.
    case ("patternProperties", let schemas as [String: Bool]): return schemas.values.allSatisfy(\.self)
    case ("items", let schema as [String: Any]):
      for (index, item) in (value as? [Any] ?? []).enumerated() {
        problems += try self.problems(item, schema, place + "/\(index)")
      }
    case ("pattern", let pattern as String):
      if let text = value as? String { return text.range(of: pattern, options: .regularExpression) != nil }
    case ("minLength", let length as Int): return (value as? String).map { $0.count >= length } ?? true
    case ("minimum", let least as Int): return (value as? NSNumber).map { $0.intValue >= least } ?? true
    case ("anyOf", let schemas as [[String: Any]]):
      return try schemas.contains { try self.problems(value, $0, place).isEmpty }
    case ("oneOf", let schemas as [[String: Any]]):
      return try schemas.filter { try self.problems(value, $0, place).isEmpty }.count == 1
    case ("not", let schema as [String: Any]): return try !self.problems(value, schema, place).isEmpty
    case ("if", let condition as [String: Any]):
      let branch = try self.problems(value, condition, place).isEmpty ? "then" : "else"
      if let schema = schema[branch] as? [String: Any] { problems += try self.problems(value, schema, place) }
    default: throw Tool.Missing("the keyword \(keyword) at \(place)")
    }
    return true
  }

  private func definition(_ reference: String) throws -> [String: Any] {
    let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
    guard let found = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else { throw Tool.Missing(reference) }
    return found
  }

  private static func types(_ value: Any) -> Set<String> {
    switch value {
    case is NSNull: ["null"]
    case let number as NSNumber where String(cString: number.objCType) == "c": ["boolean"]
    case let number as NSNumber:
      number.doubleValue == number.doubleValue.rounded() ? ["integer", "number"] : ["number"]
    case is String: ["string"]
    case is [Any]: ["array"]
    default: ["object"]
    }
  }

  private static func same(_ left: Any, _ right: Any) -> Bool {
    guard types(left) == types(right) else { return false }
    if let left = left as? String { return left == right as? String }
    return (left as? NSObject) == (right as? NSObject)
  }
}
