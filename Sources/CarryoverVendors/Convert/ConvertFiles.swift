import Carryover
public import CarryoverStorage
public import CarryoverSystem

/// The files of Convert's SDK in an app's Application Support folder, in the SDK's format. Damaged files are set aside,
/// and a queue that is being sent is not changed. A write creates missing folders. A change creates the folder and the
/// lock file, even if it changes nothing else.
///
/// Several threads and processes can use a folder at the same time, such as an app and its extension in the container
/// of their app group. ``updateDecisions(_:)``, ``updateQueue(_:)`` and ``ConvertMigration`` hold an interprocess lock
/// from reading a file to replacing it, so no change is lost. The system releases the lock if a process is killed.
///
/// The lock covers only code that uses Carryover. The SDK takes no lock: change its files before it starts. Keep
/// changes short, because iOS terminates an app that it suspends while the app holds a lock in a shared container. A
/// change that waits for a change of another thread or process never ends.
public struct ConvertFiles: Sendable {
  /// The state of a file after recovery.
  public enum Recovery<Value: Sendable>: Sendable {
    /// There is no file.
    case empty
    /// The file is valid and has this value.
    case recovered(Value)
    /// The SDK is sending the queue. It was not changed.
    case uploading
    /// The file was damaged and was moved to this path. Start with an empty value.
    case setAside(path: String, because: ConvertError)

    /// A sentence for the log if the file was damaged; nil otherwise.
    public var warning: String? {
      guard case .setAside(let path, let error) = self else { return nil }
      return "\(error) It was moved to \(DisplayText.quoted(path)), and nothing of it is used."
    }
  }

  private let folder: String
  private let fileSystem: any FileSystem

  /// The files in an Application Support folder.
  public init(applicationSupport folder: String) {
    self.init(applicationSupport: folder, fileSystem: POSIXFileSystem())
  }

  package init(applicationSupport folder: String, fileSystem: any FileSystem) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// Reads the queue of the last launch. A damaged queue is set aside in its folder; unsent events that are only in
  /// that file are not sent.
  /// - Throws: ``ConvertError/file(_:)`` if the file can be neither read nor set aside.
  public func recoverQueue() throws(ConvertError) -> Recovery<ConvertQueue> {
    try recover(queueFile, ConvertQueue.init, isUploading: isUploading)
  }

  /// Changes the queue under the lock. If it changes, replaces the file atomically; if it is empty, removes the file.
  /// - Parameter change: gets the saved queue, or an empty one. Changes of these files inside the closure throw.
  /// - Returns: the closure's result.
  /// - Throws: ``ConvertError``; `uploading` if the SDK is sending the queue, and ``ConvertError/file(_:)`` if the file
  ///   cannot be locked or written. The file is unchanged then.
  public func updateQueue<Value>(_ change: (inout ConvertQueue) -> Value) throws(ConvertError) -> Value {
    try locked { () throws(ConvertError) in
      try refuseUploading()
      let before = try queue() ?? ConvertQueue()
      var queue = before
      let value = change(&queue)
      if queue == before { return value }
      // The SDK takes no lock, and may have begun to send.
      try refuseUploading()
      try converting(try queue.isEmpty ? queueFile.remove() : queueFile.save(queue.value), ConvertError.init)
      return value
    }
  }

  /// Reads the queue; nil if there is no file.
  /// - Throws: ``ConvertError`` if the file cannot be read or is not valid.
  public func queue() throws(ConvertError) -> ConvertQueue? { try read(queueFile, ConvertQueue.init) }

  /// Reads the decisions; empty if there is no file. If the file is not in Application Support, where the SDK's source
  /// puts it, reads it from the folder in the SDK's documentation.
  /// - Throws: ``ConvertError`` if the file cannot be read, is not valid JSON or does not have the SDK's form.
  public func decisions() throws(ConvertError) -> ConvertDecisions {
    if let decisions = try read(decisionsFile, ConvertDecisions.init) { return decisions }
    return try read(documentedDecisionsFile, ConvertDecisions.init) ?? ConvertDecisions()
  }

  /// Reads the decisions when an app starts. A damaged file is set aside, so that the app can start without decisions.
  /// - Throws: ``ConvertError/file(_:)`` if the file can be neither read nor set aside.
  public func recoverDecisions() throws(ConvertError) -> Recovery<ConvertDecisions> {
    let recovery = try recover(decisionsFile, ConvertDecisions.init)
    guard case .empty = recovery else { return recovery }
    return try recover(documentedDecisionsFile, ConvertDecisions.init)
  }

