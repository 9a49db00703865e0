import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

struct Picker {
  enum Answer: Equatable {
    case chosen(ContainerCandidate?)
    case signal(Int32)
  }

  private var state: PickerState
  private let terminal: any Terminal
  private let runner: ListRunner

  init(
    _ runner: ListRunner, at place: String, _ choices: ListChoices, options: ReviewOptions, on terminal: any Terminal
  ) {
    state = runner.state(place, choices, size: terminal.size, options: options)
    (self.runner, self.terminal) = (runner, terminal)
  }

  var choices: ListChoices { state.choices }

  mutating func choose() throws -> Answer {
    var state = state
    defer { self.state = state }
    var (chosen, signal): (ContainerCandidate?, Int32?)
    // The user must have seen a result, like a question, before a key acts on it.
    let asking = PickerState.table.asking.union([.containersResult])
    let ending = try ScreenLoop.run(
      on: terminal, screen: { state.screen }, asking: asking, frame: { render(state) },
      take: { event in
        if let states = runner.states { state.learn(states.news()) }
        guard let action = ScreenInput(event) else { return true }
        for effect in reduce(&state, action) {
          switch effect {
          case .choose(let candidate):
            chosen = candidate
            return false
          case .errand(let errand): _ = reduce(&state, .answer(Errands(terminal).carryOut(errand)))
          case .suspend: terminal.suspend()
          case .bell: break
          case .leave: return false
          case .preview, .write, .replan, .history:
            // Many containers can take long: the screen says what is going on.
            terminal.show(state)
            let size = terminal.size
            runner.carryOut(effect, &state, show: terminal.show) { isStopped(&signal) }
            if terminal.size != size { _ = reduce(&state, .resized(terminal.size)) }
            if signal != nil { return false }
          }
        }
        return true
      })
    if let signal { return .signal(signal) }
    if case .signal(let number) = ending { return .signal(number) }
    return .chosen(chosen)
  }

  /// Whether escape was typed, or the program is asked to end. Other keys are dropped: the next screen has to be seen
  /// before a key acts on it.
  private func isStopped(_ signal: inout Int32?) -> Bool {
    while let event = try? terminal.pendingEvent() {
      switch event {
      case .key(.escape), .endOfInput: return true
      case .signal(let number):
        signal = number
        return true
      default: continue
      }
    }
    return false
  }

  /// An error is shown in the list, where another container can be chosen.
  mutating func visit(_ work: () throws -> ScreenLoop.Ending) -> ScreenLoop.Ending {
    state.opening()
    terminal.show(state)
    // The selection may have changed by then.
    defer { if let selected = state.selected { runner.states?.readAgain([selected]) } }
    do {
      let ending = try work()
      state.comeBack(size: terminal.size)
      return ending
    } catch {
      state.comeBack(size: terminal.size, failure: ReviewFailure(error))
      return .quit
    }
  }
}

struct LineChoice {
  private typealias Session = LineSession<PickerState>

  private var session: Session
  private let runner: ListRunner
  private var chosen: ContainerCandidate?

  init(_ runner: ListRunner, at place: String, _ choices: ListChoices, _ options: ReviewOptions) {
    session = Session(runner.state(place, choices, size: Session.size, options: Session.options(options)))
    self.runner = runner
  }

  var choices: ListChoices { session.state.choices }

  /// Nil if none was chosen, or the input ended.
  mutating func choose() throws -> ContainerCandidate? {
    Self.learn(runner, &session)
    var chosen: ContainerCandidate?
    let runner = runner
    try LineLoop.converse(
      &session,
      prepare: { session, line in
        // A number means the row that the user has read.
        if Int(line) == nil { Self.learn(runner, &session) }
      },
      carryOut: { runner.carryOut($0, &$1) },
      isGoingOn: { effect in
        if case .choose(let candidate) = effect { chosen = candidate }
        return effect != .leave && chosen == nil
      })
    self.chosen = chosen
    return chosen
  }

  /// An error is shown in the list, where another container can be chosen.
  mutating func visit(_ work: () throws -> Void) throws {
    var failure: ReviewFailure?
    do {
      try work()
    } catch {
      // A pipe learns of it by the exit status.
      guard Console.inputIsTerminal else { throw error }
      failure = ReviewFailure(error)
    }
    if let chosen { runner.states?.readAgain([chosen]) }
    _ = session.update { state in
      state.comeBack(size: state.size, failure: failure)
      return []
    }
  }

  private static func learn(_ runner: ListRunner, _ session: inout Session) {
    guard let states = runner.states else { return }
    // Nobody waits at a pipe, so its reader gets all states.
    if !Console.inputIsTerminal { states.join() }
    _ = session.update { state in
      state.learn(states.news())
      return []
    }
  }
}
