import PropertyLists

struct VersionBeside {
  var name: String
  var version: Int?
  /// Whether it changes together with the data.
  var isKept: Bool
  var note: VersionNote?
}

extension ModelMigration {
  /// The data and the version beside it; nil if there is no data.
  ///
  /// Another run may write both meanwhile: the note, the data, the number, and then it removes the note. Read in the
  /// order data, note, number, new data never appears with the old number. If the data is still the same afterwards,
  /// old data does not appear with the new number either.
  func stored() throws(ModelMigrationError) -> (data: [UInt8], beside: VersionBeside)? {
    for _ in 0..<Self.attempts {
      guard let data = try read() else { return nil }
      let beside = Result { () throws(ModelMigrationError) in try versionBeside(data) }
      if case .success(let beside) = beside, beside.version == nil, beside.note == nil { return (data, beside) }
      if try read() == data { return (data, try beside.get()) }
    }
    throw failure(.changed)
  }

  /// The version beside some data: from an interrupted migration's note, if there is one, or else the stored number.
  func versionBeside(_ data: [UInt8]?) throws(ModelMigrationError) -> VersionBeside {
    let name = (migrator.versioning.beside ?? .schemaVersion).name(for: self.name)
    let note = try failing(.read) { try store.data(for: VersionNote.name(for: self.name)) }
    let stored = try storedVersion(name)
    if let stored, stored < 0 { throw unknown(.badNumber(name)) }
    var beside = VersionBeside(
      name: name, version: stored, isKept: migrator.versioning.beside != nil || stored != nil,
      note: note.flatMap(VersionNote.init))
    guard let note = beside.note else { return beside }
    beside.isKept = true
    guard let data else { return beside }
    if note.new.data == data {
      beside.version = note.new.version
    } else if let old = note.old, old.data == data {
      beside.version = old.version
    } else if stored != note.new.version {
      throw unknown(.changedSince(name))
    }
    return beside
  }

  private func storedVersion(_ name: String) throws(ModelMigrationError) -> Int? {
    do {
      return try store.integer(for: name)
    } catch {
      // A name that the store refuses, such as one that is too long with its suffix, has no value.
      if case .badName = error.reason, migrator.versioning.beside == nil { return nil }
      throw failure(.read, error)
    }
  }

  /// Replaces the data, and the version beside it, if there is one.
  ///
  /// Until the number is written too, the note says which bytes have which version. It also stays if this fails: new
  /// data without a note would count as old, and another process may have written it.
  /// - Returns: false if other code has changed the data meanwhile.
  func replace(
    _ old: VersionNote.Side?, with new: VersionNote.Side, _ beside: VersionBeside?, unlessChanged: Bool
  ) throws(ModelMigrationError) -> Bool {
    guard let beside, beside.isKept, let version = new.version else {
      if unlessChanged, try read() != old?.data { return false }
      return try replace(old?.data, with: new.data)
    }
    try failing(.write) { try store.set(VersionNote(old: old, new: new).bytes, for: VersionNote.name(for: name)) }
    if unlessChanged, case let found = try read(), found != old?.data {
      if found != new.data { try forgetNote() }
      return false
    }
    do throws(ModelMigrationError) {
      guard try replace(old?.data, with: new.data) else { return false }
    } catch {
      // Data that a user has deleted must not stay in the note.
      if case .changed = error.reason, (try? read() == nil) == true { try? forgetNote() }
      throw error
    }
    try failing(.version) { try bring(beside.name, to: version) }
    // A note that stays is correct; the next launch removes it.
    try? forgetNote()
    return true
  }

  func finishVersion(_ beside: VersionBeside) throws(ModelMigrationError) {
    guard beside.note != nil else { return }
    if let version = beside.version { try failing(.version) { try bring(beside.name, to: version) } }
    try forgetNote()
  }

  private func bring(_ name: String, to version: Int) throws(DataStoreError) {
    var failed: DataStoreError?
    do {
      guard try store.integer(for: name) != version else { return }
      try store.setInteger(version, for: name)
    } catch {
      failed = error
    }
    // A store that fails may still have written.
    guard try store.integer(for: name) == version else {
      throw failed ?? DataStoreError(.write, name, in: store.label, .verification)
    }
  }

  private func forgetNote() throws(ModelMigrationError) {
    try failing(.version) { try store.remove(VersionNote.name(for: name)) }
  }

  private func unknown(_ reason: ModelVersionError) -> ModelMigrationError {
    let error = ModelError(model: migrator.model, reason: .unknownVersion(reason), cause: reason)
    return failure(.model(error.reason), error)
  }
}

/// A note that a migration writes before it replaces data with a version beside it: which bytes have which version. The
/// two cannot be written atomically. With the note, the write of the data changes the version too; the number is
/// updated afterwards or, after a crash, at the next launch.
struct VersionNote: Equatable {
  struct Side: Equatable, JSONConvertible {
    var data: [UInt8]
    var version: Int?

    var json: JSONValue { .object(present: ["data": Base64.text(data), "version": version]) }
  }

  var old: Side?
  var new: Side

  var bytes: [UInt8] { Array(JSONValue.object(present: [Self.form: 1, "old": old, "new": new]).text().utf8) }

  static func name(for data: String) -> String { NameStem.of(data) + ".carryover-version" }

  private static let form = "carryoverVersionNote"
}

extension VersionNote {
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONText(bytes: bytes).value, value[Self.form]?.numberValue?.int64 == 1,
      let new = Self.side(value["new"])
    else { return nil }
    self.new = new
    old = Self.side(value["old"])
  }

  private static func side(_ value: JSONValue?) -> Side? {
    guard let data = value?["data"]?.stringValue.flatMap(Base64.bytes) else { return nil }
    return Side(data: data, version: value?["version"]?.numberValue?.int64.flatMap(Int.init(exactly:)))
  }
}
