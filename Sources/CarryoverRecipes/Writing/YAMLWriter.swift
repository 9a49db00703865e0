import CarryoverSystem
package import PropertyLists

/// Writes the part of YAML that recipes are written in. ``RecipeReader`` reads every text back as it was. A map or a
/// list with few levels is on one line if it fits. A key has at most 1,000 characters, and a text on one line at most
/// ``RecipeLimits/lineBytes``; the caller sees to both.
package enum YAMLWriter {
  private static let width = 120

  package static func text(_ root: RecipeNode) -> String { lines(root, indent: 0).map { $0 + "\n" }.joined() }

  /// A text, quoted if it needs to be.
  package static func scalar(_ text: String) -> String {
    if isPlain(text) { return text }
    let isVisible = text.unicodeScalars.allSatisfy(DisplayText.hasShape)
    if isVisible, text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
      !text.utf8.contains(UInt8(ascii: "'"))
    {
      return "'\(text)'"
    }
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { quoted.add(escaped(scalar)) }
    return "\"\(String(quoted))\""
  }

  private static func lines(_ node: RecipeNode, indent: Int) -> [String] {
    switch node.content {
    case .map(let entries) where !entries.isEmpty:
      return entries.flatMap { entry -> [String] in
        let key = scalar(entry.key) + ":"
        if let short = short(entry.value, beside: indent + key.unicodeScalars.count + 1) {
          return comments(entry.value) + [key + " " + short]
        }
        return comments(entry.value) + [key] + lines(entry.value, indent: indent + 2).map { "  " + $0 }
      }
    case .list(let items) where !items.isEmpty:
      return items.flatMap { item -> [String] in
        let lines = short(item, beside: indent + 2).map { [$0] } ?? lines(item, indent: indent + 2)
        return comments(item) + lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
      }
    default: return [onOneLine(node)]
    }
  }

  private static func comments(_ node: RecipeNode) -> [String] {
    node.comments.map { $0.isEmpty ? "" : "# " + DisplayText.harmless($0) }
  }

  /// A value on one line; nil for a map or a list that needs several.
  private static func short(_ node: RecipeNode, beside column: Int) -> String? {
    guard let levels = levels(node), levels <= 2 else { return nil }
    let text = onOneLine(node)
    return levels == 0 || column + text.unicodeScalars.count <= width ? text : nil
  }

  /// How deep maps and lists are nested; nil if there are comments inside.
  private static func levels(_ node: RecipeNode) -> Int? {
    let children =
      switch node.content {
      case .list(let items): items
      case .map(let entries): entries.map(\.value)
      case .text, .integer, .decimal, .boolean: [RecipeNode]?.none
      }
    guard let children else { return 0 }
    var deepest = 0
    for child in children {
      guard child.comments.isEmpty, let levels = levels(child) else { return nil }
      deepest = max(deepest, levels)
    }
    return deepest + 1
  }

  private static func onOneLine(_ node: RecipeNode) -> String {
    switch node.content {
    case .text(let text): scalar(text)
    case .integer(let digits), .decimal(let digits): digits
    case .boolean(let flag): flag ? "true" : "false"
    case .list(let items): "[\(items.map(onOneLine).joined(separator: ", "))]"
    case .map(let entries): "{\(entries.map { "\(scalar($0.key)): \(onOneLine($0.value))" }.joined(separator: ", "))}"
    }
  }

  /// Whether a text needs no quotes anywhere: it begins with a letter, has no sign of YAML, and is text in every version.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, isLetter(first), last != space else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || signs.contains($0) }
      && PlainText(text) == .text
  }

  private static let signs = "-./ ".utf8
  private static let space = UInt8(ascii: " ")

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case _ where DisplayText.hasShape(scalar): return String(scalar)
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return digits.count <= 4 ? "\\u" + digits.zeroPadded(to: 4) : "\\U" + digits.zeroPadded(to: 8)
    }
  }
}

extension RecipeNode.Entry {
  package init(_ key: String, _ value: RecipeNode) { self.init(key: key, place: .nowhere, value: value) }
}

extension RecipeNode {
  package init(_ content: Content, comments: [String] = []) {
    self.init(content: content, place: .nowhere, comments: comments)
  }

  /// A value of a property list in the notation of a recipe's tests; nil if the notation has no way to write it.
  package init?(propertyList value: PropertyListValue) {
    switch value {
    case .string(let text): self.init(.text(text))
    case .integer(let integer): self.init(.integer(integer.description))
    case .real(let real):
      guard real.value.isFinite else { return nil }
      self.init(.map([Entry("real", RecipeNode(.decimal(real.value.description)))]))
    case .boolean(let flag): self.init(.boolean(flag))
    case .date(let date):
      let text = date.description
      guard PropertyListDate(iso8601: text) == date else { return nil }
      self.init(.map([Entry("date", RecipeNode(.text(text)))]))
    case .data(let bytes): self.init(.map([Entry("data", RecipeNode(.text(Base64.text(bytes))))]))
    case .array(let elements):
      let nodes = elements.compactMap { RecipeNode(propertyList: $0) }
      guard nodes.count == elements.count else { return nil }
      self.init(.list(nodes))
    case .dictionary(let dictionary):
      let entries = dictionary.entries.compactMap { entry in
        RecipeNode(propertyList: entry.value).map { Entry(entry.key, $0) }
      }
      // A dictionary with only such a key would be read as another value.
      let isTyped = entries.count == 1 && ["data", "date", "real"].contains(entries[0].key)
      guard entries.count == dictionary.count, !isTyped else { return nil }
      self.init(.map(entries))
    case .uid, .set, .null: return nil
    }
  }
}

extension RecipeNode: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self.init(.text(text)) }
  package init(arrayLiteral items: RecipeNode...) { self.init(.list(items)) }
  package init(dictionaryLiteral entries: (String, RecipeNode)...) { self.init(.map(entries.map { Entry($0, $1) })) }
}
