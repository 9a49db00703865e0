/// What a recovery leaves undone today without harm to any file. It is counted by itself in the table; an entry that no
/// longer happens fails the suite, so that it goes.
enum KnownFindings {
  /// Each by what every one of its problems contains.
  static let all = [
    // A run's folder without a record, or a temporary of a record or journal, waits for the next command that writes.
    "has no record", "is left in the state folder", "json.tmp is left",
    // A bad copy on either side stops the recovery, be the other one good.
    "recovery fails: The backup ",
    // A temporary whose removal did not reach the disk before that of its record is found by nobody.
    ".tmp is not as it was",
    // Somebody writes into a folder that is just about to be removed.
    "Directory not empty",
  ]

  /// The entry a problem belongs to.
  static func entry(_ problem: String) -> String? {
    // The list of the runs comes with the one among them that has no record.
    if problem.hasPrefix("the runs are ") { return all[0] }
    return all.first { problem.contains($0) }
  }
}
