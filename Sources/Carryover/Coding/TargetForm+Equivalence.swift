package import PropertyLists

extension TargetForm {
  /// Whether two values are the same to the target's reader.
  ///
  /// The text of a JSON object means the same whatever the order of its members, its spacing and the spelling of its
  /// numbers: a target that another migrator wrote, or that the new SDK wrote again, need not be written a third time.
  package func isEquivalent(_ left: PropertyListValue, _ right: PropertyListValue) -> Bool {
    if left == right { return true }
    guard self == .jsonObjectString || self == .jsonObjectData, left.kind == right.kind, let leftText = left.jsonText,
      let rightText = right.jsonText, let leftJSON = try? JSONText(leftText), let rightJSON = try? JSONText(rightText)
    else { return false }
    return leftJSON.value.means(rightJSON.value)
  }
}

extension JSONValue {
  /// Whether a reader that knows neither order nor spelling takes two values for the same.
  fileprivate func means(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      let left = Self.lastByName(left)
      let right = Self.lastByName(right)
      return left.count == right.count
        && left.allSatisfy { name, value in right[name].map { value.means($0) } ?? false }
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
    case (.number(let left), .number(let right)):
      if left.lexeme == right.lexeme { return true }
      // Beyond 2^53 a Double no longer tells integers apart.
      if left.isInteger, right.isInteger { return false }
      return left.double != nil && left.double == right.double
    default: return self == other
    }
  }

  /// Members by the bytes of their name; of several with one name readers take the last.
  private static func lastByName(_ members: [JSONMember]) -> [[UInt8]: JSONValue] {
    Dictionary(members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
  }
}
