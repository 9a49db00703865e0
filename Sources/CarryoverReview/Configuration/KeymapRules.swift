import CarryoverTerminal

/// What must hold of the keys, however they are changed: every screen can be left and shows its help, and what writes
/// files never hangs on a key that somebody may press twice.
extension KeyCatalogue {
  /// What is wrong with a keymap as a whole, each with the line that makes it so.
  func problems(of keymap: Keymap) -> [ConfigurationProblem] {
    guard !keymap.isEmpty else { return [] }
    return missing(.wayOut, keymap) { .noWayOut(screens: $0) } + missing(.help, keymap) { .noHelp(screens: $0) }
      + places.flatMap { confirmations(in: $0, keymap) }
  }

  private func missing(
    _ duty: KeyDuty, _ keymap: Keymap, _ kind: ([String]) -> ConfigurationProblem.Kind
  ) -> [ConfigurationProblem] {
    var screens: [Int: [String]] = [:]
    for place in places {
      let entries = place.entries.filter { $0.duty == duty }
      guard !entries.isEmpty, entries.allSatisfy({ place.keys(of: $0, keymap).isEmpty }) else { continue }
      let lost = entries.flatMap(\.keys)
      let line = keymap.changes[place.name]?.last { lost.contains($0.key) }?.line ?? 0
      screens[line, default: []].append(place.name)
    }
    return screens.map { ConfigurationProblem(line: $0, kind: kind($1)) }
  }

  private func confirmations(in place: Place, _ keymap: Keymap) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    for entry in place.entries where entry.duty == .confirmation {
      for key in place.keys(of: entry, keymap) {
        let line = keymap.change(of: key, on: place.name)?.line
        if let line, key == .enter || key == .character(" ") {
          problems.append(
            ConfigurationProblem(
              line: line, kind: .easyConfirmation(key: key, binding: entry.name, screen: place.name)))
          continue
        }
        for name in place.neighbours {
          guard let other = self.place(name)?.entry(for: key, keymap) else { continue }
          let lines = [line, keymap.change(of: key, on: name)?.line].compactMap { $0 }
          guard let last = lines.max() else { continue }
          problems.append(
            ConfigurationProblem(
              line: last,
              kind: .doublePress(
                key: key, binding: entry.name, screen: place.name, other: other.name, otherScreen: name)))
          break
        }
      }
    }
    return problems
  }
}
