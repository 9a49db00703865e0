import Carryover
import Review
import Terminal

/// Shows frames on a terminal and takes its events, one after the other. Synchronous, on one thread.
enum ScreenLoop {
  /// Why the loop ended.
  enum Ending: Equatable {
    /// The user quit, or the terminal went away.
    case quit
    /// The process was asked to end.
    case signal(Int32)
  }

  /// - Parameters:
  ///   - frame: Draws what is to be shown now.
  ///   - pause: Called when everything is on the screen, before the next event; true where there is more to show.
  ///   - take: Takes an event; false once the loop is to end.
  static func run(
    on terminal: any Terminal, frame: () -> Frame, pause: () -> Bool = { false }, take: (Event) throws -> Bool
  ) throws -> Ending {
    while true {
      repeat {
        let frame = frame()
        try terminal.draw(frame.grid, cursor: frame.cursor)
      } while pause()
      let event = try terminal.nextEvent()
      switch event {
      case .signal(let number): return .signal(number)
      case .endOfInput: return .quit
      default: if try !take(event) { return .quit }
      }
    }
  }

  /// Shows the stores of a container until the user leaves them.
  static func browse(_ container: Container, options: ReviewOptions, on terminal: any Terminal) throws -> Ending {
    var state = BrowserState(container, size: terminal.size, options: options, zone: Console.secondsFromUTC)
    return try run(on: terminal, frame: { render(state) }) { event in
      guard let action = BrowserAction(event) else { return true }
      for effect in reduce(&state, action) {
        switch effect {
        case .copy(let text): terminal.copyToClipboard(text)
        case .suspend: terminal.suspend()
        case .bell: break
        case .leave: return false
        }
      }
      return true
    }
  }
}
