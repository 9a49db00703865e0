import PropertyLists

/// The steps for JSON, property lists and archives.
extension Transform {
  /// Whether the step reads a JSON object in text, and changes its top-level members.
  var editsMembers: Bool {
    switch self {
    case .jsonWithoutMembers, .jsonOnlyMembers, .jsonRenamedMembers: true
    default: false
    }
  }

  /// The name that the step leaves to each top-level member of a JSON object; nil for a member that it removes.
  var memberNames: (String) -> String? {
    switch self {
    case .jsonWithoutMembers(let names):
      let names = Set(names.map { StringByBytes($0) })
      return { names.contains(StringByBytes($0)) ? nil : $0 }
    case .jsonOnlyMembers(let names):
      let names = Set(names.map { StringByBytes($0) })
      return { names.contains(StringByBytes($0)) ? $0 : nil }
    case .jsonRenamedMembers(let entries):
      let names = Dictionary(entries.map { (StringByBytes($0.from), $0.to) }, uniquingKeysWith: { first, _ in first })
      return { names[StringByBytes($0)] ?? $0 }
    default: return { $0 }
    }
  }

  /// The result of a step that changes members.
  func edited(_ traits: TraitsText) throws(TransformFailure) -> PropertyListValue {
    let newName = memberNames
    guard case .jsonRenamedMembers = self else {
      guard let rest = traits.removing(traits.memberNames.filter { newName($0) == nil }) else { throw .empty }
      return .string(rest)
    }
    // Of members with one name, readers see the last: a renamed member must not hide another.
    var oldNames: [StringByBytes: String] = [:]
    for name in traits.memberNames {
      let new = newName(name) ?? name
      guard oldNames.updateValue(name, forKey: StringByBytes(new))?.hasSameBytes(as: name) ?? true else {
        throw .nameTaken(new)
      }
    }
    guard let renamed = traits.renaming({ newName($0) ?? $0 }) else { throw .empty }
    return .string(renamed)
  }

  static func traits(_ value: PropertyListValue) throws(TransformFailure) -> TraitsText {
    do {
      return try TraitsText(value)
    } catch {
      throw .json(error)
    }
  }

  static func archivedJSON(
    _ value: PropertyListValue, _ kind: PropertyListValue.Kind
  ) throws(TransformFailure) -> PropertyListValue {
    if case .string = value { return value }
    guard value.kind == kind else { throw .json(.notText(value.kind)) }
    do throws(TraitsDefect) {
      return .string(try ArchivedTraits(value).text)
    } catch {
      throw .json(error)
    }
  }

  static func propertyListData(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard [.dictionary, .array].contains(value.kind) else { throw .kind(value.kind) }
    // The format has these types, but only keyed archives use them, and readers of values refuse them.
    var pending = [value]
    while let next = pending.popLast() {
      guard ![.uid, .set, .null].contains(next.kind) else { throw .contains(next.kind) }
      pending += next.children
    }
    guard let bytes = try? PropertyListDocument.encode(value, as: .binary) else { throw .kind(value.kind) }
    return .data(bytes)
  }

  static func keyedArchive(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard [.dictionary, .array, .set].contains(value.kind), let bytes = try? KeyedArchive.encode(value) else {
      throw .kind(value.kind)
    }
    return .data(bytes)
  }

  static func unwrapped(_ value: PropertyListValue, _ name: String) throws(TransformFailure) -> PropertyListValue {
    guard case .dictionary(let dictionary) = value else { throw .kind(value.kind) }
    guard let entry = dictionary.entries.first, dictionary.count == 1, entry.key.hasSameBytes(as: name) else {
      throw .notWrapped(name)
    }
    return entry.value
  }
}
