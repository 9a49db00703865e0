import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

/// Options take precedence over the configuration file.
struct ScreenArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The colours: for a dark or a light background, or none."))
  var theme: ThemeChoice?
  @Option(help: ArgumentHelp("Use at most this many colours.", valueName: "number"))
  var colors: ColorChoice?
  @Flag(help: "Use no colours (as NO_COLOR does).") var noColor = false
  @Flag(help: "Draw with ASCII characters only.") var ascii = false
  @Flag(help: "Leave the mouse to the terminal.") var noMouse = false
  @OptionGroup var configuration: ConfigurationArguments

  func settings() throws -> Configuration {
    if noColor, let colors, colors != .none {
      throw CommandFailure.usage("--no-color and --colors \(colors.rawValue) contradict each other: give one of them.")
    }
    let loaded = try configuration.read()
    var settings = loaded.configuration
    if let theme { settings.theme = theme }
    if let colors { settings.colors = colors }
    if noColor { settings.colors = .none }
    if ascii { settings.glyphs = .ascii }
    if noMouse { settings.mouse = false }
    return settings
  }
}

extension ThemeChoice: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}

struct ConfigurationArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read this configuration, instead of $CARRYOVER_CONFIG or ~/.config/carryover/config.", valueName: "file"),
    completion: .file())
  var config: String?
  @Flag(help: "Read no configuration.") var noConfig = false

  func read() throws -> LoadedConfiguration {
    guard !(noConfig && config != nil) else {
      throw CommandFailure.usage("--config and --no-config contradict each other: give one of them.")
    }
    return try ConfigurationFile(named: config, isWanted: !noConfig).load()
  }
}

/// Opens a container and shows it on the screen; of several, the user chooses one, again after each that is left. One
/// terminal is open all the while, so that the shell does not show in between.
struct ContainerScreens {
  var screen: Configuration
  var container: ContainerArguments
  var files: [StoreFile] = []
  var masking: Masking
  /// The arguments of the workers that plan the containers in the list; nil if none is planned.
  var workers: [String]?

  /// - Parameters:
  ///   - prepare: makes what is shown. With decisions by finding, the container was chosen on the screen: nothing can
  ///     be asked or printed below it.
  ///   - finish: prints below the prompt afterwards, before a signal ends the process.
  func run<Prepared>(
    prepare: (OpenedContainer, ContainerSelection?, _ chosen: DecisionPolicy?) throws -> Prepared,
    show: (Prepared, any Terminal, Glyphs) throws -> ScreenLoop.Ending,
    finish: () throws -> Void = {}
  ) throws {
    let ending: ScreenLoop.Ending
    let selection = try container.choosing.selection()
    do {
      let prepared = try prepare(try container.open(selection, reading: files, masking), selection, nil)
      ending = try screen.onTerminal { try show(prepared, $0, $1) }
    } catch let error as ContainerError {
      guard case .holdsContainers(let candidates, _) = error.kind, selection == nil, Console.inputIsTerminal,
        Console.outputIsTerminal
      else { throw error }
      ending = try choose(candidates, prepare, show)
    }
    try finish()
    if case .signal(let number) = ending { Console.endBySignal(number) }
  }

  private func choose<Prepared>(
    _ candidates: [ContainerCandidate],
    _ prepare: (OpenedContainer, ContainerSelection?, _ chosen: DecisionPolicy?) throws -> Prepared,
    _ show: (Prepared, any Terminal, Glyphs) throws -> ScreenLoop.Ending
  ) throws -> ScreenLoop.Ending {
    try screen.onTerminal { terminal, glyphs in
      let options = screen.options(glyphs, at: Console.now, masking)
      var picker = Picker(candidates, place: container.path, workers: workers, options: options, on: terminal)
      defer { picker.end() }
      while true {
        switch try picker.choose() {
        case .signal(let number): return .signal(number)
        case .chosen(nil): return .quit
        case .chosen(let candidate?):
          let (selection, policy) = (ContainerSelection.path(candidate.path), picker.policy)
          let ending = picker.visit {
            try show(
              try prepare(try container.open(selection, reading: files, masking, quietly: true), selection, policy),
              terminal, glyphs)
          }
          if case .signal = ending { return ending }
        }
      }
    }
  }
}

struct AccessibleArguments: ParsableArguments {
  @Flag(
    help: """
      Print the screens line by line and take keys and words as lines, for screen readers, plain terminals \
      and logs (as CARRYOVER_ACCESSIBLE=1 does).
      """)
  var accessible = false

  /// The option also takes lines from a pipe; the variable is for people.
  var isOn: Bool {
    accessible || (Console.isAccessibleByEnvironment && Console.inputIsTerminal && Console.outputIsTerminal)
  }

  static func requireScreen(for command: String) throws {
    guard Console.environment("TERM") == "dumb" else { return }
    throw CommandFailure.usage(
      "The terminal “dumb” shows lines and no screen; carryover \(command) --accessible works line by line.")
  }
}

extension ContainerArguments {
  /// Opens the container; of several, each that the user chooses by prompts.
  /// - Parameter show: gets what chooses the container when it is opened again, and the decisions by finding.
  func openByPrompts(
    _ glyphs: Glyphs, reading files: [StoreFile] = [], workers: [String]? = nil, _ masking: Masking,
    show: (OpenedContainer, ContainerSelection?, DecisionPolicy?) throws -> Void
  ) throws {
    let selection = try choosing.selection()
    let opened: OpenedContainer
    do {
      opened = try open(selection, reading: files, masking, quietly: true)
    } catch let error as ContainerError {
      guard case .holdsContainers(let candidates, _) = error.kind, selection == nil else { throw error }
      let options = ReviewOptions(glyphs: glyphs, redaction: masking.redaction)
      var choice = LineChoice(candidates, place: path, workers: workers, options: options)
      defer { choice.end() }
      while let chosen = try choice.choose() {
        let policy = choice.policy
        try choice.visit {
          try show(open(.path(chosen.path), reading: files, masking, quietly: true), .path(chosen.path), policy)
        }
      }
      return
    }
    try show(opened, selection, nil)
  }
}
