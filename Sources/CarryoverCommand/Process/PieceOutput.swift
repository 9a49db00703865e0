import CarryoverSystem

/// Lines for standard output or a file, written in pieces of a bounded size: what is too large to be held leaves as it is
/// made.
struct PieceOutput {
  /// From how many bytes on a piece is written.
  static let size = 1 << 16
  private var bytes: [UInt8] = []
  /// The file; nil for standard output.
  private let file: OpenFile?

  init() { file = nil }
  private init(_ file: OpenFile) { self.file = file }

  /// A line of our own making, as it is.
  mutating func print(_ line: String) throws {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.size { try finish() }
  }

  /// Writes what is left.
  mutating func finish() throws {
    if let file { try POSIXFileSystem().write(bytes, to: file) } else { try Console.write(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes lines.
  /// - Parameter path: the file to replace, as a whole or not at all; nil for standard output.
  static func write(to path: String?, _ body: (inout PieceOutput) throws -> Void) throws {
    guard let path else {
      var output = PieceOutput()
      try body(&output)
      return try output.finish()
    }
    let fileSystem = POSIXFileSystem()
    let temporary = DurableFiles.temporary(of: path)
    if try fileSystem.status(temporary) != nil { try fileSystem.remove(temporary) }
    let file = try fileSystem.create(temporary, mode: 0o600)
    do {
      var output = PieceOutput(file)
      do {
        try body(&output)
        try output.finish()
        try fileSystem.synchronize(file)
      } catch {
        try? fileSystem.close(file)
        throw error
      }
      try fileSystem.close(file)
      try fileSystem.rename(temporary, to: path, .replacing)
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
    try fileSystem.synchronizeDirectory(DurableFiles.folder(of: path))
  }
}
