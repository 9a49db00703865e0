package import CarryoverSystem
package import PropertyLists

/// The id of a run, and the name of its folder: the moment when it began and its number among the container's runs, for
/// example `20251120T120500Z-1`.
///
/// The number determines the order of the runs. The moment is only informative, because clocks can be wrong.
struct RunID: Hashable, Comparable, JSONConvertible {
  var stamp: String
  var number: Int

  /// The id of the run after another; nil if that one has the highest number.
  init?(_ moment: Moment, after newest: RunID?) {
    stamp = Self.stamp(moment)
    number = (newest?.number ?? 0) + 1
    guard number <= Self.highest else { return nil }
  }

  /// No container has more runs. A higher number is forged, and would outrank every real run.
  static let highest = 999_999

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isStamp(parts[0]),
      let number = Int(parts[1]), (1...Self.highest).contains(number), String(number) == parts[1]
    else { return nil }
    stamp = String(parts[0])
    self.number = number
  }

  var text: String { "\(stamp)-\(number)" }
  var json: JSONValue { .string(text) }

  static func < (left: RunID, right: RunID) -> Bool { (left.number, left.stamp) < (right.number, right.stamp) }

  static func stamp(_ moment: Moment) -> String { moment.text.filter { $0 != "-" && $0 != ":" } }

  static func isStamp(_ part: some StringProtocol) -> Bool {
    !part.isEmpty
      && part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "Z") }
  }
}

extension Moment: JSONConvertible {
  /// `2025-11-20T12:05:00Z`, to the second. A moment outside of the calendar becomes its first moment.
  package var text: String {
    let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
    let date = PropertyListDate(secondsSince1970: Double(seconds - (rest < 0 ? 1 : 0)))
    return date.isInCalendarRange ? date.description : "0001-01-01T00:00:00Z"
  }

  package var json: JSONValue { .string(text) }
}

/// The id of a batch, which the runs of one command in many containers have in common: `b`, the moment when it began, and
/// six hexadecimal digits, for example `b20251120T120500Z-3f9a1c`.
///
/// The digits distinguish batches that began in the same second. No run has an id that begins with a letter.
package struct BatchID: Hashable, Sendable, JSONConvertible {
  package let text: String
  package var json: JSONValue { .string(text) }

  /// - Parameter digits: a random number, of which 24 bits count.
  package init(_ moment: Moment, digits: UInt32) {
    text = "b" + RunID.stamp(moment) + "-" + String(digits & 0xFF_FFFF, radix: 16).zeroPadded(to: 6)
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("b"), parts[0].utf8.count <= 32, RunID.isStamp(parts[0].dropFirst()),
      parts[1].utf8.count == 6, [UInt8](hexadecimal: parts[1]) != nil
    else { return nil }
    self.text = text
  }
}
