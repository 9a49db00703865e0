/// What a line that was typed, or an answer to an effect, leads to in a review by prompts.
package struct LinearStep: Sendable {
  /// What is to be printed, a line each: escaped, without control characters, and not wrapped.
  package var lines: [String] = []
  /// What the program around the review has to do, as a review on a screen asks it.
  package var effects: [ReviewEffect] = []
}

/// What a review by prompts is asking for, as far as it decides which answers there are.
package enum LinearPlace: String, CaseIterable, Hashable, Sendable {
  /// What becomes of the field it stands at.
  case fields
  /// Whether to take up what an earlier review has kept.
  case kept
  /// Another value for that field.
  case value
  /// Whether to write what was heard.
  case apply
  /// Which run to look at.
  case history
  /// What becomes of the keys of a run that is taken back.
  case run
  /// Whether to take back what was heard.
  case rollback
  /// What to look at in the stores.
  case stores
  /// Whether to leave although something is undone.
  case quit
}
