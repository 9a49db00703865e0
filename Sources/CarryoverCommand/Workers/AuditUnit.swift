import CarryoverPages
import CarryoverReview
import CarryoverSystem
import PropertyLists

/// The rows of one container, read back.
struct AuditUnit: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var recipe: String
    var name: String
    var group: String
    var source: String?
    var candidate: Int?
    var legacyKind: String?
    var status: String
    var verdict: AuditVerdict
    /// `kept`, `dropped` or `wrong`; nil if there is none.
    var reference: String?
    var findings: [String]
    var isProposed: Bool
  }

  /// From 1.
  var input: Int
  /// The checksum of what was read; nil if nothing was.
  var id: String?
  /// The path below the audited folder; nil if rows name no paths.
  var path: String?
  var outcome: AuditOutcome
  /// The word for the reason that there is no plan.
  var code: String?
  var recipe: String?
  var findings: [String]
  /// How many findings there are of each severity that has some.
  var severities: [String: Int]
  var isBlocked: Bool
  var isUndecided: Bool
  /// The verdict on each SDK that left data, the most serious first.
  var users: [AffectedUser]
  var bundleID: String?
  var fields: [Field] = []

  /// In bytes, so that names from a stranger's rows do not fill the memory.
  private static let longestName = 400

  var name: String {
    guard let path else { return "input \(input)" }
    return path.utf8.count <= Self.longestName
      ? path : String(decoding: path.utf8.prefix(Self.longestName), as: UTF8.self)
  }
}

/// Joins the rows of an audit, container by container.
struct AuditRowReader {
  private var unit: AuditUnit?

  private static let mostFields = 10_000

  /// - Returns: the previous container, once its rows are complete.
  mutating func take(_ line: [UInt8]) throws(DamagedRow) -> AuditUnit? {
    let row = try converting(try JSONText(bytes: line).value) { (error: JSONError) in
      DamagedRow("\(error.reason) in column \(error.column)")
    }
    func text(_ name: String) -> String? { row[name]?.stringValue }
    func number(_ name: String) -> Int? { row[name]?.numberValue?.int64.map(Int.init) }
    func isTrue(_ name: String) -> Bool { row[name]?.booleanValue == true }
    let findings = row["findings"]?.elements?.compactMap(\.stringValue) ?? []
    guard text("schema") == AuditedContainer.schema, let input = number("n"), input > 0 else { throw .noRow }
    switch text("row") {
    case "container":
      guard let outcome = text("outcome").flatMap(AuditOutcome.init), let verdicts = row["verdicts"]?.elements else {
        throw .noRow
      }
      let users = verdicts.compactMap { AffectedUser($0) }
      guard users.count == verdicts.count else { throw .noRow }
      let counts = ["error", "warning", "note"].map { ($0, number($0 + "s") ?? 0) }.filter { $0.1 > 0 }
      defer {
        unit = AuditUnit(
          input: input, id: text("container"), path: text("path"), outcome: outcome, code: text("code"),
          recipe: text("recipe"), findings: findings, severities: Dictionary(uniqueKeysWithValues: counts),
          isBlocked: isTrue("blocked"), isUndecided: number("undecided") ?? 0 > 0, users: users,
          bundleID: text("bundleID"))
      }
      return unit
    case "field":
      guard let verdict = text("verdict").flatMap(AuditVerdict.init), let name = text("field"), !name.isEmpty else {
        throw .noRow
      }
      guard let owner = unit, owner.input == input, owner.path == text("path"), owner.outcome.hasPlan,
        owner.fields.count < Self.mostFields
      else { throw DamagedRow("it is the row of a field without the row of its container before it") }
      unit?.fields.append(
        AuditUnit.Field(
          recipe: text("recipe") ?? owner.recipe ?? "", name: name, group: text("group") ?? "", source: text("source"),
          candidate: number("candidate"),
          legacyKind: text("legacyKind"), status: text("status") ?? "", verdict: verdict, reference: text("reference"),
          findings: findings, isProposed: isTrue("proposed")))
      return nil
    default: throw .noRow
    }
  }

