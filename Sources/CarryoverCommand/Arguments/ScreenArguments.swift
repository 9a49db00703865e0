import ArgumentParser
package import CarryoverReview

/// The options of every command that takes the whole screen. They come before the configuration file.
struct ScreenArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The colours: for a dark or a light background, or none."))
  var theme: ThemeChoice?
  @Option(
    help: ArgumentHelp("Use at most this many colours.", valueName: "number"))
  var colors: ColorChoice?
  @Flag(help: "Use no colours (as NO_COLOR does).") var noColor = false
  @Flag(help: "Draw with ASCII characters only.") var ascii = false
  @Flag(help: "Leave the mouse to the terminal.") var noMouse = false
  @OptionGroup var configuration: ConfigurationArguments

  /// The options with the configuration and what the environment says.
  /// - Throws: a usage error that says everything that is wrong.
  func settings() throws -> ScreenSettings {
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
    return ScreenSettings(settings)
  }
}

extension ThemeChoice: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
