import ArgumentParser
import CarryoverPages
import CarryoverReview
import CarryoverSystem
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
    commandName: "check", abstract: "Checks a configuration; the exit status is 64 if it has a problem.")

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
          throw CommandFailure.usage("The file to check is given twice; give it only once.")
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

  @Flag(help: "Print Markdown: a page of the built-in keys.") var markdown = false
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

enum ConfigText {
  static func write(_ loaded: LoadedConfiguration, to page: inout PageWriter) {
    let configuration = loaded.configuration
    page.add(verdict(loaded))
    page.blank()
    var table = Table(
      [.init(.whole, "setting", .head), .init(.value, "value"), .init(.value, "default"), .init(.whole, "from")],
      heading: true)
    for setting in Setting.allCases {
      table.add([
        .text(setting.rawValue), .name(setting.value(in: configuration)), .name(setting.builtIn),
        .text(configuration.lines[setting].map { "line \($0)" } ?? "default"),
      ])
    }
    page.add(table)
    page.blank()
    for line in surroundings(configuration) { page.add(line) }
    page.blank()
    let changes = (configuration.lookLinesText + configuration.keyLines).sorted { $0.line < $1.line }
    for change in changes { page.add("\(change.text)  (line \(change.line))", hanging: 2) }
    page.blank()
    page.add("Options such as --theme come before the file. carryover config keys lists every key and its name.")
  }

  private static func surroundings(_ configuration: Configuration) -> [String] {
    var lines: [String] = []
    if configuration.theme == .auto {
      let background = Console.environment("COLORFGBG")
      let theme = configuration.theme.theme(colorFGBG: background).name
      let reason =
        background == nil
        ? "COLORFGBG is not set" : "COLORFGBG is “\(DisplayText.visible(background ?? "", limit: 20))”"
      lines.append("theme auto means \(theme) here: \(reason).")
    }
    if configuration.colors == .auto, Console.environment("NO_COLOR")?.isEmpty == false {
      lines.append("colors auto means none here: NO_COLOR is set.")
    }
    return lines
  }

  static func verdict(_ loaded: LoadedConfiguration) -> String {
    guard let path = loaded.path else { return "No configuration is read." }
    let shown = "“\(DisplayText.visible(path, limit: 400))”"
    return loaded.exists ? "The configuration \(shown) is valid." : "There is no configuration at \(shown)."
  }

  static func writeKeys(_ keymap: Keymap, to page: inout PageWriter) {
    for place in KeyCatalogue.all.places {
      page.blank()
      page.add(place.name + (place.title.lowercased() == place.name ? "" : "  (\(place.title))"))
      var table = Table([.init(.whole, "", .head), .init(.whole, "name"), .init(.sentence, "does")], indent: 2)
      for entry in place.entries {
        table.add([
          .text(KeyCatalogue.text(place.keys(of: entry, keymap))), .text(entry.name), .text(entry.help),
        ])
      }
      page.add(table)
    }
  }
}

enum KeysMarkdown {
  static var page: [String] {
    var lines = [
      "# Keys", "",
      "The built-in keys of every screen, with their names in [the configuration](Configuration.md#keys).",
      "`carryover config keys` prints them with your own changes, and `?` shows those of a screen.", "",
    ]
    lines += KeyCatalogue.all.places.map { "* [\($0.name)](#\($0.name))" }
    for place in KeyCatalogue.all.places {
      lines += ["", "## \(place.name)", "", "| keys | name | does |", "|---|---|---|"]
      lines += place.entries.map { entry in
        "| \(keys(entry)) | \(entry.name.isEmpty ? "–" : "`\(entry.name)`") | \(cell(entry.help)) |"
      }
    }
    return lines
  }

  private static func keys(_ entry: KeyCatalogue.Entry) -> String {
    KeyCatalogue.words(entry.keys).map { "<kbd>\(cell($0))</kbd>" }.joined(separator: " ")
  }

  private static func cell(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "|": result += "\\|"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "[", "]", "*", "_", "\\", "`": result += "\\\(character)"
      default: result.append(character)
      }
    }
  }
}
