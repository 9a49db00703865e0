import CarryoverSystem
import PropertyLists

/// The folder of an audit: its options, and the rows so far, in parts of about a second. A part is on the disk as a
/// whole or not at all, so an interrupted audit continues behind the last part.
struct AuditParts {
  let folder: String
  private var files = DurableFiles(POSIXFileSystem())
  private var rows: [UInt8] = []
  private var began = ContinuousClock.now
  private var part = 1
  private(set) var inputs = 0
  /// What the walk had found at the last of these inputs.
  private(set) var digest = ""
  private var before = ""
  /// The rows so far: each part ends with their number and their digest, so that edited ones are noticed.
  private var seal = AuditSeal()

  private static let mostBytes = 4 << 20
  private static let mark = "carryover.audit-part/1"

  init(_ folder: String) { self.folder = folder }

  private var parts: String { FilePath.join(folder, "parts") }
  private static let about = "audit.json"
  static func options(of folder: String) -> String { FilePath.join(folder, about) }

  /// All rows, once the audit is complete.
  var allRows: String { FilePath.join(folder, "rows.ndjson") }

  /// Begins an audit, or continues one.
  /// - Parameter document: the options of the audit.
  mutating func begin(_ document: JSONValue, resumes: Bool) throws {
    let text = Array((document.text(pretty: true) + "\n").utf8)
    let names = try files.fileSystem.status(folder) == nil ? [] : files.fileSystem.list(folder)
    // What an audit has that was killed while it began.
    let isFresh = Set(names).isSubset(of: [".lock", "parts", DurableFiles.temporary(of: Self.about)])
    guard isFresh || names.contains(Self.about) else {
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
    // Another audit may have begun before the lock.
    guard try isFresh == !files.fileSystem.list(folder).contains(Self.about) else {
      throw CommandFailure("Another audit has written to “\(DisplayText.visible(folder))”.", .error)
    }
    if isFresh {
      try files.replace(Self.options(of: folder), with: text)
    } else {
      guard try files.fileSystem.read(Self.options(of: folder), limit: Self.mostBytes).bytes == text else {
        throw CommandFailure.usage(
          "The audit in “\(DisplayText.visible(folder))” has other options, recipes or paths, or is from another version "
            + "of Carryover. Start a new one in another folder.")
      }
      try findParts()
    }
    began = .now
  }

  static func document(in folder: String) throws -> JSONValue? { try document(named: about, in: folder) }

  static func document(named name: String, in folder: String) throws -> JSONValue? {
    let path = FilePath.join(folder, name)
    guard try POSIXFileSystem().status(path) != nil else { return nil }
    let bytes = try POSIXFileSystem().read(path, limit: mostBytes).bytes
    return try converting(try JSONText(bytes: bytes).value) { (_: JSONError) in damaged(path) }
  }

  private mutating func findParts() throws {
    while try files.fileSystem.status(path(part)) != nil {
      let last = try read(part) { seal.add($0) }
      guard let value = try? JSONText(bytes: last).value, value["schema"]?.stringValue == Self.mark,
        value["after"]?.stringValue == digest, let digest = value["digest"]?.stringValue,
        let count = value["inputs"]?.numberValue?.int64.flatMap({ Int(exactly: $0) }), count > inputs,
        value["rows"] == seal.rows.json, value["rowDigest"]?.stringValue == seal.rowDigest
      else { throw Self.damaged(path(part)) }
      (inputs, self.digest, before) = (count, digest, digest)
      part += 1
    }
    // A part behind a gap would come back as soon as the gap is filled.
    let names = try files.fileSystem.list(parts).filter { $0.hasSuffix(".ndjson") }
    guard names.count == part - 1 else { throw Self.damaged(parts) }
  }

  static func damaged(_ path: String) -> CommandFailure {
    CommandFailure("“\(DisplayText.visible(path))” is damaged. Start a new audit.", .error)
  }

  private func path(_ part: Int) -> String {
    FilePath.join(parts, "p-" + String(part).zeroPadded(to: 6) + ".ndjson")
  }

  mutating func add(_ rows: [[UInt8]], at digest: String) throws {
    for row in rows {
      seal.add(row)
      self.rows += row
      self.rows.append(UInt8(ascii: "\n"))
    }
    inputs += 1
    self.digest = digest
    if self.rows.count > Self.mostBytes || began.duration(to: .now) > .seconds(1) { try finishPart() }
  }

  mutating func finishPart() throws {
    began = .now
    guard !rows.isEmpty else { return }
    let mark = JSONValue.object([
      "schema": Self.mark, "after": before, "inputs": inputs, "digest": digest, "rows": seal.rows,
      "rowDigest": seal.rowDigest,
    ])
    before = digest
    try files.replace(path(part), with: rows + Array((mark.text() + "\n").utf8))
    part += 1
    rows = []
  }

  func forEachRow(_ body: ([UInt8]) throws -> Void) throws {
    for number in 1..<max(1, part) { _ = try read(number, body) }
  }

  /// A part can be larger than the memory: it may come from a stranger.
  /// - Returns: the last line, which is not a row.
  private func read(_ part: Int, _ body: ([UInt8]) throws -> Void) throws -> [UInt8] {
    var lines = AuditRowFile(path(part), in: files.fileSystem).lines
    var last: [UInt8]?
    while let line = try lines.next() {
      if let last { try body(last) }
      last = line
    }
    return last ?? []
  }

  func forEachUnit(_ body: (AuditUnit) throws -> Void) throws {
    var reader = AuditRowReader()
    try forEachRow { if let unit = try reader.take($0) { try body(unit) } }
    if let unit = reader.finish() { try body(unit) }
  }

  func complete(_ inputs: AuditInputs) throws {
    var seal = AuditSeal(inputs: inputs.count, walk: inputs.digest)
    try PieceOutput.write(to: allRows) { output in
      try forEachRow { row in
        seal.add(row)
        try output.print(String(decoding: row, as: UTF8.self))
      }
      // Another program may have changed a part since it was read.
      guard seal.hasSameRows(as: self.seal) else { throw Self.damaged(parts) }
    }
    try seal.write(to: folder)
  }
}

/// What a complete audit says of itself in a file beside its rows, so that missing or edited rows are noticed.
struct AuditSeal {
  /// How many inputs the search found, those of other shards too, and a digest over their paths.
  var inputs = 0
  var walk = ""
  private(set) var rows = 0
  private var digest: [UInt8] = []

