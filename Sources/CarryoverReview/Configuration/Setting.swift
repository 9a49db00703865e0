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
