import CarryoverTerminal

/// The keys of a search on whatever screen is open.
extension KeyBinding {
  /// - Parameters:
  ///   - screens: Those it is begun on.
  ///   - next: Those on which no other key is called `n`, and `N`.
  ///   - line: The line it is typed into.
  static func finding(in screens: Set<Screen>, next: Set<Screen>, previous: Set<Screen>, _ line: Screen) -> [KeyBinding]
  {
    let noFind: @Sendable (State) -> String? = {
      $0.find == nil ? "Nothing has been searched for; \($0.key("search", $0.topScreen)) searches." : nil
    }
    let noMatch: @Sendable (State) -> String? = { $0.find?.matches.isEmpty == false ? nil : "There is no match." }
    return [
      KeyBinding(
        [.character("/")], "search", "Find text on this screen as you type. Capitals count once you type one.",
        in: screens, .searching, hint: 4, opens: [line]
      ) {
        $0.beginFind()
        return []
      },
      KeyBinding(
        [.character("n")], "next", "Go to the next match.", in: next, .searching, hint: 1, unless: noFind
      ) { $0.goToFound(step: 1) },
      KeyBinding(
        [.character("N")], "previous", "Go to the previous match.", in: previous, .searching, unless: noFind
      ) { $0.goToFound(step: -1) },
      KeyBinding(
        [.enter], "done", "Keep the search; n and N go through its matches.", in: [line], .searching, hint: 1,
        name: "keep"
      ) {
        $0.keepFind()
        return []
      },
      KeyBinding(
        [.escape], "cancel", "Cancel the search and go back to where it began.", in: [line], .searching, hint: 1,
        duty: .wayOut
      ) {
        $0.endFind()
        return []
      },
      KeyBinding(
        [.down, .control("n")], "next", "Go to the next match.", in: [line], .searching, hint: 1, unless: noMatch
      ) { $0.goToFound(step: 1) },
      KeyBinding(
        [.up, .control("p")], "previous", "Go to the previous match.", in: [line], .searching, unless: noMatch
      ) { $0.goToFound(step: -1) },
    ]
  }
}

extension ScreenContent {
  /// A search being typed over any screen.
  static func find(_ screen: Screen) -> ScreenContent {
    line(screen, prompt: "/").with {
      $0.words = { ($0.find?.words ?? "", $0.find.map { !$0.wanted.isEmpty && $0.matches.isEmpty } ?? false) }
    }
  }
}
