import CarryoverSystem
package import PropertyLists

/// The tables of a SQLite database, as far as they were read, for inspecting and comparing. No plan depends on them.
package struct DatabaseTables: Sendable {
  package var tables: [DatabaseTable]
  /// What was not read, as sentences: views, virtual tables, tables beyond the limits.
  package var notices: [String]
  /// The names of the tables that were not read.
  package var unread: [String]

  package init(tables: [DatabaseTable], notices: [String] = [], unread: [String] = []) {
    self.tables = tables
    self.notices = notices
    self.unread = unread
  }

  /// What the values take of the limit for a container.
  package var keptBytes = 0

  /// The rows of each table by its name.
  var value: PropertyListValue {
    .dictionary(PropertyListDictionary(entries: tables.map { .init(key: $0.name, value: .dictionary($0.rows)) }))
  }

  /// What was not read, besides rows beyond the limit.
  package var problems: [String] { tables.flatMap(\.problems) + notices }

  /// Whether every row and value was read. Views and virtual tables have no rows of their own.
  package var isWhole: Bool { unread.isEmpty && tables.allSatisfy { $0.isComplete && $0.problems.isEmpty } }

  package func table(_ name: String) -> DatabaseTable? { tables.first { $0.name.hasSameBytes(as: name) } }
}

extension Store {
  /// Two states of a database, of each table with the rows whose changes can be told. If only the first rows of a table
  /// were read, others moved up or down when a row was added or removed: then a row that was read in the other state
  /// alone may be among those that were not read. A table that was not read in one of them is the same in both.
  package static func comparable(_ before: Store, _ after: Store) -> (before: Store, after: Store) {
    guard let old = before.tables, let new = after.tables else { return (before, after) }
    var (before, after) = (before, after)
    for (place, table) in old.tables.enumerated() {
      guard let other = new.tables.firstIndex(where: { $0.name.hasSameBytes(as: table.name) }),
        !table.isComplete || !new.tables[other].isComplete
      else { continue }
      let shared = Set(bytesOf: table.rows.keys).intersection(Set(bytesOf: new.tables[other].rows.keys))
      if !new.tables[other].isComplete { before.tables?.tables[place].keepRows(shared) }
      if !table.isComplete { after.tables?.tables[other].keepRows(shared) }
    }
    let (unreadBefore, unreadAfter) = (Set(bytesOf: old.unread), Set(bytesOf: new.unread))
    before.tables?.tables.removeAll { unreadAfter.contains(StringByBytes($0.name)) }
    // The places of differences count the tables of the later state, so none may be missing there.
    before.tables?.tables += new.tables.filter { unreadBefore.contains(StringByBytes($0.name)) }
    return (before, after)
  }

  /// Why two states of a database that are equal as far as they were read may still differ, as a sentence; nil if all
  /// was read, or the files are equal.
  static func unread(_ before: Store, _ after: Store) -> String? {
    guard !areOneFile(before, after) else { return nil }
    let both = [after, before].compactMap(\.tables)
    let partial = both.flatMap(\.tables).filter { !$0.isComplete }
    if let table = partial.first {
      return "No differences in the rows that were read, but not all were: "
        + "“\(DisplayText.named(table.name))” (\(table.rowWords))\(partial.count > 1 ? " and others" : "")."
    }
    return both.allSatisfy(\.isWhole) ? nil : "No differences in what was read, but not everything was read."
  }

  /// Whether the files are known to have the same bytes.
  static func areOneFile(_ before: Store, _ after: Store) -> Bool {
    let (old, new) = (before.basis.map(\.value), after.basis.map(\.value))
    guard case .string? = old.first else { return false }
    return old == new
  }
}

