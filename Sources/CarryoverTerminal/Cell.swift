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

/// What a piece of text is, never how it looks: a ``Theme`` turns roles into colours and attributes.
package enum Role: UInt8, Hashable, Sendable, CaseIterable {
  /// Ordinary text.
  case plain
  /// The title of a screen or a pane.
  case title
  /// The bar at the top of the screen.
  case header
  /// The frame of a pane.
  case frame
  /// The frame of the pane that receives the keys.
  case frameFocused
  /// Text of less importance.
  case muted
  /// The name of something whose value stands beside it.
  case label
  /// A value as it is stored or proposed.
  case value
  /// A remark that asks for nothing.
  case note
  /// A clean field that needs no decision.
  case ready
  /// An undecided, skipped or not migrated field, or a warning.
  case flagged
  /// Something that failed or cannot be done.
  case error
  /// An accepted field, or a value that was written.
  case confirmed
  /// An unchanged or kept field, or a run that was rolled back.
  case skipped
  /// A field whose proposal was replaced by hand.
  case edited
  /// A field whose target holds something else already.
  case conflict
  /// A line a change adds.
  case added
  /// A line a change removes.
  case removed
  /// A line a change alters.
  case changed
  /// A key in the footer or in the help.
  case key
  /// The question a prompt asks.
  case prompt
  /// Text that a search found.
  case match

  /// What the configuration file calls it: `frame-focused`.
  package var name: String {
    String(describing: self).reduce(into: "") { name, character in
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}

/// How one cell is to be shown.
package struct Style: Hashable, Sendable {
  /// A number of its own for every style, below four times as many as there are roles: a screen has thousands of them, so
  /// a style is a byte.
  package private(set) var code: UInt8

  private static let selectedBit: UInt8 = 2
  private static let boldBit: UInt8 = 1

  /// A style for text of `role`.
  package init(_ role: Role, selected: Bool = false, bold: Bool = false) {
    code = role.rawValue << 2 | (selected ? Self.selectedBit : 0) | (bold ? Self.boldBit : 0)
  }

  /// - Parameter code: one of another style's.
  init(code: UInt8) { self.code = code }

  /// What the text is.
  package var role: Role {
    get { Role(rawValue: code >> 2) ?? .plain }
    set { self = Style(newValue, selected: selected, bold: bold) }
  }

  /// Whether the cell belongs to the selected row.
  package var selected: Bool {
    get { code & Self.selectedBit != 0 }
    set { self = Style(role, selected: newValue, bold: bold) }
  }

  /// Whether the cell is set in bold whatever its role.
  package var bold: Bool {
    get { code & Self.boldBit != 0 }
    set { self = Style(role, selected: selected, bold: newValue) }
  }

  /// Ordinary text.
  package static let plain = Style(.plain)

  /// This style as part of the selected row.
  package func selected(_ selected: Bool = true) -> Style {
    Style(role, selected: selected, bold: bold)
  }
}
