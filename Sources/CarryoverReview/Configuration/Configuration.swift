package import CarryoverTerminal

/// What the user has configured, from the file alone.
package struct Configuration: Hashable, Sendable {
  /// Which colours.
  package var theme = ThemeChoice.auto
  /// How many.
  package var colors = ColorChoice.auto
  /// Which characters for frames and marks.
  package var glyphs = GlyphChoice.auto
  /// Whether the mouse is used.
  package var mouse = true
  /// How the review's screen is divided.
  package var layout = LayoutChoice()
  /// The looks of parts of the screen, instead of the theme's.
  package internal(set) var looks: [ColoredPart: Look] = [:]
  /// The keys that mean something else.
  package internal(set) var keymap = Keymap()

  /// Where each setting was given.
  package internal(set) var lines: [Setting: Int] = [:]
  /// Where each look was given.
  package internal(set) var lookLines: [ColoredPart: Int] = [:]

  /// What holds without a file.
  package init() {}

  /// A theme with the user's own looks. Without colours it stays as it is: what is left of them is no choice.
  package func applied(to theme: Theme) -> Theme {
    guard theme.name != Theme.mono.name else { return theme }
    var theme = theme
    for (part, look) in looks {
      switch part {
      case .role(let role): theme.looks[role] = look
      case .selection: theme.selection = look
      }
    }
    return theme
  }

  /// The lines for keys, each as it would be written, in the order of the file.
  package var keyLines: [(line: Int, text: String)] {
    keymap.changes.flatMap { screen, changes in
      changes.map { change in
        let key = change.key.writtenName
        return (change.line, change.name.map { "bind \(screen) \(key) \($0)" } ?? "unbind \(screen) \(key)")
      }
    }
    .sorted { $0 < $1 }
  }

  /// The lines for colours, each as it would be written, in the order of the file.
  package var lookLinesText: [(line: Int, text: String)] {
    looks.map { (lookLines[$0] ?? 0, "color \($0.name) \(LookText.text($1))") }.sorted { $0 < $1 }
  }
}

/// Something that has colours of its own.
package enum ColoredPart: Hashable, Sendable {
  /// Text by what it is.
  case role(Role)
  /// The selected row.
  case selection

  /// What the configuration file calls it.
  package var name: String {
    switch self {
    case .role(.flagged): "warning"
    case .role(.confirmed): "decided"
    case .role(let role): role.name
    case .selection: "selection"
    }
  }

  /// All there are, in order.
  package static let all: [ColoredPart] = Role.allCases.map(ColoredPart.role) + [.selection]
}

/// Which theme the user wants.
package enum ThemeChoice: String, CaseIterable, Hashable, Sendable {
  /// By what the terminal says of its background.
  case auto
  /// For a dark background.
  case dark
  /// For a light background.
  case light
  /// Without colours.
  case mono

  /// The theme.
  /// - Parameter colorFGBG: The variable COLORFGBG, by which some terminals name the colours of text and background.
  package func theme(colorFGBG: String?) -> Theme {
    switch self {
    case .dark: .dark
    case .light: .light
    case .mono: .mono
    case .auto: Self.isLight(colorFGBG) ? .light : .dark
    }
  }

  /// `15;0` and `15;default;0` mean colour 0 behind colour 15. White and the bright colours are light, bright black not.
  private static func isLight(_ colorFGBG: String?) -> Bool {
    guard let last = colorFGBG?.split(separator: ";").last, let number = Int(last) else { return false }
    return number == 7 || (9...15).contains(number)
  }
}

/// How many colours the user wants used.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  /// As many as the terminal has.
  case auto
  /// The 16 that people's own terminal settings govern.
  case sixteen = "16"
  /// The palette of 256.
  case palette = "256"
  /// None.
  case none

  /// The number; nil where the terminal decides.
  package var limit: Int? {
    switch self {
    case .auto: nil
    case .sixteen: 16
    case .palette: 256
    case .none: 0
    }
  }
}

