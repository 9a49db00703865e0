/// A cell of a grid, always safe to send to a terminal.
///
/// It holds scalars, not a string: a grid is filled, copied and compared without counting references, which would be
/// most of the cost of a frame.
package struct Cell: Hashable, Sendable {
  /// A base and up to four combining scalars, then zeros; only zeros in the second half of a wide cell.
  private let scalars: SIMD8<UInt32>
  /// 1, or 2 for the first half of a wide cell, or 0 for its second half.
  package let columns: Int
  package let style: Style

  /// The first cluster of `text`, or a blank.
  package init(_ text: String, style: Style = .plain) {
    var clusters = Clusters(text)
    self.init(clusters.next() ?? DisplayWidth.Cluster(text: " ", columns: 1), style: style)
  }

  init(_ cluster: DisplayWidth.Cluster, style: Style) {
    var scalars = SIMD8<UInt32>()
    for (index, scalar) in cluster.text.unicodeScalars.prefix(5).enumerated() { scalars[index] = scalar.value }
    self.init(scalars: scalars, columns: cluster.columns, style: style)
  }

  init(shown scalar: Unicode.Scalar, style: Style) {
    self.init(scalars: SIMD8(scalar.value, 0, 0, 0, 0, 0, 0, 0), columns: 1, style: style)
  }

  private init(scalars: SIMD8<UInt32>, columns: Int, style: Style) {
    self.scalars = scalars
    self.columns = columns
    self.style = style
  }

  /// Empty in the second half of a wide cell.
  package var text: String {
    var text = String.UnicodeScalarView()
    forEachScalar { text.append($0) }
    return String(text)
  }

  package var base: UInt32 { scalars[0] }
  var isCombined: Bool { scalars[1] != 0 }

  package func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    for index in 0..<5 {
      guard scalars[index] != 0, let scalar = Unicode.Scalar(scalars[index]) else { return }
      body(scalar)
    }
  }

  func restyled(_ style: Style) -> Cell { Cell(scalars: scalars, columns: columns, style: style) }
  package static func blank(_ style: Style = .plain) -> Cell { Cell(shown: " ", style: style) }
  static func continuation(_ style: Style) -> Cell { Cell(scalars: .zero, columns: 0, style: style) }
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

  package var role: Role { Role(rawValue: code >> 2) ?? .plain }
  package var selected: Bool { code & 2 != 0 }
  /// Bold whatever the role is.
  package var bold: Bool { code & 1 != 0 }

  package static let plain = Style(.plain)

  package func selected(_ selected: Bool = true) -> Style { Style(role, selected: selected, bold: bold) }
}
