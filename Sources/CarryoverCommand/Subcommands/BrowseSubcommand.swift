import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

struct BrowseSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Opens the stores of a container: every key and value, nested ones in place.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var shownFiles: ShownFilesArgument
  @Option(
    help: ArgumentHelp(
      "Begin at this key. STORE is a path or its end; KEY is a key path as shown, such as rl_traits.userId.",
      valueName: "store:key"))
  var key: String?
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @OptionGroup var accessible: AccessibleArguments

  func run() throws {
    try reporting(redacting) { masking in
      if accessible.isOn { return try browseByPrompts(masking) }
      let screen = try screen.settings()
      // Printed later, because the list of containers is on the screen.
      var later: [String] = []
      let files = try shownFiles.files
      try ContainerScreens(screen: screen, container: container, files: files, masking: masking).run(
        prepare: { opened, _, chosen in
          var opened = opened
          guard Console.inputIsTerminal, Console.outputIsTerminal else {
            throw CommandFailure.usage(
              "Browsing needs a terminal. Use carryover inspect, or --accessible, which reads lines.")
          }
          try AccessibleArguments.requireScreen(for: "browse")
          if let note = Self.interruption(of: opened, masking) {
            if chosen != nil { later.append(note) } else { Console.error(note) }
          }
          try Edge.countUnread(&opened, quietly: chosen != nil)
          return (opened.container, try place(in: opened.container, masking))
        },
        show: { shown, terminal, glyphs in
          let options = screen.options(glyphs, at: Console.now, masking)
          return try ScreenLoop.browse(shown.0, at: shown.1, options: options, on: terminal)
        },
        finish: { for note in later { Console.error(note) } })
    }
  }

  private func browseByPrompts(_ masking: Masking) throws {
    let screen = try screen.settings()
    let glyphs = screen.glyphs.glyphs(Console.glyphs)
    try container.openByPrompts(glyphs, reading: shownFiles.files, masking) { opened, _, _ in
      try show(opened, screen, glyphs, masking)
    }
  }

  private func show(_ opened: OpenedContainer, _ screen: Configuration, _ glyphs: Glyphs, _ masking: Masking) throws {
    if let note = Self.interruption(of: opened, masking) { Console.error(note) }
    var opened = opened
    try Edge.countUnread(&opened, quietly: true)
    let path = try place(in: opened.container, masking)
    try LineLoop.browse(opened.container, at: path, options: screen.options(glyphs, at: Console.now, masking))
  }

  private func place(in container: Container, _ masking: Masking) throws -> InspectedPath? {
    guard let key else { return nil }
    do throws(StoreLink.Failure) {
      return try StoreLink(in: masking.redaction?.container(container) ?? container).path(key)
    } catch {
      throw UnknownName.place(key, error)
    }
  }

  /// An interrupted run does not keep the user from browsing.
  private static func interruption(of opened: OpenedContainer, _ masking: Masking) -> String? {
    Edge.recoveryNeeded(opened).map { "carryover: \(masking.text($0.sentence))" }
  }
}
