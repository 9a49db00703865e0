import CarryoverTerminal

/// Looks as they are written in the configuration file: `yellow default bold`.
enum LookText {
  static let attributes = ["bold", "dim", "reverse", "underline"]

  /// The look of the words: the colour of the text, the one behind it, attributes. At least the first is needed.
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

  /// A look as its words.
  static func text(_ look: Look) -> String {
    var words = [Color.name(of: look.foreground), Color.name(of: look.background)]
    let isSet = [look.bold, look.dim, look.reverse, look.underline]
    words += zip(attributes, isSet).filter(\.1).map(\.0)
    return words.joined(separator: " ")
  }
}

extension Color {
  /// A named colour; that of nil is the terminal's own.
  static func named(_ word: String) -> (color: Color?, Void)? {
    if word == "default" { return (nil, ()) }
    if let number = names.dropFirst().firstIndex(of: word) { return (Color(basic: UInt8(number - 1)), ()) }
    guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt8(word).map { (Color(index: $0), ()) }
  }

  /// Whether a word looks like a colour, right or wrong.
  static func isName(_ word: String) -> Bool {
    names.contains(word) || word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  static func name(of color: Color?) -> String {
    guard let color else { return names[0] }
    return color.indexed < 16 && color.indexed == color.basic ? names[Int(color.basic) + 1] : String(color.indexed)
  }

  private static let plainNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// The names, that of the terminal's own colour first, then in the order of the numbers.
  static let names = ["default"] + plainNames + plainNames.map { "bright-" + $0 }

  /// What a colour can be, in words.
  static let allowed =
    "default, \(plainNames.joined(separator: ", ")), one of these with bright- before it, or a "
    + "number from 0 to 255"
}
