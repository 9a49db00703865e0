package import Carryover
package import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// A review by prompts, for screen readers, for terminals that show lines alone, and for logs: the same state, decided by
/// the same commands as on a screen, with a line in for each key and lines out for each frame. Pure.
///
/// Nothing is written but by `yes` in full, right after what would be written was read in this very state.
package struct LinearReview: Sendable {
  /// The review itself.
  package internal(set) var state: ReviewState
  /// What is being asked.
  package internal(set) var place = LinearPlace.fields

  let ink: Ink
  /// The container, for its stores; nil where it was not given.
  var container: Container?
  var stores: LinearStores?
  /// The state whose change was read last.
  var previewed: Stamp?
  /// The question about a rollback whose keys were read last.
  var asked: Stamp?
  /// Where the list that was read last goes on.
  var rest: ArraySlice<Int> = []
  /// What has to do with the line that is being taken.
  var writer: LinearWriter
  var effects: [ReviewEffect] = []

  /// What makes two states the same to whoever agrees to what is read of one.
  struct Stamp: Hashable, Sendable {
    var revision: Int
    var decisions: Decisions
  }

  /// How many rows of a list are read at once.
  static let page = 20

  /// A review of a plan.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - options: What drawing depends on.
  ///   - backupLocation: Where an apply puts its backup.
  ///   - lastRun: The run that a rollback would take back.
  ///   - wrapper: What the container lies in, where it is only read.
  ///   - occupied: What stands where the backups are to be, so that nothing can be written.
  ///   - recovered: The runs that had been interrupted and were brought to an end before.
  ///   - recoveryFailure: Why one could not be.
  ///   - container: The container, for its stores to be looked into.
  ///   - kept: The decisions of an earlier review, to be offered at the start.
  ///   - zone: How far local time is from UTC at a moment, in seconds.
  package init(
    plan: Plan, decisions: Decisions = [:], options: ReviewOptions = ReviewOptions(), backupLocation: String,
    lastRun: LastRun? = nil, wrapper: ContainerWrapper? = nil, occupied: OccupiedStateFolder? = nil,
    recovered: [RecoveredRun] = [], recoveryFailure: ReviewFailure? = nil, container: Container? = nil,
    kept: KeptReview? = nil,
    zone: (@Sendable (Moment) -> Int)? = nil
  ) {
    var options = options
    options.namesWords = true
    // Of any size that has room for every screen: nothing is drawn, and commands ask which screen they are on.
    state = ReviewState(
      plan: plan, decisions: decisions, size: Size(columns: 120, rows: 40), options: options,
      backupLocation: backupLocation, lastRun: lastRun, wrapper: wrapper, occupied: occupied, recovered: recovered,
      recoveryFailure: recoveryFailure, container: container, zone: zone)
    self.container = container
    ink = Ink(options)
    writer = LinearWriter(ink)
    if let kept { _ = reduce(&state, .kept(kept)) }
  }

  /// What is said before the first question.
  package mutating func start() -> LinearStep {
    writer.recovery(state)
    toFields()
    if let message = state.message { writer.quote(message) }
    writer.summary(state)
    writer.say("help lists the answers. Nothing is written before you type apply and then yes.")
    if state.kept == nil {
      goToFirstToDecide()
      announceOrConclude()
    } else {
      offerKept()
    }
    return step()
  }

  /// What asks for the next line.
  package var prompt: String {
    switch place {
    case .fields:
      guard let field = state.selected else { return "No fields. Answer: " }
      let standing = FieldState(field, state.decisions[field.id])
      return "\(ink.name(field.id, columns: 60)), \(standing.word). Answer: "
    case .value:
      guard let field = state.selected else { return "Value: " }
      return "New value of \(ink.name(field.id, columns: 60)), \(field.form.kind.word); Enter alone changes nothing: "
    case .apply: return "Type yes in full to write this; anything else writes nothing: "
    case .history: return "Number of the run, or back: "
    case .run:
      guard let (entry, _) = state.draft?.selected else { return "Answer: " }
      return "Key \(ink.name(entry.id.key, columns: 60)). Answer: "
    case .rollback:
      return "Type yes in full to take this back, or keys to choose single ones; anything else leaves all as it is: "
    case .stores: return stores?.prompt ?? "Answer: "
    case .quit: return quitPrompt
    case .kept: return "Take them up: yes, no or later? "
    }
  }

  /// Whether what is typed at the prompt is a value, which a log should not repeat where values are masked.
  package var asksForValue: Bool { place == .value }

  /// Takes a line that was typed.
  package mutating func take(line: String) -> LinearStep {
    guard line.utf8.count <= TypedLine.limit else {
      writer.say("This line is too long: \(line.utf8.count) bytes. Nothing was done.")
      return step()
    }
    state.message = nil
    switch place {
    case .fields: answer(LinearVocabulary.fields.parse(line))
    case .kept: answer(LinearVocabulary.kept.parse(line))
    case .history: answer(LinearVocabulary.history.parse(line))
    case .run: answer(LinearVocabulary.run.parse(line))
    case .value: takeValue(line)
    case .apply: agreeToApply(line)
    case .rollback: agreeToRollback(line)
    case .quit: agreeToQuit(line)
    case .stores: lookIntoStores(line)
    }
    return step()
  }

  /// Takes an answer to an effect, or any other news.
  package mutating func take(_ action: ReviewAction) -> LinearStep {
    state.message = nil
    effects += reduce(&state, action).filter { $0 != .bell }
    switch action {
    case .applied(let result), .rolledBack(let result): ended(result)
    case .failed(let failure):
      writer.failure(failure)
      toFields()
    case .history(_, _, let problems):
      guard state.screens.last == .history else { break }
      place = state.runs.runs.isEmpty ? .fields : .history
      for problem in problems.prefix(100) { writer.quote(problem) }
      writer.runs(state)
      if place == .fields { toFields() }
    case .rollbackPlan: beginRollback()
    case .reopened(let container):
      self.container = container
      stores = nil
    case .keeping(.impossible), .notice: if let message = state.message { writer.quote(message) }
    case .replanned:
      rest = []
      if let message = state.message { writer.quote(message) }
      writer.say("As the container is now:")
      writer.counts(state)
    default: break
    }
    return step()
  }

  /// What was said and asked for since the last step.
  private mutating func step() -> LinearStep {
    let step = LinearStep(lines: writer.lines, effects: effects)
    writer = LinearWriter(ink)
    effects = []
    return step
  }

  /// Goes back to the fields from wherever it is.
  mutating func toFields() {
    place = .fields
    rest = []
    for _ in 0..<16 where state.screens.count > 1 { perform(.back, isSilent: true) }
  }

  /// Has the review do what a key would; says what it says, or that it did nothing.
  /// - Returns: whether anything was done.
  @discardableResult
  mutating func perform(_ command: Command, isSilent: Bool = false) -> Bool {
    let asked = reduce(&state, .perform(command))
    effects += asked.filter { $0 != .bell }
    let isRefused = asked.contains(.bell)
    if !isSilent {
      if let message = state.message {
        writer.quote(message)
      } else if isRefused {
        writer.say("That does nothing here.")
      }
    }
    state.message = nil
    return !isRefused
  }

  /// Why a command can do nothing among the fields now, in the words of its key; nil when it can.
  func obstacle(to command: Command) -> String? {
    // Which key asks makes no difference to a command that has an obstacle of its own.
    for binding in Bindings.bindings(in: .review, state.options.keymap) where binding.command(.enter) == command {
      return binding.disabledReason(state)
    }
    return nil
  }

  /// Whether there is more of a list to be read.
  var hasMore: Bool { !rest.isEmpty }

  var stamp: Stamp { Stamp(revision: state.revision, decisions: state.decisions) }

  private mutating func answer(_ parsed: LinearAnswers<LinearCommand, LinearReview>.Parse) {
    switch parsed {
    case .number where place == .kept: writer.say("This is no answer here. help lists the answers.")
    case .number(let number):
      carryOut(place == .history ? .openRun(String(number)) : .go(String(number)))
    case .answer(let answer, let argument):
      if let obstacle = answer.obstacle(self) { return writer.quote(obstacle) }
      carryOut(answer.meaning(argument))
    default: if let complaint = parsed.complaint(ink) { writer.say(complaint) }
    }
  }

  private mutating func carryOut(_ command: LinearCommand) {
    switch place {
    case .fields: review(command)
    case .kept: answerKept(command)
    default: takeBack(command)
    }
  }
}
