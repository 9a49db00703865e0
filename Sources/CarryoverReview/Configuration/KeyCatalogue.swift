import CarryoverPages
package import CarryoverTerminal

/// Every screen of every program with its bindings by name: for the configuration file and for lists of keys.
package struct KeyCatalogue: Sendable {
  package struct Entry: Hashable, Sendable {
    package let name: String
    package let keys: [Key]
    package let help: String
    /// Whether each of its keys means something else.
    let isFamily: Bool
    let group: BindingGroup
    let duty: KeyDuty?
  }

  package struct Place: Hashable, Sendable {
    package let name: String
    package let title: String
    package let entries: [Entry]
    /// The screens that one key leads to or from.
    let neighbours: [String]

    /// Whether characters are typed there as text.
    var takesText: Bool { entries.contains { $0.group == .typing } }

    func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

    func entry(for key: Key, _ keymap: Keymap) -> Entry? {
      guard let change = keymap.change(of: key, on: self.name) else { return entries.first { $0.keys.contains(key) } }
      return change.name.flatMap(entry)
    }

    package func keys(of entry: Entry, _ keymap: Keymap) -> [Key] {
      keymap.keys(of: entry.name, builtIn: entry.keys, on: name)
    }
  }

  /// In the order of the help.
  package let places: [Place]

  func place(_ name: String) -> Place? { places.first { $0.name == name } }

  package static let all = KeyCatalogue(
    // The screen of the stores has the browser's keys.
    places: places(ReviewState.table).filter { $0.name != Screen.stores.name } + places(BrowserState.table)
      + places(PickerState.table))

  private static func places<State>(_ table: ScreenTable<State>) -> [Place] {
    let bindings = Dictionary(
      table.screens.map { ($0, table.bindings(in: $0, Keymap())) }, uniquingKeysWith: { first, _ in first })
    let leads = bindings.mapValues { Set($0.flatMap(\.opens)) }
    return table.screens.compactMap { screen in
      guard let bindings = bindings[screen], !bindings.isEmpty else { return nil }
      // The way back leads here, too.
      let near = table.screens.filter { leads[$0]?.contains(screen) == true || leads[screen]?.contains($0) == true }
      return Place(
        name: screen.name, title: screen.title,
        entries: bindings.map { binding in
          Entry(
            name: binding.name, keys: binding.keys, help: binding.help, isFamily: binding.isFamily,
            group: binding.group, duty: binding.duty)
        }, neighbours: near.map(\.name))
    }
  }
}

extension KeyCatalogue {
  /// The names of keys, digits in a row as one: `1-9`.
  package static func words(_ keys: [Key]) -> [String] {
    let digits = (1...9).map { Key.character(Character(String($0))) }
    return keys == digits ? ["1-9"] : keys.map(\.writtenName)
  }

  /// The names of keys, or a dash without any.
  package static func text(_ keys: [Key]) -> String { keys.isEmpty ? "–" : words(keys).joined(separator: " ") }
}

/// The rules for key bindings in any configuration: every screen can be left and shows its help, and no key that is
/// easily pressed twice writes files.
extension KeyCatalogue {
  /// The problems of a keymap as a whole, each with the line that causes it.
  func problems(of keymap: Keymap) -> [ConfigurationProblem] {
    guard !keymap.isEmpty else { return [] }
    return missing(.wayOut, "leads out of", keymap) + missing(.help, "shows the help of", keymap)
      + places.flatMap { confirmations(in: $0, keymap) }
  }

  private func missing(_ duty: KeyDuty, _ words: String, _ keymap: Keymap) -> [ConfigurationProblem] {
    var screens: [Int: [String]] = [:]
    for place in places {
      let entries = place.entries.filter { $0.duty == duty }
      guard !entries.isEmpty, entries.allSatisfy({ place.keys(of: $0, keymap).isEmpty }) else { continue }
      let lost = entries.flatMap(\.keys)
      let line = keymap.changes[place.name]?.last { lost.contains($0.key) }?.line ?? 0
      screens[line, default: []].append(place.name)
    }
    return screens.map { line, screens in
      let list = "the screen\(screens.count == 1 ? "" : "s") \(Words.list(screens, "and"))"
      return ConfigurationProblem(
        line: line, description: "This removes the last key that \(words) \(list). Bind another key to it as well.")
    }
  }

  private func confirmations(in place: Place, _ keymap: Keymap) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    for entry in place.entries where entry.duty == .confirmation {
      for key in place.keys(of: entry, keymap) {
        let line = keymap.change(of: key, on: place.name)?.line
        let start = "\(key.name) cannot be \(entry.name) on the screen \(place.name)"
        if let line, key == .enter || key == .character(" ") {
          let reason =
            ": it writes files or discards decisions, and enter and space are too easily pressed by accident."
          problems.append(ConfigurationProblem(line: line, description: start + reason))
          continue
        }
        for name in place.neighbours {
          guard let other = self.place(name)?.entry(for: key, keymap),
            let last = [line, keymap.change(of: key, on: name)?.line].compactMap(\.self).max()
          else { continue }
          let reason =
            " and \(other.name) on the screen \(name), which is next to it: pressed twice by accident, it would write "
            + "files or discard decisions. For one of them, use a key that does nothing on the other screen."
          problems.append(ConfigurationProblem(line: last, description: start + reason))
          break
        }
      }
    }
    return problems
  }
}
