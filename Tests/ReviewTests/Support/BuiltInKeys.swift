import CarryoverReview
import CarryoverTerminal

extension Bindings {
  /// What a key means on a screen as long as nobody has changed it.
  static func binding(for key: Key, in screen: Screen) -> Binding? { binding(for: key, in: screen, Keymap()) }

  /// The bindings of a screen with their built-in keys.
  static func bindings(in screen: Screen) -> [Binding] { bindings(in: screen, Keymap()) }
}

extension BrowserBindings {
  /// The bindings of a screen with their built-in keys.
  static func bindings(in screen: BrowserScreen) -> [BrowserBinding] { bindings(in: screen, Keymap()) }
}

extension PickerBindings {
  /// The bindings of a screen with their built-in keys.
  static func bindings(in screen: PickerScreen) -> [PickerBinding] { bindings(in: screen, Keymap()) }
}
