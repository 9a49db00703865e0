import CarryoverSystem

/// The clusters of a text, one at a time, so that a long text is read only as far as it is shown.
struct Clusters: Sequence, IteratorProtocol {
  private static let combiningLimit = 4
  private static let dottedCircle: Unicode.Scalar = "\u{25CC}"

  private var scalars: String.UnicodeScalarView.Iterator
  private var upcoming: Unicode.Scalar?
  private var escape: String.Iterator?
  private let ascii: Bool

  /// The clusters of `text`; with `ascii`, what is beyond ASCII is shown as an escape too.
  init(_ text: String, ascii: Bool = false) {
    scalars = text.unicodeScalars.makeIterator()
    upcoming = scalars.next()
    self.ascii = ascii
  }

  mutating func next() -> DisplayWidth.Cluster? {
    if let character = escape?.next() {
      return DisplayWidth.Cluster(text: String(character), columns: 1)
    }
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
