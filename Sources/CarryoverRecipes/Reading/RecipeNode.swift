/// A part of a recipe file: as it was read, with its place, or to be written, with comments.
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
  /// The lines to write above the key or the list item that has this value.
  package var comments: [String] = []

  /// The value at the end of keys and indexes; where the path leads nowhere, the last value on it.
  package subscript(path: [String]) -> RecipeNode {
    guard let step = path.first else { return self }
    let next: RecipeNode? =
      switch content {
      case .map(let entries): entries.first { $0.key == step }?.value
      case .list(let items): Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
      case .text, .integer, .decimal, .boolean: nil
      }
    return next?[Array(path.dropFirst())] ?? self
  }
}

/// A place in a text file. Lines and columns are counted from one; a column is a Unicode scalar.
package struct TextPlace: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of what is not read from a file.
  static let nowhere = TextPlace(line: 0, column: 0)

  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}