/// Which characters the user wants frames and marks drawn with.
package enum GlyphChoice: String, CaseIterable, Hashable, Sendable {
  /// What the terminal's encoding has.
  case auto
  /// Box drawing characters.
  case unicode
  /// ASCII only.
  case ascii

  /// The characters.
  /// - Parameter capability: what the terminal's encoding has.
  package func glyphs(_ capability: Glyphs) -> Glyphs {
    switch self {
    case .auto: capability
    case .unicode: .unicode
    case .ascii: .ascii
    }
  }
}

/// What `set` sets.
package enum Setting: String, CaseIterable, Hashable, Sendable {
  case theme, colors, glyphs, mouse, layout
  case listShare = "list-share"
  case legacyShare = "legacy-share"

  /// The percents that a share can be.
  static let shares = 10...90

  /// What it decides, as a sentence.
  package var meaning: String {
    switch self {
    case .theme: "Which colours are used: for a dark background, for a light one, or none."
    case .colors: "The maximum number of colours."
    case .glyphs: "The characters for frames and signs."
    case .mouse: "on: Carryover handles the mouse. off: the terminal does."
    case .layout: "Which panes the review shows, if there is room."
    case .listShare: "Height of the field list, in percent."
    case .legacyShare: "Width of the legacy pane, in percent."
    }
  }

  /// The words that can be its value.
  package var choices: [String] {
    switch self {
    case .theme: ThemeChoice.allCases.map(\.rawValue)
    case .colors: ColorChoice.allCases.map(\.rawValue)
    case .glyphs: GlyphChoice.allCases.map(\.rawValue)
    case .mouse: ["on", "off"]
    case .layout: LayoutChoice.Form.allCases.map(\.rawValue)
    case .listShare, .legacyShare: ["auto"]
    }
  }

  /// What its value can be, in words.
  package var allowed: String {
    switch self {
    case .listShare, .legacyShare:
      "auto or a number from \(Self.shares.lowerBound) to \(Self.shares.upperBound)"
    default: Words.list(choices, "or")
    }
  }

  /// Its value without a configuration.
  package var builtIn: String { value(in: Configuration()) }

  /// Its value, as it is written in the file.
  package func value(in configuration: Configuration) -> String {
    switch self {
    case .theme: configuration.theme.rawValue
    case .colors: configuration.colors.rawValue
    case .glyphs: configuration.glyphs.rawValue
    case .mouse: configuration.mouse ? "on" : "off"
    case .layout: configuration.layout.form.rawValue
    case .listShare: configuration.layout.listShare.map(String.init) ?? "auto"
    case .legacyShare: configuration.layout.legacyShare.map(String.init) ?? "auto"
    }
  }

  /// Gives it a value as it is written in the file; false where it can have no such value.
  func set(_ word: String, in configuration: inout Configuration) -> Bool {
    switch self {
    case .theme: Self.choose(word, &configuration.theme)
    case .colors: Self.choose(word, &configuration.colors)
    case .glyphs: Self.choose(word, &configuration.glyphs)
    case .mouse:
      switch word {
      case "on": Self.assign(true, &configuration.mouse)
      case "off": Self.assign(false, &configuration.mouse)
      default: false
      }
    case .layout: Self.choose(word, &configuration.layout.form)
    case .listShare: Self.share(word, &configuration.layout.listShare)
    case .legacyShare: Self.share(word, &configuration.layout.legacyShare)
    }
  }

  private static func choose<Choice: RawRepresentable<String>>(_ word: String, _ value: inout Choice) -> Bool {
    Choice(rawValue: word).map { assign($0, &value) } ?? false
  }

  private static func share(_ word: String, _ value: inout Int?) -> Bool {
    if word == "auto" { return assign(nil, &value) }
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word),
      shares.contains(number)
    else { return false }
    return assign(number, &value)
  }

  private static func assign<Value>(_ new: Value, _ value: inout Value) -> Bool {
    value = new
    return true
  }
}
