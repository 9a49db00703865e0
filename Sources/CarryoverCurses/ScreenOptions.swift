package import CarryoverTerminal

/// What the user asked of the screen.
package struct ScreenOptions: Hashable, Sendable {
  /// The colours; ``CarryoverTerminal/Theme/mono`` where the terminal has none or none are wanted.
  package var theme: Theme
  /// Whether colours may be used at all.
  package var color: Bool
  /// The most colours to be used; nil leaves it to the terminal, and to NO_COLOR.
  package var maximumColors: Int?
  /// Whether the mouse is reported; without it, the terminal's own selecting works as always.
  package var mouse: Bool

  /// The given options.
  package init(theme: Theme = .dark, color: Bool = true, maximumColors: Int? = nil, mouse: Bool = true) {
    self.theme = theme
    self.color = color
    self.maximumColors = maximumColors
    self.mouse = mouse
  }
}
