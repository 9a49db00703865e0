import CCarryoverSQLite
import Carryover
import CarryoverSystem
import CarryoverVendors

/// The limits for reading the tables of databases to show them. What is beyond is counted and said.
package struct TableLimits: Hashable, Sendable {
  /// The rows that are read of a table.
  var rows = 1_000
  /// The rows up to which those of a table are counted.
  var countedRows = 1_000_000
  /// The longest value, in bytes.
  var valueBytes = 1 << 20
  var tables = 200
  var columns = 100
  /// The time for reading one database. Only tables without end need as much.
  var time = Duration.seconds(3)
  /// The number of databases in a container.
  var databases = 200
  /// The bytes of all values that are kept of a container.
  var keptBytes = 64 << 20

  package static let showing = TableLimits()

  /// For comparing: what is not read cannot be compared.
  package static let comparing: TableLimits = {
    var limits = TableLimits()
    limits.rows = 10_000
    return limits
  }()
}

/// Reads the tables of an untrusted database: ordinary tables only, without running anything that the file defines.
/// Views, virtual tables, triggers and computed columns are not read.
struct TableReader {
  let image: DatabaseImage
  let limits: TableLimits
  private let steps: Int
  private let end: ContinuousClock.Instant
  /// The bytes of values that may still be kept.
  private(set) var bytesLeft: Int

  init(_ image: DatabaseImage, _ limits: TableLimits, steps: Int, bytesLeft: Int) {
    (self.image, self.limits, self.steps, self.bytesLeft) = (image, limits, steps, bytesLeft)
    end = ContinuousClock.now + limits.time
  }

  /// - Returns: nil if not even the list of tables can be read.
  mutating func read() -> DatabaseTables? {
    var (names, views, virtual): ([String], Int, [String]) = ([], 0, [])
    let schema = query("sqlite_master", "SELECT m.type, m.name, m.rootpage FROM main.sqlite_master AS m")
    let ending = schema.run(on: image) { row in
      guard let type = row.string(0), let name = row.string(1) else { return }
      // Only ordinary tables have pages of their own.
      switch type {
      case "table" where name.utf8.starts(with: "sqlite_".utf8): break
      case "table": if row.integer(2) ?? 0 > 0 { names.append(name) } else { virtual.append(name) }
      case "view": views += 1
      default: break
      }
    }
    guard ending == .finished else { return nil }
    var tables: [DatabaseTable] = []
    var notRead: [String] = []
    for (number, name) in names.enumerated() {
      guard number < limits.tables, ContinuousClock.now < end else {
        notRead = Array(names[number...])
        break
      }
      if let table = table(name) { tables.append(table) } else { notRead.append(name) }
    }
    var notices: [String] = []
    if !notRead.isEmpty { notices.append(Self.notice(notRead, "table")) }
    if !virtual.isEmpty { notices.append(Self.notice(virtual, "virtual table")) }
    if views > 0 { notices.append(views == 1 ? "1 view was not read." : "\(views) views were not read.") }
    return DatabaseTables(tables: tables, notices: notices, unread: notRead)
  }

  private static func notice(_ names: [String], _ noun: String) -> String {
    let named = names.prefix(5).map(ContainerWording.quoted).joined(separator: ", ")
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    return names.count == 1
      ? "1 \(noun) was not read: \(named)." : "\(names.count) \(noun)s were not read: \(named)\(more)."
  }

  private func query(_ table: String, _ statement: String, rows: Int = .max) -> TableQuery {
    TableQuery(
      table: table, statement: statement, maximumSteps: steps, maximumRows: rows,
      maximumTime: max(.zero, end - ContinuousClock.now), valueBytes: Int32(clamping: max(1_000_000, image.size)))
  }

