/// A file that a recipe reads or names, whatever its name is.
package struct StoreFile: Hashable, Sendable {
  /// The path, relative to the app's data container.
  package var path: NameTemplate
  /// The key-value table of a SQLite database; nil for a property list or JSON.
  package var table: KeyValueTable?
  /// Whether only its existence matters, not its content.
  package var isSign = false

  /// A file from its parts.
  package init(_ path: NameTemplate, table: KeyValueTable? = nil, isSign: Bool = false) {
    self.path = path
    self.table = table
    self.isSign = isSign
  }
}

/// A table of a SQLite database with one column for keys and one for values.
package struct KeyValueTable: Hashable, Sendable {
  /// The name for display, which tells readings of other columns apart: `store`, or `store (k, v)`.
  package var label: String { key == "key" && value == "value" ? name : "\(name) (\(key), \(value))" }
  /// The table's name.
  package var name: String
  /// The column with the keys, which are text.
  package var key: String
  /// The column with the values.
  package var value: String

  /// A table from its parts.
  package init(_ name: String, key: String, value: String) {
    self.name = name
    self.key = key
    self.value = value
  }
}
