package import CarryoverSystem
import PropertyLists

/// The reason that a run was refused or failed. Apps get it as a ``MigrationError``.
///
/// Cases without an `Aftermath` are found before the first write: nothing was changed.
package enum RunError: Error, Hashable, Sendable {
  /// These flagged fields are undecided.
  case decisionsNeeded([Field.ID])
  /// Decisions for fields that the plan does not have.
  case unknownFields([Field.ID])
  /// The target has other values for these fields, which are undecided.
  case conflict([Field.ID])
  /// These findings block an apply until they are allowed.
  case blocked([Finding])
  /// The container is in an archive or a backup, which is read-only.
  case wrapped(ContainerWrapper)
  /// The target's reader would not accept the value that was entered for this field.
  case unfit(field: Field.ID, FormMismatch)
  /// Two recipes would write the same key of the same file.
  case sameKey(RecipeClash)
  /// The plan names no file to write.
  case noTarget
  /// These values have changed since the plan was made.
  case stalePlan([PlanBasis], of: RunKind = .apply)
  /// Another process is using the container.
  case busy(state: String, holder: Int32?)
  /// A path that leads or may lead out of the container.
  case unsafePath(String, UnsafePath)
  /// The target has several hard links; replacing it would break the others.
  case hardLinked(path: String, links: UInt64)
  /// The target belongs to another user, and a new file could not be given to that user.
  case ownerNotKept(path: String, user: UInt32)
  /// An existing file is not an editable property list; the reason is a sentence.
  case unreadable(path: String, reason: String)
  /// The edited file could not be written as a property list; the reason is a sentence.
  case notEncodable(path: String, reason: String)
  /// There is no run to roll back.
  case nothingToRollBack
  /// No run that can be rolled back has this id.
  case noSuchRun(String)
  /// These keys have changed since the run and are undecided.
  case rollbackConflict(run: String, keys: [KeyPlace])
  /// A file has changed since the run and cannot be edited key by key; the reason is a sentence.
  case rollbackUnreadable(run: String, path: String, reason: String)
  /// The run's backup was removed, so the run cannot be rolled back.
  case prunedRun(String)
  /// No complete run of the container has this id, so there is no backup to remove.
  case noRunToPrune(String)
  /// Cleanups in effect removed legacy values because this run's file contains them. No other file would contain them
  /// after a rollback. Newest first.
  case cleanupRests(onRun: String, cleanups: [String])
  /// Rolling this rollback back would repeat a cleanup without checking the target again.
  case cleanupNotRepeated(run: String)
  /// These keys were named for a cleanup but must stay.
  case notRemovable([KeyPlace])
  /// A run was interrupted, and these files have changed since: they have neither their old nor their new content.
  /// `backup` is the folder with their old content.
  case interrupted(run: String, paths: [String], backup: String)
  /// A run of another container with the same state folder was interrupted. `root` is that container's root, if known.
  case interruptedElsewhere(run: String, root: String?)
  /// A copy of an interrupted run is missing or does not contain the recorded bytes.
  case damagedCopy(run: String, path: String)
  /// The journal of an interrupted run is not valid; the reason is a sentence.
  case damagedJournal(path: String, reason: String)
  /// A journal came with the container. It is ignored until the user adopts or discards it.
  case foreignJournal(ForeignRun)
  /// A finished run came with the container. It is not rolled back until the user adopts it.
  case foreignRun(String, ForeignReason)
  /// No run with this id came with the container; without an id, no interrupted one.
  case nothingToDecide(run: String?)
  /// A run names this file, relative to the container's root, which no recipe could write.
  case outsideStores(String)
  /// The folder has more runs than `limit`, or no run number up to `limit` is left.
  case tooManyRuns(path: String, limit: Int)
  /// The file system shows files at this path as another user's, so no run would count as the user's own.
  case ownerNotShown(path: String, user: UInt32)
  /// The state folder at this path belongs to another user, and this user cannot access it.
  case stateClosed(path: String, user: UInt32)
  /// The user's key cannot be read or created.
  case stateKey(StateKeyError)
  /// A later version of the tool wrote this record.
  case newerRecord(path: String, schema: String)
  /// A run's record is not valid; the reason is a sentence.
  case damagedRecord(path: String, reason: String)
  /// A backup does not contain the recorded bytes.
  case damagedBackup(path: String)
  /// A file operation failed.
  case file(FileSystemError, Aftermath)
  /// Another process wrote the file while the run was prepared.
  case changedMeanwhile(path: String, Aftermath)
  /// Another process made this path unsafe after the run had begun to change files.
  case pathChanged(String, UnsafePath, Aftermath)
  /// The written file does not contain what was written, or its reader would not accept it.
  case verification(path: String, VerificationProblem, Aftermath)
}

extension RunError {
  /// The finding for a refusal that has its own code; nil for other errors.
  package var finding: Finding? {
    guard case .stalePlan(let basis, let kind) = self else { return nil }
    let keys = basis.filter { !$0.isFile }.map(\.key)
    return Finding(
      .liveStoreChanged(
        stores: Self.distinct(basis.map(\.store)), keys: Self.distinct(keys), isRollback: kind == .rollback))
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<StringByBytes> = []
    return names.filter { seen.insert($0) }
  }
}

extension RunError {
  /// Runs a file operation that precedes all changes in the container, and converts its error accordingly.
  static func early<Result>(
    _ operation: @autoclosure () throws(FileSystemError) -> Result
  ) throws(RunError) -> Result {
    do {
      return try operation()
    } catch {
      throw .file(error, .nothingChanged)
    }
  }
}

/// The state of the container after a failed run.
public enum Aftermath: Hashable, Sendable {
  /// No file was changed.
  case nothingChanged
  /// The changed files were rolled back: every file is as it was.
  case takenBack
  /// The run is complete, but its journal could not be removed. The next method that writes removes it.
  case complete(run: String)
  /// The run could be neither finished nor rolled back. The next method that writes recovers it. `backup` is the folder
  /// with the files as they were.
  case unfinished(run: String, backup: String)
  /// No file was changed, but some runs to be pruned may have lost their backups.
  case partlyPruned
}

/// The problem in a file that was read back after the write.
package enum VerificationProblem: Hashable, Sendable {
  /// The bytes differ from those that were written.
  case bytesDiffer
  /// The file does not read as a property list; the reason is a sentence.
  case unreadable(String)
  /// A written key has another value.
  case valueDiffers(key: String)
  /// A key that the run does not write has changed.
  case otherKeyChanged
  /// The target's reader would not accept this field's value.
  case form(field: Field.ID, FormMismatch)
  /// The permission bits or the owner are wrong.
  case attributesDiffer
  /// This file no longer contains the values of these keys, which no other file contains.
  case heldNoMore(path: String, keys: [String])
}
