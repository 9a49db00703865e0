package import CarryoverTerminal

/// What the user has configured, from the file alone.
package struct Configuration: Hashable, Sendable {
  /// Which colours.
  package var theme = ThemeChoice.auto
  /// How many.
  package var colors = ColorChoice.auto
  /// Which characters for frames and marks.
  package var glyphs = GlyphChoice.auto
  /// Whether the mouse is used.
  package var mouse = true
  /// How the review's screen is divided.
  package var layout = LayoutChoice()
  /// The looks of parts of the screen, instead of the theme's.
  package internal(set) var looks: [ColoredPart: Look] = [:]
  /// The keys that mean something else.
  package internal(set) var keymap = Keymap()

  /// Where each setting was given.
  package internal(set) var lines: [Setting: Int] = [:]
  /// Where each look was given.
  package internal(set) var lookLines: [ColoredPart: Int] = [:]

  /// What holds without a file.
  package init() {}

  /// A theme with the user's own looks. Without colours it stays as it is: what is left of them is no choice.
  package func applied(to theme: Theme) -> Theme {
    guard theme.name != Theme.mono.name else { return theme }
    var theme = theme
    for (part, look) in looks {
      switch part {
      case .role(let role): theme.looks[role] = look
      case .selection: theme.selection = look
      }
    }
    return theme
  }

  /// The lines for keys, each as it would be written, in the order of the file.
  package var keyLines: [(line: Int, text: String)] {
    keymap.changes.flatMap { screen, changes in
      changes.map { change in
        let key = change.key.writtenName
        return (change.line, change.name.map { "bind \(screen) \(key) \($0)" } ?? "unbind \(screen) \(key)")
      }
    }
    .sorted { $0 < $1 }
  }

  /// The lines for colours, each as it would be written, in the order of the file.
  package var lookLinesText: [(line: Int, text: String)] {
    looks.map { (lookLines[$0] ?? 0, "color \($0.name) \(LookText.text($1))") }.sorted { $0 < $1 }
  }
}

/// Something that has colours of its own.
package enum ColoredPart: Hashable, Sendable {
  /// Text by what it is.
  case role(Role)
  /// The selected row.
  case selection

  /// What the configuration file calls it.
  package var name: String {
    switch self {
    case .role(.flagged): "warning"
    case .role(.confirmed): "decided"
    case .role(let role): role.name
    case .selection: "selection"
    }
  }

  /// All there are, in order.
  package static let all: [ColoredPart] = Role.allCases.map(ColoredPart.role) + [.selection]
}
