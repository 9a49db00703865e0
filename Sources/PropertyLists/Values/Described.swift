/// A type with a public description: a sentence for an error, a name for a place, digits for a number. Names are
/// escaped only if the type documents it.
package protocol Described: CustomStringConvertible {
  /// The text of the description.
  var words: String { get }
}

extension Described {
  /// The value in words, as `print` shows it.
  public var description: String { words }
}
