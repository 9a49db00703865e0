import PropertyLists

/// What is packed in text or data, for inspecting and for masking.
enum PackedValue {
  case propertyList(PropertyListValue, Packing)
  case archive(KeyedArchive, Packing)
  case json(JSONValue, Packing)
  case text(String)
  /// It looks packed, but is beyond the limits.
  case tooLarge

  struct Limits {
    var bytes: Int
    /// The maximum number of values in a property list; nil for 16 a byte. Archives share objects, so they have more
    /// values than bytes. A malicious one could expand without end.
    var nodes: Int?
    var json: JSONLimits
    /// The beginnings of XML property lists, after white space.
    var xml: [String]
  }

  init?(_ value: PropertyListValue, _ limits: Limits) {
    switch value {
    case .string(let text): self.init(text, limits)
    case .data(let bytes): self.init(bytes, limits)
    case .dictionary(let dictionary): self.init(dictionary, limits)
    default: return nil
    }
  }

  init?(_ bytes: [UInt8], _ limits: Limits) {
    if bytes.starts(with: "bplist".utf8) {
      self.init(propertyList: bytes, .binaryPropertyList, limits)
      return
    }
    if Self.isXML(bytes, limits), let list = PackedValue(propertyList: bytes, .xmlPropertyList, limits) {
      self = list
      return
    }
    let isJSON = Self.isJSON(bytes)
    guard isJSON || bytes.contains(where: { !$0.isSpace }) && Self.isPrintable(bytes.prefix(64)) else {
      return nil
    }
    guard bytes.count <= limits.bytes else {
      self = .tooLarge
      return
    }
    if isJSON, let json = try? JSONText(bytes: bytes, limits: limits.json) {
      self = .json(json.value, .jsonData)
    } else if Self.isPrintable(bytes), let text = String(utf8: bytes) {
      self = .text(text)
    } else {
      return nil
    }
  }

  init?(_ text: String, _ limits: Limits) {
    let isJSON = Self.isJSON(text.utf8)
    guard isJSON || Self.isXML(text.utf8, limits) else { return nil }
    if isJSON, text.utf8.count <= limits.bytes {
      guard let json = try? JSONText(text, limits: limits.json) else { return nil }
      self = .json(json.value, .jsonText)
    } else if isJSON {
      self = .tooLarge
    } else {
      self.init(propertyList: Array(text.utf8), .xmlPropertyList, limits)
    }
  }

  private init?(propertyList bytes: [UInt8], _ packing: Packing, _ limits: Limits) {
    guard bytes.count <= limits.bytes else {
      self = .tooLarge
      return
    }
    let nodes = limits.nodes ?? bytes.count.multipliedReportingOverflow(by: 16).partialValue
    guard let document = try? PropertyListDocument(bytes: bytes, limits: PropertyListLimits(nodes: nodes, findings: 0))
    else { return nil }
    if document.isKeyedArchive, let archive = try? KeyedArchive(document) {
      self = .archive(archive, packing)
    } else {
      self = .propertyList(document.root, packing)
    }
  }

  /// An archive that is directly in a property list, not in data.
  init?(_ dictionary: PropertyListDictionary, _ limits: Limits) {
    guard dictionary.count <= Self.archiveMembers, ["$archiver", "$top"].allSatisfy({ dictionary[$0] != nil }),
      case .array(let objects)? = dictionary["$objects"]
    else { return nil }
    guard objects.count.multipliedReportingOverflow(by: Self.objectBytes).partialValue <= limits.bytes else {
      self = .tooLarge
      return
    }
    guard let bytes = try? PropertyListDocument.encode(.dictionary(dictionary), as: .binary),
      case .archive(let archive, _)? = PackedValue(propertyList: bytes, .binaryPropertyList, limits)
    else { return nil }
    self = .archive(archive, .keyedArchive)
  }

  /// The maximum number of top-level members. An archiver writes four.
  private static let archiveMembers = 16
  private static let objectBytes = 64

  /// Whether it begins with a bracket that the last character closes: rejects most text that is not JSON.
  private static func isJSON(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    guard let first = bytes.first(where: { !$0.isSpace }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return false }
    return bytes.last { !$0.isSpace } == first + 2
  }

  private static func isXML(_ bytes: some Collection<UInt8>, _ limits: Limits) -> Bool {
    guard let first = bytes.first, first == UInt8(ascii: "<") || first == 0xEF || first.isSpace else { return false }
    var rest = bytes.prefix(1024)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: \.isSpace)
    return limits.xml.contains { rest.starts(with: $0.utf8) }
  }

  private static func isPrintable(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }
}

extension KeyedArchive {
  /// The root value of an archive or, without one, all its values by name.
  var shown: KeyedValue { root ?? .dictionary(top.map { KeyedPair($0.name, $0.value) }) }
}

package enum Packing: String, Hashable, Sendable, CaseIterable, JSONConvertible {
  case jsonText = "json-text"
  case jsonData = "json-data"
  case binaryPropertyList = "binary-property-list"
  case xmlPropertyList = "xml-property-list"
  /// An archive of `NSKeyedArchiver`, in a property list.
  case keyedArchive = "keyed-archive"
  case utf8Text = "utf8-text"
}

package struct InspectionLimits: Hashable, Sendable {
  package var bytes = 1 << 26
  package var packings = 16

  /// 64 MiB and 16 packings: for opening a value.
  package static let `default` = InspectionLimits()
  /// 64 KiB: for showing one row of many.
  package static let row = InspectionLimits(bytes: 1 << 16)
  package static let closed = InspectionLimits(packings: 0)

  var packed: PackedValue.Limits {
    PackedValue.Limits(
      bytes: bytes, nodes: nil, json: JSONLimits(size: .max, values: 5_000_000, findings: 0),
      xml: ["<?xml", "<!DOCTYPE plist", "<plist"])
  }
}

/// Opens the packings of a value one by one, until it is a container or a plain value.
struct Unpacking {
  private(set) var content: InspectedValue.Content
  private(set) var packings: [Packing] = []
  private(set) var isLeftPacked = false

  init(_ content: InspectedValue.Content, depth: Int, limits: InspectionLimits) {
    self.content = content
    while depth + packings.count < limits.packings, open(limits) {}
  }

  private mutating func open(_ limits: InspectionLimits) -> Bool {
    let packed: PackedValue? =
      switch content {
      case .propertyList(.dictionary) where !packings.isEmpty: nil
      case .propertyList(let value): PackedValue(value, limits.packed)
      case .json(.string(let text)): PackedValue(text, limits.packed)
      default: nil
      }
    switch packed {
    case .propertyList(let value, let packing):
      packings.append(packing)
      content = .propertyList(value)
    case .archive(let archive, let packing):
      packings += packing == .keyedArchive ? [packing] : [packing, .keyedArchive]
      content = InspectedValue.Content(archive.shown)
    case .json(let value, let packing):
      packings.append(packing)
      content = .json(value)
    case .text(let text):
      packings.append(.utf8Text)
      content = .propertyList(.string(text))
    case .tooLarge:
      isLeftPacked = true
      return false
    case nil: return false
    }
    return true
  }
}
