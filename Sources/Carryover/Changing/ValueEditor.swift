import CarryoverSystem
import PropertyLists

/// Changes one value and packs everything around it as before. In packed JSON text, only the bytes of the member
/// change; in a packed property list or keyed archive, only the objects on the path.
///
/// Values on the path are opened as ``InspectedValue`` opens them, so that a path leads to what the stores show.
struct ValueEditor {
  typealias Labels = ArraySlice<InspectedChild.Label>

  let change: ValueChange
  /// The value before and after; nil for none. Set once the editor has reached it.
  private(set) var before: PropertyListValue?
  private(set) var after: PropertyListValue?
  private var openings = 0

  private static let limits = InspectionLimits.default

  init(_ change: ValueChange) { self.change = change }

  /// - Parameters:
  ///   - value: nil for a value that does not exist yet.
  ///   - rest: the labels that lead from the value to the changed one; empty for the value itself.
  /// - Returns: nil if the value is removed.
  mutating func edited(_ value: PropertyListValue?, _ rest: Labels) throws(ChangeError) -> PropertyListValue? {
    guard let label = rest.first else { return try replaced(value) }
    guard let value else { throw missing(rest) }
    if let packed = try opened(value) {
      switch (packed, value) {
      case (.json(_, .jsonText), .string(let text)): return .string(try edited(json(text), rest))
      case (.json, .data(let bytes)):
        return .data(Array(try edited(json(String(decoding: bytes, as: UTF8.self)), rest).utf8))
      case (.propertyList, .string(let text)), (.archive, .string(let text)):
        return .string(String(decoding: try edited(bytes: Array(text.utf8), rest), as: UTF8.self))
      case (.propertyList, .data(let bytes)), (.archive, .data(let bytes)): return .data(try edited(bytes: bytes, rest))
      case (.archive, .dictionary):
        let bytes = try encoded(value, as: .binary)
        return try document(edited(bytes: bytes, rest)).root
      case (.tooLarge, _): throw refused("It is packed and larger than \(Self.limits.bytes >> 20) MiB.")
      default: break
      }
    }
    return try editedInside(value, label, rest)
  }

  private mutating func editedInside(
    _ value: PropertyListValue, _ label: InspectedChild.Label, _ rest: Labels
  ) throws(ChangeError) -> PropertyListValue {
    switch (value, label) {
    case (.dictionary(var dictionary), .key(let key)):
      dictionary[key.text] = try editedPair(key, of: dictionary, rest)
      return .dictionary(dictionary)
    case (.array(var elements), .index(let index)):
      guard index <= elements.count else { throw missing(rest) }
      let isNew = index == elements.count
      let new = try edited(isNew ? nil : elements[index], rest.dropFirst())
      switch new {
      case let new? where isNew: elements.append(new)
      case let new?: elements[index] = new
      case nil: elements.remove(at: index)
      }
      return .array(elements)
    case (.set, .index): throw refused("The elements of a set have no order.")
    default: throw missing(rest)
    }
  }

  /// The value of a key after the change; nil if it is removed.
  mutating func editedPair(
    _ key: StringByBytes, of dictionary: PropertyListDictionary, _ rest: Labels
  ) throws(ChangeError) -> PropertyListValue? {
    let found = dictionary.entries.filter { $0.key.hasSameBytes(as: key.text) }
    guard found.count < 2 else { throw twice(key) }
    return try edited(found.first?.value, rest.dropFirst())
  }

  /// The bytes of a property list or keyed archive after the change.
  mutating func edited(bytes: [UInt8], _ rest: Labels) throws(ChangeError) -> [UInt8] {
    let document = try document(bytes)
    return try edited(document, rest)
  }

  /// The same for a property list that was read.
  mutating func edited(_ document: PropertyListDocument, _ rest: Labels) throws(ChangeError) -> [UInt8] {
    if document.isKeyedArchive, (try? KeyedArchive(document)) != nil {
      return try edited(refusing(try KeyedDictionary(document)), rest)
    }
    guard case .key(let key)? = rest.first, let dictionary = document.dictionary else {
      try requireExact(document, rest)
      // Only the pairs of a root dictionary can be edited in place; other roots are written again.
      guard let root = try edited(document.root, rest) else { throw missing(rest) }
      return try encoded(root, as: document.format)
    }
    try requireExact(document, rest)
    let new = try editedPair(key, of: dictionary, rest)
    return try refusing(try document.editing([new.map { .set(key.text, $0) } ?? .remove(key.text)]))
  }

  /// The bytes of a keyed archive after the change.
  mutating func edited(_ archive: KeyedDictionary, _ rest: Labels) throws(ChangeError) -> [UInt8] {
    // An edit writes every object again, including those that Apple's readers read differently.
    if let finding = archive.document.findings.first { throw refused(finding.description) }
    guard case .key(let key)? = rest.first else { throw missing(rest) }
    if archive.opaque(among: [key.text]) != nil {
      throw refused(
        "\(InspectedPath(store: "", labels: [.key(key)]).labelText) has a part that property lists cannot express.")
    }
    let new = try editedPair(key, of: archive.dictionary, rest)
    if new != nil, let name = archive.mutableClass(in: key.text) {
      throw refused("It belongs to a mutable object (\(name)), which would be written as an immutable one.")
    }
    return try refusing(try archive.editing([new.map { .set(key.text, $0) } ?? .remove(key.text)]))
  }

