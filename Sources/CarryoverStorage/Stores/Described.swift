/// A type that tells what it is about in words of its own: a sentence, or the name of a place, escaped for display.
package protocol Described: CustomStringConvertible {
  /// The words.
  var sentence: String { get }
}

extension Described {
  /// The words, for whoever prints it.
  public var description: String { sentence }
}