package struct DatabaseTable: Sendable {
  fileprivate mutating func keepRows(_ names: Set<StringByBytes>) {
    rows = PropertyListDictionary(entries: rows.entries.filter { names.contains($0.key) })
  }

  package struct Column: Sendable {
    package var name: String
    /// The type in its declaration, as it is written there; empty for none.
    package var type: String
    package var isKey: Bool

    package init(name: String, type: String, isKey: Bool) {
      self.name = name
      self.type = type
      self.isKey = isKey
    }
  }

  package enum RowCount: Hashable, Sendable {
    case exactly(Int)
    case moreThan(Int)
    /// The table is damaged behind the rows that were read.
    case unknown

    /// `52,310 rows`.
    package var words: String {
      switch self {
      case .exactly(let count): "\(Grouped.text(count)) row\(count == 1 ? "" : "s")"
      case .moreThan(let count): "more than \(Grouped.text(count)) rows"
      case .unknown: "an unknown number of rows"
      }
    }
  }

  package var name: String
  /// Those that were read, in their order.
  package var columns: [Column]
  /// The values of each row by column, by the row's name. A value that is too long is left out.
  package var rows: PropertyListDictionary
  package var count: RowCount
  /// Whether rows are named by their primary key; otherwise by their `rowid`.
  package var isNamedByKey: Bool { columns.contains(where: \.isKey) }
  package var tooLong = 0
  /// The columns that were not read, because SQLite computes them, or because there are too many.
  package var skipped: [String] = []

  package init(name: String, columns: [Column], rows: PropertyListDictionary, count: RowCount) {
    self.name = name
    self.columns = columns
    self.rows = rows
    self.count = count
  }

  package var isComplete: Bool { count == .exactly(rows.count) }

  /// `3 rows`, `first 1,000 of 52,310 rows`.
  package var rowWords: String {
    isComplete ? count.words : "first \(Grouped.text(rows.count)) of \(count.words)"
  }

  /// What of the table was not read, besides rows beyond the limit.
  package var problems: [String] {
    let quoted = "“\(DisplayText.named(name))”"
    var sentences: [String] = []
    if count == .unknown {
      sentences.append("Table \(quoted) is damaged: \(Grouped.text(rows.count)) of its rows could be read.")
    }
    if tooLong > 0 {
      let values =
        tooLong == 1 ? "1 value is too long and was" : "\(Grouped.text(tooLong)) values are too long and were"
      sentences.append("Table \(quoted): \(values) not read.")
    }
    if !skipped.isEmpty {
      let names = skipped.prefix(5).map { "“\(DisplayText.named($0))”" }.joined(separator: ", ")
      let more = skipped.count > 5 ? " and \(skipped.count - 5) more" : ""
      sentences.append("Table \(quoted): \(skipped.count == 1 ? "column" : "columns") \(names)\(more) not read.")
    }
    return sentences
  }
}

extension Container {
  /// The tables of which only the first rows were read, as words: `rows of 2 tables were not read`; nil for none.
  package var unreadRowsBrief: String? {
    let count = partialTables.count
    return count == 0 ? nil : "rows of \(count) table\(count == 1 ? "" : "s") were not read"
  }

  /// The same with the first of these tables, as a sentence.
  package var unreadRowsSentence: String? {
    guard let brief = unreadRowsBrief, let first = brief.first else { return nil }
    let tables = partialTables
    let named = tables.prefix(5).map { path, table in
      "“\(DisplayText.named(table.name))” in “\(DisplayText.named(path))” (\(table.rowWords))"
    }
    let more = tables.count > 5 ? " and \(tables.count - 5) more" : ""
    return first.uppercased() + brief.dropFirst() + ": " + named.joined(separator: ", ") + more + "."
  }

  private var partialTables: [(path: String, table: DatabaseTable)] {
    stores.flatMap { store in
      (store.tables?.tables ?? []).filter { !$0.isComplete }.map { (store.path, $0) }
    }
  }
}

/// The name of a row: the values of its primary key, as SQLite writes them.
///
/// Different keys have different names. A text is written as it is, unless it could be taken for another value.
package enum RowName {
  package static func text(_ key: [PropertyListValue]) -> String {
    key.map { text($0, isAlone: key.count == 1) }.joined(separator: ", ")
  }

  private static func text(_ value: PropertyListValue, isAlone: Bool) -> String {
    switch value {
    case .string(let text): isPlain(text, isAlone: isAlone) ? text : "'" + text.replacing("'", with: "''") + "'"
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .data(let bytes): "x'" + bytes.hexadecimal + "'"
    default: "NULL"
    }
  }

  private static func isPlain(_ text: String, isAlone: Bool) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "'"), text != "NULL", !text.utf8.starts(with: "x'".utf8)
    else { return false }
    return Double(text) == nil && (isAlone || !text.utf8.contains(UInt8(ascii: ",")))
  }
}

/// Numbers in words, in groups of three digits: `52,310`.
package enum Grouped {
  package static func text(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let groups = digits.indices.map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + String(digits[$0]) }
    return (number < 0 ? "-" : "") + groups.joined()
  }
}
