/// Something unusual in a file that the reader tolerated.
public struct PropertyListFinding: Sendable, Hashable, CustomStringConvertible, Described {
  package let kind: Kind
  package let position: PropertyListPosition

  package init(_ kind: Kind, at position: PropertyListPosition) {
    self.kind = kind
    self.position = position
  }

  package enum Kind: Sendable, Hashable {
    /// A string marked as ASCII contains bytes above 127. They are read as Latin-1, as Foundation does.
    case highBytesInASCIIString
    /// A key occurs again; every pair is kept. Foundation uses the first in binary files and the last in XML.
    case duplicateKey(String)
    /// The date is not a number, or outside the years 1 to 9999.
    case dateOutOfRange(PropertyListDate)
    /// The integer of a binary file has more than 64 bits; Apple's reader takes the lower 64 as an unsigned number.
    case integerBeyond64Bits(PropertyListInteger)
    case loneSurrogate
    /// A real whose text is beyond the range of a Double; read as infinity.
    case realOutOfRange(String)
    /// A control character that XML does not allow in text.
    case controlCharacter(UInt8)
    /// The text of a date is no day or time of the calendar, such as the 30th of February; read as Apple's reader does.
    case impossibleDate
    /// The base64 of data has other characters or the wrong padding; read as Apple's reader does.
    case irregularBase64
    /// A text in XML begins with U+FEFF, which Apple's reader drops.
    case byteOrderMark
    /// A dictionary whose only key is CF$UID, with a number of another type or beyond 32 bits; Apple's reader takes the
    /// lower 32 bits.
    case uidOfOtherNumber
    /// Bytes that belong to nothing, after the end of the XML document.
    case unusedBytes(count: Int)
    /// The trailer's unused bytes are not zero, or the version in the header is unusual.
    case oddTrailer
    /// A set, which Foundation crashes on, on Linux.
    case set
    /// A null, which the format allows but no Apple writer produces.
    case null
    /// Apple's readers refuse the whole file, so an app finds none of its values.
    case refused(PropertyListRefusal)
    /// The last finding, if there were more than the limit.
    case more(count: Int)
  }

  package var words: String { "\(kind.words) (\(position.words))." }

  /// Whether Apple's readers refuse the file because of it.
  var isRefusal: Bool { if case .refused = kind { true } else { false } }
}

/// A reason that Apple's readers refuse a file that this reader accepts.
package enum PropertyListRefusal: Sendable, Hashable {
  /// Containers nest deeper than iOS reads.
  case deep(limit: Int)
  /// Bytes that belong to nothing, between the offset table and the trailer.
  case bytesBeforeTrailer(count: Int)
  case shortReferences(size: Int, objects: Int)
  case shortOffsets(size: Int, table: Int)
  /// The offset of an object that nothing refers to points outside the objects.
  case strayOffset
  case emptyWideString
  /// A keyed archiver's reference above 4,294,967,295.
  case uidBeyond32Bits(UInt64)
  /// An integer outside Int64.min … UInt64.max.
  case integerBeyond64Bits(PropertyListInteger)
  case comment
  /// White space after a number, before or after a date, or in a boolean.
  case space
  case fraction
  case emptyData

  /// Whether an edit writes the part of the file again that Apple's readers refuse.
  var isRemovedByEdits: Bool {
    switch self {
    case .bytesBeforeTrailer, .shortReferences, .shortOffsets, .strayOffset: true
    default: false
    }
  }

  fileprivate var words: String {
    switch self {
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

  private func bytes(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }
}

extension PropertyListFinding.Kind {
  fileprivate var words: String {
    switch self {
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
    case .refused(let refusal): refusal.words + ", so Apple's readers refuse the file"
    case .more(let count): "\(count) more findings are not listed"
    }
  }
}

/// Findings up to a limit; further ones are only counted, except the first refusal.
struct FindingCollector {
  private(set) var findings: [PropertyListFinding] = []
  private var uncounted = 0
  private var hasRefusal = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ kind: PropertyListFinding.Kind, at position: PropertyListPosition) {
    let finding = PropertyListFinding(kind, at: position)
    guard findings.count < limit || (finding.isRefusal && !hasRefusal) else {
      uncounted += 1
      return
    }
    if finding.isRefusal { hasRefusal = true }
    findings.append(finding)
  }

  var all: [PropertyListFinding] {
    guard uncounted > 0, limit > 0 else { return findings }
    let last = findings.last?.position ?? PropertyListPosition(offset: 0)
    return findings + [PropertyListFinding(.more(count: uncounted), at: last)]
  }
}
