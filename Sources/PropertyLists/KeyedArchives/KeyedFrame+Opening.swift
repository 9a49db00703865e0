/// Finds the members of an object, by the names that its class uses.
extension KeyedFrame {
  /// Creates the frame of an object.
  ///
  /// - Throws: ``KeyedArchiveError`` if a required member is missing, duplicated or of another type.
  init(
    _ dictionary: PropertyListDictionary, _ objectClass: KeyedClass, object: Int
  ) throws(KeyedArchiveError) {
    self.init(KeyedForm(className: objectClass.name), object: object)
    self.objectClass = objectClass
    switch form {
    case .array, .set, .orderedSet:
      items = try elements("NS.objects", numbered: "NS.object.", of: dictionary)
      member = "NS.objects"
      needsReferences = true
    case .dictionary:
      let keys = try elements("NS.keys", numbered: "NS.key.", of: dictionary)
      let values = try elements("NS.objects", numbered: "NS.object.", of: dictionary)
      guard keys.count == values.count else {
        throw KeyedArchiveError(.countsDiffer(keys: keys.count, values: values.count), object: object)
      }
      items = keys + values
      member = "NS.objects"
      needsReferences = true
    case .url:
      names = ["NS.base", "NS.relative"]
      items = [
        // Readers treat a missing base as none.
        try dictionary.keyedMember(ifPresent: "NS.base", object: object) ?? .null,
        try dictionary.keyedMember("NS.relative", object: object),
      ]
    case .string, .data, .number, .date, .uuid: try takeSingleMember(of: dictionary)
    case .opaque:
      items.reserveCapacity(dictionary.count)
      for entry in dictionary.entries where !entry.key.hasSameBytes(as: "$class") {
        names.append(entry.key)
        items.append(entry.value)
      }
    case .null, .inPlaceArray, .inPlaceSet, .inPlaceDictionary: break
    }
    results.reserveCapacity(items.count)
  }

  private mutating func takeSingleMember(of dictionary: PropertyListDictionary) throws(KeyedArchiveError) {
    for name in form.singleMember {
      guard let value = try dictionary.keyedMember(ifPresent: name, object: object) else { continue }
      member = name
      items = [value]
      return
    }
    throw KeyedArchiveError(.memberMissing(form.singleMember.first ?? ""), object: object)
  }

  /// The references of a collection: in one member, or each in its own member.
  ///
  /// Ordered sets always have the second form, so an empty one may have no member at all.
  private func elements(
    _ name: String, numbered prefix: String, of dictionary: PropertyListDictionary
  ) throws(KeyedArchiveError) -> [PropertyListValue] {
    if let list = try dictionary.keyedMember(ifPresent: name, object: object) {
      guard case .array(let values) = list else { throw .wrong(name, [.array], list, object: object) }
      return values
    }
    var found: [Int: PropertyListValue] = [:]
    for entry in dictionary.entries where entry.key.utf8.starts(with: prefix.utf8) {
      let digits = String(decoding: entry.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      guard let number = Int(digits), number >= 0, String(number).hasSameBytes(as: digits) else { continue }
      guard found.updateValue(entry.value, forKey: number) == nil else {
        throw KeyedArchiveError(.memberTwice(entry.key), object: object)
      }
    }
    if found.isEmpty, form != .orderedSet { throw KeyedArchiveError(.memberMissing(name), object: object) }
    var values: [PropertyListValue] = []
    for number in 0..<found.count {
      guard let value = found[number] else {
        throw KeyedArchiveError(.memberMissing(prefix + String(number)), object: object)
      }
      values.append(value)
    }
    return values
  }
}
