import Carryover
import Review
import Terminal

/// Lets somebody choose among the containers at a path.
enum Picker {
  /// How the choice ended.
  enum Answer: Equatable {
    /// With a container, or with none.
    case chosen(ContainerCandidate?)
    /// The process was asked to end.
    case signal(Int32)
  }

  /// - Parameter place: What was opened, as the user named it.
  static func choose(
    _ candidates: [ContainerCandidate], place: String, options: ReviewOptions, on terminal: any Terminal
  ) throws -> Answer {
    var state = PickerState(candidates, place: place, size: terminal.size, options: options)
    var chosen: ContainerCandidate?
    let ending = try ScreenLoop.run(on: terminal, frame: { render(state) }) { event in
      guard let action = BrowserAction(event) else { return true }
      for effect in reduce(&state, action) {
        switch effect {
        case .choose(let candidate):
          chosen = candidate
          return false
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
}
