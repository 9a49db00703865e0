import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// The configuration for a person to read.
enum ConfigText {
  /// Where it comes from, every setting, and what is changed of colours and keys.
  static func lines(_ loaded: LoadedConfiguration, columns: Int) -> [String] {
    let configuration = loaded.configuration
    var table = Table(limits: [14, 10, 10, nil])
    table.add(["setting", "value", "default", "from"])
    for setting in Setting.allCases {
      table.add([
        setting.rawValue, setting.value(in: configuration), setting.builtIn,
        configuration.lines[setting].map { "line \($0)" } ?? "default",
      ])
    }
    var lines = [verdict(loaded), ""] + table.lines(columns: columns)
    let surroundings = surroundings(configuration)
    if !surroundings.isEmpty { lines += [""] + surroundings }
    let changes = (configuration.lookLinesText + configuration.keyLines).sorted { $0.line < $1.line }
    if !changes.isEmpty { lines += [""] + changes.map { "\($0.text)  (line \($0.line))" } }
    lines += ["", "Options such as --theme come before the file. carryover config keys lists every key and its name."]
    return lines
  }

  /// What the environment makes of what is left to it.
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

  /// Which file was read, in a sentence.
  static func verdict(_ loaded: LoadedConfiguration) -> String {
    guard let path = loaded.path else { return "No configuration is read." }
    let shown = "“\(DisplayText.visible(path, limit: 400))”"
    return loaded.exists ? "The configuration \(shown) is in order." : "There is no configuration at \(shown)."
  }

  /// Every screen with its keys and their names.
  static func keys(_ keymap: Keymap, columns: Int) -> [String] {
    KeyCatalogue.all.places.enumerated().flatMap { index, place in
      var table = Table(limits: [26, 18, nil])
      for entry in place.entries {
        let keys = place.keys(of: entry, keymap)
        table.add([KeyCatalogue.text(keys), entry.name, entry.help])
      }
      let title = place.name + (place.title.lowercased() == place.name ? "" : "  (\(place.title))")
      return (index > 0 ? [""] : []) + [title] + table.lines(columns: columns - 2).map { "  " + $0 }
    }
  }
}

/// The page with every key, as the documentation has it.
enum KeysMarkdown {
  static var page: [String] {
    var lines = [
      "# Keys", "",
      "<!-- Made by `make keys` from the bindings themselves; do not edit. -->", "",
      "Every key of every screen as it is built in, with the name that [the configuration](Configuration.md#keys) knows",
      "it by. `carryover config keys` prints the same with your own changes, and `?` shows it on the screen.", "",
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
