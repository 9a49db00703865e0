package import CarryoverSystem

/// The id of a batch, which the runs of one command in many containers have in common: `b`, the moment when it began, and
/// six hexadecimal digits, for example `b20251120T120500Z-3f9a1c`.
///
/// The digits distinguish batches that began in the same second. No run has an id that begins with a letter.
package struct BatchID: Hashable, Sendable {
  /// The id as text.
  package let text: String

  /// The id of a batch that begins at a moment.
  /// - Parameter digits: a random number, of which 24 bits count.
  package init(_ moment: Moment, digits: UInt32) {
    let number = String(digits & 0xFF_FFFF, radix: 16)
    text = "b" + RunID.stamp(moment) + "-" + String(repeating: "0", count: 6 - number.count) + number
  }

  /// An id from its text; nil if the text is not one.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("b"), parts[0].utf8.count <= 32, RunID.isStamp(parts[0].dropFirst()),
      parts[1].utf8.count == 6, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = text
  }
}
