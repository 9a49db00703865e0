import CarryoverPages
package import CarryoverTerminal

/// The settings from the configuration file alone.
package struct Configuration: Hashable, Sendable {
  package var theme = ThemeChoice.auto
  package var colors = ColorChoice.auto
  package var glyphs = GlyphChoice.auto
  package var mouse = true
  package var layout = LayoutChoice()
  /// The user's looks of parts of the screen, instead of the theme's.
  package internal(set) var looks: [ColoredPart: Look] = [:]
  package internal(set) var keymap = Keymap()

  /// Line numbers.
  package internal(set) var lines: [Setting: Int] = [:]
  /// Line numbers.
  package internal(set) var lookLines: [ColoredPart: Int] = [:]

  package init() {}

  /// The theme with the user's looks. A theme without colours stays as it is.
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

  /// In the form and order of the file.
  package var keyLines: [(line: Int, text: String)] {
    keymap.changes.flatMap { screen, changes in
      changes.map { change in
        let key = change.key.writtenName
        return (change.line, change.name.map { "bind \(screen) \(key) \($0)" } ?? "unbind \(screen) \(key)")
      }
    }
    .sorted { $0 < $1 }
  }

  /// In the form and order of the file.
  package var lookLinesText: [(line: Int, text: String)] {
    looks.map { (lookLines[$0] ?? 0, "color \($0.name) \(LookText.text($1))") }.sorted { $0 < $1 }
  }
}

/// A part of the screen with a look of its own.
package enum ColoredPart: Hashable, Sendable {
  case role(Role)
  case selection

  /// The name in the configuration file.
  package var name: String {
    switch self {
    case .role(.flagged): "warning"
    case .role(.confirmed): "decided"
    case .role(let role): role.name
    case .selection: "selection"
    }
  }

  package static let all: [ColoredPart] = Role.allCases.map(ColoredPart.role) + [.selection]
}

package enum ThemeChoice: String, CaseIterable, Hashable, Sendable {
  /// By the terminal's background.
  case auto
  case dark
  case light
  case mono

  /// - Parameter colorFGBG: The variable COLORFGBG, by which some terminals name the colours of text and background.
  package func theme(colorFGBG: String?) -> Theme {
    switch self {
    case .dark: .dark
    case .light: .light
    case .mono: .mono
    case .auto: Self.isLight(colorFGBG) ? .light : .dark
    }
  }

  /// `15;0` and `15;default;0` mean colour 0 behind colour 15. White and the bright colours are light, bright black
  /// not.
  private static func isLight(_ colorFGBG: String?) -> Bool {
    guard let last = colorFGBG?.split(separator: ";").last, let number = Int(last) else { return false }
    return number == 7 || (9...15).contains(number)
  }
}

package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  case auto
  /// The 16 that users set in their terminals.
  case sixteen = "16"
  case palette = "256"
  case none

  /// The maximum number of colours; nil if the terminal decides.
  package var limit: Int? {
    switch self {
    case .auto: nil
    case .sixteen: 16
    case .palette: 256
    case .none: 0
    }
  }
}

package enum GlyphChoice: String, CaseIterable, Hashable, Sendable {
  case auto
  case unicode
  case ascii

  package func glyphs(_ capability: Glyphs) -> Glyphs {
    switch self {
    case .auto: capability
    case .unicode: .unicode
    case .ascii: .ascii
    }
  }
}

/// The name of a setting after `set`.
package enum Setting: String, CaseIterable, Hashable, Sendable {
  case theme, colors, glyphs, mouse, layout
  case listShare = "list-share"
  case legacyShare = "legacy-share"

  /// In percent.
  static let shares = 10...90

  /// The words that can be its value.
  package var choices: [String] { access.choices }

  /// The possible values, in words.
  package var allowed: String {
    switch self {
    case .listShare, .legacyShare: "auto or a number from \(Self.shares.lowerBound) to \(Self.shares.upperBound)"
    default: Words.list(choices, "or")
    }
  }

  package var builtIn: String { value(in: Configuration()) }

  package func value(in configuration: Configuration) -> String { access.value(configuration) }

  /// Sets a value as it is written in the file; false if the setting cannot have it.
  func set(_ word: String, in configuration: inout Configuration) -> Bool { access.set(word, &configuration) }

  private struct Access {
    let choices: [String]
    let value: (Configuration) -> String
    let set: (String, inout Configuration) -> Bool

    /// - Parameter read: reads a word of the file; nil if it is not a value.
    init<Value>(
      _ choices: [String], _ path: WritableKeyPath<Configuration, Value>, word: @escaping (Value) -> String,
      read: @escaping (String) -> Value?
    ) {
      self.choices = choices
      value = { word($0[keyPath: path]) }
      set = { word, configuration in
        guard let value = read(word) else { return false }
        configuration[keyPath: path] = value
        return true
      }
    }

    init<Value: RawRepresentable<String> & CaseIterable>(_ path: WritableKeyPath<Configuration, Value>) {
      self.init(Value.allCases.map(\.rawValue), path, word: \.rawValue, read: Value.init(rawValue:))
    }

    init(share path: WritableKeyPath<Configuration, Int?>) {
      self.init(["auto"], path, word: { $0.map(String.init) ?? "auto" }) { word in
        if word == "auto" { return .some(nil) }
        guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word), shares.contains(number)
        else { return nil }
        return number
      }
    }
  }

  private var access: Access {
    switch self {
    case .theme: Access(\.theme)
    case .colors: Access(\.colors)
    case .glyphs: Access(\.glyphs)
    case .mouse:
      Access(["on", "off"], \.mouse, word: { $0 ? "on" : "off" }, read: { ["on": true, "off": false][$0] })
    case .layout: Access(\.layout.form)
    case .listShare: Access(share: \.layout.listShare)
    case .legacyShare: Access(share: \.layout.legacyShare)
    }
  }
}

enum Words {
  /// `a`, `a or b`, `a, b or c`.
  static func list(_ words: [String], _ last: String) -> String {
    guard let end = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) " + end
  }
}
