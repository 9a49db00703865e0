package import PropertyLists

/// A value for an inspector: its content, its packing and the values inside, opened in place.
///
/// Creating one unpacks only the value itself. An ``InspectedChild`` is unpacked when its value is read. Damaged
/// values, and those beyond the limits, stay packed.
package struct InspectedValue: Sendable {
  /// The content of a value, after unpacking.
  package enum Content: Sendable {
    /// A property-list value.
    case propertyList(PropertyListValue)
    /// JSON, read from text.
    case json(JSONValue)
    /// A value from a keyed archive.
    case keyed(KeyedValue)
  }

  /// The content, after unpacking.
  package let content: Content
  /// The packings, outermost first; empty for a value that is not packed.
  package let packings: [Packing]
  /// The value as it is stored, before any unpacking.
  package let raw: Content
  /// Whether the value looks packed but is beyond the limits: see ``InspectionLimits/row``.
  package let isLeftPacked: Bool
  /// The name of the value, which helps to recognise moments. An element has the name of its array.
  package let name: String?
  /// Whether the value is in the store itself, not in an unpacked value.
  let isStored: Bool
  /// The number of packings around the values inside it.
  let depth: Int

  /// The value as it is stored, before any unpacking; nil for a value from inside a packed one.
  package var stored: PropertyListValue? {
    if isStored, case .propertyList(let value) = raw { value } else { nil }
  }

  /// A value of a store.
  /// - Parameters:
  ///   - name: its key in the store.
  ///   - limits: the limits for unpacking.
  package init(_ value: PropertyListValue, name: String? = nil, limits: InspectionLimits = .default) {
    self.init(.propertyList(value), name: name, isStored: true, depth: 0, limits: limits)
  }

  /// The root value of a store; nil if the store could not be read.
  package init?(_ store: Store) {
    switch store.content {
    case .unreadable: return nil
    case .json(let text): self.init(.json(text.value), name: nil, isStored: false, depth: 0, limits: .default)
    case .database(let tables): self.init(.dictionary(tables))
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
  /// The number of bytes that were read to unpack the value. A walk through many values counts them, because the same
  /// packed value may occur many times.
  package var packedSize: Int {
    guard !packings.isEmpty else { return 0 }
    switch raw {
    case .propertyList(.string(let text)), .json(.string(let text)), .keyed(.string(let text)): return text.utf8.count
    case .propertyList(.data(let bytes)), .keyed(.data(let bytes)): return bytes.count
    default: return 0
    }
  }
}

/// The packing of a value in another one.
package enum Packing: String, Hashable, Sendable, CaseIterable {
  /// A JSON object or array in a string.
  case jsonText = "json-text"
  /// A JSON object or array in data.
  case jsonData = "json-data"
  /// A binary property list in data.
  case binaryPropertyList = "binary-property-list"
  /// An XML property list in data or a string.
  case xmlPropertyList = "xml-property-list"
  /// An archive of `NSKeyedArchiver`, in a property list.
  case keyedArchive = "keyed-archive"
  /// UTF-8 text in data.
  case utf8Text = "utf8-text"
}

/// The limits for opening packed values.
package struct InspectionLimits: Hashable, Sendable {
  /// The maximum size of text or data, in bytes.
  package var bytes: Int
  /// The maximum number of packings inside each other.
  package var packings: Int

  /// Limits with these values.
  package init(bytes: Int = 1 << 26, packings: Int = 16) {
    self.bytes = bytes
    self.packings = packings
  }

  /// 64 MiB and 16 packings: for opening a value.
  package static let `default` = InspectionLimits()
  /// 64 KiB: for showing one row of many.
  package static let row = InspectionLimits(bytes: 1 << 16)
  /// Opens no packed value.
  package static let closed = InspectionLimits(packings: 0)
}
