import Carryover
import CarryoverTerminal

/// Decisions that are kept from one review to the next: the offer at the start, and what becomes of them at the end.
extension LinearReview {
  /// Reads what an earlier review has kept, and asks whether to take it up.
  mutating func offerKept() {
    guard let kept = state.kept else { return }
    perform(.open(.kept), isSilent: true)
    place = .kept
    writer.kept(kept, state)
  }

  /// Carries an answer out that was given to the offer.
  mutating func answerKept(_ command: LinearCommand) {
    switch command {
    case .review(let command):
      guard let kept = state.kept else { return leaveOffer() }
      perform(command, isSilent: true)
      writer.answered(kept, isTaken: command == .takeUp)
      leaveOffer()
    case .later:
      writer.say("They stay kept, and are offered again the next time.")
      leaveOffer()
    case .again: if let kept = state.kept { writer.kept(kept, state) }
    case .help(let word): writer.help(LinearVocabulary.kept, self, about: word)
    case .quit:
      toFields()
      askToQuit()
    default: break
    }
  }

  private mutating func leaveOffer() {
    toFields()
    goToFirstToDecide()
    announceOrConclude()
  }

  /// Begins where there is something to decide.
  mutating func goToFirstToDecide() {
    guard state.tally.waiting > 0, let field = state.selected, !FieldState(field, state.decisions[field.id]).waits
    else { return }
    perform(.nextToDecide, isSilent: true)
  }

  /// Leaves at once where nothing is undone; else says what is, and asks.
  mutating func askToQuit() {
    let waiting = state.tally.waiting
    guard waiting > 0 || state.hasUnappliedDecisions else {
      perform(.quit)
      return
    }
    writer.quitting(state)
    // Where decisions are not applied, the question is one of the screens', which alone can forget them.
    if state.hasUnappliedDecisions { perform(.quit, isSilent: true) }
    place = .quit
  }

  mutating func agreeToQuit(_ line: String) {
    let word = LinearLine.trimmed(line)
    if word == "forget", state.screens.last == .quit, state.keepingObstacle == nil {
      let them = state.unappliedCount == 1 ? "The decision is" : "The decisions are"
      if perform(.quitForgetting) { return writer.say("\(them) forgotten.") }
      return writer.say("Type yes to leave; anything else stays.")
    }
    guard word == "yes" else {
      toFields()
      return writer.say("Back at the fields.")
    }
    toFields()
    perform(.quitForCertain)
  }

  /// What is asked before leaving.
  var quitPrompt: String {
    guard state.screens.last == .quit, state.keepingObstacle == nil else {
      return "Type yes to leave all the same; anything else stays: "
    }
    let them = state.unappliedCount == 1 ? "the decision" : "the decisions"
    return "Type yes to leave; type forget to leave and lose \(them); anything else stays: "
  }
}

extension LinearVocabulary {
  /// What can be answered to the offer of decisions that were kept.
  static let kept = LinearAnswers<LinearCommand, LinearReview>([
    LinearAnswer(
      "yes", "y", does: "Takes up the decisions that still fit, in one step that undo takes back.", .review(.takeUp),
      unless: { $0.state.kept?.decisions.isEmpty == false ? nil : "None of them fits any more; no or later goes on." }),
    LinearAnswer("no", "n", does: "Leaves them out; they are gone once you quit.", .review(.leaveOut)),
    LinearAnswer(
      "later", "l", does: "Goes on without an answer; they are offered again the next time.", .later),
    LinearAnswer("again", does: "Reads the offer again.", .again),
    LinearAnswer(
      "help", "h", "?", argument: "[WORD]", "Reads the answers, or those that have to do with a word.",
      meaning: { .help($0) }),
    LinearAnswer("quit", "q", does: "Leaves; they stay kept.", .quit),
  ])
}
