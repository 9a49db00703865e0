import Carryover
import CarryoverTerminal

extension LinearReview {
  /// Reads the change, so that the next apply in this very state need not.
  mutating func preview() {
    let obstacle = applyObstacle
    writer.preview(state, obstacle: obstacle)
    previewed = stamp
    if obstacle == nil { writer.say("To write this, type apply and then yes.") }
  }

  /// Why the change cannot be applied, as the preview on a screen would say; nil when it can.
  var applyObstacle: String? {
    var ahead = state
    ahead.pendingChanges = state.plan.changes(state.decisions)
    return ahead.applyObstacle
  }

  /// Asks for the word, after the change was read.
  mutating func askToApply() {
    if previewed != stamp { writer.preview(state, obstacle: nil) }
    previewed = stamp
    perform(.open(.preview), isSilent: true)
    place = .apply
  }

  mutating func agreeToApply(_ line: String) {
    guard Self.isYes(line), previewed == stamp, state.screens.last == .preview else {
      toFields()
      return writer.say("The changes were not written.")
    }
    previewed = nil
    if perform(.apply) {
      writer.say("Writing.")
    } else {
      toFields()
      writer.say("The changes were not written.")
    }
  }

  mutating func agreeToRollback(_ line: String) {
    let isAgreed = Self.isYes(line) && asked == stamp && state.screens.last == .rollback
    asked = nil
    if LinearLine.trimmed(line) == "keys", state.draft != nil { return chooseKeys() }
    if isAgreed, perform(.rollBack) { return writer.say("Taking back.") }
    writer.say("Nothing was taken back.")
    // Whoever chose among the keys finds them as they were chosen.
    perform(.back, isSilent: true)
    if state.screens.last == .run { place = .run } else { toFields() }
  }

  private static func isYes(_ line: String) -> Bool { LinearLine.trimmed(line) == "yes" }
}
