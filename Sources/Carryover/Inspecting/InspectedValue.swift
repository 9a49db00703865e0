package import PropertyLists

/// A value as an inspector shows it: what it is, how it was packed, and what is inside, opened in place.
///
/// Making one unpacks the value itself and looks at nothing that is inside it; an ``InspectedChild`` is unpacked when its
/// value is asked for. What is damaged, or larger than the limits, stays as it is stored.
package struct InspectedValue: Sendable {
  /// What the value is, after unpacking.
  package enum Content: Sendable {
    /// A property-list value.
    case propertyList(PropertyListValue)
    /// JSON, read from text.
    case json(JSONValue)
    /// A value from a keyed archive.
    case keyed(KeyedValue)
  }

  /// What the value is, after unpacking.
  package let content: Content
  /// What it was unpacked from, outermost first; empty for a value that stands there as it is.
  package let packings: [Packing]
  /// The value as it stands in what it is part of, before any unpacking.
  package let raw: Content
  /// Whether it looks packed and was left so because it is larger than the limits: see ``InspectionLimits/row``.
  package let isLeftPacked: Bool
  /// The name it has, which tells moments from other numbers; an element has that of its array.
  package let name: String?
  /// Whether it stands in the store itself, and not in something that was unpacked.
  let isStored: Bool
  /// How many packings lead to what is inside it.
  let depth: Int

  /// The value as it is stored, before any unpacking; nil for one that was read out of a packed value.
  package var stored: PropertyListValue? {
    if isStored, case .propertyList(let value) = raw { value } else { nil }
  }

  /// A value of a store.
  /// - Parameters:
  ///   - name: the key it has there.
  ///   - limits: up to which size it is unpacked.
  package init(_ value: PropertyListValue, name: String? = nil, limits: InspectionLimits = .default) {
    self.init(.propertyList(value), name: name, isStored: true, depth: 0, limits: limits)
  }

  /// What a store holds; nil for one that could not be read.
  package init?(_ store: Store) {
    switch store.content {
    case .unreadable: return nil
    case .json(let text): self.init(.json(text.value), name: nil, isStored: false, depth: 0, limits: .default)
    case .document(let document):
      guard document.isKeyedArchive, let archive = try? KeyedArchive(document) else {
        self.init(document.root)
        return
      }
      self.init(unpacked: .keyed(archive.shown), from: [.keyedArchive], raw: .propertyList(document.root))
    }
  }

  init(_ raw: Content, name: String?, isStored: Bool, depth: Int, limits: InspectionLimits) {
    var unpacking = Unpacking(raw, depth: depth, limits: limits)
    unpacking.run()
    content = unpacking.content
    packings = unpacking.packings
    isLeftPacked = unpacking.isLeftPacked
    self.raw = raw
    self.name = name
    self.isStored = isStored
    self.depth = depth + unpacking.packings.count
  }

  private init(unpacked content: Content, from packings: [Packing], raw: Content) {
    self.content = content
    self.packings = packings
    self.raw = raw
    isLeftPacked = false
    name = nil
    isStored = true
    depth = packings.count
  }
}

extension InspectedValue {
  /// How many bytes were read to unpack it: what walks through many values counts them, since one may be packed in many
  /// places at once.
  package var packedSize: Int {
    guard !packings.isEmpty else { return 0 }
    switch raw {
    case .propertyList(.string(let text)), .json(.string(let text)), .keyed(.string(let text)): return text.utf8.count
    case .propertyList(.data(let bytes)), .keyed(.data(let bytes)): return bytes.count
    default: return 0
    }
  }
}

/// How a value was packed into another.
package enum Packing: String, Hashable, Sendable, CaseIterable {
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

/// Up to which size and depth packed values are opened.
package struct InspectionLimits: Hashable, Sendable {
  /// The longest text or data that is read, in bytes.
  package var bytes: Int
  /// How many packings are opened one inside the other.
  package var packings: Int

  /// Bounds as given.
  package init(bytes: Int = 1 << 26, packings: Int = 16) {
    self.bytes = bytes
    self.packings = packings
  }

  /// 64 MiB, sixteen packings: to open a value.
  package static let `default` = InspectionLimits()
  /// 64 KiB: to show one row of many.
  package static let row = InspectionLimits(bytes: 1 << 16)
  /// Opens nothing.
  package static let closed = InspectionLimits(packings: 0)
}
