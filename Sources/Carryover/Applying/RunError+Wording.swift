import CarryoverSystem
import PropertyLists

extension RunError: CustomStringConvertible {
  /// What happened, whether anything was changed, and what to do, in whole sentences. Everything that comes from a
  /// container is escaped for display.
  package var description: String { sentence(afterOthers: false) }

  /// The same where something else was changed before, such as an earlier run that was recovered.
  package func sentence(afterOthers: Bool) -> String {
    let parts = [happened, left(afterOthers: afterOthers), remedy]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private func left(afterOthers: Bool) -> String {
    // What somebody else wrote may have been displaced and put back.
    if case .interrupted = self { return "What stands there was kept." }
    let aftermath = aftermath ?? .nothingChanged
    return aftermath == .nothingChanged && afterOthers ? "Nothing else was changed." : aftermath.sentence
  }

  /// What the run has left; nil where it was refused before its first write.
  package var aftermath: Aftermath? {
    switch self {
    case .file(_, let aftermath), .changedMeanwhile(_, let aftermath), .pathChanged(_, _, let aftermath),
      .verification(_, _, let aftermath):
      aftermath
    default: nil
    }
  }

  private var happened: String {
    switch self {
    case .unknownFields(let fields): "The plan has no field \(Self.list(fields))."
    case .decisionsNeeded(let fields): "\(Self.list(fields)) \(Self.need(fields)) a decision."
    case .conflict(let fields): "The target holds other values for \(Self.list(fields))."
    case .blocked(let findings): Self.sentences(findings)
    case .wrapped(let wrapper): wrapper.happened
    case .unfit(let field, let mismatch):
      "The value for \(DisplayText.quoted(field)) would not be read as it is meant. \(mismatch.description)"
    case .noTarget: "The file to write cannot be named."
    case .stalePlan: DisplayText.harmless(finding.map { "\($0.code.rawValue): \($0.message)" } ?? "")
    case .busy(let state, let holder?):
      "Process \(holder) is working on this container (it holds \(DisplayText.quoted(state + "/lock")))."
    case .busy(let state, nil):
      "Another process is working on this container (it holds \(DisplayText.quoted(state + "/lock")))."
    case .unsafePath(let path, let problem): "The path \(DisplayText.quoted(path)) is refused: \(problem.phrase)."
    case .hardLinked(let path, let links):
      "\(DisplayText.quoted(path)) has \(links) names, and replacing it would cut it off from the others."
    case .ownerNotKept(let path, let user):
      "\(DisplayText.quoted(path)) belongs to user \(user), and a new file in its place could not be given to them."
    case .unreadable(let path, let reason): "\(DisplayText.quoted(path)) cannot be edited: \(reason)"
    case .notEncodable(let path, let reason): "\(DisplayText.quoted(path)) could not be written: \(reason)"
    case .nothingToRollBack: "There is no run of yours to roll back in this container."
    case .noSuchRun(let id): "There is no run \(DisplayText.quoted(id)) that could be rolled back."
    case .rollbackConflict(let run, let keys):
      "\(Self.list(keys)) changed since run \(DisplayText.harmless(run)), to something else than it left."
    case .rollbackUnreadable(let run, let path, let reason):
      "Run \(DisplayText.harmless(run)) cannot be taken back in \(DisplayText.quoted(path)). \(DisplayText.harmless(reason))"
    case .prunedRun(let run):
      "Run \(DisplayText.harmless(run)) was pruned: its copies of the files are gone, and only its record is left."
    case .noRunToPrune(let id): "There is no complete run \(DisplayText.quoted(id)) whose copies could be removed."
    case .cleanupRests(let run, let cleanups):
      "Run \(DisplayText.harmless(run)) wrote values that were removed from the legacy stores since, by "
        + "\(Self.list(cleanups)): taking it back would leave them nowhere."
    case .cleanupNotRepeated(let run):
      "Run \(DisplayText.harmless(run)) took a cleanup back, and taking it back would remove legacy values unproven."
    case .notRemovable(let places):
      "\(Self.list(places.map { $0.file + ":" + $0.key })) cannot be removed: the target does not provably hold it."
    case .interrupted(let run, let paths, let backup):
      "Run \(DisplayText.harmless(run)) was interrupted, and \(Self.list(paths)) changed since: what stands there is not "
        + "what it found or meant to leave. \(DisplayText.quoted(backup)) holds what stood there before the run."
    case .interruptedElsewhere(let run, let root):
      "Run \(DisplayText.harmless(run)) of another container\(root.map { ", \(DisplayText.quoted($0))," } ?? "") that "
        + "shares this state folder was interrupted."
    case .damagedCopy(let run, let path):
      "Run \(DisplayText.harmless(run)) was interrupted, and its copy \(DisplayText.quoted(path)) is missing or does not "
        + "hold the bytes that were recorded."
    case .damagedJournal(let path, let reason):
      "A run was interrupted, and its journal \(DisplayText.quoted(path)) cannot be read: \(reason)"
    case .foreignJournal(let run): run.description
    case .foreignRun(let id, let reason):
      "Run \(DisplayText.harmless(id)) came with this container; \(reason.phrase)."
    case .nothingToDecide(let run?):
      "Run \(DisplayText.quoted(run)) is your own; there is nothing to adopt or discard."
    case .nothingToDecide(nil): "No interrupted run came with this container."
    case .outsideStores(let path):
      "A run would change \(DisplayText.quoted(path)), which is not a store that a recipe writes in this container."
    case .tooManyRuns(let path, let limit):
      "\(DisplayText.quoted(path)) has too many runs, or too high a run number: the limit is \(limit)."
    case .ownerNotShown(let path, let user):
      "The file system shows user \(user) as the owner of the new file \(DisplayText.quoted(path)): no run would count "
        + "as yours."
    case .stateClosed(let path, let user):
      "\(DisplayText.quoted(path)) belongs to user \(user), and you cannot read it."
    case .stateKey(let error): error.description
    case .newerRecord(let path, let schema):
      "The record \(DisplayText.quoted(path)) has the schema \(DisplayText.quoted(schema)) of a later version."
    case .damagedRecord(let path, let reason): "The record \(DisplayText.quoted(path)) cannot be read: \(reason)"
    case .damagedBackup(let path): "The backup \(DisplayText.quoted(path)) does not hold the bytes its record names."
    case .file(let error, _): error.description
    case .changedMeanwhile(let path, _):
      "Somebody else changed \(DisplayText.quoted(path)) while the run was being prepared."
    case .pathChanged(let path, let problem, _):
      "The path \(DisplayText.quoted(path)) was changed during the run: \(problem.phrase)."
    case .verification(let path, let problem, _):
      "\(DisplayText.quoted(path)) does not read back as it was meant: \(problem.phrase)."
    }
  }

  private var remedy: String? {
    switch self {
    case .unknownFields: "Name fields by their target keys."
    case .decisionsNeeded: "Migrate, skip or edit each of them."
    case .conflict: "Decide for each of them whether the target's value is kept or replaced."
    case .blocked: nil
    case .wrapped: ContainerWrapper.remedy
    case .unfit: "Give another value, or skip the field."
    case .noTarget: "Give the app's bundle identifier and its write key."
    case .stalePlan: finding?.remedy
    case .busy: "Wait until it has ended and try again."
    case .unsafePath(_, .malformed): "Name a file inside the container."
    case .unsafePath: "Put the folder or file itself in its place."
    case .hardLinked: "Copy the container, so that the file has one name, and work on the copy."
    case .ownerNotKept: "Run this as that user, or copy the container and work on the copy."
    case .unreadable: "Put a sound property list in its place, or move it away."
    case .notEncodable: "Skip the field whose value the format cannot hold, or edit it."
    case .nothingToRollBack: "Check that this is the container you mean. history also lists runs that came with it."
    case .noSuchRun: "Name one that is complete and was not rolled back yet."
    case .rollbackConflict: "Decide for each of them whether it goes back or stays as it is now."
    case .rollbackUnreadable: "Leave the keys of this file out, or copy it back from the run's folder by hand."
    case .prunedRun: "Take a later run back, or a part of it, where that helps."
    case .noRunToPrune: "Name one that the history shows."
    case .cleanupRests(_, let cleanups):
      "Roll \(cleanups.first.map(DisplayText.quoted) ?? "the cleanup") back first."
    case .cleanupNotRepeated: "Clean up again instead."
    case .notRemovable: "Leave it, or migrate its value first."
    case .interrupted:
      "Copy the files you want back from there by hand, or leave them; then run recover --keep, which closes the run "
        + "with every file as it stands."
    case .interruptedElsewhere:
      "Recover that container first, or put it back where it was. If it is gone for good, recover --keep closes the run "
        + "from here."
    case .damagedJournal:
      "If it came with the container, move it aside with carryover recover PATH --discard. Otherwise compare the files "
        + "with the copies of the newest run by hand, then close the run with carryover recover PATH --keep; every "
        + "file stays as it is."
    case .damagedCopy:
      "Compare the files with the copies of the newest run by hand; then run recover --keep, which closes the run with "
        + "every file as it stands."
    case .foreignJournal:
      "If you know who made it, adopt it with carryover recover PATH --adopt. Otherwise move it aside with "
        + "carryover recover PATH --discard."
    case .foreignRun(let id, _):
      "If you know who made it, adopt it with carryover recover PATH --adopt --run \(DisplayText.harmless(id))."
    case .nothingToDecide: nil
    case .outsideStores: "If the run came with the container, move it aside with carryover recover PATH --discard."
    case .tooManyRuns:
      "If they came with the container, carryover recover PATH --discard moves those that are not yours aside. Otherwise "
        + "move the folders of the runs you do not need to another place."
    case .ownerNotShown: "Copy the container to a disk that shows you as the owner of your files, and work on the copy."
    case .stateClosed:
      "Keep your own runs in another folder with --state-dir, or copy the container without it and work on the copy."
    case .stateKey: nil
    case .newerRecord: "Use that version."
    case .damagedRecord:
      "If it came with the container, move it aside with carryover recover PATH --discard --run ID. Otherwise move the "
        + "run's folder to another place, and copy files back from it by hand where needed."
    case .damagedBackup: "Look at the run's folder before you go on."
    case .file(_, .unfinished), .changedMeanwhile(_, .unfinished), .pathChanged(_, _, .unfinished),
      .verification(_, _, .unfinished):
      "Mend what is wrong, then run recover, which finishes the run or takes it back."
    case .file(_, .partlyPruned): "Mend what is wrong, then prune again, which removes the rest."
    case .file: nil
    case .changedMeanwhile, .pathChanged: "Quit the app that uses it, make a new plan and try again."
    case .verification: "Try again, and check that disk if it happens again."
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map(DisplayText.quoted).joined(separator: ", ")
  }

  private static func list(_ places: [KeyPlace]) -> String {
    let files = Set(places.map(\.file))
    return places.map { place in
      DisplayText.quoted(place.key) + (files.count > 1 ? " in " + DisplayText.quoted(place.file) : "")
    }
    .joined(separator: ", ")
  }

  private static func need(_ fields: [Field.ID]) -> String { fields.count == 1 ? "needs" : "need" }

  private static func sentences(_ findings: [Finding]) -> String {
    findings.map { "\($0.code.rawValue): \($0.message) \($0.remedy)" }.joined(separator: " ")
  }
}

extension Aftermath {
  fileprivate var sentence: String {
    switch self {
    case .nothingChanged: "Nothing was changed."
    case .takenBack: "What had been written was taken back: every file is as it was."
    case .complete(let run):
      "Run \(DisplayText.harmless(run)) is complete. Only its journal is left; recover removes it."
    case .unfinished(let run, let backup):
      "Run \(DisplayText.harmless(run)) is not finished, and could not be taken back; \(DisplayText.quoted(backup)) holds "
        + "the files as they were."
    case .partlyPruned:
      "No file of the container was changed, but copies of the runs to prune may be gone; history shows which are left."
    }
  }
}

extension VerificationProblem {
  fileprivate var phrase: String {
    switch self {
    case .bytesDiffer: "its bytes are others"
    case .unreadable(let reason): "it cannot be read (\(reason))"
    case .valueDiffers(let key): "\(DisplayText.quoted(key)) holds another value"
    case .otherKeyChanged: "a key that was to stay has changed"
    case .form(let field, let mismatch):
      "the value of \(DisplayText.quoted(field)) does not suit its reader (\(mismatch.description))"
    case .attributesDiffer: "its mode is not the one it had"
    case .heldNoMore(let path, let keys):
      "\(DisplayText.quoted(path)) no longer holds the value of \(keys.map(DisplayText.quoted).joined(separator: ", "))"
    }
  }
}
