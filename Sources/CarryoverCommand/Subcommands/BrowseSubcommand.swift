import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview

struct BrowseSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Opens the stores of a container to look around: every key and value, nested ones in place.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @OptionGroup var accessible: AccessibleArguments

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      if accessible.isOn { return try browseByPrompts(masking) }
      let screen = try screen.settings()
      // While the containers to choose from are on the screen, nothing can be said below it.
      var later: [String] = []
      try ContainerScreens(screen: screen, container: container, masking: masking).run(
        prepare: { opened, _, isOnScreen in
          guard Console.inputIsTerminal, Console.outputIsTerminal else {
            throw CommandFailure.usage(
              "Browsing needs a terminal; use carryover inspect, which does not, or --accessible, which takes lines.")
          }
          try AccessibleArguments.requireScreen(for: "browse")
          if let note = Self.interruption(of: opened, masking) {
            if isOnScreen { later.append(note) } else { Console.error(note) }
          }
          return opened.container
        },
        show: { container, terminal, glyphs in
          try ScreenLoop.browse(container, options: screen.options(glyphs, at: Console.now, masking), on: terminal)
        },
        finish: { for note in later { Console.error(note) } })
    }
  }

  private func browseByPrompts(_ masking: Masking) throws {
    let screen = try screen.settings()
    let glyphs = screen.glyphs(AccessibleArguments.usualGlyphs)
    guard let opened = try container.openByPrompts(glyphs, masking)?.opened else { return }
    if let note = Self.interruption(of: opened, masking) { Console.error(note) }
    try LineLoop.browse(opened.container, options: screen.options(glyphs, at: Console.now, masking))
  }

  /// That a run was interrupted here, or came with the container; it keeps nobody from looking around.
  private static func interruption(of opened: OpenedContainer, _ masking: Masking) -> String? {
    Edge.recoveryNeeded(opened).map { "carryover: \(masking.text($0.sentence))" }
  }
}
