import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Random lines")
struct LinePropertyTests {
  private static let words: [String] = {
    func words<State>(_ table: ScreenTable<State>) -> [String] {
      table.all.flatMap { [$0.name, $0.label] + $0.keys.map(\.name) }
    }
    let others = [
      "yes", "quit-and-forget", "1", "2", "3", "99999999999999999999", "", "list", "more", "again",
      "filter is:undecided",
      "edit 42", "/a", "take 1", ":2",
    ]
    return words(ReviewState.table) + words(BrowserState.table)
      + (0..<12).flatMap { _ in others + ["a", "yes", "accept", "R", "H"] }
  }()

  private static func line(_ generator: inout SeededGenerator) -> String {
    let word = words.randomElement(using: &generator) ?? ""
    return switch Int.random(in: 0..<14, using: &generator) {
    case 0: generator.hostileText()
    case 1: word + " " + generator.hostileText()
    case 2: String(word.prefix(2))
    case 3: word + " " + String(Int.random(in: 0...9, using: &generator))
    case 4: word + " " + (words.randomElement(using: &generator) ?? "")
    case 5: ["user", "42", "true", "{\"a\":1}", "app", "session"].randomElement(using: &generator) ?? ""
    default: word
    }
  }

  /// Answers what was asked for since.
  private static func answer(_ talk: inout LineTalk, from seen: Int, _ generator: inout SeededGenerator) {
    for effect in talk.effects[seen...] {
      switch effect {
      case .apply: talk.send(.applied(.failure(ReviewFailure(message: generator.hostileText(), remedy: "Again."))))
      case .rollback: talk.send(.rolledBack(.failure(ReviewFailure(message: "No.", remedy: ""))))
      case .loadHistory: talk.send(.history(sampleRuns, problems: [generator.hostileText()]))
      case .loadRollback: talk.send(.rollbackPlan(generator.next().isMultiple(of: 2) ? conflictedPlan : cleanPlan))
      case .plan(let choices): talk.send(.planned(acmePlan(), choices))
      case .report: talk.send(.reported(SharedReport(markdown: generator.hostileText(), html: "")))
      case .errand(let errand): talk.answer(errand, generator.hostileText())
      case .copy, .suspend, .bell, .quit, .quitForgetting: break
      }
    }
  }

  @Test("undoing everything brings back the decisions of the start", arguments: UInt64(0)..<20)
  func undoAll(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let start: Decisions = seed.isMultiple(of: 2) ? [:] : ["traits": .skip, "user_id": .edit("x")]
    var talk = LineTalk(
      decisions: start, container: nestedContainer(), kept: seed.isMultiple(of: 3) ? sampleKept : nil)
    for _ in 0..<300 {
      let seen = talk.effects.count
      talk.enter(Self.line(&generator))
      Self.answer(&talk, from: seen, &generator)
    }
    for _ in 0..<12 where talk.review.prompt != "Review: " {
      for word in ["", "back", "leave", "later", "stay"] where talk.review.prompt != "Review: " { talk.enter(word) }
    }
    #expect(talk.review.prompt == "Review: ")
    for _ in 0..<400 { talk.enter("undo") }
    #expect(talk.review.state.decisions == start)
    #expect(talk.review.state.history.done.isEmpty)
  }

  @Test("nothing is written but by yes right after what it is about was read")
  func writesOnlyAfterReading() throws {
    var writes = 0
    for seed in UInt64(100)..<150 { writes += try Self.writes(seed) }
    #expect(writes > 50)
  }

  /// How often something was written in a random conversation, each time as it has to be.
  private static func writes(_ seed: UInt64) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    var talk = LineTalk(lastRun: LastRun(id: "run", files: ["f"], fields: []), container: nestedContainer())
    var writes = 0
    // What was said last, with all that more has read of it.
    var read = talk.said
    for _ in 0..<400 {
      let before = talk.review.state
      let seen = talk.effects.count
      let line = generator.next().isMultiple(of: 3) ? "yes" : line(&generator)
      talk.enter(line)
      let isYes = line.split(separator: " ") == ["yes"]
      for effect in talk.effects[seen...] {
        switch effect {
        case .apply(let decisions):
          writes += 1
          #expect(isYes && before.screen == .preview && decisions == before.decisions)
          #expect(read.contains("Preview") && read.contains { $0.contains("yes applies this change") })
          #expect(before.plan.undecided(decisions).isEmpty)
        case .rollback(let plan, let only, let decisions):
          writes += 1
          #expect(isYes && before.screen == .rollback && read.contains("Roll back"))
          let draft = try #require(before.draft)
          #expect(plan == draft.plan && only == draft.only && decisions == draft.decisions)
          #expect(draft[.undecided] == 0)
        case .quit:
          #expect(isYes && before.screen == .quit || !before.hasUnappliedDecisions, "\(line) on \(before.screen)")
        case .quitForgetting:
          #expect(before.screen == .quit && read.contains("Quit") && line.hasPrefix("quit"))
        case .copy, .suspend, .bell: #expect(Bool(false), "\(effect)")
        case .plan(let choices):
          #expect(!choices.allowsOptedOut || isYes && before.screen == .optedOut || before.choices.allowsOptedOut)
        case .errand(.save(_, _, let isReplacing)):
          #expect(!isReplacing || isYes && [ReviewState.table.replace, .stores].contains(before.screen))
        case .loadHistory, .loadRollback, .report, .errand: break
        }
      }
      answer(&talk, from: seen, &generator)
      read = (line.lowercased() == "more" ? read : []) + talk.said
    }
    return writes
  }

  @Test(
    "no line that is said steers a terminal, in ASCII none leaves it, and none is answered by silence",
    arguments: UInt64(200)..<230)
  func saysOnlyWhatIsHarmless(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let isASCII = seed.isMultiple(of: 2)
    let container = generator.hostileContainer()
    var talk = LineTalk(generator.hostilePlan(fields: 30), glyphs: isASCII ? .ascii : .unicode, container: container)
    func check() {
      for line in talk.said + [talk.review.prompt] {
        let isHarmless = DisplayText.harmless(line).unicodeScalars.elementsEqual(line.unicodeScalars)
        #expect(isHarmless, "\(DisplayText.visible(line))")
        #expect(!isASCII || line.utf8.allSatisfy { $0 < 0x80 })
      }
    }
    check()
    for round in 0..<250 {
      let seen = talk.effects.count
      let prompt = talk.review.prompt
      talk.enter(Self.line(&generator))
      check()
      #expect(!talk.said.isEmpty || talk.effects.count > seen || talk.review.prompt != prompt)
      Self.answer(&talk, from: seen, &generator)
      check()
      if round % 100 == 50 { talk.send(.replanned(generator.hostilePlan(fields: 12))) }
    }
  }

  @Test("with masks no value of a person is said, whatever is asked", arguments: UInt64(300)..<312)
  func masksEverything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let plan = acmePlan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    var talk = LineTalk(redaction.findings(of: plan), container: nestedContainer(), redaction: redaction)
    for _ in 0..<300 {
      let seen = talk.effects.count
      talk.enter(Self.line(&generator))
      if talk.effects.count > seen { talk.send(.failed(ReviewFailure(message: "No.", remedy: ""))) }
    }
    for secret in ["9f1c2a7e", "a@b.co", "2Kx9mQ7abcd", "b-42", "gold", "ada@acme", "hunter2"] {
      let lines = talk.heard.filter { $0.contains(secret) }
      #expect(lines.isEmpty, "\(secret): \(lines.prefix(3))")
    }
  }
}
