import CarryoverSystem

/// The columns that text takes, from its own table: the same on every machine and in every locale.
///
/// Text is cut into clusters as a terminal with `wcwidth` draws it, not into Swift's characters: a base and at most
/// four combining scalars. A flag is two clusters, and so is a thumb with its skin tone; joiners and variation
/// selectors, which terminals disagree about, are shown as escapes.
package enum DisplayWidth {
  package struct Cluster: Hashable, Sendable {
    /// A base and up to four combining scalars, none of them hidden.
    package let text: String
    /// 1 or 2.
    package let columns: Int
  }

  /// A scalar that ``DisplayText`` escapes becomes the clusters of its escape; a combining scalar without a base, or a
  /// fifth on one base, gets a dotted circle.
  package static func clusters(of text: String) -> [Cluster] { Array(Clusters(text)) }

  package static func columns(of text: String) -> Int {
    isPlain(text) ? text.utf8.count : Clusters(text).reduce(0) { $0 + $1.columns }
  }

  /// Cuts text to `limit` columns, with an ellipsis if it was longer; reads no more of it than that.
  package static func truncate(_ text: String, columns limit: Int, glyphs: Glyphs) -> (text: String, columns: Int) {
    if text.utf8.count <= limit, isPlain(text) { return (text, text.utf8.count) }
    let (clusters, columns) = fit(text, columns: limit, glyphs: glyphs)
    return (clusters.reduce(into: "") { $0 += $1.text }, columns)
  }

  /// Whether text is printable ASCII, a column a byte, as most text is.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
      ?? text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  static func fit(_ text: String, columns limit: Int, glyphs: Glyphs) -> (clusters: [Cluster], columns: Int) {
    guard limit > 0 else { return ([], 0) }
    var fitting: [Cluster] = []
    var used = 0
    for cluster in Clusters(text, ascii: glyphs == .ascii) {
      if used + cluster.columns > limit {
        while used > limit - 1, let last = fitting.popLast() { used -= last.columns }
        fitting.append(Cluster(text: glyphs.ellipsis, columns: 1))
        return (fitting, used + 1)
      }
      fitting.append(cluster)
      used += cluster.columns
    }
    return (fitting, used)
  }

  /// 0, 1 or 2, for a scalar that is not hidden.
  static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if contains(value, in: WidthTable.zero) { return 0 }
    return value >= 0x1100 && contains(value, in: WidthTable.wide) ? 2 : 1
  }

  private static func contains(_ value: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}

/// The clusters of a text one at a time, so that a long text is read only as far as it is shown.
struct Clusters: Sequence, IteratorProtocol {
  private static let combiningLimit = 4
  private static let dottedCircle: Unicode.Scalar = "\u{25CC}"

  private var scalars: String.UnicodeScalarView.Iterator
  private var upcoming: Unicode.Scalar?
  private var escape: String.Iterator?
  private let ascii: Bool

  /// With `ascii`, scalars beyond ASCII are escaped, too.
  init(_ text: String, ascii: Bool = false) {
    scalars = text.unicodeScalars.makeIterator()
    upcoming = scalars.next()
    self.ascii = ascii
  }

  mutating func next() -> DisplayWidth.Cluster? {
    if let character = escape?.next() { return DisplayWidth.Cluster(text: String(character), columns: 1) }
    escape = nil
    guard let first = upcoming else { return nil }
    guard DisplayText.isShown(first, ascii: ascii) else {
      upcoming = scalars.next()
      var characters = DisplayText.escape(first).makeIterator()
      let start = characters.next() ?? "?"
      escape = characters
      return DisplayWidth.Cluster(text: String(start), columns: 1)
    }
    var columns = DisplayWidth.columns(of: first)
    var cluster = String.UnicodeScalarView()
    if columns == 0 {
      cluster.append(Clusters.dottedCircle)
      columns = 1
    } else {
      upcoming = scalars.next()
      // Nothing before U+0300 combines: almost no character has more than its base.
      if upcoming.map({ $0.value < 0x300 }) ?? true {
        return DisplayWidth.Cluster(text: String(first), columns: columns)
      }
      cluster.append(first)
    }
    var combining = 0
    while combining < Clusters.combiningLimit, let scalar = upcoming, scalar.value >= 0x300,
      DisplayText.isShown(scalar, ascii: ascii), DisplayWidth.columns(of: scalar) == 0
    {
      cluster.append(scalar)
      combining += 1
      upcoming = scalars.next()
    }
    return DisplayWidth.Cluster(text: String(cluster), columns: columns)
  }
}

extension DisplayText {
  /// ``visible(_:ascii:)`` cut to `limit` columns with an ellipsis. Reads only as much of `text` as it needs.
  package static func visible(_ text: String, limit: Int, ascii: Bool = false) -> String {
    let limit = max(0, min(limit, Grid.maximum))
    if fits(text, limit) { return text }
    let glyphs = ascii ? Glyphs.ascii : .unicode
    let escapedHead = escaped(text.unicodeScalars.prefix(scalars(limit)), ascii: ascii)
    return DisplayWidth.truncate(escapedHead, columns: limit, glyphs: glyphs).text
  }

  /// The same, cut in the middle: similar names differ at either end.
  /// - Parameter isEscaped: whether the text is escaped already, as that of a path.
  package static func visibleEnds(
    _ text: String, limit: Int, ascii: Bool = false, isEscaped: Bool = false
  ) -> String {
    let limit = max(0, min(limit, Grid.maximum))
    if fits(text, limit) { return text }
    let scalars = text.unicodeScalars
    let isLong = text.utf8.count > 2 * self.scalars(limit)
    let head = escaped(
      isLong ? scalars.prefix(self.scalars(limit)) : scalars[...], ascii: ascii, isEscaped: isEscaped)
    guard isLong || DisplayWidth.columns(of: head) > limit else { return head }
    guard limit > 2 else { return visible(text, limit: limit, ascii: ascii) }
    let glyphs = ascii ? Glyphs.ascii : .unicode
    let tail = isLong ? escaped(scalars.suffix(self.scalars(limit)), ascii: ascii, isEscaped: isEscaped) : head
    let room = (limit - 1) / 2
    var (end, used) = ([String](), 0)
    for cluster in DisplayWidth.clusters(of: tail).reversed() {
      guard used + cluster.columns <= room else { break }
      end.append(cluster.text)
      used += cluster.columns
    }
    return DisplayWidth.truncate(head, columns: limit - used, glyphs: glyphs).text + end.reversed().joined()
  }

  private static func fits(_ text: String, _ limit: Int) -> Bool {
    text.utf8.count <= limit && DisplayWidth.isPlain(text) && !text.utf8.contains(UInt8(ascii: "\\"))
  }

  /// A base and four combining scalars in each column.
  private static func scalars(_ limit: Int) -> Int { 5 * (limit + 2) }
}
