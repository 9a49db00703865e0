/// A cell of a grid, always safe to send to a terminal.
///
/// It holds scalars, not a string: a grid is filled, copied and compared without counting references, which would be
/// most of the cost of a frame.
package struct Cell: Hashable, Sendable {
  /// From the lowest bit: the base and the first combining scalar, 21 bits each and 0 in the second half of a wide
  /// cell; the style; in the highest bits the width.
  private let head: UInt64
  /// Up to three more combining scalars, 21 bits each.
  private let tail: UInt64

  private static let scalarBits: UInt64 = 21
  private static let scalarMask: UInt64 = 1 << scalarBits - 1
  private static let textMask: UInt64 = 1 << (2 * scalarBits) - 1
  private static let widthShift: UInt64 = 62

  /// The first cluster of `text`, or a blank.
  package init(_ text: String, style: Style = .plain) {
    var clusters = Clusters(text)
    self.init(clusters.next() ?? DisplayWidth.Cluster(text: " ", columns: 1), style: style)
  }

  init(_ cluster: DisplayWidth.Cluster, style: Style) {
    var (head, tail): (UInt64, UInt64) = (0, 0)
    for (index, scalar) in cluster.text.unicodeScalars.prefix(5).enumerated() {
      if index < 2 {
        head |= UInt64(scalar.value) << (Self.scalarBits * UInt64(index))
      } else {
        tail |= UInt64(scalar.value) << (Self.scalarBits * UInt64(index - 2))
      }
    }
    self.init(text: head, tail: tail, columns: cluster.columns, style: style)
  }

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

  package var style: Style { Style(code: UInt8(truncatingIfNeeded: head >> (2 * Self.scalarBits))) }

  /// 1, or 2 for the first half of a wide cell, or 0 for its second half.
  package var columns: Int { Int(head >> Self.widthShift) }

  package var base: UInt32 { UInt32(truncatingIfNeeded: head & Self.scalarMask) }
  var isCombined: Bool { (head & Self.textMask) >> Self.scalarBits != 0 || tail != 0 }

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

  var isASCII: Bool { !isCombined && base < 0x80 }
  func restyled(_ style: Style) -> Cell { Cell(text: head & Self.textMask, tail: tail, columns: columns, style: style) }
  package static func blank(_ style: Style = .plain) -> Cell { Cell(text: 0x20, tail: 0, columns: 1, style: style) }
  static func continuation(_ style: Style) -> Cell { Cell(text: 0, tail: 0, columns: 0, style: style) }
}

/// What a text is, not how it looks: a ``Theme`` gives roles colours and attributes.
package enum Role: UInt8, Hashable, Sendable, CaseIterable {
  case plain, title, header, frame, frameFocused, muted, label, value, note, ready
  /// An undecided, skipped or not migrated field, or a warning.
  case flagged
  case error
  /// An accepted field, or a value that was written.
  case confirmed
  /// An unchanged or kept field, or a run that was rolled back.
  case skipped
  case edited
  /// A field whose target has another value.
  case conflict
  case added, removed, changed, key, prompt, match

  /// The name in the configuration file: `frame-focused`.
  package var name: String {
    String(describing: self).reduce(into: "") { name, character in
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}

package struct Style: Hashable, Sendable {
  /// Unique for every style, below four times the number of roles. One byte: a screen has thousands of styles.
  package let code: UInt8

  package init(_ role: Role, selected: Bool = false, bold: Bool = false) {
    code = role.rawValue << 2 | (selected ? 2 : 0) | (bold ? 1 : 0)
  }

  init(code: UInt8) { self.code = code }
  package var role: Role { Role(rawValue: code >> 2) ?? .plain }
  package var selected: Bool { code & 2 != 0 }
  /// Bold whatever the role is.
  package var bold: Bool { code & 1 != 0 }

  package static let plain = Style(.plain)

  package func selected(_ selected: Bool = true) -> Style { Style(role, selected: selected, bold: bold) }
}
