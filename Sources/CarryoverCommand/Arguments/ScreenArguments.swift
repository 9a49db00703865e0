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
      throw CommandFailure.usage(
        "--no-color and --colors \(colors.rawValue) contradict each other: give only one of them.")
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
      throw CommandFailure.usage("--config and --no-config contradict each other: give only one of them.")
    }
    return try ConfigurationFile(named: config, isWanted: !noConfig).load()
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
      "The terminal “dumb” cannot show a screen; carryover \(command) --accessible works line by line.")
  }
}
