/// Why a keyed archive could not be read, and in which of its objects.
public struct KeyedArchiveError: Error, Sendable, Hashable {
  /// What happened.
  package let kind: Kind
  /// The place in `$objects`; nil when it is about the archive itself.
  package let object: Int?

  /// An error as given.
  package init(_ kind: Kind, object: Int? = nil) {
    self.kind = kind
    self.object = object
  }

  /// What happened, as data.
  package enum Kind: Sendable, Hashable {
    /// The property list has not the members of a keyed archive.
    case notKeyedArchive
    /// A version other than 100,000, the only one there has been.
    case versionUnsupported(PropertyListInteger)
    /// A member that must be there is not.
    case memberMissing(String)
    /// A member that decides what an object is occurs twice, and readers differ in which they take.
    case memberTwice(String)
    /// A member, or an element of it, has another type.
    case wrongKind(member: String, expected: [KeyedValue.Kind], found: KeyedValue.Kind)
    /// A reference to an object that is not there.
    case referenceOutside(UInt64, count: Int)
    /// A reference leads to something that archivers do not put into the object table.
    case notAnObject(KeyedValue.Kind)
    /// A reference leads to an object that names no class.
    case classMissing
    /// `$class` leads to something that is no class.
    case notAClass(Int)
    /// A dictionary has not as many keys as values.
    case countsDiffer(keys: Int, values: Int)
    /// A UUID has not 16 bytes.
    case uuidLength(Int)
    /// The bytes of a string are not UTF-8.
    case textNotUTF8
    /// Values nest deeper than the limit.
    case tooDeep(limit: Int)
    /// The archive unfolds to more values than the limit; a shared object counts each time it is reached.
    case tooManyValues(limit: Int)
    /// Shared strings and data unfold to more bytes than the limit.
    case tooMuchContent(limit: Int)
  }
}

extension KeyedArchiveError: CustomStringConvertible, Described {
  /// A sentence: what happened, where.
  package var words: String { KeyedArchiveWording.sentence(for: self) }
}
