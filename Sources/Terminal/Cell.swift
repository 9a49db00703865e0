/// What one cell of a grid shows. A cell is always fit to be sent to a terminal, however it was made.
///
/// It holds its scalars, not a string: a grid of some thousands is then filled, copied and compared without touching a
/// count of references, which is most of what a frame would cost otherwise.
public struct Cell: Hashable, Sendable {
  /// A base and up to four combining scalars, 21 bits each from the lowest; all zero in the second half of a wide cell.
  private let head: UInt64
  private let tail: UInt64
  /// How it is shown.
  public let style: Style
  private let width: UInt8

  /// The first cluster of `text`; a blank where there is none.
  public init(_ text: String, style: Style = .plain) {
    var clusters = Clusters(text)
    self.init(clusters.next() ?? DisplayWidth.Cluster(text: " ", columns: 1), style: style)
  }

  init(_ cluster: DisplayWidth.Cluster, style: Style) {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    for (index, scalar) in cluster.text.unicodeScalars.prefix(5).enumerated() {
      if index < 3 {
        head |= UInt64(scalar.value) << (21 * UInt64(index))
      } else {
        tail |= UInt64(scalar.value) << (21 * UInt64(index - 3))
      }
    }
    self.init(head: head, tail: tail, columns: cluster.columns, style: style)
  }

  /// A scalar of one column that is shown as it is.
  init(shown scalar: Unicode.Scalar, style: Style) {
    self.init(head: UInt64(scalar.value), tail: 0, columns: 1, style: style)
  }

  private init(head: UInt64, tail: UInt64, columns: Int, style: Style) {
    self.head = head
    self.tail = tail
    self.style = style
    width = UInt8(truncatingIfNeeded: columns)
  }

  /// A base and up to four combining scalars; empty in the second half of a wide cell.
  public var text: String {
    var text = String.UnicodeScalarView()
    forEachScalar { text.append($0) }
    return String(text)
  }

  /// 1, or 2 for the first half of a wide cell, or 0 for its second half.
  public var columns: Int { Int(width) }

  /// Its only scalar; nil where it has several, and in the second half of a wide cell.
  public var onlyScalar: Unicode.Scalar? {
    guard head > 0, !isCombined else { return nil }
    return Unicode.Scalar(base)
  }

  /// The base.
  var base: UInt32 { UInt32(truncatingIfNeeded: head & 0x1F_FFFF) }

  /// Whether it holds more than its base.
  var isCombined: Bool { head >> 21 != 0 || tail != 0 }

  /// Calls `body` with each scalar of the text.
  public func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    var rest = head
    for index in 0..<5 {
      if index == 3 { rest = tail }
      guard let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: rest & 0x1F_FFFF)), scalar.value != 0 else { return }
      body(scalar)
      rest >>= 21
    }
  }

  /// Whether every scalar is ASCII.
  var isASCII: Bool { !isCombined && base < 0x80 }

  /// The same text in another style.
  func restyled(_ style: Style) -> Cell { Cell(head: head, tail: tail, columns: columns, style: style) }

  /// An empty cell.
  public static func blank(_ style: Style = .plain) -> Cell {
    Cell(head: 0x20, tail: 0, columns: 1, style: style)
  }

  /// The second half of a wide cell.
  static func continuation(_ style: Style) -> Cell {
    Cell(head: 0, tail: 0, columns: 0, style: style)
  }
}
