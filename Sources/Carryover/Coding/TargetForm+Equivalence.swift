package import PropertyLists

extension TargetForm {
  /// Whether the target's reader treats two values as equal.
  ///
  /// For a JSON object in text, the order of members, the spacing and the notation of numbers do not matter: a target
  /// that another migrator or the new SDK has written need not be written again.
  package func isEquivalent(_ left: PropertyListValue, _ right: PropertyListValue) -> Bool {
    if left == right { return true }
    guard self == .jsonObjectString || self == .jsonObjectData, left.kind == right.kind, let leftText = left.jsonText,
      let rightText = right.jsonText, let leftJSON = try? JSONText(leftText), let rightJSON = try? JSONText(rightText)
    else { return false }
    return leftJSON.value.means(rightJSON.value)
  }
}

extension JSONValue {
  /// Whether two values are equal for a reader that ignores order and notation.
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
      // Above 2^53, a Double does not distinguish all integers.
      if left.isInteger, right.isInteger { return false }
      return left.double != nil && left.double == right.double
    default: return self == other
    }
  }

  /// The members by the bytes of their name. Of members with the same name, readers use the last.
  private static func lastByName(_ members: [JSONMember]) -> [[UInt8]: JSONValue] {
    Dictionary(members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
  }
}
