package import CarryoverSystem
import PropertyLists

/// The reason that a run was refused or failed. Apps get it as a ``MigrationError``.
///
/// Cases without an `Aftermath` are found before the first write: nothing was changed. ``description`` says what each
/// case means; a `reason` is a sentence.
package enum RunError: Error, Hashable, Sendable, CustomStringConvertible {
  case decisionsNeeded([Field.ID])
  case unknownFields([Field.ID])
  case conflict([Field.ID])
  case blocked([Finding])
  case wrapped(ContainerWrapper)
  case unfit(field: Field.ID, FormMismatch)
  case sameKey(KeyPlace, recipes: [String])
  case noTarget
  case stalePlan([PlanBasis], of: RunKind = .apply)
  case busy(state: String, holder: Int32?)
  case unsafePath(String, UnsafePath)
  case hardLinked(path: String, links: UInt64)
  case ownerNotKept(path: String, user: UInt32)
  case unreadable(path: String, reason: String)
  case notEncodable(path: String, reason: String)
  case nothingToRollBack
  /// The user's runs are all rolled back.
  case allRolledBack
  case noSuchRun(String)
  /// Something was only to be read of the run.
  case unknownRun(String)
  case rollbackConflict(run: String, keys: [KeyPlace])
  case rollbackUnreadable(run: String, path: String, reason: String)
  case prunedRun(String)
  case noRunToPrune(String)
  /// Cleanups in effect removed legacy values because this run's file contains them. No other file would contain them
  /// after a rollback. Newest first.
  case cleanupRests(onRun: String, cleanups: [String])
  case cleanupNotRepeated(run: String)
  case notRemovable([KeyPlace])
  /// A run was interrupted, and these files have changed since: they have neither their old nor their new content.
  /// `backup` is the folder with their old content.
  case interrupted(run: String, paths: [String], backup: String)
  /// A run of another container with the same state folder was interrupted. `root` is that container's root, if known.
  case interruptedElsewhere(run: String, root: String?)
  case damagedCopy(run: String, path: String)
  case damagedJournal(path: String, reason: String)
  case foreignJournal(ForeignRun)
  case foreignRun(String, ForeignReason)
  /// No run with this id came with the container; without an id, no interrupted one.
  case nothingToDecide(run: String?)
  case outsideStores(String)
  /// The folder has more runs than `limit`, or no run number up to `limit` is left.
  case tooManyRuns(path: String, limit: Int)
  /// The file system shows files at this path as another user's, so no run would count as the user's own.
  case ownerNotShown(path: String, user: UInt32)
  case stateClosed(path: String, user: UInt32)
  case stateKey(StateKeyError)
  case newerRecord(path: String, schema: String)
  case damagedRecord(path: String, reason: String)
  case damagedBackup(path: String)
  case file(FileSystemError, Aftermath)
  case changedMeanwhile(path: String, Aftermath)
  case pathChanged(String, UnsafePath, Aftermath)
  case verification(path: String, VerificationProblem, Aftermath)

  /// The finding for a refusal that has its own code; nil for other errors.
  package var finding: Finding? {
    guard case .stalePlan(let basis, let kind) = self else { return nil }
    let keys = basis.filter { !$0.isFile }.map(\.key)
    return Finding(
      .liveStoreChanged(stores: basis.map(\.store).distinct(), keys: keys.distinct(), previewed: kind.previewed))
  }

  var isOfRecord: Bool {
    switch self {
    case .damagedRecord, .damagedJournal, .newerRecord: true
    default: false
    }
  }

  /// Runs a file operation and converts its error. Once something may have been changed, `after(_:)` says what.
  static func attempt<Result>(
    _ operation: @autoclosure () throws(FileSystemError) -> Result
  ) throws(RunError) -> Result {
    try converting(try operation()) { (error: FileSystemError) in RunError.file(error, .nothingChanged) }
  }

  /// The same error of a run that had begun, with its effect on the container.
  func after(_ aftermath: Aftermath) -> RunError {
    switch self {
    case .file(let error, _): .file(error, aftermath)
    case .changedMeanwhile(let path, _): .changedMeanwhile(path: path, aftermath)
    case .verification(let path, let problem, _): .verification(path: path, problem, aftermath)
    case .unsafePath(let path, let problem) where aftermath != .nothingChanged: .pathChanged(path, problem, aftermath)
    default: self
    }
  }

  package var description: String { sentence(afterOthers: false) }

  /// The same for a reader.
  /// - Parameter afterOthers: whether an earlier change such as a recovery preceded the error.
  package func sentence(afterOthers: Bool, for reader: Reader = .command) -> String {
    let parts = [happened(reader), left(afterOthers: afterOthers, reader), remedy(reader)]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private func left(afterOthers: Bool, _ reader: Reader) -> String? {
    if case .unknownRun = self { return nil }
    // A file that another process wrote may have been moved away and restored.
    if case .interrupted = self { return "Recovery changed no file." }
    let aftermath = aftermath ?? .nothingChanged
    return aftermath == .nothingChanged && afterOthers ? "Nothing else was changed." : aftermath.sentence(reader)
  }

  package var aftermath: Aftermath? {
    switch self {
    case .file(_, let aftermath), .changedMeanwhile(_, let aftermath), .pathChanged(_, _, let aftermath),
      .verification(_, _, let aftermath):
      aftermath
    default: nil
    }
  }

  private func happened(_ reader: Reader) -> String {
    switch self {
    case .unknownFields(let fields): "The plan has no field \(Self.list(fields))."
    case .decisionsNeeded(let fields): "\(Self.list(fields)) \(fields.count == 1 ? "needs" : "need") a decision."
    case .conflict(let fields): "The new SDK's file has other values for \(Self.list(fields))."
    case .blocked(let findings): Self.sentences(findings, reader)
    case .wrapped(let wrapper): wrapper.happened
    case .unfit(let field, let mismatch):
      "The value for \(DisplayText.quoted(field)) is not valid. \(mismatch.description)"
    case .sameKey(let place, let recipes):
      "The recipes \(recipes.map(DisplayText.quoted).joined(separator: " and ")) would both write the key "
        + "\(DisplayText.quoted(place.key)) of \(DisplayText.quoted(place.file))."
    case .noTarget: "The new SDK's file is unknown."
    case .stalePlan: DisplayText.harmless(finding.map { "\($0.code.rawValue): \($0.message)" } ?? "")
    case .busy(let state, let holder?):
      "Process \(holder) is working on this container (it holds \(DisplayText.quoted(state + "/lock")))."
    case .busy(let state, nil):
      "Another process is working on this container (it holds \(DisplayText.quoted(state + "/lock")))."
    case .unsafePath(let path, let problem): "The path \(DisplayText.quoted(path)) is refused: \(problem.phrase)."
    case .hardLinked(let path, let links):
      "\(DisplayText.quoted(path)) has \(links) hard links; replacing it would break \(links == 2 ? "the other one" : "the others")."
    case .ownerNotKept(let path, let user):
      "\(DisplayText.quoted(path)) belongs to user \(user), and a new file in its place would not."
    case .unreadable(let path, let reason): "\(DisplayText.quoted(path)) cannot be edited: \(reason)"
    case .notEncodable(let path, let reason): "\(DisplayText.quoted(path)) could not be written: \(reason)"
    case .nothingToRollBack: "This container has no run of yours to roll back."
    case .allRolledBack: "All runs of yours are already rolled back."
    case .noSuchRun(let id): "There is no run \(DisplayText.quoted(id)) that could be rolled back."
    case .unknownRun(let id): "There is no run \(DisplayText.quoted(id))."
    case .rollbackConflict(let run, let keys): "\(Self.list(keys)) changed after run \(DisplayText.harmless(run))."
    case .rollbackUnreadable(let run, let path, let reason):
      "Run \(DisplayText.harmless(run)) cannot be rolled back in \(DisplayText.quoted(path)). \(DisplayText.harmless(reason))"
    case .prunedRun(let run):
      "Run \(DisplayText.harmless(run)) was pruned: its backup is deleted, and only its record remains."
    case .noRunToPrune(let id): "There is no complete run \(DisplayText.quoted(id)) whose backup could be removed."
    case .cleanupRests(let run, let cleanups):
      "Run \(DisplayText.harmless(run)) wrote values that \(Self.list(cleanups)) then removed from the legacy stores: "
        + "rolling it back would lose them."
    case .cleanupNotRepeated(let run):
      "Run \(DisplayText.harmless(run)) rolled a cleanup back; undoing that would remove legacy values without a check."
    case .notRemovable(let places):
      "\(Self.list(places.map { $0.file + ":" + $0.key })) cannot be removed: the new SDK's file does not provably have \(places.count == 1 ? "it" : "them")."
    case .interrupted(let run, let paths, let backup):
      "Run \(DisplayText.harmless(run)) was interrupted, and then another program changed \(Self.list(paths)). "
        + "\(DisplayText.quoted(backup)) contains the files from before the run."
    case .interruptedElsewhere(let run, let root):
      "Run \(DisplayText.harmless(run)) of another container\(root.map { ", \(DisplayText.quoted($0))," } ?? "") that "
        + "shares this state folder was interrupted."
    case .damagedCopy(let run, let path):
      "Run \(DisplayText.harmless(run)) was interrupted, and its copy \(DisplayText.quoted(path)) is missing or damaged."
    case .damagedJournal(let path, let reason):
      "A run was interrupted, and its journal \(DisplayText.quoted(path)) cannot be read: \(reason)"
    case .foreignJournal(let run): run.description
    case .foreignRun(let id, let reason): "Run \(DisplayText.harmless(id)) came with this container, \(reason.phrase)."
    case .nothingToDecide(let run?): "Run \(DisplayText.quoted(run)) is your own; there is nothing to adopt or discard."
    case .nothingToDecide(nil): "No interrupted run came with this container."
    case .outsideStores(let path):
      "The run would change \(DisplayText.quoted(path)), which no recipe writes in this container."
    case .tooManyRuns(let path, let limit):
      "\(DisplayText.quoted(path)) has too many runs, or too high a run number: the limit is \(limit)."
    case .ownerNotShown(let path, let user):
      "The file system shows user \(user) as the owner of the new file \(DisplayText.quoted(path)): your runs would "
        + "not count as yours."
    case .stateClosed(let path, let user):
      "\(DisplayText.quoted(path)) belongs to user \(user), and you cannot read it."
    case .stateKey(let error): error.description
    case .newerRecord(let path, let schema):
      "The record \(DisplayText.quoted(path)) has the schema \(DisplayText.quoted(schema)) of a later version."
    case .damagedRecord(let path, let reason): "The record \(DisplayText.quoted(path)) cannot be read: \(reason)"
    case .damagedBackup(let path): "The backup \(DisplayText.quoted(path)) is not the one that its record describes."
    case .file(let error, _): error.description
    case .changedMeanwhile(let path, _):
      "Another program changed \(DisplayText.quoted(path)) while the run was being prepared."
    case .pathChanged(let path, let problem, _):
      "The path \(DisplayText.quoted(path)) was changed during the run: \(problem.phrase)."
    case .verification(let path, let problem, _): "Verification failed: \(DisplayText.quoted(path)) \(problem.phrase)."
    }
  }

  /// Only the command adopts and discards runs, so those texts name it for every reader.
  private func remedy(_ reader: Reader) -> String? {
    let runs = reader.words("carryover history", "runs(of:)")
    let keep = reader.words("carryover recover PATH --keep", "recover(_:keeping: true)")
    return switch self {
    case .unknownFields: "Name fields by their target keys."
    case .decisionsNeeded: "Accept, skip or edit each of them."
    case .conflict: "Keep or replace the target's value of each of them."
    case .blocked: nil
    case .wrapped: ContainerWrapper.remedy
    case .unfit: "Give another value, or skip the field."
    case .sameKey: "Choose one of them."
    case .noTarget: "Give the app's bundle id and the write key."
    case .stalePlan: finding?.remedy(for: reader)
    case .busy: "Wait until it is done, then try again."
    case .unsafePath(_, .malformed): "Name a file inside the container."
    case .unsafePath(_, .wrongKind):
      "Move it away. For the state folder, you can also choose another one\(reader.words(" with --state-dir", ""))."
    case .unsafePath: "Replace the link with the folder or file itself."
    case .hardLinked: "Copy the container, which breaks the hard links, and work on the copy."
    case .ownerNotKept: "Run this as that user, or copy the container and work on the copy."
    case .unreadable: "Replace it with a valid property list, or move it away."
    case .notEncodable: "Skip or edit the field whose value the format cannot contain."
    case .nothingToRollBack: "Check that this is the right container. \(runs) also lists runs that came with it."
    case .noSuchRun: "Name a complete run that is not rolled back yet. \(runs) lists them."
    case .unknownRun, .allRolledBack: "\(runs) lists them."
    case .rollbackConflict: "Decide for each key whether to roll it back or keep it."
    case .rollbackUnreadable: "Skip the keys of this file, or copy it back from the run's folder by hand."
    case .prunedRun: "Roll back a later run instead, if that helps."
    case .noRunToPrune: "Name one that \(runs) lists."
    case .cleanupRests(_, let cleanups): "Roll \(cleanups.first.map(DisplayText.quoted) ?? "the cleanup") back first."
    case .cleanupNotRepeated: "Run carryover cleanup again instead."
    case .notRemovable: "Migrate its value first, or keep it."
    case .interrupted:
      "Copy the files you want to restore from there, then run \(keep), which closes the run with every file as it is."
    case .interruptedElsewhere:
      "Recover that container first, or move it back to its place. If it no longer exists, close the run with "
        + "\(keep)."
    case .damagedJournal:
      "If it came with the container, move it aside with carryover recover PATH --discard. Otherwise compare the files "
        + "with the backup of the newest run, then close the run with \(keep), which changes no "
        + "file."
    case .damagedCopy:
      "Compare the files with the backup of the newest run, then close the run with \(keep), which "
        + "changes no file."
    case .foreignJournal:
      "If you know who made it, adopt it with carryover recover PATH --adopt. Otherwise move it aside with "
        + "carryover recover PATH --discard."
    case .foreignRun(let id, _):
      "If you know who made it, adopt it with carryover recover PATH --adopt --run \(DisplayText.harmless(id))."
    case .nothingToDecide: nil
    case .outsideStores: "If the run came with the container, move it aside with carryover recover PATH --discard."
    case .tooManyRuns:
      "If they came with the container, move those that are not yours aside with carryover recover PATH --discard. "
        + "Otherwise move the folders of runs you do not need to another place."
    case .ownerNotShown: "Copy the container to a disk that shows you as the owner of your files, and work on the copy."
    case .stateClosed:
      "Use another \(reader.words("folder with --state-dir", "state folder")), or copy the container without this folder "
        + "and work on the copy."
    case .stateKey: nil
    case .newerRecord: "Use that version of Carryover."
    case .damagedRecord:
      "If it came with the container, move it aside with carryover recover PATH --discard --run ID. Otherwise move the "
        + "run's folder to another place, and copy files back from it by hand where needed."
    case .damagedBackup: "Check the run's folder before you continue."
    case .file(_, .unfinished), .changedMeanwhile(_, .unfinished), .pathChanged(_, _, .unfinished),
      .verification(_, _, .unfinished):
      "Fix the problem, then run \(reader.words("carryover recover", "recover(_:)")) to finish or roll back the run."
    case .file(_, .partlyPruned): "Fix the problem, then prune again to remove the rest."
    case .file: nil
    case .changedMeanwhile, .pathChanged: "Quit the app that uses the container, make a new plan and try again."
    case .verification: "Try again. If it happens again, check the disk."
    }
  }

  private static func list(_ names: [String]) -> String { names.map(DisplayText.quoted).joined(separator: ", ") }

  private static func list(_ places: [KeyPlace]) -> String {
    let files = Set(places.map(\.file))
    return places.map { place in
      DisplayText.quoted(place.key) + (files.count > 1 ? " in " + DisplayText.quoted(place.file) : "")
    }
    .joined(separator: ", ")
  }

  private static func sentences(_ findings: [Finding], _ reader: Reader) -> String {
    findings.map { "\($0.code.rawValue): \($0.message) \($0.remedy(for: reader))" }.joined(separator: " ")
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

  fileprivate func sentence(_ reader: Reader) -> String {
    switch self {
    case .nothingChanged: "Nothing was changed."
    case .takenBack: "The run was rolled back: every file is as it was."
    case .complete(let run):
      "Run \(DisplayText.harmless(run)) is complete. Only its journal remains; "
        + "\(reader.words("carryover recover", "recover(_:)")) removes it."
    case .unfinished(let run, let backup):
      "Run \(DisplayText.harmless(run)) is interrupted and could not be rolled back; \(DisplayText.quoted(backup)) contains "
        + "the files as they were."
    case .partlyPruned:
      "No file of the container was changed, but some of the backups are removed"
        + "\(reader.words("; carryover history shows which", ""))."
    }
  }
}

package enum VerificationProblem: Hashable, Sendable {
  case bytesDiffer
  case unreadable(String)
  case valueDiffers(key: String)
  case otherKeyChanged
  case form(field: Field.ID, FormMismatch)
  case attributesDiffer
  /// This file no longer contains the values of these keys, which no other file contains.
  case heldNoMore(path: String, keys: [String])

  fileprivate var phrase: String {
    switch self {
    case .bytesDiffer: "does not contain what was written"
    case .unreadable(let reason): "cannot be read (\(reason))"
    case .valueDiffers(let key): "has another value for \(DisplayText.quoted(key))"
    case .otherKeyChanged: "has a change in a key that the run does not write"
    case .form(let field, let mismatch):
      "has a value for \(DisplayText.quoted(field)) that is not valid (\(mismatch.description))"
    case .attributesDiffer: "does not have the same mode as before"
    case .heldNoMore(let path, let keys):
      "would lose values that \(DisplayText.quoted(path)) no longer has: \(keys.map(DisplayText.quoted).joined(separator: ", "))"
    }
  }
}

extension RunKind {
  /// What is previewed before such a run; nil for a plan.
  fileprivate var previewed: String? {
    switch self {
    case .apply, .cleanup: nil
    case .rollback: "rollback"
    case .edit: "change"
    }
  }
}
