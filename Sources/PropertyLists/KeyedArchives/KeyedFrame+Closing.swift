/// Creates the value of an object after its contents are read.
extension KeyedFrame {
  /// The value.
  ///
  /// - Throws: ``KeyedArchiveError`` if a member has a type that the class does not allow.
  func value() throws(KeyedArchiveError) -> KeyedValue {
    switch form {
    case .array, .inPlaceArray: return .array(results)
    case .set, .inPlaceSet: return .set(results)
    case .orderedSet: return .orderedSet(results)
    case .dictionary:
      let half = results.count / 2
      return .dictionary(zip(results[..<half], results[half...]).map { KeyedPair($0, $1) })
    case .inPlaceDictionary: return .dictionary(zip(names, results).map { KeyedPair(.string($0), $1) })
    case .null: return .null
    case .opaque:
      guard let object, let objectClass else { return .null }
      let members = zip(names, results).map { KeyedMember($0, $1) }
      return .object(KeyedObject(index: object, objectClass: objectClass, members: members))
    case .url: return try url()
    case .string, .data, .number, .date, .uuid:
      guard let content = results.first else { return .null }
      return try single(content)
    }
  }

  private func single(_ content: KeyedValue) throws(KeyedArchiveError) -> KeyedValue {
    switch (form, member, content) {
    case (.string, "NS.string", .string): return content
    case (.string, "NS.bytes", .data(let bytes)):
      guard bytes.withUnsafeBufferPointer({ firstInvalidUTF8($0) }) == nil else {
        throw KeyedArchiveError(.textNotUTF8, object: object)
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    case (.string, _, _): throw wrong([member == "NS.bytes" ? .data : .string], content)
    case (.data, _, .data): return content
    case (.number, "NS.number", .integer), (.number, "NS.number", .real), (.number, "NS.number", .boolean),
      (.number, "NS.boolval", .boolean), (.number, "NS.intval", .integer), (.number, "NS.dblval", .real):
      return content
    case (.number, "NS.boolval", _): throw wrong([.boolean], content)
    case (.number, "NS.intval", _): throw wrong([.integer], content)
    case (.number, "NS.dblval", _): throw wrong([.real], content)
    case (.number, _, _): throw wrong([.integer, .real, .boolean], content)
    case (.date, _, .real(let seconds)): return .date(PropertyListDate(secondsSince2001: seconds.value))
    case (.date, _, .integer(let seconds)):
      guard let seconds = seconds.int64 else { throw wrong([.real], content) }
      return .date(PropertyListDate(secondsSince2001: Double(seconds)))
    case (.date, _, _): throw wrong([.real], content)
    case (_, _, .data(let bytes)):
      guard let uuid = KeyedUUID(bytes: bytes) else {
        throw KeyedArchiveError(.uuidLength(bytes.count), object: object)
      }
      return .uuid(uuid)
    default: throw wrong([.data], content)
    }
  }

  private func url() throws(KeyedArchiveError) -> KeyedValue {
    guard let base = results.first, let relative = results.last, results.count == 2 else { return .null }
    guard case .string(let text) = relative else { throw wrong([.string], relative, at: 1) }
    switch base {
    case .null: return .url(KeyedURL(relative: text))
    case .url(let base): return .url(KeyedURL(relative: text, bases: [base.relative] + base.bases))
    default: throw wrong([.url, .null], base, at: 0)
    }
  }

  private func wrong(_ expected: [KeyedValue.Kind], _ found: KeyedValue, at place: Int = 0) -> KeyedArchiveError {
    KeyedArchiveError(
      .wrongKind(member: member(at: place), expected: expected, found: found.kind), object: object)
  }
}
