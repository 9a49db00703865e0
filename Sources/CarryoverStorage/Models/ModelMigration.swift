import CarryoverSystem
import PropertyLists

/// Migrates the data of one model in one store to the newest version. It reads the data, runs every step in memory, and
/// decodes the result as your type. Then it backs up the old data, replaces it in one write, and reads the new data
/// back. Run it once at launch, before other code reads the model.
///
/// After a crash, the store contains the old version or the newest, never one in between; run the migration again. This
/// includes a version that is stored beside the data: run the migration before other code reads that number. If
/// anything fails, the old data stays in place or, if it cannot be restored there, in the backup.
///
/// Two processes, such as an app and its extension, may run it at the same time, and so may several threads: no step is
/// ever applied to its own result, even if a process is killed. Runs of one model wait for each other: those of one
/// process in any store that has an identity, those of several processes where the store has a lock, as files do; see
/// ``ByteStore/withLock(for:_:)``. A keychain has none, nor has `UserDefaults` on Apple's systems: there, two processes
/// may both run the steps and write the result, so the steps must give equal results for equal data.
///
/// It reads the data again right before it replaces it; if other code has changed the data, it starts again. Other code
/// does not use the lock, so run the migration before other code writes the model. Steps and observers must not wait for
/// another thread that migrates the same model. In an app group's container, keep steps short: iOS terminates an app
/// that it suspends during the migration, and the next launch finishes it.
///
/// ## Topics
/// ### Running a migration
/// - ``state()``
/// - ``run()``
/// - ``ModelReport``
/// - ``events()``
/// - ``ModelEvent``
/// - ``ModelMigrationError``
/// ### Restoring a backup
/// - ``listBackups()``
/// - ``restore(_:)``
/// - ``prune(keeping:)``
/// ### Several models
/// - ``ModelMigrations``
public struct ModelMigration<Value>: Sendable {
  package let migrator: ModelMigrator
  package let store: any ByteStore
  package let name: String
  package let backups: any ByteStore
  private let decode: @Sendable ([UInt8]) throws -> Value
  private let observe: @Sendable (ModelEvent) -> Void
  private let observers = Observers<ModelEvent>(keeping: 1000)

  /// Creates a migration of the data under a name.
  /// - Parameters:
  ///   - migrator: the model's history.
  ///   - name: the name of the data in the store.
  ///   - store: the store that contains the data.
  ///   - backups: the store for backups of the old data; nil means `store`. Pass an encrypted store for secrets.
  ///   - observe: receives each event when it happens.
  ///   - decode: decodes the newest version as your type, from JSON or, if one is stored, from a property list. An
  ///     error that it throws stops the migration before anything is written.
  public init(
    _ migrator: ModelMigrator, of name: String, in store: any ByteStore, backups: (any ByteStore)? = nil,
    observe: @escaping @Sendable (ModelEvent) -> Void = { _ in }, decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.migrator = migrator
    self.store = store
    self.name = name
    self.backups = backups ?? store
    self.observe = observe
    self.decode = decode
  }

  /// The state of the data. Changes nothing.
  public func state() -> ModelState {
    do throws(ModelMigrationError) {
      guard let (bytes, beside) = try stored() else { return .nothingStored }
      let (value, loses) = try parse(bytes, beside.version)
      let version = try versioned { () throws(ModelError) in try migrator.version(of: value, beside: beside.version) }
      if loses, version < migrator.version { throw failure(.loneSurrogate) }
      return version == migrator.version ? .current : .pending(from: version, to: migrator.version)
    } catch {
      return .failed(error)
    }
  }

  /// The events from now on, of every copy of this migration. Each call returns a new stream, which buffers the newest
  /// 1,000 events.
  public func events() -> AsyncStream<ModelEvent> { observers.stream() }

  private func tell(_ event: ModelEvent) {
    observe(event)
    observers.send(event)
  }

  /// Migrates the data if it is in an older version.
  /// - Returns: the decoded value, the versions, the steps and the backup.
  /// - Throws: ``ModelMigrationError`` with the cause; its reason says where the old data is.
  @discardableResult
  public func run() throws(ModelMigrationError) -> ModelReport<Value> {
    do throws(ModelMigrationError) {
      let report = try carryOut()
      tell(.ended(from: report.from, to: report.to))
      return report
    } catch {
      tell(.failed(error))
      throw error
    }
  }

  static var attempts: Int { 3 }

  private func carryOut() throws(ModelMigrationError) -> ModelReport<Value> {
    // A run that writes nothing needs no lock, so it works in a read-only folder, and waits for nobody. Another run may
    // be the reason for an error.
    if let report = try? attempt(isLocked: false) { return report }
    return try locked { () throws(ModelMigrationError) in
      for _ in 0..<Self.attempts {
        if let report = try attempt(isLocked: true) { return report }
      }
      throw failure(.changed)
    }
  }

