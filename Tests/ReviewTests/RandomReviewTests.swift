import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@testable import CarryoverReview

/// Random keys on random reviews, as long as is wished.
///
/// CARRYOVER_RANDOM_SECONDS says for how long, in all, of which half is spent here and half on the built command;
/// CARRYOVER_RANDOM_SEED repeats a run. Without the first, it is a few reviews that are always the same.
@Suite("Random reviews")
struct RandomReviewTests {
  @Test(
    "frames fill their grid, laid out for what they show, only y writes where it was asked, and undoing leads back (F3, F5)"
  )
  func reviews() throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["CARRYOVER_RANDOM_SECONDS"].flatMap(Double.init)
    let seed =
      environment["CARRYOVER_RANDOM_SEED"].flatMap(UInt64.init)
      ?? (seconds == nil ? 20_251_120 : UInt64.random(in: 0..<1_000_000))
    let end = ContinuousClock.now + .seconds((seconds ?? 0) / 2)
    var rounds: UInt64 = 0
    repeat {
      let failed = try Self.review(seed: seed &+ rounds)
      #expect(failed == nil, "CARRYOVER_RANDOM_SEED=\(seed &+ rounds) CARRYOVER_RANDOM_SECONDS=0")
      if failed != nil { return }
      rounds += 1
    } while rounds < (seconds == nil ? 12 : 1) || ContinuousClock.now < end
    print("Random reviews: \(rounds) from seed \(seed)")
  }

  /// What is wrong with a review of many keys; nil if nothing is.
  private static func review(seed: UInt64) throws -> String? {
    var generator = SeededGenerator(seed: seed)
    let plan = generator.hostilePlan(fields: Int.random(in: 0...60, using: &generator))
    var stores: [Store] = []
    for index in 0..<Int.random(in: 0...3, using: &generator) {
      guard let value = generator.hostileValue() else { continue }
      stores.append(store("AppData/Library/\(index)\(generator.hostileText()).plist", value))
    }
    var session = Session(
      plan, glyphs: Bool.random(using: &generator) ? .unicode : .ascii,
      lastRun: LastRun(id: "run", files: [generator.hostileText()], fields: []),
      container: stores.isEmpty ? nil : container(stores))
    let start = session.state.decisions
    var keys: [Key?] = []
    for _ in 0..<250 {
      let (before, seen) = (session.state, session.effects.count)
      let key = ReducePropertyTests.step(&session, &generator)
      keys.append(key)
      for effect in session.effects[seen...] {
        if let wrong = answer(effect, key, before, &session, &generator) { return "\(wrong); \(keys.suffix(30))" }
      }
      if let wrong = frame(session.state) { return "\(wrong) after \(keys.suffix(30))" }
    }
    session.state.waiting = nil
    session.state.waiting = nil
    session.send(.resized(Size(columns: 100, rows: 30)))
    for _ in 0..<12 where session.state.screen != .review { session.type("<esc>") }
    for _ in 0..<300 { session.type("u") }
    return session.state.decisions == start ? nil : "undoing left \(session.state.decisions)"
  }

  private static func screens(_ state: ReviewState) -> String? {
    let open = Set(state.stack.screens)
    if open.count != state.stack.screens.count || state.stack.screens.first != .review {
      return "screens are open twice"
    }
    if (state.menu != nil) == open.isDisjoint(with: [.decideMany, .filterMenu, .setup]) {
      return "a menu without its screen"
    }
    if (state.draft != nil) == open.isDisjoint(with: [.run, .rollback]) { return "a run without its screen" }
    if (state.members != nil) != open.contains(.members) { return "members without their screen" }
    if let editor = state.editor, state.positions[editor.subject] == nil { return "a value of no field is typed" }
    return nil
  }

  private static func frame(_ state: ReviewState) -> String? {
    if let wrong = screens(state) { return wrong }
    let frame = render(state)
    let grid = frame.grid
    if frame != render(laidOutAgain(state)) { return "a text that was laid out for something else" }
    if grid.size != state.size { return "a grid of \(grid.size), not \(state.size)" }
    for line in grid.lines where DisplayWidth.columns(of: line) != grid.size.columns {
      return "a row of \(DisplayWidth.columns(of: line)) columns, not \(grid.size.columns): \(line.debugDescription)"
    }
    return nil
  }

  private static func laidOutAgain(_ state: ReviewState) -> ReviewState {
    var state = state
    state.stack.pageKey?.revision = -1
    state.refreshPage()
    guard state.topScreen == .review else { return state }
    state.panes.warnings.ownKey = nil
    state.panes.warnings.sharedKey = nil
    state.panes.details.key = nil
    state.refreshPanes()
    return state
  }

  /// Answers an effect as the loop would, with failures; says what is wrong with its having been asked for.
  private static func answer(
    _ effect: ReviewEffect, _ key: Key?, _ before: ReviewState, _ session: inout Session,
    _ generator: inout SeededGenerator
  ) -> String? {
    let refusal = ReviewFailure(message: generator.hostileText(), remedy: generator.hostileText())
    switch effect {
    case .apply:
      session.send(.applied(.failure(refusal)))
      return key == .character("y") && before.screen == .preview ? nil : "applied by \(String(describing: key))"
    case .rollback:
      session.send(.rolledBack(.failure(refusal)))
      return key == .character("y") && before.screen == .rollback ? nil : "rolled back by \(String(describing: key))"
    case .plan(let choices): session.send(.planned(before.plan, choices))
    case .loadHistory: session.send(.history(sampleRuns))
    case .loadRollback: session.send(.rollbackPlan(Bool.random(using: &generator) ? conflictedPlan : cleanPlan))
    case .errand(let errand): session.answer(errand, generator.hostileText())
    default: break
    }
    return nil
  }
}
