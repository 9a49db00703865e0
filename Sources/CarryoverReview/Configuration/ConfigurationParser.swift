import CarryoverTerminal
import PropertyLists

/// Reads a configuration file: any bytes become a configuration, problems, or both.
package struct ConfigurationParser {
  /// The built-in values where a line has a problem.
  package private(set) var configuration = Configuration()
  /// In the order of the lines.
  package private(set) var problems: [ConfigurationProblem] = []

  /// Stands for every screen.
  static let everywhere = "all"

  private let catalogue: KeyCatalogue

  package init(_ bytes: [UInt8]) { self.init(bytes, catalogue: .all) }

  init(_ bytes: [UInt8], catalogue: KeyCatalogue) {
    self.catalogue = catalogue
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    for (index, line) in rest.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      read(line.last == 0x0D ? line.dropLast() : line, number: index + 1)
    }
    problems += catalogue.problems(of: configuration.keymap)
    problems.sort { $0.line < $1.line }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, number: Int) {
    do throws(LineFailure) {
      guard !bytes.contains(0), let text = String(utf8: bytes) else { throw .init(.notText) }
      guard let words = ConfigurationLine.words(of: text) else { throw .init(.openQuote) }
      guard let first = words.first else { return }
      guard let statement = ConfigurationProblem.Statement(rawValue: first) else {
        throw .init(.unknownStatement(first))
      }
      try read(statement, words.dropFirst(), number)
    } catch {
      problems.append(ConfigurationProblem(line: number, kind: error.kind))
    }
  }

  private mutating func read(
    _ statement: ConfigurationProblem.Statement, _ words: ArraySlice<String>, _ line: Int
  ) throws(LineFailure) {
    let rest = Array(words)
    switch statement {
    case .set:
      guard rest.count == 2 else { throw .init(.badForm(.set)) }
      try set(rest[0], rest[1], line)
    case .bind:
      guard rest.count == 3 else { throw .init(.badForm(.bind)) }
      try bind(rest[0], rest[1], to: rest[2], line)
    case .unbind:
      guard rest.count == 2 else { throw .init(.badForm(.unbind)) }
      try unbind(rest[0], rest[1], line)
    case .color:
      guard rest.count >= 2 else { throw .init(.badForm(.color)) }
      try color(rest[0], rest[1...], line)
    }
  }

  private mutating func set(_ name: String, _ value: String, _ line: Int) throws(LineFailure) {
    guard let setting = Setting(rawValue: name) else { throw .init(.unknownSetting(name)) }
    if let before = configuration.lines[setting] { throw .init(.repeated(what: setting.rawValue, line: before)) }
    guard setting.set(value, in: &configuration) else { throw .init(.badValue(setting, value)) }
    configuration.lines[setting] = line
  }

  private mutating func color(_ name: String, _ words: ArraySlice<String>, _ line: Int) throws(LineFailure) {
    guard let part = ColoredPart.all.first(where: { $0.name == name }) else {
      throw .init(.unknownPart(name))
    }
    if let before = configuration.lookLines[part] {
      throw .init(.repeated(what: "The look of \(part.name)", line: before))
    }
    do throws(LookText.Failure) {
      configuration.looks[part] = try LookText.look(words)
      configuration.lookLines[part] = line
    } catch {
      switch error {
      case .color(let word): throw .init(.badColor(word))
      case .attribute(let word): throw .init(.badAttribute(word))
      }
    }
  }

  private mutating func bind(_ screen: String, _ word: String, to name: String, _ line: Int) throws(LineFailure) {
    let places = try places(screen)
    let key = try key(word)
    let isCharacter = if case .character = key { true } else { false }
    let named = places.filter { $0.entry(name) != nil }
    let open = named.filter { !(isCharacter && $0.takesText) }
    guard !named.isEmpty else {
      let known = screen == Self.everywhere ? [] : places.flatMap { $0.entries.map(\.name) }
      throw .init(.unknownBinding(name, screen: screen, known: known))
    }
    guard let first = open.first else { throw .init(.typedThere(key, screen: named[0].name)) }
    guard let single = open.first(where: { $0.entry(name)?.isFamily == false }) else {
      throw .init(.familyOfKeys(name, screen: first.name))
    }
    for place in screen == Self.everywhere ? open : [single] {
      guard let entry = place.entry(name), !entry.isFamily else { continue }
      try change(key, entry.name, on: place.name, line)
    }
  }

  private mutating func unbind(_ screen: String, _ word: String, _ line: Int) throws(LineFailure) {
    let places = try places(screen)
    let key = try key(word)
    let bound = places.filter { $0.entry(for: key, configuration.keymap) != nil }
    guard !bound.isEmpty else { throw .init(.nothingBound(key, screen: screen)) }
    for place in bound { try change(key, nil, on: place.name, line) }
  }

  /// Two lines may not give a key two meanings on a screen.
  private mutating func change(_ key: Key, _ name: String?, on screen: String, _ line: Int) throws(LineFailure) {
    if let before = configuration.keymap.change(of: key, on: screen) {
      guard before.line == line else {
        throw .init(.repeated(what: "\(key.name) on the screen \(screen)", line: before.line))
      }
    }
    configuration.keymap.set(key, name, on: screen, line: line)
  }

  private func places(_ screen: String) throws(LineFailure) -> [KeyCatalogue.Place] {
    if screen == Self.everywhere { return catalogue.places }
    guard let place = catalogue.place(screen) else { throw .init(.unknownScreen(screen)) }
    return [place]
  }

  private func key(_ word: String) throws(LineFailure) -> Key {
    do throws(Key.NameFailure) {
      return try Key.named(word)
    } catch {
      throw .init(.badKey(word, error))
    }
  }

  private struct LineFailure: Error {
    var kind: ConfigurationProblem.Kind
    init(_ kind: ConfigurationProblem.Kind) { self.kind = kind }
  }
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
  static let attributes = ["bold", "dim", "reverse", "underline"]

  /// The colour of the text, then of the background, then attributes. The first is required.
  static func look(_ words: ArraySlice<String>) throws(Failure) -> Look {
    var look = Look()
    var colors = 0
    for word in words {
      if colors == 0 || (colors == 1 && Color.isName(word)) {
        guard let color = Color.named(word) else { throw .color(word) }
        if colors == 0 { look.foreground = color.color } else { look.background = color.color }
        colors += 1
        continue
      }
      switch word {
      case "bold": look.bold = true
      case "dim": look.dim = true
      case "reverse": look.reverse = true
      case "underline": look.underline = true
      default: throw .attribute(word)
      }
      colors = 2
    }
    return look
  }

  enum Failure: Error {
    case color(String)
    case attribute(String)
  }

  static func text(_ look: Look) -> String {
    var words = [Color.name(of: look.foreground), Color.name(of: look.background)]
    let isSet = [look.bold, look.dim, look.reverse, look.underline]
    words += zip(attributes, isSet).filter(\.1).map(\.0)
    return words.joined(separator: " ")
  }
}

extension Color {
  /// The colour of a name; the inner nil is the terminal's own.
  static func named(_ word: String) -> (color: Color?, Void)? {
    if word == "default" { return (nil, ()) }
    if let number = names.dropFirst().firstIndex(of: word) { return (Color(basic: UInt8(number - 1)), ()) }
    guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt8(word).map { (Color(index: $0), ()) }
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
