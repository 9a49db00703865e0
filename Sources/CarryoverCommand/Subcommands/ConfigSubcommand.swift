import ArgumentParser
import CarryoverReview
import CarryoverTerminal

struct ConfigSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Shows the configuration: every setting and where it comes from. Looks at no container.",
    subcommands: [ConfigShowSubcommand.self, ConfigCheckSubcommand.self, ConfigKeysSubcommand.self],
    defaultSubcommand: ConfigShowSubcommand.self)
}

struct ConfigShowSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows every setting, its default, and where it comes from.")

  @OptionGroup var file: ConfigurationArguments

  func run() throws {
    try reporting {
      let lines = ConfigText.lines(try file.read(), columns: Console.columns)
      try Console.print(lines.joined(separator: "\n"))
    }
  }
}

struct ConfigCheckSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says what is wrong with a configuration, and ends with 64 if anything is.")

  @Argument(help: ArgumentHelp("The configuration; without it, the one that would be read.", valueName: "file"))
  var path: String?
  @OptionGroup var file: ConfigurationArguments

  func run() throws {
    try reporting {
      var arguments = file
      if let path {
        guard file.config == nil, !file.noConfig else {
          throw CommandFailure.usage("The file to check is named twice; name it once.")
        }
        arguments.config = path
      }
      try Console.print(ConfigText.verdict(try arguments.read()))
    }
  }
}

struct ConfigKeysSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists every key of every screen, with the name by which it can be changed.")

  @Flag(help: "Print Markdown: the page Documentation/Keys.md, with the built-in keys.") var markdown = false
  @OptionGroup var file: ConfigurationArguments

  func run() throws {
    try reporting {
      if markdown {
        try Console.printVerbatim(KeysMarkdown.page.joined(separator: "\n"))
      } else {
        let keymap = try file.read().configuration.keymap
        try Console.print(ConfigText.keys(keymap, columns: Console.columns).joined(separator: "\n"))
      }
    }
  }
}
