/// Something unusual in a file that the reader tolerated.
public struct PropertyListFinding: Sendable, Hashable {
  /// What was tolerated.
  package let kind: Kind
  /// The position in the file.
  package let position: PropertyListPosition

  package init(_ kind: Kind, at position: PropertyListPosition) {
    self.kind = kind
    self.position = position
  }

  /// What was tolerated, as data.
  package enum Kind: Sendable, Hashable {
    /// A string marked as ASCII contains bytes above 127. They are read as Latin-1, as Foundation does.
    case highBytesInASCIIString
    /// A key occurs again; every pair is kept. Foundation uses the first in binary files and the last in XML.
    case duplicateKey(String)
    /// The date is not a number, or outside the years 1 to 9999.
    case dateOutOfRange(PropertyListDate)
    /// The integer is outside Int64.min … UInt64.max; Foundation reads another value.
    case integerBeyond64Bits(PropertyListInteger)
    /// Half a surrogate pair, read as U+FFFD.
    case loneSurrogate
    /// A real whose text is beyond the range of a Double; read as infinity.
    case realOutOfRange(String)
    /// A control character that XML does not allow in text.
    case controlCharacter(UInt8)
    /// Bytes that belong to nothing, between the offset table and the trailer or after the end of the XML document.
    case unusedBytes(count: Int)
    /// The trailer's unused bytes are not zero, or the version in the header is unusual.
    case oddTrailer
    /// A keyed archiver's reference above 4,294,967,295, which Foundation refuses.
    case uidBeyond32Bits(UInt64)
    /// A set, which Foundation crashes on.
    case set
    /// A null, which the format allows but no Apple writer produces.
    case null
    /// The last finding, if there were more than the limit.
    case more(count: Int)
  }
}

extension PropertyListFinding: CustomStringConvertible, Described {
  /// A sentence: what was tolerated, where.
  package var words: String { Wording.sentence(for: kind, at: position) }
}

/// Findings up to a limit; further ones are only counted.
struct FindingCollector {
  private(set) var findings: [PropertyListFinding] = []
  private var uncounted = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ kind: PropertyListFinding.Kind, at position: PropertyListPosition) {
    guard findings.count < limit else {
      uncounted += 1
      return
    }
    findings.append(PropertyListFinding(kind, at: position))
  }

  /// The findings in the order found, and the number of those over the limit.
  var all: [PropertyListFinding] {
    guard uncounted > 0, limit > 0 else { return findings }
    let last = findings.last?.position ?? PropertyListPosition(offset: 0)
    return findings + [PropertyListFinding(.more(count: uncounted), at: last)]
  }
}