  /// JSON text after the change.
  mutating func edited(_ json: JSONText, _ rest: Labels) throws(ChangeError) -> String {
    switch (json.value, rest.first) {
    case (.object, .key(let key)?):
      let found = json.members.filter { $0.name.hasSameBytes(as: key.text) }
      guard found.count < 2 else { throw twice(key) }
      let old = found.first.map { (value: $0.value, text: json.text(in: $0.valueRange)) }
      let new = try edited(old, in: json, rest.dropFirst())
      if let new { return try refusing(try json.settingMember(key.text, toText: new)) }
      return try refusing(try json.removingMembers(named: [key.text]))
    case (.array(let elements), .index(let index)?):
      guard index <= elements.count else { throw missing(rest) }
      let old: (value: JSONValue, text: String)? =
        index < elements.count ? (elements[index], json.text(in: json.elements[index])) : nil
      let new = try edited(old, in: json, rest.dropFirst())
      return new.map { json.settingElement(index, toText: $0) } ?? json.removingElement(index)
    default: throw missing(rest)
    }
  }

  /// The text of a value in JSON after the change; nil if it is removed.
  private mutating func edited(
    _ old: (value: JSONValue, text: String)?, in json: JSONText, _ rest: Labels
  ) throws(ChangeError) -> String? {
    guard !rest.isEmpty else {
      let new = try replaced(old?.value)
      return new == old?.value ? old?.text : new?.text()
    }
    switch old?.value {
    case .object?, .array?: return try edited(self.json(old?.text ?? ""), rest)
    case .string(let text)?:
      if json.hasLoneSurrogate { throw refused("A string near it has half a surrogate pair, which would be lost.") }
      guard case .string(let new)? = try edited(PropertyListValue.string(text), rest) else { throw missing(rest) }
      return JSONValue.string(new).text()
    default: throw missing(rest)
    }
  }

  private mutating func replaced(_ old: PropertyListValue?) throws(ChangeError) -> PropertyListValue? {
    try requireExpected(old)
    let new = try converting(try change.new.propertyList(replacing: old), invalid)
    guard old != nil || new != nil else { throw missing([]) }
    (before, after) = (old, new)
    return new
  }

  private mutating func replaced(_ old: JSONValue?) throws(ChangeError) -> JSONValue? {
    try requireExpected(old?.propertyListValue)
    let new = try converting(try change.new.json(replacing: old), invalid)
    guard old != nil || new != nil else { throw missing([]) }
    (before, after) = (old?.propertyListValue, new?.propertyListValue)
    return new
  }

  private func requireExpected(_ old: PropertyListValue?) throws(ChangeError) {
    if let expected = change.expected, expected != old { throw .stale(change.path) }
  }

  private func invalid(_ mismatch: NewValue.Mismatch) -> ChangeError {
    .invalid(change.path, reason: mismatch.sentence)
  }

  private mutating func opened(_ value: PropertyListValue) throws(ChangeError) -> PackedValue? {
    guard openings < Self.limits.packings, let packed = PackedValue(value, Self.limits.packed) else { return nil }
    openings += 1
    return packed
  }

  private func document(_ bytes: [UInt8]) throws(ChangeError) -> PropertyListDocument {
    try refusing(try PropertyListDocument(bytes: bytes))
  }

  private func json(_ text: String) throws(ChangeError) -> JSONText { try refusing(try JSONText(text)) }

  private func encoded(_ value: PropertyListValue, as format: PropertyListFormat) throws(ChangeError) -> [UInt8] {
    try refusing(try PropertyListDocument.encode(value, as: format))
  }

  private func refusing<Value>(_ work: @autoclosure () throws -> Value) throws(ChangeError) -> Value {
    do {
      return try work()
    } catch {
      throw refused(String(describing: error))
    }
  }

  /// Refuses a document whose findings an edit would write back, because it writes the values around the changed one.
  func requireExact(_ document: PropertyListDocument, _ rest: Labels) throws(ChangeError) {
    let isDeep = rest.count > 1 || document.dictionary == nil
    if isDeep, let finding = document.findings.first { throw refused(finding.description) }
  }

  private func refused(_ reason: String) -> ChangeError { .refused(change.path, reason: DisplayText.harmless(reason)) }

  private func twice(_ key: StringByBytes) -> ChangeError {
    refused(
      "\(InspectedPath(store: "", labels: [.key(key)]).labelText) occurs more than once, and readers differ in which one they use."
    )
  }

  private func missing(_ rest: Labels) -> ChangeError {
    if case .some(.some) = change.expected { return .stale(change.path) }
    let known = max(0, change.path.labels.count - rest.count) + 1
    return .noValue(
      InspectedPath(store: change.path.store, labels: Array(change.path.labels.prefix(known))), nearest: nil)
  }
}