  /// Excludes other runs of this model, as far as the store has locks.
  func locked<Result>(_ body: () throws(ModelMigrationError) -> Result) throws(ModelMigrationError) -> Result {
    let result = ModelLocks.withLock(store.identity, name) {
      store.withLock(for: name) { Swift.Result(catching: body) }
    }
    return try result.get()
  }

  /// - Returns: nil if other code has changed the data meanwhile, or if something is to be written without the lock.
  private func attempt(isLocked: Bool) throws(ModelMigrationError) -> ModelReport<Value>? {
    guard let (bytes, beside) = try stored() else {
      return ModelReport(value: nil, from: nil, to: nil, stages: [], backup: nil)
    }
    let (value, loses) = try parse(bytes, beside.version)
    let from = try versioned { () throws(ModelError) in try migrator.version(of: value, beside: beside.version) }
    guard isLocked || from == migrator.version && beside.note == nil else { return nil }
    guard from < migrator.version else {
      try finishVersion(beside)
      return ModelReport(value: try decoded(bytes), from: from, to: from, stages: [], backup: nil)
    }
    if loses { throw failure(.loneSurrogate) }
    tell(.began(from: from, to: migrator.version))
    let stages = try versioned { () throws(ModelError) in try migrator.trace(value, beside: beside.version) }
    for stage in stages { tell(.stepped(from: stage.from, title: stage.title)) }
    let new: [UInt8]
    // Data that the next launch could not read is not written.
    do {
      let form = ModelForm(of: bytes)
      new = try form.bytes(of: stages.last?.value ?? value)
      _ = try form.value(of: new)
    } catch {
      throw failure(.unreadableResult, error)
    }
    let decoded = try decoded(new)
    let backup = try backUp(bytes, version: from)
    tell(.backedUp(backup))
    let former = VersionNote.Side(data: bytes, version: from)
    let made = VersionNote.Side(data: new, version: migrator.version)
    guard try replace(former, with: made, beside, unlessChanged: true) else { return nil }
    return ModelReport(
      value: decoded, from: from, to: migrator.version,
      stages: stages.map { ReportedStep(from: $0.from, title: $0.title, changes: $0.changes) }, backup: backup)
  }

  func read() throws(ModelMigrationError) -> [UInt8]? { try failing(.read) { try store.data(for: name) } }

  /// - Parameter version: the version beside the data, for the error.
  /// - Returns: the value, and whether its text has half a surrogate pair, which the value replaces.
  func parse(_ bytes: [UInt8], _ version: Int?) throws(ModelMigrationError) -> (value: JSONValue, loses: Bool) {
    try failing(.corrupt(version: version ?? migrator.versioning.unmarked)) {
      try ModelForm(of: bytes).value(of: bytes)
    }
  }

  private func versioned<Result>(_ body: () throws(ModelError) -> Result) throws(ModelMigrationError) -> Result {
    try converting(try body()) { (error: ModelError) in failure(.model(error.reason), error) }
  }

  private func decoded(_ bytes: [UInt8]) throws(ModelMigrationError) -> Value {
    try failing(.undecodable) { try decode(bytes) }
  }

  /// Replaces the data in one write. If that fails or reads back damaged, it restores the old bytes unless they are
  /// there. Another valid model that reads back was written by other code, and stays. So does a removal after a
  /// successful write: data that a user has deleted must not come back.
  /// - Returns: whether the new bytes are in place; false if those of other code are.
  func replace(_ old: [UInt8]?, with new: [UInt8]) throws(ModelMigrationError) -> Bool {
    var failed: DataStoreError?
    do {
      try store.set(new, for: name)
    } catch {
      failed = error
    }
    let found: [UInt8]?
    do {
      found = try store.data(for: name)
    } catch {
      throw puttingBack(old, because: failed ?? error)
    }
    if let failed {
      if found == old { throw failure(.write, failed) }
      if found != new, isModel(found) { throw failure(.changed, failed) }
      // A store that fails may still have written, or have removed the data.
      throw puttingBack(old, because: failed)
    }
    if found == new { return true }
    if found == nil { throw failure(.changed) }
    if isModel(found) { return false }
    throw puttingBack(old, because: DataStoreError(.write, name, in: store.label, .verification))
  }

  /// - Returns: the error to throw.
  private func puttingBack(_ old: [UInt8]?, because cause: DataStoreError) -> ModelMigrationError {
    do {
      if let old { try store.set(old, for: name) } else { try store.remove(name) }
    } catch {
      // This write may have succeeded, too.
      guard (try? store.data(for: name) == old) == true else { return failure(.notRestored(error), cause) }
    }
    return failure(.write, cause)
  }

  private func isModel(_ bytes: [UInt8]?) -> Bool {
    bytes.map { (try? ModelForm(of: $0).value(of: $0)) != nil } ?? false
  }

