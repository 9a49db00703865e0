package import CarryoverTerminal

/// The registry of every binding.
package enum Bindings {
  /// All of them, in the order of the footer and the help, with their built-in keys.
  package static let all: [Binding] =
    deciding + many + applying + takingBack + finding + moving + panes + explaining + seeing + understanding + typing
    + keeping + leaving

  /// What a key means on a screen.
  package static func binding(for key: Key, in screen: Screen, _ keymap: Keymap) -> Binding? {
    registry.binding(for: key, in: screen, keymap)
  }

  /// The bindings of a screen, in order, with the keys they have there.
  package static func bindings(in screen: Screen, _ keymap: Keymap) -> [Binding] {
    registry.bindings(in: screen, keymap)
  }

  /// The first key of the binding of a name on a screen; nil where it has none.
  static func key(_ name: String, in screen: Screen, _ keymap: Keymap) -> Key? {
    bindings(in: screen, keymap).first { $0.name == name }?.keys.first
  }

  static let registry = Registry(all)
}
