extension ModelMigration {
  /// Removes every backup but those to keep. Backups of one version are not told apart by age; keep more than you need.
  /// - Returns: the backups that were removed.
  /// - Throws: ``ModelMigrationError`` at the first that cannot be removed; those before it are gone.
  @discardableResult
  public func prune(keeping isKept: (ModelBackup) -> Bool) throws(ModelMigrationError) -> [ModelBackup] {
    let removed = try listBackups().filter { !isKept($0) }
    for backup in removed { try prune(backup) }
    return removed
  }
}
