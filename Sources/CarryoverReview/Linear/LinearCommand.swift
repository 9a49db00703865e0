/// What an answer means while fields are reviewed or a run is taken back.
enum LinearCommand: Sendable {
  /// What a key of the review on a screen means, too.
  case review(Command)
  /// Decides for another value, by its number.
  case take(String)
  case edit, allClean, many(String)
  case again, down, up, go(String)
  case list(String), more, find(String), filter(String)
  case details, explain(String), warnings, leftBehind, recipes(String), log(String), status
  case stores, history, rollBack
  case preview, apply
  case help(String), quit

  /// To the offer of what was kept: goes on without an answer.
  case later

  /// In the history: which run to look at.
  case openRun(String)
  /// In a run: which keys go back, which stay.
  case putBack(String), leave(String), allKeys, noKey, only(String)
  case nextConflict, ask, back
}
