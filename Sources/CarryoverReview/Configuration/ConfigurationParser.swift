import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// A problem in a line of a configuration file.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  package let line: Int
  /// What is wrong and what is allowed, in whole sentences without hidden characters and without the line.
  package let description: String
}

/// Reads a configuration file: any bytes become a configuration, problems, or both.
package struct ConfigurationParser {
  /// The built-in values where a line has a problem.
  package private(set) var configuration = Configuration()
  /// In the order of the lines.
  package private(set) var problems: [ConfigurationProblem] = []

  /// Stands for every screen.
  static let everywhere = "all"

  private let catalogue: KeyCatalogue

  /// The first word of a line.
  private enum Statement: String, CaseIterable {
    case set, bind, unbind, color

    var form: String {
      switch self {
      case .set: "set SETTING VALUE, as in set theme light"
      case .bind: "bind SCREEN KEY NAME, as in bind review ctrl-n next"
      case .unbind: "unbind SCREEN KEY, as in unbind review x"
      case .color: "color PART TEXT [BACKGROUND] [bold|dim|reverse|underline]…, as in color warning yellow default bold"
      }
    }

    /// The numbers of words that can follow.
    var counts: ClosedRange<Int> {
      switch self {
      case .set, .unbind: 2...2
      case .bind: 3...3
      case .color: 2...Int.max
      }
    }
  }

  package init(_ bytes: [UInt8]) { self.init(bytes, catalogue: .all) }

  init(_ bytes: [UInt8], catalogue: KeyCatalogue) {
    self.catalogue = catalogue
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    for (index, line) in rest.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      do throws(Refusal) {
        try read(line.last == 0x0D ? line.dropLast() : line, index + 1)
      } catch {
        problems.append(ConfigurationProblem(line: index + 1, description: error.sentence))
      }
    }
    problems += catalogue.problems(of: configuration.keymap)
    problems.sort { $0.line < $1.line }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, _ line: Int) throws(Refusal) {
    guard !bytes.contains(0), let text = String(utf8: bytes) else {
      throw Refusal("This line is not valid UTF-8.")
    }
    guard let words = ConfigurationLine.words(of: text) else {
      throw Refusal("A quotation mark is not closed. The key \" is written as '\"', the key ' as \"'\".")
    }
    guard let first = words.first else { return }
    guard let statement = Statement(rawValue: first) else {
      throw .unknown(first, "a statement", among: Statement.allCases.map(\.rawValue))
    }
    let rest = Array(words.dropFirst())
    guard statement.counts.contains(rest.count) else {
      throw Refusal("This line is incomplete or has extra words. The form is: \(statement.form).")
    }
    switch statement {
    case .set: try set(rest[0], rest[1], line)
    case .bind: try bind(rest[0], rest[1], to: rest[2], line)
    case .unbind: try unbind(rest[0], rest[1], line)
    case .color: try color(rest[0], rest[1...], line)
    }
  }

  private mutating func set(_ name: String, _ value: String, _ line: Int) throws(Refusal) {
    guard let setting = Setting(rawValue: name) else {
      throw .unknown(name, "a setting", among: Setting.allCases.map(\.rawValue))
    }
    if let before = configuration.lines[setting] { throw .repeated(setting.rawValue, line: before) }
    guard setting.set(value, in: &configuration) else {
      throw Refusal(
        "\(Refusal.quoted(value)) is not a value of \(setting.rawValue)."
          + "\(Refusal.hint(value, setting.choices)) It can be \(setting.allowed).")
    }
    configuration.lines[setting] = line
  }

  private mutating func color(_ name: String, _ words: ArraySlice<String>, _ line: Int) throws(Refusal) {
    guard let part = ColoredPart.all.first(where: { $0.name == name }) else {
      throw .unknown(name, "a part of the screen", among: ColoredPart.all.map(\.name))
    }
    if let before = configuration.lookLines[part] { throw .repeated("The look of \(part.name)", line: before) }
    configuration.looks[part] = try LookText.look(words)
    configuration.lookLines[part] = line
  }

  private mutating func bind(_ screen: String, _ word: String, to name: String, _ line: Int) throws(Refusal) {
    let places = try places(screen)
    let key = try Key.named(word)
    let isCharacter = if case .character = key { true } else { false }
    let named = places.filter { $0.entry(name) != nil }
    let open = named.filter { !(isCharacter && $0.takesText) }
    guard !named.isEmpty else {
      let known = screen == Self.everywhere ? [] : places.flatMap { $0.entries.map(\.name) }
      throw Refusal(
        "No action on \(Self.words(screen)) has the name \(Refusal.quoted(name)).\(Refusal.hint(name, known)) "
          + (known.isEmpty
            ? "carryover config keys lists all names." : "Choose one of \(known.joined(separator: ", "))."))
    }
    guard let first = open.first else {
      throw Refusal("On the screen \(named[0].name), \(key.name) is typed as text. Use a key such as ctrl-n or f5.")
    }
    guard let single = open.first(where: { $0.entry(name)?.isFamily == false }) else {
      throw Refusal(
        "On the screen \(first.name), each key of \(name) has its own meaning, so no other key can stand for it.")
    }
    for place in screen == Self.everywhere ? open : [single] {
      guard let entry = place.entry(name), !entry.isFamily else { continue }
      try change(key, entry.name, on: place.name, line)
    }
  }

  private mutating func unbind(_ screen: String, _ word: String, _ line: Int) throws(Refusal) {
    let places = try places(screen)
    let key = try Key.named(word)
    let bound = places.filter { $0.entry(for: key, configuration.keymap) != nil }
    guard !bound.isEmpty else {
      throw Refusal("\(key.name) does nothing on \(Self.words(screen)), so it cannot be unbound.")
    }
    for place in bound { try change(key, nil, on: place.name, line) }
  }

  /// Two lines may not give a key two meanings on a screen.
  private mutating func change(_ key: Key, _ name: String?, on screen: String, _ line: Int) throws(Refusal) {
    if let before = configuration.keymap.change(of: key, on: screen), before.line != line {
      throw .repeated("\(key.name) on the screen \(screen)", line: before.line)
    }
    configuration.keymap.set(key, name, on: screen, line: line)
  }

  private func places(_ screen: String) throws(Refusal) -> [KeyCatalogue.Place] {
    if screen == Self.everywhere { return catalogue.places }
    guard let place = catalogue.place(screen) else {
      throw .unknown(screen, "a screen", among: KeyCatalogue.all.places.map(\.name) + [Self.everywhere])
    }
    return [place]
  }

  private static func words(_ screen: String) -> String { screen == everywhere ? "any screen" : "the screen \(screen)" }
}

