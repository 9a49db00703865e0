import Carryover
import CarryoverContainers
import CarryoverCurses
import CarryoverReview
import CarryoverSystem
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

/// How the screen is to look and behave, and the way to it.
struct ScreenSettings {
  private let configuration: Configuration

  /// - Parameter configuration: what the file and the options say together.
  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Takes the screen, does the work on it, and gives the terminal back as it was, however the work ends.
  func onTerminal<Result>(_ work: (any Terminal, Glyphs) throws -> Result) throws -> Result {
    let theme = configuration.applied(to: configuration.theme.theme(colorFGBG: Console.environment("COLORFGBG")))
    let options = ScreenOptions(
      theme: theme, color: theme != .mono, maximumColors: configuration.colors.limit,
      mouse: configuration.mouse)
    let terminal = try CursesTerminal(options: options)
    defer { terminal.close() }
    return try work(terminal, configuration.glyphs.glyphs(terminal.capabilities.glyphs))
  }

  /// The characters that were chosen, or else the usual ones.
  func glyphs(_ usual: Glyphs) -> Glyphs { configuration.glyphs.glyphs(usual) }

  /// What drawing depends on.
  /// - Parameter moment: the moment at which local time's offset from UTC counts.
  func options(_ glyphs: Glyphs, at moment: Moment, _ masking: Masking) -> ReviewOptions {
    ReviewOptions(
      glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: moment), redaction: masking.redaction,
      layout: configuration.layout, keymap: configuration.keymap)
  }
}

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
