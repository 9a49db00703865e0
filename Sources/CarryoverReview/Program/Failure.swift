import Carryover
import CarryoverTerminal

/// Why something the review asked for failed, in whole sentences.
package struct ReviewFailure: Error, Hashable, Sendable {
  /// What happened, where, and in which state it leaves the container.
  package var message: String
  /// What to do.
  package var remedy: String

  /// A failure from its sentences.
  package init(message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}

extension PageWriter {
  /// What went wrong, and what to do.
  mutating func failure(_ failure: ReviewFailure?) {
    guard let failure else { return }
    add([Span(ink.sign(.error) + " ", .error), Span(ink.sentence(failure.message))], hanging: 2)
    guard !failure.remedy.isEmpty else { return }
    blank()
    add([Span(ink.words("→ "), .muted), Span(ink.sentence(failure.remedy))], hanging: 2)
  }
}
