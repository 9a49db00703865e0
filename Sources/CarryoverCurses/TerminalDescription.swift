internal import CCarryoverCurses

/// What the system's description of a terminal says, without taking the screen.
package struct TerminalDescription: Hashable, Sendable {
  /// How many colours it has.
  package let colors: Int
  /// Whether it reports the mouse.
  package let mouse: Bool

  /// The description of a terminal by its name; nil if there is none, or if the terminal cannot show a screen.
  package init?(_ name: String) {
    var colors: Int32 = 0
    var mouse = false
    guard !name.isEmpty, cc_describe(name, &colors, &mouse) else { return nil }
    self.colors = Int(colors)
    self.mouse = mouse
  }

  /// The name and version of the library that draws screens.
  package static var library: String { String(cString: cc_library()) }
}
