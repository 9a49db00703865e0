import CarryoverTerminal

/// The bindings of one program's screens, found by key and by name, with the keys that the user has given them.
struct Registry<Place: ScreenPlace, Meaning: Hashable & Sendable, State>: Sendable {
  typealias Entry = KeyBinding<Place, Meaning, State>

  /// All of them, in order, with their built-in keys.
  let all: [Entry]
  /// The names of the screens, which take a moment to make.
  let names: [Place: String]
  private var byPlace: [Place: [Entry]] = [:]
  private var byKey: [Place: [Key: Entry]] = [:]

  /// Of several bindings of a key on a screen the first counts.
  init(_ all: [Entry]) {
    self.all = all
    names = Dictionary(uniqueKeysWithValues: Place.allCases.map { ($0, $0.name) })
    for binding in all {
      for screen in binding.screens {
        byPlace[screen, default: []].append(binding)
        for key in binding.keys where byKey[screen]?[key] == nil { byKey[screen, default: [:]][key] = binding }
      }
    }
  }

  /// What a key means on a screen.
  func binding(for key: Key, in screen: Place, _ keymap: Keymap) -> Entry? {
    guard let changes = changes(screen, keymap), let change = changes.last(where: { $0.key == key }) else {
      return byKey[screen]?[key]
    }
    return change.name.flatMap { name in byPlace[screen]?.first { $0.name == name } }
  }

  /// The bindings of a screen, in order, with the keys they have there. Those that have none left are not among them.
  func bindings(in screen: Place, _ keymap: Keymap) -> [Entry] {
    let bindings = byPlace[screen] ?? []
    guard !keymap.isEmpty, let name = names[screen], keymap.changes[name] != nil else { return bindings }
    return bindings.compactMap { binding in
      let keys = keymap.keys(of: binding.name, builtIn: binding.keys, on: name)
      return keys.isEmpty ? nil : binding.with(keys: keys)
    }
  }

  /// All of them, as the help lists them: a binding that has different keys on different screens is listed for each.
  func shown(_ keymap: Keymap) -> [Entry] {
    guard !keymap.isEmpty else { return all }
    return all.flatMap { binding in
      var shown: [Entry] = []
      for screen in Place.allCases where binding.screens.contains(screen) {
        let keys = names[screen].map { keymap.keys(of: binding.name, builtIn: binding.keys, on: $0) } ?? binding.keys
        if let index = shown.firstIndex(where: { $0.keys == keys }) {
          shown[index] = shown[index].with(screens: shown[index].screens.union([screen]))
        } else if !keys.isEmpty {
          shown.append(binding.with(keys: keys, screens: [screen]))
        }
      }
      return shown
    }
  }

  private func changes(_ screen: Place, _ keymap: Keymap) -> [Keymap.Change]? {
    guard !keymap.isEmpty, let name = names[screen] else { return nil }
    return keymap.changes[name]
  }
}