  mutating func finish() -> AuditUnit? {
    defer { unit = nil }
    return unit
  }

  static func units(in rows: [[UInt8]]) throws -> [AuditUnit] {
    var reader = AuditRowReader()
    let units = try rows.compactMap { try reader.take($0) }
    return units + (reader.finish().map { [$0] } ?? [])
  }
}

struct DamagedRow: Error, CustomStringConvertible {
  /// The end of a sentence.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  fileprivate static let noRow = DamagedRow("it is not a row of an audit")

  var description: String { "The rows of the audit are damaged: \(reason). Start a new audit." }
}

/// A file with the rows of an audit, read in pieces: it can be larger than the memory.
struct AuditRowFile: Sendable {
  let path: String
  private let fileSystem: any FileSystem
  /// Nil if unknown.
  private let count: Int?

  init(_ path: String, in fileSystem: any FileSystem, rows: Int? = nil) {
    (self.path, self.fileSystem, count) = (path, fileSystem, rows)
  }

  /// - Throws: `FileSystemError`, ``DamagedRows`` for a line that is not a row, and what `body` throws.
  func forEachUnit(_ body: (AuditUnit) throws -> Void) throws {
    var reader = AuditRowReader()
    var lines = self.lines
    var number = 0
    do {
      while let line = try lines.next() {
        number += 1
        guard !line.isEmpty else { continue }
        if let unit = try reader.take(line) { try body(unit) }
      }
      if let unit = reader.finish() { try body(unit) }
    } catch let error as DamagedRow {
      throw DamagedRows(path: path, line: number, reason: error.reason)
    }
    guard number > 0 else { throw DamagedRows(path: path, line: 1, reason: "the file is empty") }
    guard number == count ?? number else {
      throw DamagedRows(path: path, line: number, reason: "the audit had a different number of rows")
    }
  }

  var lines: Lines { lines(inPiecesOf: 1 << 16) }

  /// - Parameter size: how many bytes are in memory, for a reader of many files.
  func lines(inPiecesOf size: Int) -> Lines { Lines(path: path, fileSystem: fileSystem, pieceSize: size) }

  /// The last line need not end.
  struct Lines {
    let path: String
    let fileSystem: any FileSystem
    let pieceSize: Int
    private var piece: [UInt8] = []
    /// Where the next line begins in the piece, and the next piece in the file.
    private var (start, offset) = (0, 0)
    /// The rest of a cut line is not a line.
    private var isCut = false

    init(path: String, fileSystem: any FileSystem, pieceSize: Int) {
      (self.path, self.fileSystem, self.pieceSize) = (path, fileSystem, pieceSize)
    }

    /// Far more than a row has.
    private static let longestLine = 1 << 22

    /// Nil at the end. A line longer than any row is cut, so that its reader refuses it, and is the last.
    mutating func next() throws(FileSystemError) -> [UInt8]? {
      guard !isCut else { return nil }
      var searched = start
      while true {
        if let end = piece[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { start = end + 1 }
          return Array(piece[start..<end])
        }
        guard piece.count - start <= Self.longestLine else {
          isCut = true
          return Array(piece[start...].prefix(64))
        }
        piece.removeSubrange(..<start)
        start = 0
        searched = piece.count
        let next = try fileSystem.read(path, from: offset, count: pieceSize)
        guard !next.isEmpty else {
          defer { piece = [] }
          return piece.isEmpty ? nil : piece
        }
        offset += next.count
        piece += next
      }
    }
  }
}

struct DamagedRows: Error, CustomStringConvertible {
  let path: String
  let line: Int
  let reason: String

  var description: String {
    "“\(DisplayText.visible(path))”, line \(line): \(DisplayText.harmless(reason)). Name the rows.ndjson of an audit, or "
      + "audit again."
  }
}
