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
      try ContainerScreens(screen: screen, container: container, masking: masking).run(
        prepare: { opened, _, isOnScreen in
          guard Console.inputIsTerminal, Console.outputIsTerminal else {
            throw CommandFailure.usage(
              "Browsing needs a terminal; use carryover inspect, which does not, or --accessible, which takes lines.")
          }
          try AccessibleArguments.requireScreen(for: "browse")
          if !isOnScreen { Self.noteInterrupted(opened, masking) }
          return opened.container
        },
        show: { container, terminal, glyphs in
          try ScreenLoop.browse(container, options: screen.options(glyphs, at: Console.now, masking), on: terminal)
        })
    }
  }

  private func browseByPrompts(_ masking: Masking) throws {
    let screen = try screen.settings()
    let glyphs = screen.glyphs(AccessibleArguments.usualGlyphs)
    guard let opened = try container.openByPrompts(glyphs, masking)?.opened else { return }
    Self.noteInterrupted(opened, masking)
    try LinearLoop.browse(opened.container, options: screen.options(glyphs, at: Console.now, masking))
  }

  /// Says that a run was interrupted here, or came with the container; it keeps nobody from looking around.
  private static func noteInterrupted(_ opened: OpenedContainer, _ masking: Masking) {
    if let failure = Edge.recoveryNeeded(opened) { Console.error("carryover: \(masking.text(failure.sentence))") }
  }
}
