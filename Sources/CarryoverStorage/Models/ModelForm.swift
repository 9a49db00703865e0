package import PropertyLists

/// The format of a model's data: JSON text, or a property list, such as a dictionary in `UserDefaults`.
///
/// Steps see JSON in both cases. A date is `{"$date": 123.5}`, in seconds since 2001, and bytes are `{"$data": "…"}` in
/// base64. Other values that JSON cannot represent are refused.
package enum ModelForm: Hashable, Sendable {
  case json
  case propertyList(PropertyListFormat)

  /// Recognises the format by the first bytes. JSON never begins as a property list does.
  package init(of bytes: [UInt8]) {
    if bytes.starts(with: "bplist".utf8) {
      self = .propertyList(.binary)
    } else {
      let first = bytes.first { ![0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
      self = first == UInt8(ascii: "<") ? .propertyList(.xml) : .json
    }
  }

  /// The value of some bytes, and whether it loses half a surrogate pair.
  /// - Throws: `JSONError`, `PropertyListError`, or `StorageProblem` for a value that steps cannot read. Errors end up in
  package func value(of bytes: [UInt8]) throws -> (value: JSONValue, loses: Bool) {
    guard self != .json else {
      do throws(JSONError) {
        let text = try JSONText(bytes: bytes)
        return (text.value, text.hasLoneSurrogate)
      } catch {
        throw error.withoutText
      }
    }
    var limits = PropertyListLimits.default
    limits.depth = Self.depth
    let document = try PropertyListDocument(bytes: bytes, limits: limits)
    return (try Self.json(document.root), false)
  }

  /// The same value always gives the same bytes.
  package func bytes(of value: JSONValue) throws -> [UInt8] {
    guard case .propertyList(let format) = self else { return Array(value.text().utf8) }
    if value.isDeeper(than: Self.depth) { throw StorageProblem("it nests deeper than \(Self.depth) levels.") }
    return try PropertyListDocument.encode(Self.propertyList(value).sortedByKeys, as: format)
  }

  /// The maximum depth of property lists, at which the recursion below is safe on a small stack.
  private static let depth = 100

  private static func json(_ value: PropertyListValue) throws(StorageProblem) -> JSONValue {
    switch value {
    case .string(let text): return .string(text)
    case .boolean(let boolean): return .boolean(boolean)
    case .integer(let number):
      guard let number = JSONNumber(lexeme: number.description) else { break }
      return .number(number)
    case .real(let real):
      // The decimal point keeps a whole number a real.
      guard real.value.isFinite, let number = JSONNumber(lexeme: "\(real.value)") else { break }
      return .number(number)
    case .date(let date):
      guard date.secondsSince2001.isFinite else { break }
      return .object([dateName: date.secondsSince2001])
    case .data(let bytes): return .object([dataName: Base64.text(bytes)])
    case .array(let values):
      var elements: [JSONValue] = []
      for value in values { elements.append(try json(value)) }
      return .array(elements)
    case .dictionary(let dictionary):
      var members: [JSONMember] = []
      for entry in dictionary.entries { members.append(JSONMember(entry.key, try json(entry.value))) }
      if members.count == 1, [dateName, dataName].contains(members[0].name) { break }
      return .object(members)
    case .uid, .set, .null: break
    }
    throw StorageProblem("it contains a value of type \(value.kind.rawValue) that steps cannot read.")
  }

  private static func propertyList(_ value: JSONValue) throws(StorageProblem) -> PropertyListValue {
    switch value {
    case .string(let text): return .string(text)
    case .boolean(let boolean): return .boolean(boolean)
    case .number(let number):
      if let integer = PropertyListInteger(number.lexeme) { return .integer(integer) }
      guard let real = number.double else { break }
      return .real(PropertyListReal(real))
    case .array(let elements):
      var values: [PropertyListValue] = []
      for element in elements { values.append(try propertyList(element)) }
      return .array(values)
    case .object(let members):
      if members.count == 1, let seconds = value[dateName]?.numberValue?.double {
        return .date(PropertyListDate(secondsSince2001: seconds))
      }
      if members.count == 1, let bytes = value[dataName]?.stringValue.flatMap(Base64.bytes) { return .data(bytes) }
      var entries: [PropertyListDictionary.Entry] = []
      for member in members { entries.append(.init(key: member.name, value: try propertyList(member.value))) }
      return .dictionary(PropertyListDictionary(entries: entries))
    case .null: break
    }
    throw StorageProblem("it contains a value of type \(value.kind.rawValue) that a property list cannot contain.")
  }

  private static let dateName = "$date"
  private static let dataName = "$data"
}

extension PropertyListValue {
  /// The value with the keys of every dictionary sorted, so that the same value gives the same bytes.
  package var sortedByKeys: PropertyListValue {
    switch self {
    case .array(let values): .array(values.map(\.sortedByKeys))
    case .dictionary(let dictionary):
      .dictionary(
        PropertyListDictionary(
          entries: dictionary.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { PropertyListDictionary.Entry(key: $0.key, value: $0.value.sortedByKeys) }))
    default: self
    }
  }
}

extension ModelMigrator {
  /// The same history for data without a number beside it: the members identify its version.
  /// - Throws: ``ModelChainError`` if the number is declared, and a version's members are not.
  package func ofDataAlone() throws(ModelChainError) -> ModelMigrator {
    guard versioning.beside != nil else { return self }
    guard versions.allSatisfy({ versioning.shapes[$0] != nil }) else {
      throw ModelChainError(model: model, problem: .besideOnly)
    }
    var certain = versioning
    certain.unmarked = nil
    return ModelMigrator(sound: model, version: version, versioning: certain, steps: steps)
  }

  package func migrated(bytes: [UInt8]) throws -> [UInt8] {
    let form = ModelForm(of: bytes)
    let (value, loses) = try form.value(of: bytes)
    guard let newest = try trace(value).last?.value else { return bytes }
    if loses { throw StorageProblem("it contains half a surrogate pair, which the steps would lose.") }
    return try form.bytes(of: newest)
  }

  package func marked(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let marker = versioning.marker else { return bytes }
    let form = ModelForm(of: bytes)
    var value = try form.value(of: bytes).value
    let isMarkable = versioning.isOfElements ? value.elements != nil : value.members != nil
    guard isMarkable, value.mark(marker, version, always: true) else {
      throw StorageProblem("it is of type \(value.kind.rawValue), which has no place for a version.")
    }
    return try form.bytes(of: value)
  }
}
