import CarryoverSystem
import PropertyLists

/// The changes of a run to the files of a container. Once the journal is in the state folder, the run is decided: it
/// will be finished or rolled back as a whole.
struct Journal: Hashable {
  /// The run, whose folder contains every file from before and after it.
  var run: RunID
  /// The container, because several can share a state folder.
  var container: RecordedContainer
  /// The files in the order of the run's record, which numbers their temporary files.
  var files: [RecordedFile]
  /// The reason that the journal is not the user's own, by its seal; nil if it is.
  var foreign: ForeignReason?

  init(_ record: RunRecord) {
    run = record.id
    container = record.container
    files = record.files
  }

  /// The schema of the journals that this version writes. A later one is refused.
  static let schema = "carryover.journal/1"

  /// The journal to write, without its seal. For people who read it, it also contains the name of each temporary file.
  var document: JSONValue {
    var members = [
      JSONMember("schema", .string(Self.schema)), JSONMember("run", .string(run.text)),
      JSONMember("container", container.json),
    ]
    let operations = files.enumerated().map { index, file in
      guard case .object(let members) = file.json else { return file.json }
      let name = TemporaryName(run: run, number: index + 1).text
      return JSONValue.object(members + [JSONMember("temporary", .string(name))])
    }
    members.append(JSONMember("operations", .array(operations)))
    return .object(members)
  }

  /// Reads a journal.
  /// - Throws: `newerRecord` for a later schema, `damagedJournal` if the document is not a journal.
  init(_ bytes: [UInt8], path: String, foreign: (JSONValue) -> ForeignReason?) throws(RunError) {
    do {
      let reader = try RecordReader(bytes, path: path)
      try self.init(reader)
      self.foreign = foreign(reader.root)
    } catch {
      guard case .damagedRecord(_, let reason) = error else { throw error }
      throw .damagedJournal(path: path, reason: reason)
    }
  }

  private init(_ reader: RecordReader) throws(RunError) {
    let schema = try reader.text("schema", in: reader.root)
    guard schema == Self.schema else {
      throw schema.hasPrefix("carryover.journal/")
        ? .newerRecord(path: reader.path, schema: schema) : reader.damaged("schema")
    }
    guard let run = RunID(try reader.text("run", in: reader.root)) else { throw reader.damaged("run") }
    self.run = run
    container = try RecordedContainer(reader.root["container"] ?? .null, reader)
    files = []
    for item in try reader.items("operations", in: reader.root, limit: RunStore.mostFiles) {
      files.append(try RecordedFile(item, reader))
    }
    guard !files.isEmpty, Set(files.map(\.path)).count == files.count else { throw reader.damaged("operations") }
  }
}

extension RunStore {
  /// The journal of a decided run that has not ended; nil if there is none.
  func readJournal() throws(RunError) -> Journal? {
    guard try isThere() else { return nil }
    let image: FileImage
    do {
      guard try fileSystem.status(journal) != nil else { return nil }
      image = try fileSystem.read(journal, limit: Self.largestRecord)
    } catch {
      switch error.reason {
      case let reason where reason.isDenied: throw .damagedJournal(path: journal, reason: error.description)
      case .tooLarge, .notRegular: throw .damagedJournal(path: journal, reason: error.description)
      default: throw .file(error, .nothingChanged)
      }
    }
    return try Journal(image.bytes, path: journal) { foreignReason(of: $0, image) }
  }

  /// Writes the journal. Once its name is on the disk, the run is decided.
  func write(_ journal: Journal, _ files: inout DurableFiles) throws(FileSystemError) {
    try files.replace(self.journal, with: sealed(journal.document))
  }

  /// Removes the journal, which ends the run.
  func removeJournal(_ files: inout DurableFiles) throws(FileSystemError) {
    guard try fileSystem.status(journal) != nil else { return }
    try fileSystem.remove(journal)
    try files.synchronizeFolder(path)
  }
}
