/// Why a property list could not be read, written or edited, and where.
public struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible, Described {
  package let kind: Kind
  /// Where in the file; nil if the error is about a value to write.
  package let position: PropertyListPosition?

  package init(_ kind: Kind, at position: PropertyListPosition? = nil) {
    self.kind = kind
    self.position = position
  }

  package enum Kind: Sendable, Hashable {
    case emptyFile
    case fileTooLarge(size: Int, limit: Int)
    case openStepText
    case jsonText
    case unrecognised
    case tooDeep(limit: Int)
    case tooManyNodes(limit: Int)
    case rootNotDictionary(PropertyListValue.Kind)
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

  package var words: String { kind.words + (position.map { " (\($0.words))" } ?? "") + "." }
}

extension PropertyListError.Kind {
  fileprivate var words: String {
    switch self {
    case .emptyFile: "The file is empty"
    case .fileTooLarge(let size, let limit): "The file has \(size) bytes, more than the limit of \(limit)"
    case .openStepText: "This is OpenStep property list text, which is not supported; only binary and XML are"
    case .jsonText: "This is JSON text, not a property list"
    case .unrecognised: "This is not a property list: it is neither binary nor XML"
    case .tooDeep(let limit): "Containers nest deeper than \(limit) levels"
    case .tooManyNodes(let limit): "The file unfolds to more than \(limit) values"
    case .rootNotDictionary(let kind): "The root is \(kind.withArticle), not a dictionary"
    case .unsupportedBinaryVersion(let version): "The binary property list has the unsupported version “\(version)”"
    case .trailerMissing: "The binary property list is truncated: it is too short for its trailer"
    case .offsetSizeInvalid(let size): "The trailer gives offsets \(size) bytes; 1 to 8 are possible"
    case .referenceSizeInvalid(let size): "The trailer gives references \(size) bytes; 1 to 8 are possible"
    case .objectCountInvalid(let count): "The trailer counts \(count) objects, which this file cannot hold"
    case .rootInvalid(let root): "The trailer names object \(root) as the root, which is not in the table"
    case .offsetTableOutside: "The offset table does not lie between the header and the trailer"
    case .objectOutside(let offset): "The object table points to byte \(offset), which is outside the objects"
    case .referenceInvalid(let reference): "A container refers to object \(reference), which is not in the table"
    case .objectTruncated: "The object reaches beyond the end of the objects"
    case .unknownObject(let marker): "The object has the unknown type 0x\(String(marker, radix: 16))"
    case .lengthInvalid: "The object's length is not a number"
    case .keyNotString(let kind): "A dictionary key is \(kind.withArticle), not a string"
    case .cycle: "A container contains itself"
    case .overlappingObjects: "Strings or data overlap and unfold to many times the file's size"
    case .encodingUnsupported(let name): "The text encoding “\(name)” is not supported"
    case .encodingInvalid(let name): "The text is not valid \(name)"
    case .xmlUnexpectedEnd(let expected): "The file ends where \(expected) was expected"
    case .xmlUnexpectedText: "There is text where only elements belong"
    case .xmlMalformed(let what): "The XML is malformed: \(what)"
    case .xmlUnknownElement(let name): "<\(name)> is not an element of property lists"
    case .xmlMismatchedEnd(let expected, let found): "</\(found)> was found where </\(expected)> was expected"
    case .xmlInternalSubset: "The document type has declarations of its own, which are not supported"
    case .xmlUnknownEntity(let name): "The entity &\(name); is unknown"
    case .xmlInvalidCharacterReference(let text): "The character reference &\(text); is not a character"
    case .xmlKeyMissing: "A value in a dictionary has no <key> before it"
    case .xmlValueMissing: "A <key> has no value after it"
    case .xmlKeyOutsideDictionary: "A <key> is outside a dictionary"
    // The text may be a person's data: it is not quoted.
    case .xmlInvalidInteger: "The text of an integer is not an integer of at most 128 bits"
    case .xmlInvalidReal: "The text of a real is not a number"
    case .xmlInvalidDate: "The text of a date is not of the form 2025-11-21T08:15:30Z"
    case .xmlInvalidData: "The data is not valid base64"
    case .xmlRootMissing: "The property list has no value"
    case .xmlSeveralRoots: "The property list has more than one value"
    case .uidOutOfRange(let uid): "The UID \(uid) is greater than 4294967295, which readers refuse"
    case .kindNotRepresentable(let kind, let format):
      "\(kind.withArticle.prefix(1).uppercased() + kind.withArticle.dropFirst()) cannot be written as \(format.name)"
    case .integerNotRepresentable(let integer): "The integer \(integer) has more than 64 bits, which readers refuse"
    case .dateNotRepresentable(let date): "The date \(date) is not a whole second, as XML needs it"
    case .characterNotRepresentable(let scalar): "The character U+\(hexadecimal(scalar)) cannot be written as XML"
    case .dictionaryReadsAsUID: "A dictionary whose only key is CF$UID would be read back as a UID"
    }
  }
}

extension PropertyListValue.Kind {
  fileprivate var withArticle: String {
    switch self {
    case .integer, .array: "an \(rawValue)"
    case .uid: "a UID"
    case .data, .null: rawValue
    default: "a \(rawValue)"
    }
  }
}

extension PropertyListFormat {
  fileprivate var name: String {
    switch self {
    case .binary: "a binary property list"
    case .xml: "an XML property list"
    }
  }
}

/// `004F`: at least four digits.
func hexadecimal(_ value: UInt32) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - text.count)) + text
}