  /// Nil if its columns are not known.
  private mutating func table(_ name: String) -> DatabaseTable? {
    guard let (columns, skipped) = columns(of: name), !columns.isEmpty else { return nil }
    let key = columns.indices.filter { columns[$0].place > 0 }.sorted { columns[$0].place < columns[$1].place }
    let rowID =
      key.isEmpty ? Self.rowIDs.first { alias in !columns.contains { $0.shown.name.lowercased() == alias } } : nil
    let selected = columns.map { "t." + KeyValueTables.quoted($0.shown.name) } + (rowID.map { ["t." + $0] } ?? [])
    // An index could have other rows than the table.
    let from = " FROM main.\(KeyValueTables.quoted(name)) AS t NOT INDEXED"
    let shown = columns.map(\.shown)
    var collected = Rows(
      columns: shown.map(\.name), key: key.isEmpty && rowID != nil ? [columns.count] : key,
      valueBytes: limits.valueBytes, bytesLeft: bytesLeft)
    var isFull = false
    var ending: TableQuery.Ending
    do throws(Full) {
      let query = query(name, "SELECT " + selected.joined(separator: ", ") + from, rows: limits.rows)
      ending = try query.run(on: image) { [end] row throws(Full) in
        // A single row can be as long as the file.
        guard ContinuousClock.now < end else { throw Full() }
        try collected.add(row)
      }
    } catch {
      (ending, isFull) = (.tooMuch, true)
    }
    bytesLeft = isFull ? 0 : collected.bytesLeft
    let count: DatabaseTable.RowCount
    switch ending {
    case .finished: count = .exactly(collected.rows.count)
    case .tooMuch: count = self.count(name, from, atLeast: collected.rows.count)
    case .damaged: count = .unknown
    case .notPossible: return nil
    }
    var table = DatabaseTable(
      name: name, columns: shown, rows: PropertyListDictionary(entries: collected.rows), count: count)
    (table.tooLong, table.skipped) = (collected.tooLong, skipped)
    return table
  }

  /// Counts row by row: see ``TableQuery/run(on:_:)``.
  private func count(_ name: String, _ from: String, atLeast read: Int) -> DatabaseTable.RowCount {
    var count = 0
    switch query(name, "SELECT 0" + from, rows: limits.countedRows).run(on: image, { _ in count += 1 }) {
    case .finished where count >= read: return .exactly(count)
    case .tooMuch: return .moreThan(max(count, read))
    case .finished, .damaged, .notPossible: return .unknown
    }
  }

  private struct Full: Error {}

  private struct Rows {
    let columns: [String]
    /// The columns of the result that name a row; none for one without a primary key whose `rowid` has no name.
    let key: [Int]
    let valueBytes: Int
    var bytesLeft: Int
    var rows: [PropertyListDictionary.Entry] = []
    var tooLong = 0
    private var names: Set<StringByBytes> = []
    /// The columns of the key whose values are secrets.
    private let secrets: Set<Int>

    init(columns: [String], key: [Int], valueBytes: Int, bytesLeft: Int) {
      (self.columns, self.key, self.valueBytes, self.bytesLeft) = (columns, key, valueBytes, bytesLeft)
      secrets = Set(key.filter { $0 < columns.count && Recipe.secretNames.contains(columns[$0]) })
    }

    mutating func add(_ row: DatabaseRow) throws(Full) {
      var entries: [PropertyListDictionary.Entry] = []
      var used = 0
      for (number, column) in columns.enumerated() {
        let size = row.size(ofLong: Int32(number))
        guard size <= valueBytes else {
          tooLong += 1
          continue
        }
        // With what a value takes whatever its size.
        used += size + 64
        entries.append(.init(key: column, value: row.value(Int32(number)) ?? .null))
      }
      guard used <= bytesLeft else { throw Full() }
      bytesLeft -= used
      rows.append(.init(key: name(row), value: .dictionary(PropertyListDictionary(entries: entries))))
    }

    private mutating func name(_ row: DatabaseRow) -> String {
      let values = key.map { column -> PropertyListValue in
        guard row.size(ofLong: Int32(column)) <= 1_000, let value = row.value(Int32(column)) else { return .null }
        return RowName.part(value, isSecret: secrets.contains(column))
      }
      var name = key.isEmpty ? "row \(rows.count + 1)" : RowName.text(values)
      // A key that may be NULL, or is too long for a name, is not unique, and neither is any in a damaged table.
      if names.contains(StringByBytes(name)) {
        let stem = name
        name = "\(stem) (row \(rows.count + 1))"
      }
      names.insert(StringByBytes(name))
      return name
    }
  }

  private typealias Described = (shown: DatabaseTable.Column, place: Int64)

  private func columns(of table: String) -> (columns: [Described], skipped: [String])? {
    var columns: [Described] = []
    var skipped: [String] = []
    var query = query(table, "PRAGMA main.table_xinfo(\(KeyValueTables.quoted(table)))")
    query.pragma = "table_xinfo"
    let ending = query.run(on: image) { row in
      guard let name = row.string(1) else { return }
      // SQLite computes the values of a virtual column when it reads them.
      let isComputed = row.integer(6) == 2
      guard !isComputed, columns.count < limits.columns else { return skipped.append(name) }
      let place = row.integer(5) ?? 0
      columns.append((.init(name: name, type: row.string(2) ?? "", isKey: place > 0), place))
    }
    return ending == .finished ? (columns, skipped) : nil
  }

  private static let rowIDs = ["rowid", "_rowid_", "oid"]
}

extension DatabaseRow {
  fileprivate func string(_ column: Int32) -> String? { text(column).map { String(decoding: $0, as: UTF8.self) } }
}
