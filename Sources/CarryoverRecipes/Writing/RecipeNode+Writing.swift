package import PropertyLists

extension RecipeNode {
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

extension RecipeNode: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self.init(.text(text)) }
  package init(arrayLiteral items: RecipeNode...) { self.init(.list(items)) }
  package init(dictionaryLiteral entries: (String, RecipeNode)...) { self.init(.map(entries.map { Entry($0, $1) })) }
}
