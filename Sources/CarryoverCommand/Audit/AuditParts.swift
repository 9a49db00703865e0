import CarryoverAudit
import CarryoverSystem
import PropertyLists

/// The folder of an audit: what was asked, and the rows so far, in parts of about a second.
///
/// A part is on the disk as a whole or not at all, so an audit that was interrupted goes on behind the last part.
struct AuditParts {
  let folder: String
  private var files = DurableFiles(POSIXFileSystem())
  private var rows: [UInt8] = []
  private var began = ContinuousClock.now
  /// The number of the next part.
  private var part = 1
  /// The number of inputs with rows.
  private(set) var inputs = 0
  /// A digest over the paths of these inputs, in order.
  private var digest = ""

  private static let mostBytes = 4 << 20
  private static let mark = "carryover.audit-part/1"

  init(_ folder: String) { self.folder = folder }

  private var parts: String { FilePath.join(folder, "parts") }
  private var about: String { FilePath.join(folder, "audit.json") }
  /// All rows, once the audit is complete.
  var allRows: String { FilePath.join(folder, "rows.ndjson") }

  /// Begins an audit, or goes on with one.
  /// - Parameter document: what is asked.
  /// - Throws: a usage error if the folder has another audit, or one that is to be begun again.
  mutating func begin(_ document: JSONValue, resumes: Bool) throws {
    let text = Array((document.text(pretty: true) + "\n").utf8)
    if let found = try? files.fileSystem.read(about, limit: 1 << 20).bytes {
      guard resumes else {
        throw CommandFailure.usage(
          "“\(DisplayText.visible(folder))” already contains an audit. Add --resume to continue it.")
      }
      guard found == text else {
        throw CommandFailure.usage(
          "The audit in “\(DisplayText.visible(folder))” has other options, recipes or paths, or is from another version "
            + "of Carryover. Start a new one in another folder.")
      }
      try findParts()
    } else {
      guard try files.fileSystem.status(folder) == nil || files.fileSystem.list(folder).isEmpty else {
        throw CommandFailure.usage("“\(DisplayText.visible(folder))” is not empty: name a new folder for the audit.")
      }
      try files.makeFolders(parts)
      try files.replace(about, with: text)
    }
    began = .now
  }

  /// What the folder's audit was asked; nil if there is none.
  static func document(in folder: String) -> JSONValue? {
    (try? POSIXFileSystem().read(FilePath.join(folder, "audit.json"), limit: 1 << 20).bytes)
      .flatMap { try? JSONText(bytes: $0).value }
  }

  private mutating func findParts() throws {
    while let bytes = try? files.fileSystem.read(path(part), limit: 1 << 30).bytes {
      let last = bytes.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
      guard let value = try? JSONText(last).value, value["schema"]?.stringValue == Self.mark,
        let count = value["inputs"]?.numberValue?.int64, let digest = value["digest"]?.stringValue
      else { throw CommandFailure("“\(DisplayText.visible(path(part)))” is damaged. Start a new audit.", .error) }
      (inputs, self.digest) = (Int(count), digest)
      part += 1
    }
  }

  private func path(_ part: Int) -> String {
    let number = "\(part)"
    return FilePath.join(
      parts, "p-" + String(repeating: "0", count: max(0, 6 - number.utf8.count)) + number + ".ndjson")
  }

  /// Whether the inputs before those to audit are still the same.
  func isSame(_ paths: some Sequence<String>) -> Bool {
    paths.reduce("") { Self.digest($0, $1) } == digest
  }

  /// Adds the rows of the next input.
  mutating func add(_ rows: [UInt8], of path: String) throws {
    self.rows += rows
    inputs += 1
    digest = Self.digest(digest, path)
    if self.rows.count > Self.mostBytes || began.duration(to: .now) > .seconds(1) { try finishPart() }
  }

  /// Writes what is there.
  mutating func finishPart() throws {
    began = .now
    guard !rows.isEmpty else { return }
    let mark = JSONValue.object([
      JSONMember("schema", .string(Self.mark)), JSONMember("inputs", JSONValue(inputs)),
      JSONMember("digest", .string(digest)),
    ])
    try files.replace(path(part), with: rows + Array((mark.text() + "\n").utf8))
    part += 1
    rows = []
  }

  /// Passes on every row, in order.
  func forEachRow(_ body: (String) throws -> Void) throws {
    for number in 1..<max(1, part) {
      let bytes = try files.fileSystem.read(path(number), limit: 1 << 30).bytes
      for line in bytes.split(separator: UInt8(ascii: "\n")).dropLast() {
        try body(String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Writes all rows into one file.
  mutating func complete() throws {
    let temporary = DurableFiles.temporary(of: allRows)
    if try files.fileSystem.status(temporary) != nil { try files.fileSystem.remove(temporary) }
    let handle = try files.fileSystem.create(temporary, mode: 0o600)
    var piece: [UInt8] = []
    try forEachRow { line in
      piece += Array(line.utf8) + [UInt8(ascii: "\n")]
      if piece.count > 1 << 20 {
        try files.fileSystem.write(piece, to: handle)
        piece = []
      }
    }
    try files.fileSystem.write(piece, to: handle)
    try files.fileSystem.close(handle)
    try files.synchronizeFile(temporary)
    try files.fileSystem.rename(temporary, to: allRows, .replacing)
    try files.synchronizeFolder(folder)
  }

  private static func digest(_ before: String, _ path: String) -> String {
    SHA256.hexDigest(Array((before + "\n" + path).utf8))
  }
}
