/// A type that says what it is: an error its sentence, a place its name, a number its digits. Names are escaped for display
/// where the type says so.
package protocol Described: CustomStringConvertible {
  /// The words.
  var words: String { get }
}

extension Described {
  /// The words, for whoever prints it.
  public var description: String { words }
}
