import PropertyLists

/// Opens the packings of a value one by one, until it is a container or a plain value.
struct Unpacking {
  private(set) var content: InspectedValue.Content
  private(set) var packings: [Packing] = []
  private(set) var isLeftPacked = false
  private let depth: Int
  private let limits: InspectionLimits

  /// - Parameter depth: the number of packings around the value.
  init(_ content: InspectedValue.Content, depth: Int, limits: InspectionLimits) {
    self.content = content
    self.depth = depth
    self.limits = limits
  }

  mutating func run() {
    while depth + packings.count < limits.packings, let opened = open() {
      packings += opened.packings
      content = opened.content
    }
  }

  private typealias Opened = (packings: [Packing], content: InspectedValue.Content)

  private mutating func open() -> Opened? {
    switch content {
    case .propertyList(.string(let text)), .json(.string(let text)), .keyed(.string(let text)): return open(text)
    case .propertyList(.data(let bytes)), .keyed(.data(let bytes)): return open(bytes)
    case .propertyList(.dictionary(let dictionary)): return open(dictionary)
    default: return nil
    }
  }

  private mutating func open(_ text: String) -> Opened? {
    guard let sign = text.utf8.first(where: { !Self.isSpace($0) }) else { return nil }
    switch sign {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard Self.isClosed(text.utf8, by: sign), isWithinLimits(text.utf8.count),
        let json = try? JSONText(text, limits: Self.json)
      else { return nil }
      return ([.jsonText], .json(json.value))
    case UInt8(ascii: "<"):
      guard Self.isXMLPropertyList(text.utf8), isWithinLimits(text.utf8.count) else { return nil }
      return propertyList(Array(text.utf8), .xmlPropertyList)
    default: return nil
    }
  }

  private mutating func open(_ bytes: [UInt8]) -> Opened? {
    guard let sign = bytes.first(where: { !Self.isSpace($0) }) else { return nil }
    if bytes.starts(with: "bplist".utf8) {
      return isWithinLimits(bytes.count) ? propertyList(bytes, .binaryPropertyList) : nil
    }
    if Self.isXMLPropertyList(bytes) {
      guard isWithinLimits(bytes.count) else { return nil }
      if let opened = propertyList(bytes, .xmlPropertyList) { return opened }
    }
    if sign == UInt8(ascii: "{") || sign == UInt8(ascii: "["), Self.isClosed(bytes, by: sign) {
      guard isWithinLimits(bytes.count) else { return nil }
      if let json = try? JSONText(bytes: bytes, limits: Self.json) { return ([.jsonData], .json(json.value)) }
    }
    guard Self.isPrintable(bytes.prefix(64)), isWithinLimits(bytes.count), Self.isPrintable(bytes),
      let text = String(utf8: bytes)
    else { return nil }
    return ([.utf8Text], .propertyList(.string(text)))
  }

  /// Opens an archive that is directly in a property list, not in data.
  private mutating func open(_ dictionary: PropertyListDictionary) -> Opened? {
    guard packings.isEmpty, dictionary.count <= Self.archiveMembers,
      ["$archiver", "$top"].allSatisfy({ dictionary[$0] != nil }), case .array(let objects)? = dictionary["$objects"],
      isWithinLimits(objects.count.multipliedReportingOverflow(by: Self.objectBytes).partialValue),
      let bytes = try? PropertyListDocument.encode(.dictionary(dictionary), as: .binary),
      case .keyed(let value)? = propertyList(bytes, .binaryPropertyList)?.content
    else { return nil }
    return ([.keyedArchive], .keyed(value))
  }

  private func propertyList(_ bytes: [UInt8], _ packing: Packing) -> Opened? {
    // Archives share objects, so they have more values than bytes. A malicious one could expand without end.
    let nodes = bytes.count.multipliedReportingOverflow(by: 16).partialValue
    let limits = PropertyListLimits(fileSize: limits.bytes, nodes: nodes, findings: 0)
    guard let document = try? PropertyListDocument(bytes: bytes, limits: limits) else { return nil }
    guard document.isKeyedArchive, let archive = try? KeyedArchive(document) else {
      return ([packing], .propertyList(document.root))
    }
    return ([packing, .keyedArchive], .keyed(archive.shown))
  }

  private mutating func isWithinLimits(_ size: Int) -> Bool {
    isLeftPacked = size > limits.bytes
    return !isLeftPacked
  }

  private static let json = JSONLimits(size: .max, values: 5_000_000, findings: 0)
  /// The maximum number of top-level members. An archiver writes four.
  private static let archiveMembers = 16
  /// The approximate size of an object in an archive.
  private static let objectBytes = 64

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Whether the last character closes the first bracket: a quick check that rejects most text that is not JSON.
  private static func isClosed(_ bytes: some BidirectionalCollection<UInt8>, by opening: UInt8) -> Bool {
    bytes.last { !isSpace($0) } == opening + 2
  }

  private static func isXMLPropertyList(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = bytes.prefix(1024)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: isSpace)
    return ["<?xml", "<!DOCTYPE plist", "<plist"].contains { rest.starts(with: $0.utf8) }
  }

  /// Whether bytes have no control characters except tabs and newlines.
  private static func isPrintable(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }
}

extension KeyedArchive {
  /// The root value of an archive or, without one, all its values by name.
  var shown: KeyedValue { root ?? .dictionary(top.map { KeyedPair(.string($0.name), $0.value) }) }
}
