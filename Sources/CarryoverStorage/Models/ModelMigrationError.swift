import CarryoverSystem
public import PropertyLists

/// Why a model's migration failed. Unless it says otherwise, the data stands as it did.
public struct ModelMigrationError: Error, Sendable {
  /// Why.
  public enum Reason: Sendable {
    /// The data could not be read.
    case read
    /// The data is neither JSON nor a property list; the version is that of the number beside it, where there is one.
    case corrupt(version: Int?)
    /// A string in the data has half a surrogate pair, which would be lost.
    case loneSurrogate
    /// The data could not be brought to the newest version, in memory.
    case model(ModelError.Reason)
    /// The data in the newest version does not decode as the type in use.
    case undecodable
    /// The data in the newest version could not be read again: it nests too deep, or there is too much of it.
    case unreadableResult
    /// Somebody else has removed the data while it was migrated, or changed it again and again; what they did stands.
    case changed
    /// The old data could not be kept, so nothing was replaced.
    case backup
    /// There is no such backup, or its bytes are not what they were.
    case badBackup(String)
    /// The data stands in its newest version; the number beside it could not be brought up to it, or the note about both not
    /// be removed. The next run tries again.
    case version
    /// The new data could not be written, or read back differently; the old data stands.
    case write
    /// The new data read back differently, and the old data could not be put back for this reason. It is in the backup.
    case notRestored(DataStoreError)
  }

  /// The model.
  package var model: String
  /// The name the data is under.
  public var name: String
  /// The store it is in.
  package var store: String
  /// Why.
  public var reason: Reason
  /// The error behind it.
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
      return "The version beside the model in \(place) could not be updated\(because) Run the migration again; the data"
        + " was not changed."
    case .write: return "The new data of \(place) could not be written; the old data is unchanged\(because)"
    case .notRestored(let error):
      return
        "Verification failed: \(place) does not contain what was written\(because) The old data could not be restored: \(error) It"
        + " is in the backup."
    }
  }
}
