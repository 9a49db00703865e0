import Carryover
import CarryoverContainers
import CarryoverCurses
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// Shows frames on a terminal and takes its events. Synchronous, on one thread.
enum ScreenLoop {
  enum Ending: Equatable {
    case quit
    case signal(Int32)
  }

  /// So many events are taken before a frame shows the result.
  private static let eventsAFrame = 64

  /// - Parameters:
  ///   - screen: the current screen; another one is drawn before any key acts on it.
  ///   - asking: screens on which keys that were typed before they appeared are dropped.
  ///   - pause: called when everything is drawn; true if there is more to show.
  ///   - take: false ends the loop.
  static func run(
    on terminal: any Terminal, screen: () -> Screen? = { nil }, asking: Set<Screen> = [], frame: () -> Frame,
    pause: () -> Bool = { false }, take: (Event) throws -> Bool
  ) throws -> Ending {
    var drawn = screen()
    while true {
      var event: Event?
      repeat {
        // Before it is drawn: the user may answer as soon as it is visible.
        let before = drawn
        drawn = screen()
        if let drawn, drawn != before, asking.contains(drawn) { event = try firstThatIsNotTyped(on: terminal) }
        let frame = frame()
        try terminal.draw(frame.grid, cursor: frame.cursor)
      } while event == nil && pause()
      #if DEBUG
        DebugTrap.springIfAsked()
      #endif
      // Waiting keys are taken together: a key held down shows where it leads, not every step.
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

  /// Drops what was typed, pasted or clicked, up to the first event of another kind; nil if there is none.
  private static func firstThatIsNotTyped(on terminal: any Terminal) throws -> Event? {
    while let event = try terminal.pendingEvent() {
      switch event {
      case .key, .paste, .mouse: continue
      default: return event
      }
    }
    return nil
  }

  /// - Parameters:
  ///   - runner: changes the stores; nil where they are read-only.
  ///   - watch: what waits for changes of the container meanwhile; nil if nothing does.
  static func browse(
    _ state: BrowserState, _ container: Container, _ runner: BrowserRunner? = nil, watch: BackgroundWatch? = nil,
    on terminal: any Terminal
  ) throws -> Ending {
    defer { watch?.end() }
    watch?.start(waking: terminal.waker())
    var state = state
    state.isWatched = watch != nil
    // Nothing typed ahead may write.
    let asking = BrowserState.table.asking
    return try run(on: terminal, screen: { state.screen }, asking: asking, frame: { render(state) }) { event in
      if case .tick = event, let news = watch?.news() {
        state.reload(news.container, marking: news.paths, at: news.moment)
      }
      guard let action = ScreenInput(event) else { return true }
      for effect in reduce(&state, action) {
        switch effect {
        case .copy(let text): terminal.copyToClipboard(text)
        case .errand(let errand): _ = reduce(&state, .answer(Errands(terminal, container).carryOut(errand)))
        case .suspend: terminal.suspend()
        case .bell: break
        case .leave: return false
        case .change, .rollback, .loadRollback, .loadHistory:
          terminal.show(state)
          runner?.carryOut(effect, &state)
        }
      }
      return true
    }
  }
}

/// Runs a review on a terminal: events in, frames out, effects in between. Synchronous, on one thread.
final class ReviewLoop {
  private let terminal: any Terminal
  private let job: ReviewJob
  private var end: ReviewEffect?

  init(_ terminal: any Terminal, _ job: ReviewJob) {
    (self.terminal, self.job) = (terminal, job)
  }

  private var runner: EffectRunner { job.runner }
  private var keeper: DecisionKeeper { job.keeper }

  /// Shows the review until it ends, and saves the decisions that were not applied.
  func run(options: ReviewOptions) throws -> ScreenLoop.Ending {
    var state = job.state(size: terminal.size, options: options)
    if let problem = job.keptProblem {
      // A path does not fit into the last line.
      _ = reduce(&state, .notice("The saved decisions cannot be read; the reason is printed when you leave."))
      runner.summary.append(problem.description)
    }
    defer { job.finish(state, after: end) }
    // These screens have to be seen before a key acts on them: nothing typed ahead may apply a plan or dismiss a
    // result.
    let asking = ReviewState.table.asking.union([.result, .failure])
    return try ScreenLoop.run(
      on: terminal, screen: { state.screen }, asking: asking, frame: { render(state) },
      pause: {
        guard keeper.passingBy(state) else { return false }
        _ = reduce(&state, .keeping(keeper.problem?.description))
        return true
      },
      take: { event in
        guard let input = ScreenInput(event) else { return true }
        _ = reduce(&state, .clock(Console.now))
        end = job.perform(reduce(&state, input), on: terminal, of: { state }) { $0(&state) }
        if state.screen == .quit {
          keeper.beforeAsking(state)
          _ = reduce(&state, .keeping(keeper.problem?.description))
        }
        return end == nil
      })
  }
}

extension Terminal {
  /// Draws a program while an effect of it is carried out.
  func show(_ state: some Program) {
    let frame = render(state)
    try? draw(frame.grid, cursor: frame.cursor)
  }
}

extension Configuration {
  /// However the work ends, the terminal is restored.
  func onTerminal<Result>(_ work: (any Terminal, Glyphs) throws -> Result) throws -> Result {
    let theme = applied(to: self.theme.theme(colorFGBG: Console.environment("COLORFGBG")))
    let options = ScreenOptions(
      theme: theme, color: theme != .mono, maximumColors: colors.limit,
      mouse: mouse)
    let terminal = try CursesTerminal(options: options)
    defer { terminal.close() }
    return try work(terminal, self.glyphs.glyphs(terminal.glyphs))
  }

  func options(_ glyphs: Glyphs, at moment: Moment, _ masking: Masking) -> ReviewOptions {
    ReviewOptions(
      glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: moment), redaction: masking.redaction,
      layout: layout, keymap: keymap)
  }
}
