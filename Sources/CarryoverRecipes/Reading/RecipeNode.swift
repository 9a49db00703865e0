/// A part of a recipe file, with its place.
package struct RecipeNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case text(String)
    /// A decimal integer of any size, as it is spelled.
    case integer(String)
    /// A number with a fraction or an exponent, as it is spelled.
    case decimal(String)
    case boolean(Bool)
    case list([RecipeNode])
    case map([Entry])
  }

  /// A key of a map, with its value.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var place: TextPlace
    package var value: RecipeNode
  }

  package var content: Content
  package var place: TextPlace
}

/// A place in a text file. Lines and columns are counted from one; a column is a Unicode scalar.
package struct TextPlace: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}
