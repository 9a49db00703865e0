/// Why a keyed archive could not be read, and in which of its objects.
public struct KeyedArchiveError: Error, Sendable, Hashable {
  /// What happened.
  package let kind: Kind
  /// The object's index in `$objects`; nil if the error is about the archive itself.
  package let object: Int?

  package init(_ kind: Kind, object: Int? = nil) {
    self.kind = kind
    self.object = object
  }

  /// What happened, as data.
  package enum Kind: Sendable, Hashable {
    /// The property list does not have the members of a keyed archive.
    case notKeyedArchive
    /// A version other than 100,000, the only one there has been.
    case versionUnsupported(PropertyListInteger)
    /// A required member is missing.
    case memberMissing(String)
    /// A member that determines what an object is occurs twice; readers differ in which one they use.
    case memberTwice(String)
    /// A member, or one of its elements, has another type.
    case wrongKind(member: String, expected: [KeyedValue.Kind], found: KeyedValue.Kind)
    /// A reference to an object that does not exist.
    case referenceOutside(UInt64, count: Int)
    /// A reference leads to something that archivers do not write into the object table.
    case notAnObject(KeyedValue.Kind)
    /// A reference leads to an object without a class.
    case classMissing
    /// `$class` leads to something that is not a class.
    case notAClass(Int)
    /// A dictionary has different numbers of keys and values.
    case countsDiffer(keys: Int, values: Int)
    /// A UUID does not have 16 bytes.
    case uuidLength(Int)
    /// The bytes of a string are not UTF-8.
    case textNotUTF8
    /// Values nest deeper than the limit.
    case tooDeep(limit: Int)
    /// The archive expands to more values than the limit; a shared object counts each time it is reached.
    case tooManyValues(limit: Int)
    /// Shared strings and data expand to more bytes than the limit.
    case tooMuchContent(limit: Int)
  }
}

extension KeyedArchiveError: CustomStringConvertible, Described {
  /// A sentence: what happened, where.
  package var words: String { KeyedArchiveWording.sentence(for: self) }
}
