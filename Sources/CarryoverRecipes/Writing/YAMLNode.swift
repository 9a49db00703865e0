package import PropertyLists

/// A value to write as YAML, with comments.
package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case text(String)
    /// A decimal number as JSON writes it.
    case number(String)
    case boolean(Bool)
    case list([YAMLNode])
    case map([Entry])
  }

  /// A key of a map, with its value.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: YAMLNode

    package init(_ key: String, _ value: YAMLNode) {
      self.key = key
      self.value = value
    }
  }

  package var content: Content
  /// The lines above the key or the list item that has this value.
  package var comments: [String] = []

  package init(_ content: Content, comments: [String] = []) {
    self.content = content
    self.comments = comments
  }

  /// A value of a property list in the notation of a recipe's tests; nil if the notation has no way to write it.
  package init?(propertyList value: PropertyListValue) {
    switch value {
    case .string(let text): self.init(.text(text))
    case .integer(let integer): self.init(.number(integer.description))
    case .real(let real):
      guard real.value.isFinite else { return nil }
      self.init(.map([Entry("real", YAMLNode(.number(real.value.description)))]))
    case .boolean(let flag): self.init(.boolean(flag))
    case .date(let date):
      let text = date.description
      guard PropertyListDate(iso8601: text) == date else { return nil }
      self.init(.map([Entry("date", YAMLNode(.text(text)))]))
    case .data(let bytes): self.init(.map([Entry("data", YAMLNode(.text(Base64.text(bytes))))]))
    case .array(let elements):
      let nodes = elements.compactMap { YAMLNode(propertyList: $0) }
      guard nodes.count == elements.count else { return nil }
      self.init(.list(nodes))
    case .dictionary(let dictionary):
      let entries = dictionary.entries.compactMap { entry in
        YAMLNode(propertyList: entry.value).map { Entry(entry.key, $0) }
      }
      guard entries.count == dictionary.count, !Self.isTyped(entries) else { return nil }
      self.init(.map(entries))
    case .uid, .set, .null: return nil
    }
  }

  /// Whether the entries of a dictionary read as another value, such as data.
  private static func isTyped(_ entries: [Entry]) -> Bool {
    entries.count == 1 && ["data", "date", "real"].contains(entries[0].key)
  }
}

extension YAMLNode: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self.init(.text(text)) }
  package init(arrayLiteral items: YAMLNode...) { self.init(.list(items)) }
  package init(dictionaryLiteral entries: (String, YAMLNode)...) { self.init(.map(entries.map { Entry($0, $1) })) }
}
