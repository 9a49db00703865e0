/// The messages about property lists.
enum Wording {
  static func sentence(for kind: PropertyListError.Kind, at position: PropertyListPosition?) -> String {
    let what = text(kind)
    guard let position else { return what + "." }
    return what + " (" + place(position) + ")."
  }

  static func sentence(for kind: PropertyListFinding.Kind, at position: PropertyListPosition) -> String {
    text(kind) + " (" + place(position) + ")."
  }

  static func place(_ position: PropertyListPosition) -> String {
    if let line = position.line, let column = position.column {
      return "line \(line), column \(column), byte \(position.offset)"
    }
    if let object = position.object { return "object \(object), byte \(position.offset)" }
    return "byte \(position.offset)"
  }

  private static func text(_ kind: PropertyListError.Kind) -> String {
    switch kind {
    case .emptyFile: "The file is empty"
    case .fileTooLarge(let size, let limit): "The file has \(size) bytes, more than the limit of \(limit)"
    case .openStepText: "This is OpenStep property list text, which is not supported; only binary and XML are"
    case .jsonText: "This is JSON text, not a property list"
    case .unrecognised: "This is not a property list: it is neither binary nor XML"
    case .tooDeep(let limit): "Containers nest deeper than \(limit) levels"
    case .tooManyNodes(let limit): "The file unfolds to more than \(limit) values"
    case .rootNotDictionary(let kind): "The root is \(article(kind)), not a dictionary"
    default: binaryText(kind) ?? xmlText(kind) ?? writingText(kind)
    }
  }

  private static func binaryText(_ kind: PropertyListError.Kind) -> String? {
    switch kind {
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
    case .keyNotString(let kind): "A dictionary key is \(article(kind)), not a string"
    case .cycle: "A container contains itself"
    case .overlappingObjects: "Strings or data overlap and unfold to many times the file's size"
    default: nil
    }
  }

  private static func xmlText(_ kind: PropertyListError.Kind) -> String? {
    switch kind {
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
    default: nil
    }
  }

  private static func writingText(_ kind: PropertyListError.Kind) -> String {
    switch kind {
    case .uidOutOfRange(let uid): "The UID \(uid) is greater than 4294967295, which readers refuse"
    case .kindNotRepresentable(let kind, let format): "\(capitalised(kind)) cannot be written as \(name(format))"
    case .integerNotRepresentable(let integer): "The integer \(integer) has more than 64 bits, which readers refuse"
    case .dateNotRepresentable(let date):
      "The date \(date) is not a whole second, as XML needs it"
    case .characterNotRepresentable(let scalar):
      "The character U+\(hexadecimal(scalar)) cannot be written as XML"
    case .dictionaryReadsAsUID: "A dictionary whose only key is CF$UID would be read back as a UID"
    default: "The property list is not valid"
    }
  }

  private static func text(_ kind: PropertyListFinding.Kind) -> String {
    switch kind {
    case .highBytesInASCIIString: "A string marked as ASCII has other characters; they were read as Latin-1"
    case .duplicateKey(let key): "The key “\(key)” occurs more than once; every pair was kept"
    case .dateOutOfRange(let date): "A date is outside the calendar: \(date)"
    case .integerBeyond64Bits(let integer): "The integer \(integer) has 128 bits, of which Apple's readers take 64"
    case .impossibleDate: "A date is not a day of the calendar; it was read as Apple's readers do"
    case .irregularBase64: "The base64 of data is irregular; it was read as Apple's readers do"
    case .byteOrderMark: "A text begins with U+FEFF, which Apple's readers drop"
    case .uidOfOtherNumber: "Apple's readers read this dictionary as a UID with another number"
    case .loneSurrogate: "A string has half a surrogate pair; U+FFFD replaces it"
    case .realOutOfRange: "A real is beyond the range of a Double"
    case .controlCharacter(let byte): "The text has the control character U+\(hexadecimal(UInt32(byte)))"
    case .unusedBytes(let count): "\(count) bytes belong to nothing"
    case .oddTrailer: "The header or trailer is unusual"
    case .set: "The file has a set, which most readers refuse"
    case .null: "The file has a null, which most writers never make"
    case .refused(let refusal): text(refusal) + ", so Apple's readers refuse the file"
    case .more(let count): "\(count) more findings are not listed"
    }
  }

  private static func text(_ refusal: PropertyListRefusal) -> String {
    switch refusal {
    case .deep(let limit): "Containers nest deeper than iOS allows (\(limit) levels)"
    case .bytesBeforeTrailer(let count): "\(count) \(count == 1 ? "byte belongs" : "bytes belong") to nothing"
    case .shortReferences(let size, let objects): "References of \(bytes(size)) are too short for \(objects) objects"
    case .shortOffsets(let size, let table): "Offsets of \(bytes(size)) are too short for objects of \(table) bytes"
    case .strayOffset: "The offset of an unused object points outside the objects"
    case .emptyWideString: "An empty string is in UTF-16"
    case .uidBeyond32Bits(let uid): "The UID \(uid) is greater than 4294967295"
    case .integerBeyond64Bits(let integer): "The integer \(integer) has more than 64 bits"
    case .comment: "A comment is inside a text"
    case .space: "White space is after a number, beside a date, or in a boolean"
    case .fraction: "A date has a fraction of a second"
    case .emptyData: "Empty data is written as <data/>"
    }
  }

  private static func bytes(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }

  private static func article(_ kind: PropertyListValue.Kind) -> String {
    switch kind {
    case .integer, .array: "an \(kind.rawValue)"
    case .uid: "a UID"
    case .data, .null: kind.rawValue
    default: "a \(kind.rawValue)"
    }
  }

  private static func capitalised(_ kind: PropertyListValue.Kind) -> String {
    let text = article(kind)
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  private static func name(_ format: PropertyListFormat) -> String {
    switch format {
    case .binary: "a binary property list"
    case .xml: "an XML property list"
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }
}
