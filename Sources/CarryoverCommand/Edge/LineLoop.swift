import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverTerminal

/// Runs a review by prompts. The terminal edits the lines itself, so nothing has to be restored however the process
/// ends.
final class LineLoop {
  private let job: ReviewJob
  private let masking: Masking
  private var end: ReviewEffect?

  init(_ job: ReviewJob, _ masking: Masking) {
    (self.job, self.masking) = (job, masking)
  }

  private var keeper: DecisionKeeper { job.keeper }

  func run(options: ReviewOptions) throws {
    var review = Review(job.state(size: Review.size, options: Review.options(options)))
    defer { job.finish(review.state, after: end) }
    if let problem = job.keptProblem {
      try Self.say(["The saved decisions cannot be read. " + problem.description])
    }
    var isGoingOn = try perform(review.start(), &review)
    while isGoingOn {
      let shown = { self.masking.text(review.repeated($0)) }
      guard let line = try Self.ask(review.prompt, repeating: shown) else {
        return try Console.printEscaped("The input ended. Nothing else was written.")
      }
      // A signal waits until what the line decided is saved.
      isGoingOn = try ThisProcess.uninterrupted {
        _ = review.update { reduce(&$0, .clock(Console.now)) }
        let goesOn = try perform(review.take(line: line), &review)
        if goesOn { try keep(&review) }
        return goesOn
      }
    }
  }

  private typealias Review = LineSession<ReviewState>

  private func keep(_ review: inout Review) throws {
    guard keeper.betweenLines(review.state) else { return }
    try Self.say(review.update { reduce(&$0, .keeping(keeper.problem?.description)) }.lines)
  }

  /// Prints, and carries out effects; false when the review ends.
  private func perform(_ step: Review.Step, _ review: inout Review) throws -> Bool {
    try Self.say(step.lines)
    end = try job.perform(step.effects, on: nil, of: { review.state }) { work in
      let answered = review.update(work)
      try Self.say(answered.lines)
      return answered.effects
    }
    return end == nil
  }

  /// Wraps lines only on a terminal.
  private static func say(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    let columns = Console.outputIsTerminal ? Console.columns : .max
    try Console.printEscaped(lines.flatMap { Review.wrapped($0, columns: columns) }.joined(separator: "\n"))
  }

  /// Asks for a line, again after one that is too long; nil at the end of the input. A line that does not come from a
  /// terminal is repeated behind the prompt, so that a log reads like a terminal.
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

  /// - Parameter runner: changes the stores; nil where they are only read.
  static func browse(
    _ container: Container, _ runner: BrowserRunner? = nil, options: ReviewOptions,
    _ state: (Size, ReviewOptions) -> BrowserState
  ) throws {
    typealias Stores = LineSession<BrowserState>
    var stores = Stores(state(Stores.size, Stores.options(options)))
    try converse(&stores, container, carryOut: { runner?.carryOut($0, &$1) }) { $0 != .leave }
  }

  static func converse<State>(
    _ session: inout LineSession<State>, _ container: Container? = nil,
    prepare: (inout LineSession<State>, String) -> Void = { _, _ in },
    carryOut: ((State.Effect, inout State) -> Void)? = nil, isGoingOn: (State.Effect) -> Bool
  ) throws {
    var step = session.start()
    while true {
      try say(step.lines)
      guard step.effects.allSatisfy(isGoingOn) else { return }
      for effect in step.effects where effect.errand != nil || carryOut != nil {
        let answered = session.update { state in
          if let errand = effect.errand { return reduce(&state, .answer(Errands(nil, container).carryOut(errand))) }
          carryOut?(effect, &state)
          return []
        }
        try say(answered.lines)
      }
      guard let line = try ask(session.prompt, repeating: session.repeated) else { return }
      prepare(&session, line)
      step = session.take(line: line)
    }
  }
}
