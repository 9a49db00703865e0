package import CarryoverSystem

/// A file with the rows of an audit, which is read in pieces: it can be larger than the memory.
package struct AuditRowFile: Sendable {
  /// The file.
  package let path: String
  private let fileSystem: any FileSystem

  package init(_ path: String, in fileSystem: any FileSystem) { (self.path, self.fileSystem) = (path, fileSystem) }

  private static let pieceSize = 1 << 20
  /// Far more than a row has. What is longer is not held in memory.
  private static let longestLine = 1 << 22

  /// Passes on every container, in order.
  /// - Throws: `FileSystemError`, ``DamagedRows`` for a line that is not a row, and what `body` throws.
  package func forEachUnit(_ body: (AuditUnit) throws -> Void) throws {
    var reader = AuditRowReader()
    var number = 0
    try forEachLine { line in
      number += 1
      guard !line.isEmpty else { return }
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

  /// Passes on every line, the last one even if nothing ends it.
  private func forEachLine(_ body: ([UInt8]) throws -> Void) throws {
    var offset = 0
    var start: [UInt8] = []
    while true {
      let piece = try fileSystem.read(path, from: offset, count: Self.pieceSize)
      guard !piece.isEmpty else { break }
      offset += piece.count
      var next = 0
      while let end = piece[next...].firstIndex(of: UInt8(ascii: "\n")) {
        try body(start + piece[next..<end])
        start = []
        next = end + 1
      }
      start += piece[next...]
      // The reader refuses it, and names its line.
      if start.count > Self.longestLine { try body(Array(start.prefix(64))) }
    }
    if !start.isEmpty { try body(start) }
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
