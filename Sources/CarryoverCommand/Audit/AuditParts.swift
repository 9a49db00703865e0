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
  /// What the walk had found at the last of these inputs.
  private(set) var digest = ""
  /// The digest at the end of the part before.
  private var before = ""

  private static let mostBytes = 4 << 20
  private static let mark = "carryover.audit-part/1"

  init(_ folder: String) { self.folder = folder }

  private var parts: String { FilePath.join(folder, "parts") }
  private var about: String { FilePath.join(folder, "audit.json") }
  /// All rows, once the audit is complete.
  var allRows: String { FilePath.join(folder, "rows.ndjson") }

  /// Begins an audit, or continues one.
  /// - Parameter document: what is asked.
  /// - Throws: a usage error if the folder has another audit, or one that is to be begun again, and an error if another
  ///   process works in it.
  mutating func begin(_ document: JSONValue, resumes: Bool) throws {
    let text = Array((document.text(pretty: true) + "\n").utf8)
    let names = try files.fileSystem.status(folder) == nil ? [] : files.fileSystem.list(folder)
    // What an audit has that was killed while it began.
    let isFresh = Set(names).isSubset(of: [".lock", "parts", DurableFiles.temporary(of: "audit.json")])
    guard isFresh || names.contains("audit.json") else {
      throw CommandFailure.usage("“\(DisplayText.visible(folder))” is not empty: name a new folder for the audit.")
    }
    guard isFresh || resumes else {
      throw CommandFailure.usage(
        "“\(DisplayText.visible(folder))” already contains an audit. Add --resume to continue it, or name a new folder."
      )
    }
    try files.makeFolders(parts)
    do throws(FileSystemError) {
      // Held until the process ends.
      _ = try files.fileSystem.lock(FilePath.join(folder, ".lock"), mode: 0o600)
    } catch {
      guard case .busy = error.reason else { throw error }
      throw CommandFailure("Another audit is writing to “\(DisplayText.visible(folder))”.", .error)
    }
    if isFresh {
      try files.replace(about, with: text)
    } else {
      guard try files.fileSystem.read(about, limit: Self.mostBytes).bytes == text else {
        throw CommandFailure.usage(
          "The audit in “\(DisplayText.visible(folder))” has other options, recipes or paths, or is from another version "
            + "of Carryover. Start a new one in another folder.")
      }
      try findParts()
    }
    began = .now
  }

  /// What the folder's audit was asked; nil if there is none.
  static func document(in folder: String) -> JSONValue? { document(named: "audit.json", in: folder) }

  private static func document(named name: String, in folder: String) -> JSONValue? {
    (try? POSIXFileSystem().read(FilePath.join(folder, name), limit: mostBytes).bytes)
      .flatMap { try? JSONText(bytes: $0).value }
  }

  /// Finds the parts, each of which says which one it follows.
  private mutating func findParts() throws {
    while try files.fileSystem.status(path(part)) != nil {
      let bytes = try files.fileSystem.read(path(part), limit: 1 << 30).bytes
      let last = bytes.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
      guard let value = try? JSONText(last).value, value["schema"]?.stringValue == Self.mark,
        value["after"]?.stringValue == digest, let digest = value["digest"]?.stringValue,
        let count = value["inputs"]?.numberValue?.int64.flatMap({ Int(exactly: $0) }), count > inputs
      else { throw damaged(path(part)) }
      (inputs, self.digest, before) = (count, digest, digest)
      part += 1
    }
    // A part behind a gap would come back as soon as the gap is filled.
    let names = try files.fileSystem.list(parts).filter { $0.hasSuffix(".ndjson") }
    guard names.count == part - 1 else { throw damaged(parts) }
  }

  private func damaged(_ path: String) -> CommandFailure {
    CommandFailure("“\(DisplayText.visible(path))” is damaged. Start a new audit.", .error)
  }

  private func path(_ part: Int) -> String {
    let number = "\(part)"
    return FilePath.join(
      parts, "p-" + String(repeating: "0", count: max(0, 6 - number.utf8.count)) + number + ".ndjson")
  }

  /// Adds the rows of the next input.
  mutating func add(_ rows: [UInt8], at digest: String) throws {
    self.rows += rows
    inputs += 1
    self.digest = digest
    if self.rows.count > Self.mostBytes || began.duration(to: .now) > .seconds(1) { try finishPart() }
  }

  /// Writes what is there.
  mutating func finishPart() throws {
    began = .now
    guard !rows.isEmpty else { return }
    let mark = JSONValue.object([
      JSONMember("schema", .string(Self.mark)), JSONMember("after", .string(before)),
      JSONMember("inputs", JSONValue(inputs)), JSONMember("digest", .string(digest)),
    ])
    before = digest
    try files.replace(path(part), with: rows + Array((mark.text() + "\n").utf8))
    part += 1
    rows = []
  }

  /// Passes on every row, in order.
  func forEachRow(_ body: ([UInt8]) throws -> Void) throws {
    for number in 1..<max(1, part) {
      let bytes = try files.fileSystem.read(path(number), limit: 1 << 30).bytes
      for line in bytes.split(separator: UInt8(ascii: "\n")).dropLast() {
        try body(Array(line))
      }
    }
  }

  /// Passes on every container, in order.
  func forEachUnit(_ body: (AuditUnit) throws -> Void) throws {
    var reader = AuditRowReader()
    do {
      try forEachRow { if let unit = try reader.take($0) { try body(unit) } }
      if let unit = reader.finish() { try body(unit) }
    } catch let error as DamagedRow {
      throw Self.damaged(error.reason)
    }
  }

  static func damaged(_ reason: String) -> CommandFailure {
    CommandFailure("The rows of the audit are damaged: \(reason). Start a new audit.", .error)
  }

  /// Writes all rows into one file, and for a shard, how many inputs all shards have.
  mutating func complete(_ shard: AuditShard, _ inputs: AuditInputs) throws {
    try PieceOutput.write(to: allRows) { output in
      try forEachRow { try output.print(String(decoding: $0, as: UTF8.self)) }
    }
    guard shard != .whole else { return }
    let walk = JSONValue.object([
      JSONMember("schema", .string(Self.walkMark)), JSONMember("inputs", JSONValue(inputs.count)),
      JSONMember("digest", .string(inputs.digest)),
    ])
    try files.replace(FilePath.join(folder, Self.walkName), with: Array((walk.text() + "\n").utf8))
  }

  private static let walkMark = "carryover.audit-walk/1"
  private static let walkName = "walk.json"

  /// What a complete shard's search for inputs found; nil without one.
  static func walk(in folder: String) -> JSONValue? {
    document(named: walkName, in: folder).flatMap { $0["schema"]?.stringValue == walkMark ? $0 : nil }
  }
}
