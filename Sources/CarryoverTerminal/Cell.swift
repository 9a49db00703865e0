/// What one cell of a grid shows. A cell is always fit to be sent to a terminal, however it was made.
///
/// It holds its scalars, not a string: a grid of some thousands is then filled, copied and compared without touching a
/// count of references, which is most of what a frame would cost otherwise.
package struct Cell: Hashable, Sendable {
  /// The base, all zero in the second half of a wide cell, and the first combining scalar, 21 bits each from the lowest;
  /// above them the style, and in the highest bits the width.
  private let head: UInt64
  /// Up to three more combining scalars, 21 bits each from the lowest.
  private let tail: UInt64

  private static let scalarBits: UInt64 = 21
  private static let scalarMask: UInt64 = 1 << scalarBits - 1
  private static let textMask: UInt64 = 1 << (2 * scalarBits) - 1
  private static let widthShift: UInt64 = 62

  /// The first cluster of `text`; a blank where there is none.
  package init(_ text: String, style: Style = .plain) {
    var clusters = Clusters(text)
    self.init(clusters.next() ?? DisplayWidth.Cluster(text: " ", columns: 1), style: style)
  }

  init(_ cluster: DisplayWidth.Cluster, style: Style) {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    for (index, scalar) in cluster.text.unicodeScalars.prefix(5).enumerated() {
      if index < 2 {
        head |= UInt64(scalar.value) << (Self.scalarBits * UInt64(index))
      } else {
        tail |= UInt64(scalar.value) << (Self.scalarBits * UInt64(index - 2))
      }
    }
    self.init(text: head, tail: tail, columns: cluster.columns, style: style)
  }

  /// A scalar of one column that is shown as it is.
  init(shown scalar: Unicode.Scalar, style: Style) {
    self.init(text: UInt64(scalar.value), tail: 0, columns: 1, style: style)
  }

  private init(text: UInt64, tail: UInt64, columns: Int, style: Style) {
    head = text | UInt64(style.code) << (2 * Self.scalarBits) | UInt64(columns & 3) << Self.widthShift
    self.tail = tail
  }

  /// A base and up to four combining scalars; empty in the second half of a wide cell.
  package var text: String {
    var text = String.UnicodeScalarView()
    forEachScalar { text.append($0) }
    return String(text)
  }

  /// How it is shown.
  package var style: Style { Style(code: UInt8(truncatingIfNeeded: head >> (2 * Self.scalarBits))) }

  /// 1, or 2 for the first half of a wide cell, or 0 for its second half.
  package var columns: Int { Int(head >> Self.widthShift) }

  /// Its base; zero in the second half of a wide cell.
  package var base: UInt32 { UInt32(truncatingIfNeeded: head & Self.scalarMask) }

  /// Whether it holds more than its base.
  var isCombined: Bool { (head & Self.textMask) >> Self.scalarBits != 0 || tail != 0 }

  /// Calls `body` with each scalar of the text.
  package func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    var rest = head & Self.textMask
    for index in 0..<5 {
      if index == 2 { rest = tail }
      guard let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: rest & Self.scalarMask)), scalar.value != 0 else {
        return
      }
      body(scalar)
      rest >>= Self.scalarBits
    }
  }

  /// Whether every scalar is ASCII.
  var isASCII: Bool { !isCombined && base < 0x80 }

  /// The same text in another style.
  func restyled(_ style: Style) -> Cell {
    Cell(text: head & Self.textMask, tail: tail, columns: columns, style: style)
  }

  /// An empty cell.
  package static func blank(_ style: Style = .plain) -> Cell {
    Cell(text: 0x20, tail: 0, columns: 1, style: style)
  }

  /// The second half of a wide cell.
  static func continuation(_ style: Style) -> Cell {
    Cell(text: 0, tail: 0, columns: 0, style: style)
  }
}
