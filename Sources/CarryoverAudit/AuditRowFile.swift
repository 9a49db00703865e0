package import CarryoverSystem

/// A file with the rows of an audit, which is read in pieces: it can be larger than the memory.
package struct AuditRowFile: Sendable {
  /// The file.
  package let path: String
  private let fileSystem: any FileSystem
  /// How many rows there are; nil if nobody knows.
  private let count: Int?

  /// - Parameter rows: how many rows there are; nil if nobody knows.
  package init(_ path: String, in fileSystem: any FileSystem, rows: Int? = nil) {
    (self.path, self.fileSystem, count) = (path, fileSystem, rows)
  }

  /// Passes on every container, in order.
  /// - Throws: `FileSystemError`, ``DamagedRows`` for a line that is not a row, and what `body` throws.
  package func forEachUnit(_ body: (AuditUnit) throws -> Void) throws {
    var reader = AuditRowReader()
    var lines = self.lines
    var number = 0
    while let line = try lines.next() {
      number += 1
      guard !line.isEmpty else { continue }
      do {
        if let unit = try reader.take(line) { try body(unit) }
      } catch let error as DamagedRow {
        throw DamagedRows(path: path, line: number, reason: error.reason)
      }
    }
    do {
      if let unit = reader.finish() { try body(unit) }
    } catch let error as DamagedRow {
      throw DamagedRows(path: path, line: number, reason: error.reason)
    }
    guard number > 0 else { throw DamagedRows(path: path, line: 1, reason: "the file is empty") }
    guard number == count ?? number else {
      throw DamagedRows(path: path, line: number, reason: "the audit had another number of rows")
    }
  }

  /// Its lines, for a reader that takes one after the other.
  package var lines: Lines { lines(inPiecesOf: 1 << 16) }

  /// The same for a reader of many files: how many bytes of each are in memory.
  package func lines(inPiecesOf size: Int) -> Lines { Lines(path: path, fileSystem: fileSystem, pieceSize: size) }

  /// The lines of a file, the last one even if nothing ends it.
  package struct Lines {
    let path: String
    let fileSystem: any FileSystem
    let pieceSize: Int
    private var piece: [UInt8] = []
    /// Where the next line begins in the piece, and the next piece in the file.
    private var (start, offset) = (0, 0)
    /// Whether a line was cut: its rest is no line.
    private var isCut = false

    init(path: String, fileSystem: any FileSystem, pieceSize: Int) {
      (self.path, self.fileSystem, self.pieceSize) = (path, fileSystem, pieceSize)
    }

    /// Far more than a row has. What is longer is not held in memory.
    private static let longestLine = 1 << 22

    /// The next line; nil at the end. A line longer than any row is cut, so that its reader refuses it, and is the last.
    package mutating func next() throws(FileSystemError) -> [UInt8]? {
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

/// A line of a file that is not a row of an audit.
package struct DamagedRows: Error, CustomStringConvertible {
  let path: String
  let line: Int
  let reason: String

  package init(path: String, line: Int, reason: String) { (self.path, self.line, self.reason) = (path, line, reason) }

  package var description: String {
    "“\(DisplayText.visible(path))”, line \(line): \(DisplayText.harmless(reason)). Name the rows.ndjson of an audit, or "
      + "audit again."
  }
}
