import ArgumentParser
import CarryoverReview
import CarryoverTerminal

struct ConfigSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Shows the configuration: every setting and where it comes from. Opens no container.",
    subcommands: [ConfigShowSubcommand.self, ConfigCheckSubcommand.self, ConfigKeysSubcommand.self],
    defaultSubcommand: ConfigShowSubcommand.self)
}

struct ConfigShowSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows every setting, its default, and where it comes from.")

  @OptionGroup var file: ConfigurationArguments
  @OptionGroup var printing: PrintingArguments

  func run() throws {
    try reporting {
      let loaded = try file.read()
      try printing.paper.print { ConfigText.write(loaded, to: &$0) }
    }
  }
}

struct ConfigCheckSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Checks a configuration, and ends with 64 if it has a problem.")

  @Argument(
    help: ArgumentHelp("The configuration; by default the one that is in use.", valueName: "file"),
    completion: .file())
  var path: String?
  @OptionGroup var file: ConfigurationArguments
  @OptionGroup var printing: PrintingArguments

  func run() throws {
    try reporting {
      var arguments = file
      if let path {
        guard file.config == nil, !file.noConfig else {
          throw CommandFailure.usage("The file to check is given twice; give it once.")
        }
        arguments.config = path
      }
      let verdict = ConfigText.verdict(try arguments.read())
      try printing.paper.print { $0.add(verdict) }
    }
  }
}

struct ConfigKeysSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists every key of every screen, with the name by which it can be changed.")

  @Flag(help: "Print Markdown: the page Documentation/Keys.md, with the built-in keys.") var markdown = false
  @OptionGroup var file: ConfigurationArguments
  @OptionGroup var printing: PrintingArguments

  func run() throws {
    try reporting {
      if markdown {
        try Console.printVerbatim(KeysMarkdown.page.joined(separator: "\n"))
      } else {
        let keymap = try file.read().configuration.keymap
        try printing.paper.print { ConfigText.writeKeys(keymap, to: &$0) }
      }
    }
  }
}
