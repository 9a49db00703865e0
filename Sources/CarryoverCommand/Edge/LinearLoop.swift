import Carryover
import CarryoverReview
import PropertyLists

/// Runs a review by prompts: lines in, lines out, effects carried out in between. The terminal edits the lines itself, so
/// that there is nothing to be restored however the process ends.
final class LinearLoop {
  private let runner: EffectRunner
  private let masking: Masking
  private let keeper: DecisionKeeper
  private var isForgetting = false

  /// - Parameters:
  ///   - runner: Carries out what the review asks of the library.
  ///   - keeper: Keeps the decisions that are not applied.
  init(_ runner: EffectRunner, _ masking: Masking, keeper: DecisionKeeper) {
    self.runner = runner
    self.masking = masking
    self.keeper = keeper
  }

  /// Reviews until the user leaves or the input ends, and keeps what was decided and not applied, however it ends.
  func run(_ job: ReviewJob, options: ReviewOptions) throws {
    let (container, recovery, offer) = (job.container, job.recovery, job.offer)
    runner.note(recovery.runs)
    var review = LinearReview(
      plan: job.plan, options: options, backupLocation: container.stateDirectory + "/runs", lastRun: runner.lastRun(),
      wrapper: container.wrapper, occupied: job.occupied, recovered: recovery.runs, recoveryFailure: recovery.failure,
      container: container, kept: offer.review, zone: Console.secondsFromUTC)
    defer { runner.summary += keeper.finish(review.state, of: container.name, isForgetting: isForgetting) }
    if let problem = offer.problem {
      try say(["What an earlier review may have kept cannot be read. " + problem.description])
    }
    var isGoingOn = try perform(review.start(), &review)
    while isGoingOn {
      let isValue = review.asksForValue && masking.isOn
      let shown = { (line: String) in isValue && !line.isEmpty ? "(a value)" : self.masking.text(line) }
      guard let line = try Self.ask(review.prompt, repeating: shown) else {
        return try Console.printEscaped("The input ended. Nothing more is written.")
      }
      // A signal waits until what the line decided is kept: between lines nothing is ever left to lose.
      isGoingOn = try ThisProcess.uninterrupted {
        _ = review.take(.clock(Console.now))
        let goesOn = try perform(review.take(line: line), &review)
        if goesOn { try keep(&review) }
        return goesOn
      }
    }
  }

  /// Keeps what was decided, and says so once where that cannot be done.
  private func keep(_ review: inout LinearReview) throws {
    guard keeper.betweenLines(review.state) else { return }
    try say(review.take(.keeping(Keeping(keeper.problem))).lines)
  }

  /// Says what there is to be said and carries effects out; false once the review is to end.
  private func perform(_ step: LinearStep, _ review: inout LinearReview) throws -> Bool {
    try say(step.lines)
    var pending = step.effects[...]
    while let effect = pending.popFirst() {
      isForgetting = effect == .quitForgetting
      if effect == .quit || isForgetting { return false }
      for action in runner.carryOut(effect, of: review.state.plan) {
        let answered = review.take(action)
        try say(answered.lines)
        pending += answered.effects
      }
      // What was applied is not offered again, even if the process is killed now.
      if effect.writes {
        keeper.fieldsChanged()
        keeper.keep(review.state)
      }
    }
    return true
  }

  private func say(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    try Console.printEscaped(lines.joined(separator: "\n"))
  }

  /// Asks for a line, again after one that is too long; nil at the end of input. What does not come from a terminal is
  /// repeated behind the question, so that a log reads like a terminal.
  static func ask(_ prompt: String, repeating shown: (String) -> String = { $0 }) throws -> String? {
    while true {
      try Console.printEscaped(prompt, ending: "")
      switch Console.line() {
      case .text(let line):
        if !Console.inputIsTerminal { try Console.printEscaped(Console.shown(shown(line))) }
        return line
      case .tooLong:
        if !Console.inputIsTerminal { try Console.printEscaped("") }
        try Console.printEscaped(InputLine.tooLongWords)
      case .end:
        try Console.printEscaped("")
        return nil
      }
    }
  }

  /// Lets somebody choose among the containers at a path; nil where none was chosen.
  static func choose(
    _ candidates: [ContainerCandidate], place: String, options: ReviewOptions
  ) throws -> ContainerCandidate? {
    var choice = LinearChoice(candidates, place: place, options: options)
    var step = choice.start()
    while true {
      try Console.printEscaped(step.lines.joined(separator: "\n"))
      if step.isLeft || step.chosen != nil { return step.chosen }
      guard let line = try ask(choice.prompt) else { return nil }
      step = choice.take(line: line)
    }
  }

  /// Shows the stores of a container until the user leaves them or the input ends.
  static func browse(_ container: Container, options: ReviewOptions) throws {
    var stores = LinearStores(container, options: options)
    var step = stores.start()
    while true {
      if !step.lines.isEmpty { try Console.printEscaped(step.lines.joined(separator: "\n")) }
      guard !step.isLeft, let line = try ask(stores.prompt) else { return }
      step = stores.take(line: line)
    }
  }
}

extension ReviewEffect {
  /// Whether it changes the container.
  fileprivate var writes: Bool {
    switch self {
    case .apply, .rollback: true
    default: false
    }
  }
}
