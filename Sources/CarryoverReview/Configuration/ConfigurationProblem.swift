import CarryoverTerminal

/// What is wrong with a line of a configuration file.
package struct ConfigurationProblem: Error, Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  let kind: Kind

  /// What is wrong. Words of the file are as they were written, of any length.
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

  /// What a line can begin with.
  enum Statement: String, CaseIterable, Hashable, Sendable {
    case set, bind, unbind, color
  }
}
