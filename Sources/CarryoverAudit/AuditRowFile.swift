package import CarryoverSystem

/// A file with the rows of an audit, which is read in pieces: it can be larger than the memory.
package struct AuditRowFile: Sendable {
  /// The file.
  package let path: String
  private let fileSystem: any FileSystem

  package init(_ path: String, in fileSystem: any FileSystem) { (self.path, self.fileSystem) = (path, fileSystem) }

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
  }

  /// Its lines, for a reader that takes one after the other.
  package var lines: Lines { Lines(path: path, fileSystem: fileSystem) }

  /// The lines of a file, the last one even if nothing ends it.
  package struct Lines {
    let path: String
    let fileSystem: any FileSystem
    private var piece: [UInt8] = []
    /// Where the next line begins in the piece, and the next piece in the file.
    private var (start, offset) = (0, 0)

    init(path: String, fileSystem: any FileSystem) { (self.path, self.fileSystem) = (path, fileSystem) }

    private static let pieceSize = 1 << 16
    /// Far more than a row has. What is longer is not held in memory.
    private static let longestLine = 1 << 22

    /// The next line; nil at the end. Of a line that no row can be as long as, only the beginning, which is no row.
    package mutating func next() throws(FileSystemError) -> [UInt8]? {
      var searched = start
      while true {
        if let end = piece[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { start = end + 1 }
          return Array(piece[start..<end])
        }
        guard piece.count - start <= Self.longestLine else { return Array(piece[start...].prefix(64)) }
        piece.removeSubrange(..<start)
        start = 0
        searched = piece.count
        let next = try fileSystem.read(path, from: offset, count: Self.pieceSize)
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

  package var description: String {
    "“\(DisplayText.visible(path))”, line \(line): \(DisplayText.harmless(reason)). Name the rows.ndjson of an audit, or "
      + "audit again."
  }
}
