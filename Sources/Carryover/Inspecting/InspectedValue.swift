public import PropertyLists

/// A value as an inspector shows it: what it is, how it was packed, and what is inside, opened in place.
///
/// Making one looks at the value itself and never at all that is inside it, so that a row is shown at once however much
/// lies below.
public struct InspectedValue: Sendable {
  /// What the value is, after unpacking.
  public enum Content: Sendable {
    /// A property-list value.
    case propertyList(PropertyListValue)
    /// JSON, read from text.
    case json(JSONValue)
    /// A value from a keyed archive.
    case keyed(KeyedValue)
  }

  /// What the value is, after unpacking.
  public let content: Content
  /// What it was unpacked from, outermost first; empty for a value that stands there as it is.
  public let packings: [Packing]
  /// The value as it is stored, before any unpacking; nil for one that was read out of a packed value.
  public let stored: PropertyListValue?
  /// What the name it has says of moments, for numbers that could be several.
  public let name: String?

  /// A value of a store.
  /// - Parameter name: the key it has there.
  public init(_ value: PropertyListValue, name: String? = nil) {
    self.init(content: .propertyList(value), packings: [], stored: value, name: name)
  }

  init(content: Content, packings: [Packing], stored: PropertyListValue?, name: String?) {
    self.content = content
    self.packings = packings
    self.stored = stored
    self.name = name
  }
}

/// How a value was packed into another.
public enum Packing: String, Hashable, Sendable, CaseIterable {
  /// The text of a JSON object or array in a string.
  case jsonText = "json-text"
  /// The text of a JSON object or array in data.
  case jsonData = "json-data"
  /// A binary property list in data.
  case binaryPropertyList = "binary-property-list"
  /// An XML property list in data or a string.
  case xmlPropertyList = "xml-property-list"
  /// What `NSKeyedArchiver` wrote, in a property list.
  case keyedArchive = "keyed-archive"
  /// UTF-8 text in data.
  case utf8Text = "utf8-text"
}

extension InspectedValue {
  /// How many values are directly inside.
  public var count: Int {
    switch content {
    case .propertyList(.dictionary(let dictionary)): dictionary.count
    case .propertyList(let value): value.children.count
    default: 0
    }
  }

  /// Whether it can be opened: a container of values, even an empty one.
  public var isContainer: Bool {
    switch content {
    case .propertyList(.dictionary), .propertyList(.array), .propertyList(.set): true
    default: false
    }
  }

  /// The values directly inside, in order, each with its label.
  public var children: [InspectedChild] {
    switch content {
    case .propertyList(.dictionary(let dictionary)):
      dictionary.entries.map { InspectedChild(label: .name($0.key), value: InspectedValue($0.value, name: $0.key)) }
    case .propertyList(let value):
      value.children.enumerated().map { InspectedChild(label: .index($0), value: InspectedValue($1)) }
    default: []
    }
  }
}

/// A value inside another, with its place there.
public struct InspectedChild: Sendable {
  /// The place of a value inside another.
  public enum Label: Hashable, Sendable {
    /// Under a key.
    case name(String)
    /// An element, counted from 0.
    case index(Int)
  }

  /// The place.
  public let label: Label
  /// The value.
  public let value: InspectedValue

  /// A value with its place.
  public init(label: Label, value: InspectedValue) {
    self.label = label
    self.value = value
  }
}
