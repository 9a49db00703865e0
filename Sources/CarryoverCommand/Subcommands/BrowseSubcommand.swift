import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverTerminal

struct BrowseSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Opens the stores of a container: every key and value, nested ones in place, to read and change.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var shownFiles: ShownFilesArgument
  @Option(
    help: ArgumentHelp(
      "Begin at this key. STORE is a path or its end; KEY is a key path as shown, such as rl_traits.userId.",
      valueName: "store:key"))
  var key: String?
  @Flag(help: "Watch the container, and mark what changes while the app runs.") var watch = false
  @OptionGroup var live: LiveArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @OptionGroup var accessible: AccessibleArguments

  func run() throws {
    try reporting(redacting) { masking in
      if accessible.isOn {
        guard !watch else {
          throw CommandFailure.usage("--watch needs the screen. carryover watch prints each change as a line.")
        }
        return try browseByPrompts(masking)
      }
      do {
        try browse(masking)
      } catch let error as ContainerError where watch && error.kind == .emptyFolder {
        try waitForFile(masking)
        try browse(masking)
      }
    }
  }

  private func browse(_ masking: Masking) throws {
    let screen = try screen.settings()
    // Printed later, because the list of containers is on the screen.
    var later: [String] = []
    let files = try shownFiles.files
    try ContainerScreens(screen: screen, container: container, files: files, masking: masking).run(
      prepare: { opened, selection, chosen in
        try Self.requireScreen()
        if let note = Self.interruption(of: opened, masking) {
          if chosen != nil { later.append(note) } else { Console.error(note) }
        }
        var shown = try browsed(opened, selection, masking, quietly: chosen != nil)
        if watch { shown.watching = BackgroundWatch(try Edge.watch(container, selection: selection, files: files)) }
        return shown
      },
      show: { shown, terminal, glyphs in
        let options = screen.options(glyphs, at: Console.now, masking)
        defer { later += shown.runner.summary.map { "carryover: \(masking.text($0))" } }
        return try ScreenLoop.browse(
          shown.state(terminal.size, options), shown.container, shown.runner, watch: shown.watching, on: terminal)
      },
      finish: { for note in later { Console.error(note) } })
  }

  private static func requireScreen() throws {
    guard Console.inputIsTerminal, Console.outputIsTerminal else {
      throw CommandFailure.usage(
        "Browsing needs a terminal. Use carryover inspect, or --accessible, which reads lines.")
    }
    try AccessibleArguments.requireScreen(for: "browse")
  }

  /// Waits until the app has written something into an empty folder, or until the folder is gone.
  private func waitForFile(_ masking: Masking) throws {
    var watch = try Edge.watch(container, files: shownFiles.files)
    try Self.requireScreen()
    Console.error(masking.notice("Waiting for the first file in \(container.path). Ctrl-C stops."))
    var (clock, hasNews) = (WatchClock.system, false)
    let sleep = clock.sleep
    clock.sleep = { !hasNews && sleep($0) }
    watch.run(clock) { _, _, _ in hasNews = true }
  }

  private func browseByPrompts(_ masking: Masking) throws {
    let screen = try screen.settings()
    let glyphs = screen.glyphs.glyphs(Console.glyphs)
    try container.openByPrompts(glyphs, reading: shownFiles.files, masking) { opened, selection, _ in
      try show(opened, selection, screen, glyphs, masking)
    }
  }

  private func show(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, _ screen: Configuration, _ glyphs: Glyphs,
    _ masking: Masking
  ) throws {
    if let note = Self.interruption(of: opened, masking) { Console.error(note) }
    let shown = try browsed(opened, selection, masking, quietly: true)
    try LineLoop.browse(
      shown.container, shown.runner, options: screen.options(glyphs, at: Console.now, masking), shown.state)
  }

  private struct Browsed {
    var container: Container
    var place: InspectedPath?
    var changing: StoreChanging
    var runner: BrowserRunner
    var watching: BackgroundWatch?

    func state(_ size: Size, _ options: ReviewOptions) -> BrowserState {
      BrowserState(
        container, size: size, options: options, zone: Console.secondsFromUTC, changing: changing, at: place)
    }
  }

  private func browsed(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, _ masking: Masking, quietly: Bool
  ) throws -> Browsed {
    var opened = opened
    try Edge.countUnread(&opened, masking, quietly: quietly)
    return Browsed(
      container: opened.container, place: try place(in: opened.container, masking),
      changing: changing(opened, selection), runner: runner(opened, selection, masking))
  }

  private func changing(_ opened: OpenedContainer, _ selection: ContainerSelection?) -> StoreChanging {
    let container = opened.container
    var command = self.container.command("rollback", selection)
    command.add("--live", if: live.live)
    return StoreChanging(
      backups: container.stateDirectory + "/runs", rollback: command, readOnly: readOnly(opened))
  }

  /// Why nothing can be written; nil if it can.
  private func readOnly(_ opened: OpenedContainer) -> String? {
    do throws(RunError) {
      try opened.container.requireWritable(allowing: live.allowed)
    } catch {
      return error.sentence(afterOthers: false)
    }
    // A rollback would not find the files that only the recipe file names.
    if !shownFiles.recipe.isEmpty {
      return "With --recipe, the stores are read-only. To change values, open the container without it."
    }
    let migrator = Edge.migrator(opened)
    return migrator.occupiedStateFolder(of: opened.container)?.notice
      ?? migrator.closedState(of: opened.container)?.description
  }

  private func runner(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, _ masking: Masking
  ) -> BrowserRunner {
    let files = (try? shownFiles.files) ?? []
    return BrowserRunner(opened.container, migrator: Edge.migrator(opened), allowing: live.allowed) {
      try container.whole(selection, reading: files, masking)
    }
  }

  private func place(in container: Container, _ masking: Masking) throws -> InspectedPath? {
    guard let key else { return nil }
    do throws(ChangeError) {
      return try (masking.redaction?.container(container) ?? container).place(key)
    } catch {
      throw UnknownName.place(key, error)
    }
  }

  /// An interrupted run does not keep the user from browsing.
  private static func interruption(of opened: OpenedContainer, _ masking: Masking) -> String? {
    Edge.recoveryNeeded(opened).map { "carryover: \(masking.text($0.sentence))" }
  }
}
