import CarryoverSystem
import PropertyLists

/// Brings the data of one model in one store to the newest version, safely: read, backup, every step in memory, the result
/// decoded as the type in use, one write of data and version, read back. Run it once at start, before anything reads the
/// model.
///
/// The data is written in one write, so after a crash there is the old version or the newest and never one between; run it
/// again and it goes on from there. That holds for a version that is stored beside the data, too: run the migration before
/// anything else reads that number. On any failure the old data stands.
///
/// Two processes may run it at once, an app and its extension: the data is read again right before it is replaced, and what
/// somebody else wrote meanwhile is taken up and not written over. Between that look and the write a store has no lock, so
/// run it before anything else writes the model.
///
/// ## Topics
/// ### Running it
/// - ``state()``
/// - ``run()``
/// - ``ModelReport``
/// - ``events()``
/// - ``ModelEvent``
/// - ``ModelMigrationError``
/// ### Going back
/// - ``listBackups()``
/// - ``restore(_:)``
/// - ``prune(keeping:)``
/// ### Several models
/// - ``ModelMigrations``
public struct ModelMigration<Value>: Sendable {
  /// The model's history.
  package let migrator: ModelMigrator
  /// The store the data is in.
  package let store: any ByteStore
  /// The name it is under.
  package let name: String
  /// Where the old data is kept before it is replaced; the store itself by default. Give an encrypted one for secrets.
  package let backups: any ByteStore
  private let decode: @Sendable ([UInt8]) throws -> Value
  private let observe: @Sendable (ModelEvent) -> Void
  private let observers = Observers<ModelEvent>(keeping: 1000)

  /// A migration of the data under a name.
  /// - Parameters:
  ///   - migrator: the model's history.
  ///   - name: the name the data is under.
  ///   - store: the store it is in.
  ///   - backups: where the old data is kept; nil means the store itself.
  ///   - observe: is told what happens, while it happens.
  ///   - decode: makes the type in use of JSON, or of a property list where that is stored; what it throws stops the
  ///     migration before anything is written.
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

  /// Where the data stands, without changing anything.
  public func state() -> ModelState {
    do throws(ModelMigrationError) {
      guard let bytes = try read() else { return .nothingStored }
      let (value, loses) = try parse(bytes)
      let beside = try versionBeside(bytes).version
      let version = try versioned { () throws(ModelError) in try migrator.version(of: value, beside: beside) }
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

  /// Migrates the data, where that is needed.
  /// - Returns: what was found and done, with the value in use.
  /// - Throws: ``ModelMigrationError``, which keeps its cause and says where the data stands.
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

  /// Attempts before somebody else's writes are reported.
  private static var attempts: Int { 3 }

  private func carryOut() throws(ModelMigrationError) -> ModelReport<Value> {
    for _ in 0..<Self.attempts {
      if let report = try attempt() { return report }
    }
    throw failure(.changed)
  }

  /// - Returns: nil where somebody else has changed the data meanwhile.
  private func attempt() throws(ModelMigrationError) -> ModelReport<Value>? {
    guard let bytes = try read() else { return ModelReport(value: nil, from: nil, to: nil, stages: [], backup: nil) }
    let (value, loses) = try parse(bytes)
    let beside = try versionBeside(bytes)
    let from = try versioned { () throws(ModelError) in try migrator.version(of: value, beside: beside.version) }
    guard from < migrator.version else {
      try finishVersion(beside)
      return ModelReport(value: try decoded(bytes), from: from, to: from, stages: [], backup: nil)
    }
    if loses { throw failure(.loneSurrogate) }
    tell(.began(from: from, to: migrator.version))
    let stages = try versioned { () throws(ModelError) in try migrator.trace(value, beside: beside.version) }
    for stage in stages { tell(.stepped(from: stage.from, title: stage.title)) }
    let new: [UInt8]
    // What the next start could not read is not written.
    do {
      let form = ModelForm(of: bytes)
      new = try form.bytes(of: stages.last?.value ?? value)
      _ = try form.value(of: new)
    } catch {
      throw failure(.unreadableResult, (error as? JSONError)?.withoutText ?? error)
    }
    let decoded = try decoded(new)
    let backup = try backUp(bytes, version: from)
    tell(.backedUp(backup))
    let former = VersionNote.Side(data: bytes, version: from)
    let made = VersionNote.Side(data: new, version: migrator.version)
    guard try replace(former, with: made, beside, unlessChanged: true) else { return nil }
    return ModelReport(
      value: decoded, from: from, to: migrator.version,
      stages: stages.map { ModelReport.Step(from: $0.from, title: $0.title, changes: $0.changes) }, backup: backup)
  }
}

extension ModelMigration {
  func read() throws(ModelMigrationError) -> [UInt8]? {
    do {
      return try store.data(for: name)
    } catch {
      throw failure(.read, error)
    }
  }

  /// - Returns: the value, and whether its text has half a surrogate pair, for which the value has another character.
  func parse(_ bytes: [UInt8]) throws(ModelMigrationError) -> (value: JSONValue, loses: Bool) {
    do {
      return try ModelForm(of: bytes).value(of: bytes)
    } catch {
      let version = (try? versionBeside(bytes))?.version ?? migrator.versioning.unmarked
      throw failure(.corrupt(version: version), (error as? JSONError)?.withoutText ?? error)
    }
  }

  private func versioned<Result>(_ body: () throws(ModelError) -> Result) throws(ModelMigrationError) -> Result {
    do {
      return try body()
    } catch {
      throw failure(.model(error.reason), error)
    }
  }

  private func decoded(_ bytes: [UInt8]) throws(ModelMigrationError) -> Value {
    do {
      return try decode(bytes)
    } catch {
      throw failure(.undecodable, error)
    }
  }

  /// One write; where it fails or reads back damaged, the old bytes are put back unless they stand. What reads back as
  /// other JSON, of whatever version, is somebody else's data and stays; so does a removal after a write that did not fail,
  /// or data would come back that a user has deleted.
  /// - Returns: whether the new bytes stand there; false where somebody else's do.
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
      // A store that fails may have written all the same, or have emptied the place.
      throw puttingBack(old, because: failed)
    }
    if found == new { return true }
    if found == nil { throw failure(.changed) }
    if isModel(found) { return false }
    throw puttingBack(old, because: DataStoreError(.write, name, in: store.label, .verification))
  }

  /// Puts the old bytes back.
  /// - Returns: the error to end with.
  func puttingBack(_ old: [UInt8]?, because cause: DataStoreError) -> ModelMigrationError {
    do {
      if let old { try store.set(old, for: name) } else { try store.remove(name) }
    } catch {
      // This one, too, may have done it all the same.
      if !stands(old) { return failure(.notRestored(error), cause) }
    }
    return failure(.write, cause)
  }

  private func stands(_ bytes: [UInt8]?) -> Bool {
    do {
      return try store.data(for: name) == bytes
    } catch {
      return false
    }
  }

  private func isModel(_ bytes: [UInt8]?) -> Bool {
    bytes.map { (try? ModelForm(of: $0).value(of: $0)) != nil } ?? false
  }

  func failure(
    _ reason: ModelMigrationError.Reason, _ cause: (any Error)? = nil
  ) -> ModelMigrationError {
    ModelMigrationError(model: migrator.model, name: name, store: store.label, reason: reason, cause: cause)
  }
}