  /// Changes the decisions under the lock, and replaces the file atomically if the closure changes them. Two processes
  /// that decide in the closure get the same decision:
  ///
  /// <!-- snippet: convert-update -->
  /// ```swift
  /// let files = ConvertFiles(applicationSupport: group.path)
  /// guard let visitor = ConvertDecisions.Subject(account: "100", project: "200", visitor: visitorID) else {
  ///   return nil
  /// }
  /// let variation = try files.updateDecisions { decisions in
  ///   decisions.variation(of: "experience-1", for: visitor) { calculated() }
  /// }
  /// ```
  ///
  /// - Parameter change: gets the saved decisions. Changes of these files inside the closure throw.
  /// - Returns: the closure's result.
  /// - Throws: ``ConvertError`` like ``decisions()``, and ``ConvertError/file(_:)`` if the file cannot be locked or
  ///   written. The file is unchanged then.
  public func updateDecisions<Value>(_ change: (inout ConvertDecisions) -> Value) throws(ConvertError) -> Value {
    try locked { () throws(ConvertError) in
      let before = try decisions()
      var decisions = before
      let value = change(&decisions)
      if decisions == before { return value }
      try converting(try decisionsFile.save(decisions.value), ConvertError.init)
      return value
    }
  }

  /// Reads the cached configuration of an SDK key, byte for byte; nil if there is none.
  /// - Throws: ``ConvertError`` if the file cannot be read or is not valid JSON. Download the configuration again then.
  public func configuration(sdkKey: String) throws(ConvertError) -> [UInt8]? {
    try converting(try configurationFile(sdkKey).read()?.bytes, ConvertError.init)
  }

  /// Replaces the cached configuration of an SDK key, atomically and byte for byte. It takes no lock: of several
  /// writes, the last one wins.
  /// - Throws: ``ConvertError/file(_:)`` if the file cannot be written. The old file stays then.
  public func cacheConfiguration(_ bytes: [UInt8], sdkKey: String) throws(ConvertError) {
    try converting(try configurationFile(sdkKey).save(bytes: bytes), ConvertError.init)
  }

  private var queueFile: JSONFile { JSONFile(path(ConvertNames.queue), fileSystem: fileSystem) }
  private var decisionsFile: JSONFile { JSONFile(folder + "/" + ConvertNames.decisions, fileSystem: fileSystem) }

  private var documentedDecisionsFile: JSONFile { JSONFile(path(ConvertNames.decisions), fileSystem: fileSystem) }

  private func configurationFile(_ sdkKey: String) -> JSONFile {
    JSONFile(path(ConvertNames.configuration(sdkKey: sdkKey)), fileSystem: fileSystem)
  }

  private func path(_ name: String) -> String { "\(folder)/\(ConvertNames.folder)/\(name)" }

  /// Any item in the place of the marker counts.
  private func isUploading() throws(ConvertError) -> Bool {
    try converting(try fileSystem.status(path(ConvertNames.uploading)) != nil, ConvertError.file)
  }

  private func refuseUploading() throws(ConvertError) {
    if try isUploading() { throw .uploading(path: path(ConvertNames.uploading)) }
  }

  private func read<Value>(
    _ file: JSONFile, _ make: (JSONValue) throws(ConvertError) -> Value
  ) throws(ConvertError) -> Value? {
    guard let found = try converting(try file.read(), ConvertError.init) else { return nil }
    return try formed(found.value, file, make)
  }

  private func recover<Value: Sendable>(
    _ file: JSONFile, _ make: (JSONValue) throws(ConvertError) -> Value,
    isUploading: () throws(ConvertError) -> Bool = { false }
  ) throws(ConvertError) -> Recovery<Value> {
    if try isUploading() { return .uploading }
    do throws(JSONFileError) {
      guard let found = try file.read() else { return .empty }
      if let value = try? make(found.value) { return .recovered(value) }
    } catch {
      guard error.isDamage else { throw ConvertError(error) }
    }
    return try locked { () throws(ConvertError) in
      // The SDK takes no lock, and may have begun to send.
      if try isUploading() { return .uploading }
      // Another process may have restored a valid file, which must not be set aside.
      return try recoverAlone(file, make)
    }
  }