enum ConfigurationLine {
  /// The words of a line, divided by blanks. A word that begins with `#` begins a comment; a quoted word is taken
  /// literally. Nil if a quote is not closed.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var rest = Substring(line).unicodeScalars
    while true {
      while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
      guard let first = rest.first, first != "#" else { return words }
      if first == "\"" || first == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { return nil }
        words.append(String(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        if let next = rest.first, next != " ", next != "\t" { return nil }
      } else {
        let end = rest.firstIndex { $0 == " " || $0 == "\t" } ?? rest.endIndex
        words.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
  }
}

/// Looks as they are written in the configuration file: `yellow default bold`.
enum LookText {
  private static var attributes: [(name: String, path: WritableKeyPath<Look, Bool>)] {
    [("bold", \.bold), ("dim", \.dim), ("reverse", \.reverse), ("underline", \.underline)]
  }

  /// The colour of the text, then of the background, then attributes. The first is required.
  static func look(_ words: ArraySlice<String>) throws(Refusal) -> Look {
    var look = Look()
    var colors = 0
    for word in words {
      if colors == 0 || (colors == 1 && Color.isName(word)) {
        guard let color = Color.named(word) else {
          let hint = Refusal.hint(word, Color.names)
          throw Refusal("\(Refusal.quoted(word)) is not a colour.\(hint) A colour is \(Color.allowed).")
        }
        if colors == 0 { look.foreground = color } else { look.background = color }
        colors += 1
        continue
      }
      let names = attributes.map(\.name)
      guard let attribute = attributes.first(where: { $0.name == word }) else {
        throw Refusal(
          "\(Refusal.quoted(word)) is neither a colour nor an attribute."
            + "\(Refusal.hint(word, names + Color.names)) "
            + "After the colours of text and background come \(Words.list(names, "and")).")
      }
      look[keyPath: attribute.path] = true
      colors = 2
    }
    return look
  }

  static func text(_ look: Look) -> String {
    let words = [Color.name(of: look.foreground), Color.name(of: look.background)]
    return (words + attributes.filter { look[keyPath: $0.path] }.map(\.name)).joined(separator: " ")
  }
}

extension Color {
  /// The colour of a name; the inner nil is the terminal's own.
  static func named(_ word: String) -> Color?? {
    if word == "default" { return .some(nil) }
    if let number = names.dropFirst().firstIndex(of: word) { return Color(basic: UInt8(number - 1)) }
    guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt8(word).map { Color(index: $0) }
  }

  /// Whether a word looks like a colour, valid or not.
  static func isName(_ word: String) -> Bool {
    names.contains(word) || word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  static func name(of color: Color?) -> String {
    guard let color else { return names[0] }
    return color.indexed < 16 && color.indexed == color.basic ? names[Int(color.basic) + 1] : String(color.indexed)
  }

  private static let plainNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// The terminal's own colour first, then by number.
  static let names = ["default"] + plainNames + plainNames.map { "bright-" + $0 }

  static let allowed =
    "default, \(plainNames.joined(separator: ", ")), one of these with bright- before it, or a "
    + "number from 0 to 255"
}
