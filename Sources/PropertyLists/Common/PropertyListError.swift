/// Why a property list could not be read, written or edited, and where.
public struct PropertyListError: Error, Sendable, Hashable {
  /// What happened.
  package let kind: Kind
  /// Where in the file; nil if the error is about a value to write.
  package let position: PropertyListPosition?

  package init(_ kind: Kind, at position: PropertyListPosition? = nil) {
    self.kind = kind
    self.position = position
  }

  /// What happened, as data.
  package enum Kind: Sendable, Hashable {
    // Any file.
    case emptyFile
    case fileTooLarge(size: Int, limit: Int)
    case openStepText
    case jsonText
    case unrecognised
    case tooDeep(limit: Int)
    case tooManyNodes(limit: Int)
    case rootNotDictionary(PropertyListValue.Kind)

    // Binary files.
    case unsupportedBinaryVersion(String)
    case trailerMissing
    case offsetSizeInvalid(Int)
    case referenceSizeInvalid(Int)
    case objectCountInvalid(UInt64)
    case rootInvalid(UInt64)
    case offsetTableOutside
    case objectOutside(offset: UInt64)
    case referenceInvalid(UInt64)
    case objectTruncated
    case unknownObject(marker: UInt8)
    case lengthInvalid
    case keyNotString(PropertyListValue.Kind)
    case cycle
    case overlappingObjects

    // XML files.
    case encodingUnsupported(String)
    case encodingInvalid(String)
    case xmlUnexpectedEnd(expected: String)
    case xmlUnexpectedText
    case xmlMalformed(String)
    case xmlUnknownElement(String)
    case xmlMismatchedEnd(expected: String, found: String)
    case xmlInternalSubset
    case xmlUnknownEntity(String)
    case xmlInvalidCharacterReference(String)
    case xmlKeyMissing
    case xmlValueMissing
    case xmlKeyOutsideDictionary
    case xmlInvalidInteger(String)
    case xmlInvalidReal(String)
    case xmlInvalidDate(String)
    case xmlInvalidData
    case xmlRootMissing
    case xmlSeveralRoots

    // Values that readers of the format do not accept.
    case uidOutOfRange(UInt64)
    case kindNotRepresentable(PropertyListValue.Kind, PropertyListFormat)
    case integerNotRepresentable(PropertyListInteger)
    case dateNotRepresentable(PropertyListDate)
    case characterNotRepresentable(UInt32)
    case dictionaryReadsAsUID
  }
}

extension PropertyListError: CustomStringConvertible, Described {
  /// A sentence: what happened, where.
  package var words: String { Wording.sentence(for: kind, at: position) }
}