  private static let schema = "carryover.audit-seal/1"
  private static let name = "complete.json"

  init(inputs: Int = 0, walk: String = "") { (self.inputs, self.walk) = (inputs, walk) }

  var rowDigest: String { digest.hexadecimal }

  func hasSameRows(as other: AuditSeal) -> Bool { rows == other.rows && digest == other.digest }

  mutating func add(_ row: [UInt8]) {
    rows += 1
    digest = SHA256.digest(digest + row)
  }

  func write(to folder: String) throws {
    let document = JSONValue.object([
      "schema": Self.schema, "inputs": inputs, "walk": walk, "rows": rows, "digest": rowDigest,
    ])
    var files = DurableFiles(POSIXFileSystem())
    try files.replace(FilePath.join(folder, Self.name), with: Array((document.text() + "\n").utf8))
  }

  /// Nil if the audit is not complete.
  init?(of folder: String) throws {
    guard let document = try AuditParts.document(named: Self.name, in: folder) else { return nil }
    func number(_ name: String) -> Int? {
      document[name]?.numberValue?.int64.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }
    guard document["schema"]?.stringValue == Self.schema, let inputs = number("inputs"), let rows = number("rows"),
      let walk = document["walk"]?.stringValue, let hexadecimal = document["digest"]?.stringValue,
      let digest = [UInt8](hexadecimal: hexadecimal[...])
    else { throw AuditParts.damaged(FilePath.join(folder, Self.name)) }
    (self.inputs, self.walk, self.rows, self.digest) = (inputs, walk, rows, digest)
  }
}
