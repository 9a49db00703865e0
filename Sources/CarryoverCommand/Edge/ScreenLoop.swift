import Carryover
import CarryoverReview
import CarryoverTerminal

/// Shows frames on a terminal and takes its events, one after the other. Synchronous, on one thread.
enum ScreenLoop {
  /// Why the loop ended.
  enum Ending: Equatable {
    /// The user quit, or the terminal went away.
    case quit
    /// The process was asked to end.
    case signal(Int32)
  }

  /// The most events that are taken before a frame shows what came of them.
  private static let eventsAFrame = 64

  /// - Parameters:
  ///   - screen: Which screen is to be shown now; another one is drawn before any key acts on it.
  ///   - asking: Screens that ask for something that keys typed before they were seen must not answer. They are dropped then.
  ///   - frame: Draws what is to be shown now.
  ///   - pause: Called when everything is on the screen, before the next event; true where there is more to show.
  ///   - take: Takes an event; false once the loop is to end.
  static func run(
    on terminal: any Terminal, screen: () -> Screen? = { nil }, asking: Set<Screen> = [], frame: () -> Frame,
    pause: () -> Bool = { false }, take: (Event) throws -> Bool
  ) throws -> Ending {
    var drawn = screen()
    while true {
      var event: Event?
      repeat {
        // Before it is drawn: whoever sees it may answer at once.
        let before = drawn
        drawn = screen()
        if let drawn, drawn != before, asking.contains(drawn) { event = try firstThatIsNotTyped(on: terminal) }
        let frame = frame()
        try terminal.draw(frame.grid, cursor: frame.cursor)
      } while event == nil && pause()
      #if DEBUG
        DebugTrap.springIfAsked()
      #endif
      // Keys that have come meanwhile are taken together: whoever holds one down sees where it leads, not every step.
      if event == nil { event = try terminal.nextEvent() }
      var taken = 0
      while let next = event {
        switch next {
        case .signal(let number): return .signal(number)
        case .endOfInput: return .quit
        default: if try !take(next) { return .quit }
        }
        taken += 1
        event = taken < eventsAFrame && screen() == drawn ? try terminal.pendingEvent() : nil
      }
    }
  }

  /// Drops what was typed, pasted or clicked already, up to the first event of another kind; nil where there is none.
  private static func firstThatIsNotTyped(on terminal: any Terminal) throws -> Event? {
    while let event = try terminal.pendingEvent() {
      switch event {
      case .key, .paste, .mouse: continue
      default: return event
      }
    }
    return nil
  }

  /// Shows the stores of a container until the user leaves them.
  /// - Parameter path: where to begin; nil for the first row.
  static func browse(
    _ container: Container, at path: InspectedPath?, options: ReviewOptions, on terminal: any Terminal
  ) throws -> Ending {
    var state = BrowserState(container, size: terminal.size, options: options, zone: Console.secondsFromUTC, at: path)
    return try run(on: terminal, frame: { render(state) }) { event in
      guard let action = ScreenInput(event) else { return true }
      for effect in reduce(&state, action) {
        switch effect {
        case .copy(let text): terminal.copyToClipboard(text)
        case .errand(let errand): _ = reduce(&state, .answer(Errands(terminal, container).carryOut(errand)))
        case .suspend: terminal.suspend()
        case .bell: break
        case .leave: return false
        }
      }
      return true
    }
  }
}
