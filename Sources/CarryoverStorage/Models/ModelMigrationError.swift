import CarryoverSystem
public import PropertyLists

/// Why a model's migration failed. Unless the reason says otherwise, the data is unchanged.
public struct ModelMigrationError: Error, Sendable {
  /// A reason for the failure.
  public enum Reason: Sendable {
    /// The data could not be read.
    case read
    /// The data, of this version if it is known, is neither valid JSON nor a valid property list.
    case corrupt(version: Int?)
    /// A string in the data has half a surrogate pair, which would be lost.
    case loneSurrogate
    /// The data could not be migrated in memory.
    case model(ModelError.Reason)
    /// The data in the newest version does not decode as your type.
    case undecodable
    /// The data in the newest version could not be read again: it nests too deeply or is too large.
    case unreadableResult
    /// Other code removed the data during the migration, or changed it repeatedly. Its change was kept.
    case changed
    /// The old data could not be backed up, so nothing was replaced; or a backup could not be read, listed or removed.
    case backup
    /// The backup of this name is missing or damaged, or its version is unknown.
    case badBackup(String)
    /// The data is written, but the number beside it could not be updated, or the note about both could not be removed.
    /// The next run tries again.
    case version
    /// The new data could not be written, or did not read back the same. The old data is in place.
    case write
    /// The old data could not be restored after a failed write, for this reason. It is in the backup.
    case notRestored(DataStoreError)
  }

  /// The model.
  package var model: String
  /// The name of the data in the store.
  public var name: String
  /// The store that contains the data.
  package var store: String
  /// The reason for the failure.
  public var reason: Reason
  /// The underlying error.
  public var cause: (any Error)?
}

extension ModelMigrationError: CustomStringConvertible, Described {
  /// What happened, where, and what to do.
  package var words: String {
    let place = "\(DisplayText.quoted(name)) in \(DisplayText.quoted(store))"
    let because = cause.map { ": \(ErrorText.withoutValues($0))" } ?? ""
    switch reason {
    case .read: return "The model in \(place) could not be read\(because)"
    case .corrupt(let version):
      let stored = version.map { " (stored as version \($0))" } ?? ""
      return
        "The model in \(place)\(stored) is not valid JSON or a valid property list\(because) Nothing was written."
        + " Restore it from a backup."
    case .loneSurrogate:
      return
        "The model in \(place) has a string with half a surrogate pair, which would be lost. Repair the data; nothing was"
        + " written."
    case .model: return "The model in \(place) was not migrated\(because)"
    case .undecodable:
      return
        "The model in \(place) does not decode as the type in use\(because). Fix the step or the type; nothing was"
        + " written."
    case .unreadableResult:
      return "The model in \(place) could not be read again in its newest version\(because) Fix the step; nothing was"
        + " written."
    case .changed:
      return "The model in \(place) was changed by other code while it was migrated; that change was kept. Run the"
        + " migration again, before anything writes the model."
    case .backup: return "The old data of \(place) could not be backed up, so nothing was replaced\(because)"
    case .badBackup(let backup):
      return "The backup \(DisplayText.quoted(backup)) of \(place) is missing or damaged; nothing was replaced."
    case .version:
      return "The version beside the model in \(place) could not be updated\(because) The data itself is complete. Run"
        + " the migration again."
    case .write: return "The new data of \(place) could not be written; the old data is unchanged\(because)"
    case .notRestored(let error):
      return
        "Verification failed: \(place) does not contain what was written\(because) The old data could not be restored: \(error) It"
        + " is in the backup."
    }
  }
}
