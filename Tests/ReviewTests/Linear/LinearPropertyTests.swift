import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

/// Whatever lines come in whatever order, over whatever there is.
@Suite("Random lines")
struct LinearPropertyTests {
  private static let names: [[String]] = [
    LinearVocabulary.fields.all.flatMap(\.names), LinearVocabulary.run.all.flatMap(\.names),
    LinearVocabulary.history.all.flatMap(\.names), LinearVocabulary.stores.all.flatMap(\.names),
    LinearVocabulary.kept.all.flatMap(\.names),
  ]
  private static let others = [
    "yes", "yes", "yes", "forget", "keys", "1", "2", "3", "99999999999999999999", "", "list to decide", "take 1",
    "recipes 2", "many 1", "filter is:todo",
  ]
  private static let words: [String] = names.flatMap { $0 } + others

  private static func line(_ generator: inout SeededGenerator) -> String {
    let word = words.randomElement(using: &generator) ?? ""
    return switch Int.random(in: 0..<12, using: &generator) {
    case 0: generator.hostileText()
    case 1: word + " " + generator.hostileText()
    case 2: String(word.prefix(2))
    case 3: word + " " + String(Int.random(in: 0...9, using: &generator))
    case 4: word + " " + (words.randomElement(using: &generator) ?? "")
    case 5: ["user", "42", "true", "{\"a\":1}", "app", "session"].randomElement(using: &generator) ?? ""
    default: word
    }
  }

  /// Answers what was asked for since, now and then with a success.
  private static func answer(
    _ session: inout LinearSession, from seen: Int, _ generator: inout SeededGenerator
  ) {
    for effect in session.effects[seen...] {
      switch effect {
      case .apply:
        session.send(.applied(.failure(ReviewFailure(message: generator.hostileText(), remedy: "Again."))))
      case .rollback: session.send(.rolledBack(.failure(ReviewFailure(message: "No.", remedy: ""))))
      case .loadHistory: session.send(.history(sampleRuns, problems: [generator.hostileText()]))
      case .loadRollback: session.send(.rollbackPlan(generator.next().isMultiple(of: 2) ? conflictedPlan : cleanPlan))
      case .copy, .suspend, .bell, .quit, .quitForgetting: break
      }
    }
  }

  @Test("undoing everything brings back the decisions of the start", arguments: UInt64(0)..<30)
  func undoAll(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let start: Decisions = seed.isMultiple(of: 2) ? [:] : ["traits": .skip, "user_id": .edit("x")]
    var session = LinearSession(
      decisions: start, container: nestedContainer(), kept: seed.isMultiple(of: 3) ? sampleKept : nil)
    for _ in 0..<300 {
      let seen = session.effects.count
      session.enter(Self.line(&generator))
      Self.answer(&session, from: seen, &generator)
    }
    for _ in 0..<6 { session.enter("back") }
    session.enter("")
    for _ in 0..<2 where session.review.place != .fields { session.enter("") }
    #expect(session.review.place == .fields)
    for _ in 0..<400 { session.enter("undo") }
    #expect(session.review.state.decisions == start)
    #expect(session.review.state.history.done.isEmpty)
  }

  @Test(
    "nothing is written but by yes to a question about what was read in this very state", arguments: UInt64(100)..<160)
  func writesOnlyAfterReading(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var session = LinearSession(
      lastRun: LastRun(id: "run", files: ["f"], fields: []), container: nestedContainer())
    var heard: Decisions?
    for _ in 0..<400 {
      let before = session.review
      let seen = session.effects.count
      let line = Self.line(&generator)
      session.enter(line)
      let isYes = LinearLine.trimmed(line) == "yes"
      if session.answer.contains("Preview. Nothing is written yet.") { heard = session.review.state.decisions }
      for effect in session.effects[seen...] {
        switch effect {
        case .apply(let decisions):
          #expect(isYes && before.place == .apply && decisions == heard)
          #expect(before.state.plan.undecided(decisions).isEmpty)
        case .rollback(let plan, let only, let decisions):
          #expect(isYes && before.place == .rollback)
          let draft = try #require(before.state.draft)
          #expect(plan == draft.plan && only == draft.only && decisions == draft.decisions)
          #expect(draft[.undecided] == 0)
        case .quit:
          #expect(before.place == .quit || !before.state.hasUnappliedDecisions && before.state.tally.waiting == 0)
        case .quitForgetting: #expect(before.place == .quit && LinearLine.trimmed(line) == "forget")
        case .loadHistory, .loadRollback, .copy, .suspend, .bell: break
        }
      }
      Self.answer(&session, from: seen, &generator)
    }
  }

  @Test("no line that is said steers a terminal, in ASCII none leaves it", arguments: UInt64(200)..<230)
  func saysOnlyWhatIsHarmless(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let isASCII = seed.isMultiple(of: 2)
    let container = generator.hostileContainer()
    var session = LinearSession(
      generator.hostilePlan(fields: 30), glyphs: isASCII ? .ascii : .unicode, container: container)
    func check() {
      for line in session.said + [session.review.prompt] {
        let isHarmless = DisplayText.harmless(line).unicodeScalars.elementsEqual(line.unicodeScalars)
        #expect(isHarmless, "\(DisplayText.visible(line))")
        #expect(!isASCII || line.utf8.allSatisfy { $0 < 0x80 })
      }
    }
    check()
    for round in 0..<250 {
      let seen = session.effects.count
      session.enter(Self.line(&generator))
      check()
      Self.answer(&session, from: seen, &generator)
      check()
      if round % 100 == 50 { session.send(.replanned(generator.hostilePlan(fields: 12))) }
    }
  }
}
