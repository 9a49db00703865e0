@testable import Carryover

/// A value of a store as a test knows it, with what is packed in it. Foundation writes and reads it.
indirect enum SampleTree {
  case text(String), integer(Int), real(Double), boolean(Bool), date(Int), data([UInt8]), null
  case dictionary([(key: String, value: SampleTree)])
  case array([SampleTree])
  case packed(Form, SampleTree)

  enum Form: CaseIterable { case jsonText, jsonData, binary, xml, archive }
  enum Domain { case propertyList, json, archive }

  var domainInside: Domain? {
    guard case .packed(let form, _) = self else { return nil }
    return form.domain
  }

  var isScalar: Bool {
    switch self {
    case .dictionary, .array, .packed: false
    default: true
    }
  }

  var contents: SampleTree { if case .packed(_, let inner) = self { inner.contents } else { self } }

  /// What no other value is packed in.
  var propertyList: PropertyListValue? {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .integer(PropertyListInteger(number))
    case .real(let number): .real(PropertyListReal(number))
    case .boolean(let flag): .boolean(flag)
    case .date(let seconds): .date(PropertyListDate(secondsSince2001: Double(seconds)))
    case .data(let bytes): .data(bytes)
    case .null: .null
    case .array(let values): .array(values.compactMap(\.propertyList))
    case .dictionary(let pairs):
      .dictionary(
        PropertyListDictionary(
          entries: pairs.compactMap { pair in pair.value.propertyList.map { .init(key: pair.key, value: $0) } }))
    case .packed: nil
    }
  }
}

extension SampleTree.Form {
  var domain: SampleTree.Domain {
    switch self {
    case .jsonText, .jsonData: .json
    case .binary, .xml: .propertyList
    case .archive: .archive
    }
  }

  func read(_ value: Any) throws -> Any {
    switch self {
    case .jsonText:
      guard let text = value as? String else { throw Unread() }
      return try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    case .jsonData: return try JSONSerialization.jsonObject(with: data(value), options: .fragmentsAllowed)
    case .binary, .xml: return try PropertyListSerialization.propertyList(from: data(value), format: nil)
    case .archive:
      let classes: [AnyClass] = [
        NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
      ]
      guard let root = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data(value)) else {
        throw Unread()
      }
      return root
    }
  }

  private func data(_ value: Any) throws -> Data {
    guard let data = value as? Data else { throw Unread() }
    return data
  }

  struct Unread: Error {}

  func write(_ tree: SampleTree) throws -> Any {
    let object = try tree.object()
    switch self {
    case .jsonText: return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    case .jsonData: return try JSONSerialization.data(withJSONObject: object)
    case .binary: return try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    case .xml: return try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
    case .archive:
      let root = (object as? [String: Any]).map { $0 as NSDictionary }
      return try NSKeyedArchiver.archivedData(withRootObject: root ?? NSDictionary(), requiringSecureCoding: false)
    }
  }
}

extension SampleTree {
  /// The value as Foundation writes it.
  func object() throws -> Any {
    switch self {
    case .text(let text): text
    case .integer(let number): number
    case .real(let number): number
    case .boolean(let flag): flag
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
    case .data(let bytes): Data(bytes)
    case .null: NSNull()
    case .array(let values): try values.map { try $0.object() }
    case .dictionary(let pairs): try Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, try $0.value.object()) })
    case .packed(let form, let inner): try form.write(inner)
    }
  }

  /// An object that Foundation has read, in words, with what is packed in it where this tree has it.
  func words(_ object: Any) throws -> String {
    switch self {
    case .packed(let form, let inner): return "\(form)<\(try inner.words(form.read(object)))>"
    case .dictionary(let pairs):
      guard let found = object as? [String: Any] else { return "no dictionary" }
      let known = Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.value) })
      return try "{"
        + found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { key in
          "\(key.debugDescription): \(try (known[key] ?? .null).words(found[key] ?? NSNull()))"
        }.joined(separator: ", ") + "}"
    case .array(let values):
      guard let found = object as? [Any] else { return "no array" }
      return try "["
        + found.enumerated().map { place, object in
          try (values.indices.contains(place) ? values[place] : .null).words(object)
        }.joined(separator: ", ") + "]"
    default: return Self.words(ofScalar: object)
    }
  }

  private static func words(ofScalar object: Any) -> String {
    switch object {
    case let text as String: return text.debugDescription
    case let date as Date: return "date \(date.timeIntervalSinceReferenceDate)"
    case let data as Data: return "data \(Array(data))"
    case is NSNull: return "null"
    case let number as NSNumber:
      switch number.objCType.pointee {
      case CChar(UInt8(ascii: "c")), CChar(UInt8(ascii: "B")): return number.boolValue ? "true" : "false"
      case CChar(UInt8(ascii: "f")), CChar(UInt8(ascii: "d")): return "real \(number.doubleValue)"
      default: return "\(number)"
      }
    case let values as [Any]: return "[" + values.map { words(ofScalar: $0) }.joined(separator: ", ") + "]"
    case let values as [String: Any]:
      let keys = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return "{"
        + keys.map { "\($0.debugDescription): \(words(ofScalar: values[$0] ?? NSNull()))" }
        .joined(separator: ", ") + "}"
    default: return "?"
    }
  }
}

/// Trees, places in them and changes there, the same for the same seed.
struct SampleTrees {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let keys = [
    "flag", "userId", "a.b", "x[0]", "", "with \"quotes\"", "back\\slash", "ünï", "line\nbreak", "items",
    "tab\there", "-", "\u{202E}rtl", "😀",
  ]

