import CarryoverSystem
import PropertyLists

/// The rows of one container, read back.
struct AuditUnit: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var name = ""
    var group = ""
    var source: String?
    var candidate: Int?
    var legacyKind: String?
    var status = ""
    var verdict = AuditVerdict.nothing
    /// `kept`, `dropped` or `wrong`; nil if there is none.
    var reference: String?
    var findings: [String] = []
    var isProposed = false
  }

  /// From 1.
  var input = 0
  /// The checksum of what was read; nil if nothing was.
  var id: String?
  /// The path below the audited folder; nil if rows name no paths.
  var path: String?
  var outcome = AuditOutcome.audited
  /// The word for the reason that there is no plan.
  var code: String?
  var recipe: String?
  var findings: [String] = []
  /// How many findings there are of each severity that has some.
  var severities: [String: Int] = [:]
  var isBlocked = false
  var isUndecided = false
  var fields: [Field] = []

  /// In bytes, so that names from a stranger's rows do not fill the memory.
  private static let longestName = 400

  /// The path, or a substitute.
  var name: String {
    guard let path else { return "input \(input)" }
    return path.utf8.count <= Self.longestName
      ? path : String(decoding: path.utf8.prefix(Self.longestName), as: UTF8.self)
  }

  func has(_ verdict: AuditVerdict) -> Bool { fields.contains { $0.verdict == verdict } }
}

/// Joins the rows of an audit, container by container.
struct AuditRowReader {
  private var unit: AuditUnit?

  init() {}

  private static let mostFields = 10_000

  /// - Returns: the previous container, once its rows are complete.
  mutating func take(_ line: [UInt8]) throws(DamagedRow) -> AuditUnit? {
    let row: JSONValue
    do throws(JSONError) {
      row = try JSONText(bytes: line).value
    } catch {
      throw DamagedRow("\(error.reason) in column \(error.column)")
    }
    var (unit, field) = (AuditUnit(), AuditUnit.Field())
    let kind = try Self.read(row, &unit, &field)
    if kind == "container" {
      defer { self.unit = unit }
      return self.unit
    }
    guard let owner = self.unit, owner.input == unit.input, owner.path == unit.path, owner.outcome.hasPlan,
      owner.fields.count < Self.mostFields
    else { throw DamagedRow("it is the row of a field without the row of its container before it") }
    self.unit?.fields.append(field)
    return nil
  }

  mutating func finish() -> AuditUnit? {
    defer { unit = nil }
    return unit
  }

  /// The containers in the rows of an input.
  static func units(in rows: [[UInt8]]) throws -> [AuditUnit] {
    var reader = AuditRowReader()
    let units = try rows.compactMap { try reader.take($0) }
    return units + (reader.finish().map { [$0] } ?? [])
  }

  /// - Returns: the kind of the row.
  private static func read(
    _ row: JSONValue, _ unit: inout AuditUnit, _ field: inout AuditUnit.Field
  ) throws(DamagedRow) -> String {
    var kind: String?
    var (hasSchema, hasOutcome, hasVerdict) = (false, false, false)
    for member in row.members ?? [] {
      let text = member.value.stringValue
      switch member.name {
      case "schema": hasSchema = text == AuditedContainer.schema
      case "n": unit.input = number(member.value) ?? 0
      case "row": kind = text
      case "container": unit.id = text
      case "path": unit.path = text
      case "outcome":
        let outcome = text.flatMap(AuditOutcome.init)
        hasOutcome = outcome != nil
        unit.outcome = outcome ?? .audited
      case "code": unit.code = text
      case "recipe": unit.recipe = text
      case "findings":
        unit.findings = member.value.elements?.compactMap(\.stringValue) ?? []
        field.findings = unit.findings
      case "errors", "warnings", "notes":
        let count = number(member.value) ?? 0
        unit.severities[String(member.name.dropLast())] = count > 0 ? count : nil
      case "undecided": unit.isUndecided = number(member.value) ?? 0 > 0
      case "blocked": unit.isBlocked = member.value.booleanValue == true
      case "field": field.name = text ?? ""
      case "group": field.group = text ?? ""
      case "source": field.source = text
      case "candidate": field.candidate = number(member.value)
      case "legacyKind": field.legacyKind = text
      case "status": field.status = text ?? ""
      case "verdict":
        let verdict = text.flatMap(AuditVerdict.init)
        hasVerdict = verdict != nil
        field.verdict = verdict ?? .nothing
      case "reference": field.reference = text
      case "proposed": field.isProposed = member.value.booleanValue == true
      default: break
      }
    }
    let isWhole = kind == "container" ? hasOutcome : kind == "field" && hasVerdict && !field.name.isEmpty
    guard hasSchema, unit.input > 0, isWhole, let kind else { throw DamagedRow("it is not a row of an audit") }
    return kind
  }

  private static func number(_ value: JSONValue) -> Int? { value.numberValue?.int64.map(Int.init) }
}

struct DamagedRow: Error, CustomStringConvertible {
  /// The end of a sentence.
  let reason: String

  init(_ reason: String) { self.reason = reason }

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
      throw DamagedRows(path: path, line: number, reason: "the audit had another number of rows")
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
