import CarryoverSystem
package import PropertyLists

/// A value for an inspector: its content, its packing and the values inside, opened in place.
///
/// Creating one unpacks only the value itself. An ``InspectedChild`` is unpacked when its value is read. Damaged
/// values, and those beyond the limits, stay packed.
package struct InspectedValue: Sendable {
  package enum Content: Hashable, Sendable {
    case propertyList(PropertyListValue)
    case json(JSONValue)
    /// A value that is not a plain one.
    case keyed(KeyedValue)

    init(_ value: KeyedValue) {
      if case .plain(let value) = value { self = .propertyList(value) } else { self = .keyed(value) }
    }

    /// The value as a property list has it; nil for an object of another class.
    package var propertyListValue: PropertyListValue? {
      switch self {
      case .propertyList(let value): value
      case .json(let json): json.propertyListValue
      case .keyed(let value): value.propertyList().value
      }
    }
  }

  package let content: Content
  package let packings: [Packing]
  package let raw: Content
  /// Whether the value looks packed but is beyond the limits: see ``InspectionLimits/row``.
  package let isLeftPacked: Bool
  /// The name of the value, which helps to recognise moments. An element has the name of its array.
  package let name: String?
  let isStored: Bool
  let depth: Int

  /// The value as it is stored, before any unpacking; nil for a value from inside a packed one.
  package var stored: PropertyListValue? {
    if isStored, case .propertyList(let value) = raw { value } else { nil }
  }

  package init(_ value: PropertyListValue, name: String? = nil, limits: InspectionLimits = .default) {
    self.init(.propertyList(value), name: name, isStored: true, depth: 0, limits: limits)
  }

  package init?(_ store: Store) {
    switch store.content {
    case .unreadable: return nil
    case .json(let text): self.init(.json(text.value), name: nil, isStored: false, depth: 0, limits: .default)
    case .database(let tables): self.init(store.tables?.value ?? .dictionary(tables))
    case .document(let document):
      guard document.isKeyedArchive, let archive = try? KeyedArchive(document) else {
        self.init(document.root)
        return
      }
      self.init(unpacked: Content(archive.shown), from: [.keyedArchive], raw: .propertyList(document.root))
    }
  }

  init(_ raw: Content, name: String?, isStored: Bool, depth: Int, limits: InspectionLimits) {
    let unpacking = Unpacking(raw, depth: depth, limits: limits)
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

  /// The number of bytes that were read to unpack the value. A walk through many values counts them, because the same
  /// packed value may occur many times.
  package var packedSize: Int {
    guard !packings.isEmpty else { return 0 }
    switch raw {
    case .propertyList(.string(let text)), .json(.string(let text)): return text.utf8.count
    case .propertyList(.data(let bytes)): return bytes.count
    default: return 0
    }
  }

  /// How many values are directly inside, and each with its label; nil for a scalar.
  private var inside: (count: Int, at: (Int) -> (label: InspectedChild.Label, raw: Content))? {
    typealias Place = (label: InspectedChild.Label, raw: Content)
    switch content {
    case .propertyList(.dictionary(let dictionary)):
      let entries = dictionary.entries
      return (entries.count, { Place(.name(entries[$0].key), .propertyList(entries[$0].value)) })
    case .propertyList(.array(let values)), .propertyList(.set(let values)):
      return (values.count, { Place(.index($0), .propertyList(values[$0])) })
    case .json(.object(let members)):
      return (members.count, { Place(.name(members[$0].name), .json(members[$0].value)) })
    case .json(.array(let values)): return (values.count, { Place(.index($0), .json(values[$0])) })
    case .keyed(.array(let values)), .keyed(.set(let values)), .keyed(.orderedSet(let values)):
      return (values.count, { Place(.index($0), Content(values[$0])) })
    case .keyed(.object(let object)):
      return (object.members.count, { Place(.name(object.members[$0].name), Content(object.members[$0].value)) })
    case .keyed(.dictionary(let pairs)): return (pairs.count, { Self.place(of: pairs[$0], $0) })
    default: return nil
    }
  }

  private static func place(of pair: KeyedPair, _ index: Int) -> (label: InspectedChild.Label, raw: Content) {
    if let name = pair.name { return (.name(name), Content(pair.value)) }
    return (.index(index), .keyed(.dictionary([KeyedPair("key", pair.key), KeyedPair("value", pair.value)])))
  }

  package var count: Int { inside?.count ?? 0 }

  package var isContainer: Bool { inside != nil }

  package var children: [InspectedChild] {
    inside.map { inside in (0..<inside.count).map { child(inside.at($0)) } } ?? []
  }

  package func child(at place: Int) -> InspectedChild? {
    guard let inside, place >= 0, place < inside.count else { return nil }
    return child(inside.at(place))
  }

  /// The place of the first value inside that has a label; nil if there is none.
  package func index(of label: InspectedChild.Label) -> Int? {
    guard case .key(let key) = label else {
      guard case .index(let index) = label, child(at: index)?.label == label else { return nil }
      return index
    }
    let name = key.text
    return switch content {
    case .propertyList(.dictionary(let dictionary)): dictionary.entries.firstIndex { $0.key.hasSameBytes(as: name) }
    case .json(.object(let members)): members.firstIndex { $0.name.hasSameBytes(as: name) }
    case .keyed(.object(let object)): object.members.firstIndex { $0.name.hasSameBytes(as: name) }
    case .keyed(.dictionary(let pairs)): pairs.firstIndex { $0.name?.hasSameBytes(as: name) == true }
    default: nil
    }
  }

  /// The child that labels lead to, each value on the way unpacked; nil if there is none.
  package func value(at labels: [InspectedChild.Label]) -> InspectedChild? {
    var (value, found) = (self, InspectedChild?.none)
    for label in labels {
      if let found { value = found.value }
      guard let child = value.index(of: label).flatMap({ value.child(at: $0) }) else { return nil }
      found = child
    }
    return found
  }

  private func child(_ place: (label: InspectedChild.Label, raw: Content)) -> InspectedChild {
    InspectedChild(
      label: place.label, raw: place.raw, name: place.label.name ?? name, isStored: isStored && packings.isEmpty,
      depth: depth)
  }
}

package struct InspectedChild: Sendable {
  package enum Label: Hashable, Sendable {
    case key(StringByBytes)
    /// An element, counted from 0. For a dictionary with keys that are not strings, a pair with the members `key` and
    /// `value`.
    case index(Int)

    package static func name(_ name: String) -> Label { .key(StringByBytes(name)) }

    package var name: String? { if case .key(let key) = self { key.text } else { nil } }
  }

  package let label: Label
  package let raw: InspectedValue.Content
  let name: String?
  let isStored: Bool
  let depth: Int

  /// The unpacked value. Each call unpacks it again: store it if you need it twice.
  package var value: InspectedValue { value(limits: .default) }

  /// The value, unpacked only within limits, such as ``InspectionLimits/row``.
  package func value(limits: InspectionLimits) -> InspectedValue {
    InspectedValue(raw, name: name, isStored: isStored, depth: depth, limits: limits)
  }
}

package struct InspectedPath: Hashable, Sendable, JSONConvertible {
  @StringByBytes package var store: String
  package var labels: [InspectedChild.Label]

  package init(store: String, labels: [InspectedChild.Label] = []) {
    self.store = store
    self.labels = labels
  }

  /// `Library/Preferences/com.acme.shop.plist: rl_traits.address.lines[2]`.
  ///
  /// A name is in quotation marks unless it consists of ASCII letters, digits, `_`, `-` and `$`. Quotation marks and
  /// backslashes in it are escaped with a backslash, and other unprintable characters as `\n` or `\u{…}`. So different
  /// paths have different texts, and no text contains control characters for a terminal.
  package var text: String {
    let store = Self.isPlainStore(store) ? store : Self.quoted(store)
    return labels.isEmpty ? store : store + ": " + labelText
  }

  package var labelText: String {
    var text = ""
    for label in labels {
      switch label {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        text += (text.isEmpty ? "" : ".") + (Self.isPlain(key.text) ? key.text : Self.quoted(key.text))
      }
    }
    return text
  }

  /// The names and indexes that lead from the store's root to the value.
  package var json: JSONValue {
    .array(
      labels.map { label in
        switch label {
        case .key(let key): key.text.json
        case .index(let index): index.json
        }
      })
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"): true
        default: false
        }
      }
  }

  /// A file name may contain spaces and letters of any script, if the end of the path stays unambiguous.
  private static func isPlainStore(_ path: String) -> Bool {
    !path.isEmpty && path.utf8.first != 0x20 && path.utf8.last != 0x20 && DisplayText.harmless(path) == path
      && !path.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: ":") }
  }

  private static func quoted(_ text: String) -> String {
    var marked = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { marked.append("\\") }
      marked.append(scalar)
    }
    return "\"" + DisplayText.harmless(String(marked)) + "\""
  }
}

package struct StoreRemark: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case file
    case key
    /// The existence of a marker file, which is not a store.
    case sign
  }

  package var path: String
  package var subject: Subject
  package var words: String
  package var sentence: String
  /// The remark as members of a JSON object: the SDK, the kind of file, its state, counts.
  package var members: [JSONMember]

  package init(path: String, subject: Subject, words: String, sentence: String, members: [JSONMember]) {
    self.path = path
    self.subject = subject
    self.words = words
    self.sentence = sentence
    self.members = members
  }
}

extension Store {
  /// The keys that the store shows, of a keyed archive those of its object; nil if it shows no keys.
  package var keyCount: Int? {
    guard let root = InspectedValue(self), root.isContainer else { return nil }
    switch root.content {
    case .propertyList(.array), .json(.array): return nil
    default: return root.count
    }
  }
}