  mutating func root(_ domain: SampleTree.Domain) -> SampleTree { dictionary(domain, depth: 0, packings: 0) }

  private mutating func dictionary(_ domain: SampleTree.Domain, depth: Int, packings: Int) -> SampleTree {
    var keys = Self.keys
    let count = 1 + random.roll(5)
    return .dictionary(
      (0..<count).map { _ in
        (key: keys.remove(at: random.roll(keys.count)), value: value(domain, depth: depth + 1, packings: packings))
      })
  }

  mutating func value(_ domain: SampleTree.Domain, depth: Int, packings: Int) -> SampleTree {
    switch random.roll(depth > 5 ? 7 : 11) {
    case 7: return dictionary(domain, depth: depth, packings: packings)
    case 8:
      let count = random.roll(4)
      return .array((0..<count).map { _ in value(domain, depth: depth + 1, packings: packings) })
    case 9, 10:
      guard packings < 3 else { return scalar(domain) }
      let forms: [SampleTree.Form] = domain == .json ? [.jsonText] : SampleTree.Form.allCases
      let form = forms[random.roll(forms.count)]
      return .packed(form, dictionary(form.domain, depth: depth, packings: packings + 1))
    default: return scalar(domain)
    }
  }

  mutating func scalar(_ domain: SampleTree.Domain) -> SampleTree {
    switch random.roll(domain == .json ? 5 : 6) {
    case 0: return .text(["", "on", "Größe ✓", "e\u{301}", "two\nlines", "a/b\\c\"d", "0123", "true"][random.roll(8)])
    case 1: return .integer([0, 1, -7, 255, 65_536, 1 << 40, -(1 << 62)][random.roll(7)])
    case 2: return .real(Double(random.roll(2000) - 1000) + 0.5)
    case 3: return .boolean(random.roll(2) == 0)
    case 4: return domain == .json ? .null : .date(random.roll(1_000_000_000))
    default: return .data((0..<random.roll(20)).map { _ in 0x80 | UInt8(random.roll(128)) })
    }
  }

  /// A change of a tree, and the tree after it.
  mutating func change(
    _ tree: SampleTree, _ domain: SampleTree.Domain
  ) -> (labels: [InspectedChild.Label], new: NewValue, after: SampleTree) {
    if case .packed(let form, let inner) = tree {
      let (labels, new, after) = change(inner, form.domain)
      return (labels, new, .packed(form, after))
    }
    switch tree {
    case .dictionary(var pairs):
      guard !pairs.isEmpty, random.roll(6) > 0 else {
        let fresh = Self.keys.filter { key in !pairs.contains { $0.key == key } }
        let key = fresh[random.roll(fresh.count)]
        let (new, value) = replacement(nil, domain)
        pairs.append((key, value))
        return ([.name(key)], new, .dictionary(pairs))
      }
      let place = random.roll(pairs.count)
      let (labels, new, after) = step(pairs[place].value, domain)
      let label = InspectedChild.Label.name(pairs[place].key)
      if let after { pairs[place].value = after } else { pairs.remove(at: place) }
      return ([label] + labels, new, .dictionary(pairs))
    case .array(var values):
      guard !values.isEmpty, random.roll(4) > 0 else {
        let (new, value) = replacement(nil, domain)
        return ([.index(values.count)], new, .array(values + [value]))
      }
      let place = random.roll(values.count)
      let (labels, new, after) = step(values[place], domain)
      if let after { values[place] = after } else { values.remove(at: place) }
      return ([.index(place)] + labels, new, .array(values))
    default: return ([], .removed, tree)
    }
  }

  /// The change of a value, or of one in it; nil after it is removed.
  private mutating func step(
    _ value: SampleTree, _ domain: SampleTree.Domain
  ) -> (labels: [InspectedChild.Label], new: NewValue, after: SampleTree?) {
    if !value.isScalar, random.roll(5) > 0 {
      let (labels, new, after) = change(value, domain)
      return (labels, new, after)
    }
    if random.roll(4) == 0 { return ([], .removed, nil) }
    let (new, after) = replacement(value, domain)
    return ([], new, after)
  }

  private mutating func replacement(
    _ old: SampleTree?, _ domain: SampleTree.Domain
  ) -> (new: NewValue, value: SampleTree) {
    if random.roll(4) == 0, let container = plainContainer(domain), let list = container.propertyList {
      return (.value(list), container)
    }
    let value = scalar(domain)
    guard let (text, type) = Self.notation(value) else { return (.typed("", .null), .null) }
    // Without a type, a new value is text and a present one keeps its type.
    let isKept =
      switch (old, value) {
      case (nil, .text), (.text, .text), (.real, .real), (.boolean, .boolean), (.date, .date), (.data, .data): true
      case (.integer, .integer): true
      default: false
      }
    return (.typed(text, isKept && random.roll(2) == 0 ? nil : type), value)
  }

  private mutating func plainContainer(_ domain: SampleTree.Domain) -> SampleTree? {
    switch random.roll(2) {
    case 0: .array([scalar(domain), scalar(domain)])
    default: .dictionary([("new", scalar(domain)), ("n.2", scalar(domain))])
    }
  }

  static func notation(_ value: SampleTree) -> (String, ValueType)? {
    switch value {
    case .text(let text): (text, .text)
    case .integer(let number): (String(number), .integer)
    case .real(let number): (String(number), .real)
    case .boolean(let flag): (flag ? "true" : "false", .boolean)
    case .date(let seconds): (PropertyListDate(secondsSince2001: Double(seconds)).description, .date)
    case .data(let bytes): (bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), .data)
    case .null, .dictionary, .array, .packed: nil
    }
  }
}
