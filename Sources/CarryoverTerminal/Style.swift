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
