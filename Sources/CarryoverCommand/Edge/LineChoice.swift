import Carryover
import CarryoverContainers
import CarryoverReview

/// Lets the user choose among the containers at a path by prompts, as often as they come back from one.
struct LineChoice {
  private typealias Session = LineSession<PickerState>

  private var session: Session
  private let states: ContainerStates?
  private var chosen: ContainerCandidate?

  /// - Parameters:
  ///   - place: What was opened, as the user named it.
  ///   - workers: The arguments of the workers that plan the containers; nil where none is planned.
  init(_ candidates: [ContainerCandidate], place: String, workers: [String]?, options: ReviewOptions) {
    session = Session(
      PickerState(
        candidates, place: place, isPlanning: workers != nil, size: Session.size, options: Session.options(options)))
    states = workers.map { ContainerStates(candidates, at: place, arguments: $0, wake: {}) }
  }

  /// The decisions by finding for the containers that are opened.
  var policy: DecisionPolicy { session.state.policy }

  /// Asks for a container.
  /// - Returns: nil where none was chosen, or the input ended.
  mutating func choose() throws -> ContainerCandidate? {
    // Nobody waits at a pipe, and what reads its output gets all states.
    if !Console.inputIsTerminal { states?.finish() }
    Self.learn(states, &session)
    var chosen: ContainerCandidate?
    let states = states
    try LineLoop.converse(
      &session,
      prepare: { session, line in
        // A number means the row that was read.
        if Int(line) == nil { Self.learn(states, &session) }
      },
      isGoingOn: { effect in
        if case .choose(let candidate) = effect { chosen = candidate }
        return effect != .leave && chosen == nil
      })
    self.chosen = chosen
    return chosen
  }

  /// Shows what was chosen; what goes wrong is said here, where another one can be chosen.
  mutating func visit(_ work: () throws -> Void) throws {
    var failure: ReviewFailure?
    do {
      try work()
    } catch {
      // What reads lines from a pipe learns of it by the exit status.
      guard Console.inputIsTerminal else { throw error }
      failure = ReviewFailure(error)
    }
    if let chosen { states?.readAgain(chosen) }
    _ = session.update { state in
      state.comeBack(size: state.size, failure: failure)
      return []
    }
  }

  /// Ends the workers.
  func end() { states?.end() }

  private static func learn(_ states: ContainerStates?, _ session: inout Session) {
    guard let states else { return }
    _ = session.update { state in
      state.learn(states.news())
      return []
    }
  }
}