  func failing<Result, Failure: Error>(
    _ reason: ModelMigrationError.Reason, _ body: () throws(Failure) -> Result
  ) throws(ModelMigrationError) -> Result {
    try converting(try body()) { (error: Failure) in failure(reason, error) }
  }

  func failure(_ reason: ModelMigrationError.Reason, _ cause: (any Error)? = nil) -> ModelMigrationError {
    ModelMigrationError(model: migrator.model, name: name, store: store.label, reason: reason, cause: cause)
  }

  /// Restores a backup.
  ///
  /// The data that it replaces is backed up first.
  /// - Throws: ``ModelMigrationError``. The data is unchanged unless the reason says otherwise.
  public func restore(_ backup: ModelBackup) throws(ModelMigrationError) {
    let bytes = try failing(.backup) { try backups.data(for: backup.name) }
    guard let bytes, Checksum.text(bytes) == backup.checksum else { throw failure(.badBackup(backup.name)) }
    try locked { () throws(ModelMigrationError) in try restore(bytes, of: backup) }
  }

  private func restore(_ bytes: [UInt8], of backup: ModelBackup) throws(ModelMigrationError) {
    let present: [UInt8]?
    let beside: VersionBeside
    if let found = try stored() {
      (present, beside) = found
    } else {
      (present, beside) = (nil, try versionBeside(nil))
    }
    let old = present.map { VersionNote.Side(data: $0, version: version(of: $0, migrator.versioning, beside.version)) }
    if let present, present != bytes {
      // If the version is beside the data, only the backup's name can record it.
      _ = try backUp(present, version: beside.isKept ? old?.version : nil)
    }
    var certain = migrator.versioning
    certain.unmarked = nil
    let new = VersionNote.Side(data: bytes, version: backup.version ?? version(of: bytes, certain, nil))
    if beside.isKept, new.version == nil { throw failure(.badBackup(backup.name)) }
    guard try replace(old, with: new, beside, unlessChanged: false) else { throw failure(.changed) }
  }

  private func version(of bytes: [UInt8], _ versioning: ModelVersioning, _ beside: Int?) -> Int? {
    guard let value = try? parse(bytes, beside).value else { return nil }
    return try? versioning.version(of: value, beside: beside)
  }

  /// The backups of this data, sorted by version.
  /// - Throws: ``ModelMigrationError`` if they cannot be listed.
  public func listBackups() throws(ModelMigrationError) -> [ModelBackup] {
    try failing(.backup) { try backups.names() }.compactMap { ModelBackup(name: $0, of: name) }
      .sorted { ($0.version ?? Int.max, $0.name) < ($1.version ?? Int.max, $1.name) }
  }

  package func prune(_ backup: ModelBackup) throws(ModelMigrationError) {
    try failing(.backup) { try backups.remove(backup.name) }
  }

  /// Removes the backups for which the closure returns false. Backups of one version are not sorted by age; keep more
  /// than you need.
  /// - Returns: the removed backups.
  /// - Throws: ``ModelMigrationError`` for the first backup that cannot be removed; those before it are removed.
  @discardableResult
  public func prune(keeping isKept: (ModelBackup) -> Bool) throws(ModelMigrationError) -> [ModelBackup] {
    let removed = try listBackups().filter { !isKept($0) }
    for backup in removed { try prune(backup) }
    return removed
  }

  /// The name is derived from the bytes, so a second attempt finds the first one's backup. An existing backup is never
  /// replaced.
  func backUp(_ bytes: [UInt8], version: Int?) throws(ModelMigrationError) -> ModelBackup {
    let checksum = Checksum.text(bytes)
    do {
      for number in 1...99 {
        let backup = ModelBackup(of: name, version: version, checksum: checksum, number: number)
        if let present = try backups.data(for: backup.name) {
          if present == bytes { return backup }
          continue
        }
        try backups.set(bytes, for: backup.name)
        guard try backups.data(for: backup.name) == bytes else {
          throw DataStoreError(.write, backup.name, in: backups.label, .verification)
        }
        return backup
      }
    } catch {
      throw failure(.backup, error)
    }
    throw failure(.backup)
  }
}

/// The locks of models between the threads of this process. They are few, so each stays.
enum ModelLocks {
  private struct Model: Hashable {
    var store: DataStoreIdentity
    @StringByBytes var name: String
  }

  private static let locks = Locked<[Model: RecursiveLock]>([:])

  /// Runs a closure while no other thread runs one for the same model. A store without an identity has no lock.
  static func withLock<Result>(_ store: DataStoreIdentity?, _ name: String, _ body: () -> Result) -> Result {
    guard let store else { return body() }
    let model = Model(store: store, name: name)
    let lock = locks.withLock { locks in
      let lock = locks[model] ?? RecursiveLock()
      locks[model] = lock
      return lock
    }
    return lock.withLock(body)
  }
}
