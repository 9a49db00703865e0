import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

struct DiffSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the stores of two containers, or a container with its state before a run.",
    discussion: """
      Stores are compared key by key, and packed values member by member. Differences in the order of keys, the format \
      of a file and the spelling of JSON are ignored. On a terminal, the stores are shown with both values side by side.

      PATTERN is the path of a key as diff prints it, such as rl_traits.lastSeen, or STORE: KEY; * stands for any text.

      Exit status: 0 no differences, 2 differences, 1 an error, or no differences but not everything could be compared.
      """)

  @OptionGroup var container: ContainerArguments
  @Argument(
    help: "The container to compare with, after the changes, in any form. Omit it with --before.",
    completion: .file())
  var other: String?
  @Option(
    help: ArgumentHelp(
      "Compare the container with its state before this run, which carryover history lists.", valueName: "run"))
  var before: String?
  @Option(
    help: ArgumentHelp(
      "Compare only this store: its path, the end of it, or its suite's name. Repeatable.", valueName: "name"))
  var store: [String] = []
  @Option(
    help: ArgumentHelp("Only count the differences at these paths. Repeatable.", valueName: "pattern"))
  var ignore: [String] = []
  @Flag(help: "Also list the keys that Apple's frameworks write.") var all = false
  @Flag(
    help: """
      Also report stores and values that are equal, but in another order of keys or another format of the file or of \
      packed values.
      """)
  var exact = false
  @OptionGroup var shownFiles: ShownFilesArgument
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @OptionGroup var accessible: AccessibleArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.diff/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      let compared = try compared(masking)
      try check(compared)
      if json {
        var output = ComparisonJSON(compared)
        try Console.printDocument(masking.document(output.document()))
      } else if accessible.isOn {
        let screen = try screen.settings()
        let glyphs = screen.glyphs.glyphs(Console.glyphs)
        let shown = masked(compared, masking)
        try LineLoop.browse(
          shown.after.container, options: screen.options(glyphs, at: Console.now, masking), state(of: shown))
      } else if Console.inputIsTerminal, Console.outputIsTerminal, Console.environment("TERM") != "dumb" {
        try show(compared, masking)
      } else {
        try printing.paper.print(masking) { $0.add(compared.blocks(isMasked: masking.isOn)) }
      }
      let comparison = compared.comparison
      let status: ExitStatus =
        !comparison.isEmpty ? .decisionsNeeded : comparison.obstacles.isEmpty ? .done : .error
      if status != .done { throw ExitCode(status.rawValue) }
    }
  }

  private var options: StoreComparison.Options {
    StoreComparison.Options(stores: store, ignored: ignore.map { Glob($0) }, isExact: exact, listsSystemKeys: all)
  }

  private func compared(_ masking: Masking) throws -> ComparedContainers {
    guard (other == nil) != (before == nil) else {
      throw CommandFailure.usage("Give a second container to compare with, or a run with --before.")
    }
    let files = try shownFiles.files
    var opened = try container.open(reading: files, tables: true, masking)
    if let before {
      let found = try Edge.migrator(opened).files(before: before, in: opened.container)
      var earlier = try opened.replacing(found.files, reading: files)
      masking.learn(earlier.container)
      var notes = found.changedSince.map {
        "“\(DisplayText.named($0))” has changed since run \(before); these changes are listed too."
      }
      if let reason = found.foreign { notes.append("Run \(before) came with the container, \(reason.phrase).") }
      try Edge.countUnread(&opened, masking, limits: .comparing)
      try Edge.countUnread(&earlier, masking, limits: .comparing, quietly: true)
      return ComparedContainers(
        .init(path: container.path, container: earlier.container, run: before),
        .init(path: container.path, container: opened.container), options, notes: notes)
    }
    let second = ContainerArguments(other ?? "", bundleID: container.bundleID, choosing: container.choosing)
    var others = try second.open(reading: files, tables: true, masking)
    try Edge.countUnread(&opened, masking, limits: .comparing)
    try Edge.countUnread(&others, masking, limits: .comparing)
    return ComparedContainers(
      .init(path: container.path, container: opened.container),
      .init(path: second.path, container: others.container), options)
  }

  private func check(_ compared: ComparedContainers) throws {
    let comparison = compared.comparison
    guard comparison.count > 0 || store.isEmpty else {
      throw CommandFailure.usage(
        "Neither container has a store \(store.joined(separator: " or ")). carryover inspect lists the stores.")
    }
    // A single property list is compared only with the store of its name.
    let isFile = [compared.before, compared.after].map { $0.container.kind == .propertyList }
    if isFile[0] != isFile[1], let only = comparison.stores.first, only.before == nil || only.after == nil {
      throw CommandFailure.usage("The container has no store named “\(DisplayText.named(only.path))”.")
    }
  }

  /// What the screen shows. Masked containers are compared again, so that no value is on it that is not masked.
  private func masked(_ compared: ComparedContainers, _ masking: Masking) -> ComparedContainers {
    guard let redaction = masking.redaction else { return compared }
    var (before, after) = (compared.before, compared.after)
    before.container = redaction.container(before.container)
    after.container = redaction.container(after.container)
    var masked = ComparedContainers(before, after, options, notes: compared.notes.map(redaction.text))
    masked.comparison = masked.comparison.narrowed(to: compared.comparison, path: redaction.text)
    return masked
  }

  private func state(of compared: ComparedContainers) -> (Size, ReviewOptions) -> BrowserState {
    { BrowserState(compared, size: $0, options: $1, zone: Console.secondsFromUTC) }
  }

  private func show(_ compared: ComparedContainers, _ masking: Masking) throws {
    let (screen, shown) = (try screen.settings(), masked(compared, masking))
    let ending = try screen.onTerminal { terminal, glyphs in
      try ScreenLoop.browse(
        state(of: shown)(terminal.size, screen.options(glyphs, at: Console.now, masking)), shown.after.container,
        on: terminal)
    }
    if case .signal(let number) = ending { Console.endBySignal(number) }
  }
}
