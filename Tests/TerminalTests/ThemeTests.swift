import CarryoverTerminal
import Testing

@Suite("Themes")
struct ThemeTests {
  @Test("Mono has no colour at all and still tells the selection, warnings and errors apart")
  func mono() {
    for role in Role.allCases {
      for selected in [false, true] {
        let look = Theme.mono.look(for: Style(role, selected: selected))
        #expect(look.foreground == nil && look.background == nil)
      }
    }
    let looks = [Style.plain, Style(.flagged), Style(.error), Style(.muted), Style(.plain, selected: true)]
    #expect(Set(looks.map { Theme.mono.look(for: $0) }).count == looks.count)
  }

  @Test("A selected row has one look whatever its roles", arguments: Theme.builtIn)
  func selection(theme: Theme) {
    let looks = Role.allCases.map { theme.look(for: Style($0, selected: true)) }
    #expect(Set(looks).count == 1)
    #expect(looks.first != theme.look(for: .plain))
  }

  @Test("Themes are found by name")
  func names() {
    #expect(Theme.builtIn.map(\.name) == ["dark", "light", "mono"])
    #expect(Theme.builtIn.allSatisfy { Theme.named($0.name) == $0 })
    #expect(Theme.named("neon") == nil)
  }
}

extension Theme: CustomTestStringConvertible {
  /// The name, because all properties of a theme would fill pages of a test log.
  package var testDescription: String { name }
}
