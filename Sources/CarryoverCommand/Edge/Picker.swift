import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

/// Lets somebody choose among the containers at a path, as often as they come back from one.
struct Picker {
  /// How a choice ended.
  enum Answer: Equatable {
    /// With a container, or with none.
    case chosen(ContainerCandidate?)
    /// The process was asked to end.
    case signal(Int32)
  }

  private var state: PickerState
  private let terminal: any Terminal
  private let states: ContainerStates?

  /// - Parameters:
  ///   - place: What was opened, as the user named it.
  ///   - workers: The arguments of the workers that plan the containers; nil where none is planned.
  init(
    _ candidates: [ContainerCandidate], place: String, workers: [String]?, options: ReviewOptions,
    on terminal: any Terminal
  ) {
    state = PickerState(
      candidates, place: place, isPlanning: workers != nil, size: terminal.size, options: options)
    states = workers.map { ContainerStates(candidates, at: place, arguments: $0, wake: terminal.waker()) }
    self.terminal = terminal
  }

  /// The decisions by finding for the containers that are opened.
  var policy: DecisionPolicy { state.policy }

  /// Ends the workers.
  func end() { states?.end() }

  /// Shows the containers until one is chosen, or none.
  mutating func choose() throws -> Answer {
    var state = state
    defer { self.state = state }
    var chosen: ContainerCandidate?
    let ending = try ScreenLoop.run(on: terminal, frame: { render(state) }) { event in
      if let states { state.learn(states.news()) }
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
        }
      }
      return true
    }
    if case .signal(let number) = ending { return .signal(number) }
    return .chosen(chosen)
  }

  /// Opens what was chosen and shows it; what goes wrong is said here, where another one can be chosen.
  mutating func visit(_ work: () throws -> ScreenLoop.Ending) -> ScreenLoop.Ending {
    state.opening()
    let frame = render(state)
    try? terminal.draw(frame.grid, cursor: frame.cursor)
    // It may be another one afterwards.
    defer { if let selected = state.selected { states?.readAgain(selected) } }
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
