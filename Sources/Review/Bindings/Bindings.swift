public import Terminal

/// The registry of every binding.
public enum Bindings {
  /// All of them, in the order of the footer and the help.
  public static let all: [Binding] = deciding + applying + takingBack + moving + seeing + typing + keeping + leaving

  /// What a key means on a screen.
  public static func binding(for key: Key, in screen: Screen) -> Binding? { table[screen]?[key] }

  /// The bindings of a screen, in order.
  public static func bindings(in screen: Screen) -> [Binding] { all.filter { $0.screens.contains(screen) } }

  private static let table = KeyTable(all)
}

/// The meaning of keys by screen, made from bindings once.
struct KeyTable<Place: ScreenPlace, Meaning: Hashable & Sendable, State>: Sendable {
  private var table: [Place: [Key: KeyBinding<Place, Meaning, State>]] = [:]

  /// Of several bindings of a key on a screen the first counts.
  init(_ bindings: [KeyBinding<Place, Meaning, State>]) {
    for binding in bindings {
      for screen in binding.screens {
        for key in binding.keys where table[screen]?[key] == nil { table[screen, default: [:]][key] = binding }
      }
    }
  }

  subscript(screen: Place) -> [Key: KeyBinding<Place, Meaning, State>]? { table[screen] }
}
