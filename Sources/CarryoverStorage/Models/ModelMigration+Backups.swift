import CarryoverSystem
import PropertyLists

extension ModelMigration {
  /// Restores a backup.
  ///
  /// The data that it replaces is backed up first.
  /// - Throws: ``ModelMigrationError``. The data is unchanged unless the reason says otherwise.
  public func restore(_ backup: ModelBackup) throws(ModelMigrationError) {
    let bytes: [UInt8]?
    do {
      bytes = try backups.data(for: backup.name)
    } catch {
      throw failure(.backup, error)
    }
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

  /// The version of some data; nil if it is unknown.
  private func version(of bytes: [UInt8], _ versioning: ModelVersioning, _ beside: Int?) -> Int? {
    guard let value = try? parse(bytes, beside).value else { return nil }
    return try? versioning.version(of: value, beside: beside)
  }

  /// The backups of this data, sorted by version.
  /// - Throws: ``ModelMigrationError`` if they cannot be listed.
  public func listBackups() throws(ModelMigrationError) -> [ModelBackup] {
    do {
      return try backups.names().compactMap { ModelBackup(name: $0, of: name) }
        .sorted { ($0.version ?? Int.max, $0.name) < ($1.version ?? Int.max, $1.name) }
    } catch {
      throw failure(.backup, error)
    }
  }

  /// Removes a backup. Carryover never removes one on its own.
  package func prune(_ backup: ModelBackup) throws(ModelMigrationError) {
    do {
      try backups.remove(backup.name)
    } catch {
      throw failure(.backup, error)
    }
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
