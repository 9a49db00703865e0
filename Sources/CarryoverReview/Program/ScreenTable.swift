import CarryoverPages
package import CarryoverTerminal

/// A program's screens and keys, with those that every program has: moving, typing, help, leaving.
package final class ScreenTable<State: Program>: Sendable {
  package typealias Entry = KeyBinding<State>

  let home: Screen
  let help: Screen
  let palette: Screen
  let save: Screen
  let replace: Screen
  let find: Screen
  let tooSmall: Screen
  let screens: [Screen]
  /// Every binding with its built-in keys, in the order of footer and help.
  package let all: [Entry]
  /// The screens on which a number before a key is a count: lists and texts where digits have no other meaning.
  let counting: Set<Screen>

  private let contents: [Screen: ScreenContent<State>]

  /// - Parameters:
  ///   - prefix: Begins the names of the shared screens.
  ///   - marks: Writes the meanings of the signs into the help.
  ///   - keys: Come before those of the screens. Of several bindings of a key on a screen, the first counts.
  ///   - leaving: Come last in the footer. The one with hint 0 also leaves a window that is too small.
  init(
    prefix: String = "", _ own: ScreenContent<State>, _ others: [ScreenContent<State>],
    marks: @escaping @Sendable (inout PageWriter, State) -> Void, keys: [Entry], leaving: [Entry]
  ) {
    let (home, screens) = (own.screen, [own] + others)
    let help = Screen(prefix + "help", "Help")
    let palette = Screen(prefix + "palette", "Action")
    let find = Screen(prefix + "find", "Find")
    let tooSmall = Screen(prefix + "too-small", "Too small")
    let (save, replace) = (Screen(prefix + "save", "Save as"), Screen(prefix + "replace", "Replace a file"))
    (self.home, self.help, self.palette, self.find) = (home, help, palette, find)
    (self.tooSmall, self.save, self.replace) = (tooSmall, save, replace)
    let contents =
      screens + [
        .help(help, marks), .palette(palette), .find(find), .line(save, prompt: "Save as: "), .replace(replace),
        ScreenContent(tooSmall, .text).with { $0.isRead = true },
      ]
    self.contents = Dictionary(contents.map { ($0.screen, $0) }, uniquingKeysWith: { first, _ in first })
    self.screens = contents.map(\.screen)
    let moved = Set(contents.filter(\.isMovedIn).map(\.screen))
    let lines = Set(contents.filter(\.isTyped).map(\.screen))
    let texts = contents.filter { $0.whole != nil && !$0.isLeftByAnyKey && $0.screen != replace }.map(\.screen)
    let numbered = moved.subtracting(contents.filter(\.isLeftByAnyKey).map(\.screen))
    let own = keys + screens.flatMap(\.keys)
    func without(_ key: Key, _ screens: Set<Screen>) -> Set<Screen> {
      own.filter { $0.keys.contains(key) }.reduce(into: screens) { $0.subtract($1.screens) }
    }
    let found = without(
      .character("/"), numbered.subtracting(contents.filter(\.isMenu).map(\.screen)).subtracting([help]))
    all =
      own + Entry.moving(in: moved) + Entry.actions(in: numbered, help, palette)
      + Entry.finding(in: found, next: without(.character("n"), found), previous: without(.character("N"), found), find)
      + Entry.errands(in: Set(texts), save, replace) + Entry.typing(in: lines) + contents.compactMap(Entry.back) + [
        Entry.help(in: moved.intersection(contents.filter(\.hasHelp).map(\.screen)).subtracting([help]), help)
      ] + leaving.map { $0.hintRank == 0 ? $0.with(screens: $0.screens.union([tooSmall])) : $0 } + [
        Entry.suspend(in: Set(contents.map(\.screen)))
      ]
    let digits = Set("123456789".map { Key.character($0) })
    counting = all.reduce(into: numbered) { if !digits.isDisjoint(with: $1.keys) { $0.subtract($1.screens) } }
  }

  package var asking: Set<Screen> { Set(all.filter { $0.duty == .confirmation }.flatMap(\.screens)) }

  subscript(_ screen: Screen) -> ScreenContent<State> { contents[screen] ?? ScreenContent(screen, .text) }

  package func binding(for key: Key, in screen: Screen, _ keymap: Keymap) -> Entry? {
    guard !keymap.isEmpty, let change = keymap.change(of: key, on: screen.name) else {
      return all.first { $0.screens.contains(screen) && $0.keys.contains(key) }
    }
    return change.name.flatMap { binding(named: $0, in: screen) }
  }

  /// The bindings of a screen, in order, with their present keys; without those that have none left.
  package func bindings(in screen: Screen, _ keymap: Keymap) -> [Entry] {
    let bindings = actions(in: screen, keymap)
    return keymap.changes[screen.name] == nil ? bindings : bindings.filter { !$0.keys.isEmpty }
  }

  /// Also those that have no key left.
  func actions(in screen: Screen, _ keymap: Keymap) -> [Entry] {
    let bindings = all.filter { $0.screens.contains(screen) }
    guard keymap.changes[screen.name] != nil else { return bindings }
    return bindings.map { $0.with(keys: keymap.keys(of: $0.name, builtIn: $0.keys, on: screen.name)) }
  }

  func binding(named name: String, in screen: Screen) -> Entry? {
    all.first { $0.name == name && $0.screens.contains(screen) }
  }

  /// All bindings as the help lists them: a binding with different keys on different screens is listed for each.
  func shown(_ keymap: Keymap) -> [Entry] {
    guard !keymap.isEmpty else { return all }
    return all.flatMap { binding in
      var shown: [Entry] = []
      for screen in screens where binding.screens.contains(screen) {
        let keys = keymap.keys(of: binding.name, builtIn: binding.keys, on: screen.name)
        if let index = shown.firstIndex(where: { $0.keys == keys }) {
          shown[index] = shown[index].with(screens: shown[index].screens.union([screen]))
        } else if !keys.isEmpty {
          shown.append(binding.with(keys: keys, screens: [screen]))
        }
      }
      return shown
    }
  }
}
