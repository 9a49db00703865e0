package import CarryoverSystem

/// Why a run was refused or failed, as data; its sentences are in one place beside it. Apps get it as ``MigrationError``.
///
/// The cases without an `Aftermath` are found before the first write: nothing was changed.
package enum RunError: Error, Hashable, Sendable {
  /// These flagged fields have no decision yet.
  case decisionsNeeded([Field.ID])
  /// Decisions for fields that the plan does not have.
  case unknownFields([Field.ID])
  /// The target holds other values for these fields, and nobody decided.
  case conflict([Field.ID])
  /// Findings that stop an apply until they are allowed by name.
  case blocked([Finding])
  /// The container lies in an archive or a backup, which is only read.
  case wrapped(ContainerWrapper)
  /// Values that were typed for a field and that the target's reader would not read as meant.
  case unfit(field: Field.ID, FormMismatch)
  /// Two recipes would write the same key of the same file.
  case sameKey(RecipeClash)
  /// The plan names no file to write.
  case noTarget
  /// These values are no longer what the plan was made from.
  case stalePlan([PlanBasis])
  /// Another process works on the container.
  case busy(state: String, holder: Int32?)
  /// A path that leads, or may lead, out of the container.
  case unsafePath(String, UnsafePath)
  /// The target has several names, and putting a new file in its place would cut it off from the others.
  case hardLinked(path: String, links: UInt64)
  /// The target belongs to somebody else, and a new file could not be given to them.
  case ownerNotKept(path: String, user: UInt32)
  /// A file is there and is no property list that can be edited; the reason is a sentence.
  case unreadable(path: String, reason: String)
  /// The edited file could not be written as a property list; the reason is a sentence.
  case notEncodable(path: String, reason: String)
  /// There is no run that could be taken back.
  case nothingToRollBack
  /// No run that can be taken back has this id.
  case noSuchRun(String)
  /// These keys were changed since the run, to something else than it left, and nobody decided.
  case rollbackConflict(run: String, keys: [KeyPlace])
  /// A file was changed since the run and cannot be edited key by key; the reason is a sentence.
  case rollbackUnreadable(run: String, path: String, reason: String)
  /// The run's copies were removed, so that nothing is left to take it back with.
  case prunedRun(String)
  /// No complete run of the container has this id, so that there are no copies of it to remove.
  case noRunToPrune(String)
  /// Cleanups that hold removed legacy values because this run's file holds them: without it, nothing would. Newest
  /// first.
  case cleanupRests(onRun: String, cleanups: [String])
  /// Taking this rollback back would repeat a cleanup without proving anew that the target holds the values.
  case cleanupNotRepeated(run: String)
  /// These keys were named for a cleanup and are not to be removed.
  case notRemovable([KeyPlace])
  /// A run's process ended before it did, and these files were changed since: they are neither as it found them nor as it
  /// meant to leave them. The folder holds them as they were before it.
  case interrupted(run: String, paths: [String], backup: String)
  /// A run of another container that shares the state folder was interrupted; that container's root, where known.
  case interruptedElsewhere(run: String, root: String?)
  /// A copy of an interrupted run is missing or does not hold the bytes that were recorded.
  case damagedCopy(run: String, path: String)
  /// The journal of an interrupted run cannot be understood; the reason is a sentence.
  case damagedJournal(path: String, reason: String)
  /// A journal came with the container. It is not acted upon until somebody adopts or discards it.
  case foreignJournal(ForeignRun)
  /// A finished run that came with the container, which is not rolled back until somebody adopts it.
  case foreignRun(String, ForeignReason)
  /// There is no such run, or no interrupted one where none is named, that came with the container.
  case nothingToDecide(run: String?)
  /// A run names this file, relative to the container's root, which no recipe could write there.
  case outsideStores(String)
  /// The folder has more runs than `limit`, or no run number up to `limit` is left.
  case tooManyRuns(path: String, limit: Int)
  /// The file system shows what is written to this path as another user's, so that no run would count as one's own.
  case ownerNotShown(path: String, user: UInt32)
  /// The state folder at this path belongs to another user and is closed to this one.
  case stateClosed(path: String, user: UInt32)
  /// The user's key cannot be read or made.
  case stateKey(StateKeyError)
  /// A run's record was written by a later version of the tool.
  case newerRecord(path: String, schema: String)
  /// A run's record cannot be understood; the reason is a sentence.
  case damagedRecord(path: String, reason: String)
  /// A backup does not hold the bytes its record says.
  case damagedBackup(path: String)
  /// A file operation failed.
  case file(FileSystemError, Aftermath)
  /// Somebody else wrote the file while the run was being prepared.
  case changedMeanwhile(path: String, Aftermath)
  /// Somebody else put something in the way to a file after the run had begun to change files.
  case pathChanged(String, UnsafePath, Aftermath)
  /// What was read back is not what had been written, or its reader would not read it as meant.
  case verification(path: String, VerificationProblem, Aftermath)
}

extension RunError {
  /// The finding that a refusal stands for, where it has a code of its own.
  package var finding: Finding? {
    guard case .stalePlan(let basis) = self else { return nil }
    let keys = basis.filter { !$0.isFile }.map(\.key)
    return Finding(.liveStoreChanged(stores: Self.distinct(basis.map(\.store)), keys: Self.distinct(keys)))
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

extension RunError {
  /// What an operation on files gives before anything in the container has changed, as its failure then says.
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

/// What a failed run has left in the container.
public enum Aftermath: Hashable, Sendable {
  /// Every file is as it was.
  case nothingChanged
  /// Files were changed, and every one of them is as it was again.
  case takenBack
  /// The run is complete, and only its journal could not be removed, which the next command that writes does.
  case complete(run: String)
  /// The run was decided, and could be neither finished nor taken back: the next command that writes does one or the
  /// other. The folder holds the files as they were.
  case unfinished(run: String, backup: String)
  /// Every file is as it was; of the runs that were to be pruned, some may have lost copies.
  case partlyPruned
}

/// What reading a written file back has shown.
package enum VerificationProblem: Hashable, Sendable {
  /// The bytes are not those that were written.
  case bytesDiffer
  /// The file does not read as a property list; the reason is a sentence.
  case unreadable(String)
  /// A key that was to be written holds another value.
  case valueDiffers(key: String)
  /// A key that was not to be touched is not as it was.
  case otherKeyChanged
  /// The target's reader would not take this field's value as it is meant.
  case form(field: Field.ID, FormMismatch)
  /// The permission bits or the owner are not as they should be.
  case attributesDiffer
  /// This file no longer holds the values of these keys, which stand nowhere else.
  case heldNoMore(path: String, keys: [String])
}
