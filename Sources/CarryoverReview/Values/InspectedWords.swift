import Carryover
import PropertyLists

extension InspectedValue {
  /// The type in a word of at most eight letters.
  var typeWord: String {
    switch content {
    case .propertyList(.dictionary), .keyed(.dictionary): "dict"
    case .keyed(.object): "object"
    case .keyed(.orderedSet): "set"
    default: InspectedText.type(self)
    }
  }

  /// The type in full, with how it was packed.
  var typeWords: String {
    var words = InspectedText.type(self)
    if case .keyed(.object) = content { words = "object of class " + words }
    return words + (InspectedText.packing(self).map { ", " + $0 } ?? "")
  }

  /// The bytes, for a value that is nothing else.
  var data: [UInt8]? {
    switch content {
    case .propertyList(.data(let bytes)), .keyed(.data(let bytes)): bytes
    default: nil
    }
  }

  /// The text, for a value that is one.
  var string: String? {
    switch content {
    case .propertyList(.string(let text)), .json(.string(let text)), .keyed(.string(let text)): text
    default: nil
    }
  }

  /// What a search reads of a value that contains none.
  func searchText(limit: Int) -> String { string ?? InspectedText.inline(self, limit: limit) }

  /// How much is inside: `3 keys`, `1 element`, `empty`.
  var contentWords: String { count == 0 ? "empty" : "\(count) \(contentNoun)" }

  /// What is counted inside: `keys`, or `element` of one.
  var contentNoun: String {
    let noun =
      switch content {
      case .propertyList(.dictionary), .keyed(.dictionary): "key"
      case .json(.object), .keyed(.object): "member"
      default: "element"
      }
    return count == 1 ? noun : noun + "s"
  }
}
