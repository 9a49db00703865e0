import CarryoverSystem
import CarryoverTerminal

/// A problem in a line of a configuration file.
package struct ConfigurationProblem: Error, Hashable, Sendable {
  /// From 1.
  package let line: Int
  let kind: Kind

  /// Words of the file are as they were written, of any length.
  enum Kind: Hashable, Sendable {
    case notText
    case openQuote
    case unknownStatement(String)
    case badForm(Statement)
    case unknownSetting(String)
    case badValue(Setting, String)
    case repeated(what: String, line: Int)
    case unknownScreen(String)
    case badKey(String, Key.NameFailure)
    case unknownBinding(String, screen: String, known: [String])
    case nothingBound(Key, screen: String)
    case typedThere(Key, screen: String)
    case familyOfKeys(String, screen: String)
    case noWayOut(screens: [String])
    case noHelp(screens: [String])
    case easyConfirmation(key: Key, binding: String, screen: String)
    case doublePress(key: Key, binding: String, screen: String, other: String, otherScreen: String)
    case unknownPart(String)
    case badColor(String)
    case badAttribute(String)
  }

  /// The first word of a line.
  enum Statement: String, CaseIterable, Hashable, Sendable {
    case set, bind, unbind, color
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// What is wrong and what is allowed, in whole sentences without hidden characters and without the line.
  package var description: String {
    switch kind {
    case .notText: "This line is not text in UTF-8."
    case .openQuote: "A quote is opened and not closed. The key \" is written as '\"', the key ' as \"'\"."
    case .unknownStatement(let word):
      no(word, "a statement", among: Statement.allCases.map(\.rawValue))
    case .badForm(let statement): "This is not complete, or says too much. The form is: \(statement.form)."
    case .unknownSetting(let word): no(word, "a setting", among: Setting.allCases.map(\.rawValue))
    case .badValue(let setting, let word):
      "\(quoted(word)) is not a value of \(setting.rawValue).\(hint(word, setting.choices)) "
        + "It can be \(setting.allowed)."
    case .repeated(let what, let line): "\(what) is given on line \(line) already; keep one of the two."
    case .unknownScreen(let word):
      no(word, "a screen", among: KeyCatalogue.all.places.map(\.name) + [ConfigurationParser.everywhere])
    case .badKey(let word, let failure): key(word, failure)
    case .unknownBinding(let word, let screen, let known):
      "Nothing is called \(quoted(word)) on \(of(screen)).\(hint(word, known)) "
        + (known.isEmpty ? "carryover config keys lists all names." : "There are \(known.joined(separator: ", ")).")
    case .nothingBound(let key, let screen): "\(key.name) does nothing on \(of(screen)), so it cannot be unbound."
    case .typedThere(let key, let screen):
      "On the screen \(screen), \(key.name) is typed as text. Use a key such as ctrl-n or f5."
    case .familyOfKeys(let name, let screen):
      "On the screen \(screen), each key of \(name) means something else, so it has no other keys."
    case .noWayOut(let screens): lost("leads out of", screens)
    case .noHelp(let screens): lost("shows the help of", screens)
    case .easyConfirmation(let key, let name, let screen):
      "\(key.name) cannot be \(name) on the screen \(screen), which writes files or loses decisions: enter and "
        + "space are pressed too easily."
    case .doublePress(let key, let name, let screen, let other, let otherScreen):
      "\(key.name) cannot be \(name) on the screen \(screen) and \(other) on the screen \(otherScreen), which is next "
        + "to it: pressed twice by accident, it would write files or lose decisions. Use a key for one that does "
        + "nothing on the other."
    case .unknownPart(let word): no(word, "a part of the screen", among: ColoredPart.all.map(\.name))
    case .badColor(let word):
      "\(quoted(word)) is not a colour.\(hint(word, Color.names)) A colour is \(Color.allowed)."
    case .badAttribute(let word):
      "\(quoted(word)) is neither a colour nor an attribute.\(hint(word, LookText.attributes + Color.names)) "
        + "After the colours of text and background come \(Words.list(LookText.attributes, "and"))."
    }
  }

  private func no(_ word: String, _ what: String, among names: [String]) -> String {
    "\(quoted(word)) is not \(what).\(hint(word, names)) There are \(names.joined(separator: ", "))."
  }

  private func key(_ word: String, _ failure: Key.NameFailure) -> String {
    switch failure {
    case .unknown(let nearest):
      "\(quoted(word)) is not a key.\(nearest.map { " Did you mean \($0)?" } ?? "") A key is a character, enter, esc, "
        + "space, tab, shift-tab, backspace, delete, insert, an arrow (up, down, left, right), pgup, pgdn, home, end, "
        + "f1 to f63, or ctrl- with a letter, space, ], ^ or _."
    case .sameAs(let other): "Terminals cannot tell \(quoted(word)) from \(other); write \(other)."
    case .reserved(let what): "\(quoted(word)) always \(what); use another key."
    }
  }

  private func lost(_ duty: String, _ screens: [String]) -> String {
    "This removes the last key that \(duty) the screen\(screens.count == 1 ? "" : "s") "
      + "\(Words.list(screens, "and")). Bind another key to it as well."
  }

  private func of(_ screen: String) -> String {
    screen == ConfigurationParser.everywhere ? "any screen" : "the screen \(screen)"
  }

  private func hint(_ word: String, _ names: [String]) -> String {
    Nearest.name(to: word, among: names).map { " Did you mean \($0)?" } ?? ""
  }

  private func quoted(_ word: String) -> String { "“\(DisplayText.visible(word, limit: 40))”" }
}

extension ConfigurationProblem.Statement {
  /// The form of its lines.
  var form: String {
    switch self {
    case .set: "set SETTING VALUE, as in set theme light"
    case .bind: "bind SCREEN KEY NAME, as in bind review ctrl-n next"
    case .unbind: "unbind SCREEN KEY, as in unbind review x"
    case .color: "color PART TEXT [BACKGROUND] [bold|dim|reverse|underline]…, as in color warning yellow default bold"
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