  private func recoverAlone<Value: Sendable>(
    _ file: JSONFile, _ make: (JSONValue) throws(ConvertError) -> Value
  ) throws(ConvertError) -> Recovery<Value> {
    let damage: ConvertError
    do throws(JSONFileError) {
      guard let found = try file.read() else { return .empty }
      do throws(ConvertError) { return .recovered(try formed(found.value, file, make)) } catch { damage = error }
    } catch {
      damage = ConvertError(error)
      guard error.isDamage else { throw damage }
    }
    return .setAside(path: try converting(try file.setAside(), ConvertError.init), because: damage)
  }

  private func formed<Value>(
    _ value: JSONValue, _ file: JSONFile, _ make: (JSONValue) throws(ConvertError) -> Value
  ) throws(ConvertError) -> Value {
    try converting(try make(value)) { (error: ConvertError) -> ConvertError in
      if case .form = error { .form(path: file.path) } else { error }
    }
  }

  private func locked<Value>(_ body: () throws(ConvertError) -> Value) throws(ConvertError) -> Value {
    let outcome: Result<Value, ConvertError>
    do throws(FileSystemError) {
      var disk = DurableFiles(fileSystem)
      try disk.makeFolders(folder)
      outcome = try LockFile(FilePath.join(folder, ConvertNames.lock), fileSystem: fileSystem).withLock {
        Result(catching: body)
      }
    } catch {
      throw .file(error)
    }
    return try outcome.get()
  }
}

/// The unsent events of Convert's SDK.
public struct ConvertQueue: Hashable, Sendable {
  package private(set) var batches: [JSONValue]

  /// An empty queue.
  public init() { batches = [] }

  /// The queue in a file's value: an array of batches, each with visitors, each of whom has an id and events.
  package init(_ value: JSONValue) throws(ConvertError) {
    guard let batches = value.elements, batches.allSatisfy(Self.isBatch) else { throw .form(path: ConvertNames.queue) }
    self.batches = batches
  }

  /// Appends the batches of another queue.
  public mutating func append(_ other: ConvertQueue) { batches += other.batches }

  package var value: JSONValue { .array(batches) }

  /// Whether there are no batches. The SDK then has no file.
  package var isEmpty: Bool { batches.isEmpty }

  package var eventCount: Int { entries.reduce(0) { $0 + ($1["events"]?.elements?.count ?? 0) } }

  /// The ids of the events' visitors without duplicates, in the order of the file.
  package var visitors: [String] { entries.compactMap { $0["visitorId"]?.stringValue }.distinct() }

  package func eventCount(of visitor: String) -> Int {
    entries.reduce(0) { count, entry in
      guard entry["visitorId"] == .string(visitor) else { return count }
      return count + (entry["events"]?.elements?.count ?? 0)
    }
  }

  private var entries: some Sequence<JSONValue> { batches.lazy.flatMap { $0["visitors"]?.elements ?? [] } }

  private static func isBatch(_ batch: JSONValue) -> Bool {
    batch["visitors"]?.elements?.allSatisfy { visitor in
      visitor["visitorId"]?.stringValue != nil && visitor["events"]?.elements != nil
    } ?? false
  }
}

/// An error in reading, writing or migrating Convert's data.
public enum ConvertError: Error, Sendable, CustomStringConvertible, Described {
  /// A file could not be read or written.
  case file(FileSystemError)
  /// A file is not valid JSON.
  case corrupt(path: String, JSONError)
  /// The file is valid JSON, but does not have the form that the SDK writes.
  case form(path: String)
  /// The SDK is sending the queue, because this file exists beside it. The queue must not be changed then.
  case uploading(path: String)
  /// A store of the visitor's id failed.
  case store(DataStoreError)
  /// The visitor's new id is empty. The SDK treats an empty id as none.
  case emptyVisitor

  package var words: String {
    switch self {
    case .file(let error): error.description
    case .corrupt(let path, let error): JSONFileError.corrupt(path: path, error).description
    case .form(let path):
      "\(DisplayText.quoted(path)) is not in the form that Convert's SDK writes; set it aside and restore it from a copy."
    case .uploading(let path):
      "The queue is being sent, as \(DisplayText.quoted(path)) says; wait until that file is removed."
    case .store(let error): error.description
    case .emptyVisitor: "A visitor's id cannot be empty; give the id that the visitor is to have."
    }
  }

  init(_ error: JSONFileError) {
    switch error {
    case .file(let error): self = .file(error)
    case .corrupt(let path, let error): self = .corrupt(path: path, error)
    }
  }
}
