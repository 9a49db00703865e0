import Carryover
import CarryoverTerminal

extension LinearWriter {
  /// How many kept decisions are read one by one before the rest is only counted.
  private static let mostKept = 20

  /// The offer to take up the decisions of an earlier review.
  mutating func kept(_ kept: KeptReview, _ state: ReviewState) {
    let moment = MomentText.both(kept.moment, offset: state.options.zoneOffset)
    let are = kept.count == 1 ? "was" : "were"
    say("\(counted(kept.count, "decision")) of an earlier review \(are) not applied, and kept at \(moment).")
    if let warning = kept.warning { say(warning) }
    let positions = kept.decisions.keys.compactMap { state.positions[$0] }.sorted()
    each(Array(positions.enumerated()), atMost: Self.mostKept) { writer, item in
      let field = state.plan.fields[item.element]
      guard let decision = kept.decisions[field.id] else { return }
      writer.add(
        "\(item.offset + 1) of \(positions.count). \(writer.name(field.id)): \(FieldState(field, decision).word), "
          + "\(writer.outcome(field, decision)).")
    }
    if !kept.misfits.isEmpty {
      let (fit, they) = kept.misfits.count == 1 ? ("fits", "it is") : ("fit", "they are")
      say(
        "\(counted(kept.misfits.count, "decision")) no longer \(fit), for the container or what is made of it changed "
          + "since; \(they) to be decided anew.")
      let names = kept.misfits.prefix(Self.mostKept).map { name($0) }.joined(separator: ", ")
      let more = kept.misfits.count - Self.mostKept
      add("No longer \(fit): \(names)\(more > 0 ? " and \(more) more" : "").")
    }
    if kept.decisions.isEmpty {
      say("None of them fits any more. no leaves them out, later goes on.")
    } else {
      let them = kept.decisions.count == 1 ? "it" : "them"
      say(
        "yes takes \(them) up again, no leaves \(them) out, later asks the next time. None of the three writes anything."
      )
    }
  }

  /// What became of the offer.
  mutating func answered(_ kept: KeptReview, isTaken: Bool) {
    let count = isTaken ? kept.decisions.count : kept.count
    let them = count == 1 ? "it" : "them"
    say("\(counted(count, "decision")) \(isTaken ? "taken up; undo takes \(them) back" : "left out").")
  }

  /// What is undone when somebody wants to leave, and what becomes of it.
  mutating func quitting(_ state: ReviewState) {
    let count = state.unappliedCount
    if count > 0 {
      let (are, have) = count == 1 ? ("is", "has") : ("are", "have")
      if let obstacle = state.keepingObstacle {
        say("\(counted(count, "decision")) \(have) not been applied and would be lost.")
        quote("Decisions cannot be kept here. \(obstacle)")
      } else {
        say(
          "\(counted(count, "decision")) \(have) not been applied, and \(are) kept for the next time this container is "
            + "reviewed.")
      }
    }
    let waiting = state.tally.waiting
    if waiting > 0 { say("\(counted(waiting, "field")) \(waiting == 1 ? "is" : "are") undecided.") }
  }
}
