@testable import CarryoverReview

@Suite("Agreeing by lines") struct LineAgreementTests {
  private func atPreview(_ before: String...) -> LineTalk {
    var talk = LineTalk()
    for line in before + ["accept", "a"] { talk.enter(line) }
    return talk
  }

  @Test func `nothing is applied while something is undecided, and the preview says what`() {
    var talk = LineTalk()
    talk.type("a")
    #expect(talk.answer.contains("The plan cannot be applied yet.") && talk.answer.contains("Undecided 1: user_id."))
    talk.type("yes")
    #expect(talk.effects.isEmpty && talk.answer == "1 field is undecided.")
    talk.type("n")
    #expect(talk.review.state.screen == .review && talk.review.state.cursor == "user_id")
  }

  @Test func `yes right after the preview was read applies what it shows`() {
    var talk = atPreview("1", "skip", "2")
    #expect(talk.answer.contains("Nothing is written yet. yes applies this change; nothing else does."))
    #expect(talk.said.last?.hasPrefix("yes apply this") == true)
    talk.type("yes", then: \.effects, is: [.apply(["user_id": .migrate, "anonymous_id": .skip])])
    talk.send(.applied(.success(acmeReport)))
    #expect(talk.answer.contains("Applied  run 20251120T120500Z-1"))
    #expect(talk.answer.contains("/cases/4711/Acme.xcappdata/.carryover/runs"))
    #expect(talk.review.prompt == "Result: ")
  }

  @Test(arguments: [
    "y", "Yes", "YES", "ye", "yes please", "yes!", "apply-this", "apply this", "apply", "", "space", "enter", "1",
    "true", "ok", "y yes",
  ])
  func `nothing but yes in full applies`(_ line: String) {
    var talk = atPreview()
    talk.type(line)
    #expect(talk.effects.isEmpty && !talk.said.isEmpty && talk.review.state.screen == .preview)
  }

  @Test(arguments: ["nonsense", "", "y", "list", "help me", "1"])
  func `after a line in between the change is read again before yes is taken`(_ line: String) {
    var talk = atPreview()
    talk.type(line, "yes")
    #expect(talk.effects.isEmpty && talk.said.first == "Read this before you answer yes.")
    #expect(talk.answer.contains("yes applies this change"))
    talk.type("yes", then: \.effects.count, is: 1)
  }

  @Test func `reading it again, or to its end, is reading it`() {
    for line in ["again", "more"] {
      var talk = atPreview()
      talk.type(line, "yes")
      #expect(talk.effects.count == 1, "\(line)")
    }
  }

  @Test func `another screen in between and back is reading it again`() {
    var talk = atPreview()
    talk.type("w", "esc", says: "yes applies this change")
    talk.type("yes", then: \.effects.count, is: 1)
  }

  @Test func `where the container changed in between, yes applies nothing`() {
    var talk = atPreview()
    var plan = acmePlan()
    plan.fields[0].proposed = "another"
    talk.send(.replanned(plan))
    #expect(talk.answer.contains("Review"))
    talk.type("yes", "yes")
    #expect(talk.effects.isEmpty && talk.review.state.screen == .review)
  }

  @Test func `a run is taken back key by key, its conflicts decided one by one, by yes alone`() throws {
    var talk = LineTalk()
    talk.type("history")
    talk.send(.history(sampleRuns))
    #expect(talk.answer.contains("1 of \(sampleRuns.count). "))
    talk.type("2", "enter", then: \.effects, is: [.loadHistory, .loadRollback(runID: sampleRuns[1].id)])
    talk.send(.rollbackPlan(conflictedPlan))
    #expect(talk.answer.contains("4 not chosen, 2 undecided, 1 unchanged."))
    talk.type("R", says: "2 conflicts are undecided")
    talk.type("yes", then: \.effects.count, is: 2)
    talk.type("esc", "n")
    talk.type("space", says: "discarding the current value")
    talk.type("n", "space", "space", "1", "space")
    #expect(talk.answer.contains("2 of 7 chosen"), "\(talk.said)")
    talk.type("R", says: "Roll back 2 of 7 keys of run")
    for line in ["", "y", "R", "roll back", "Yes"] { talk.enter(line) }
    #expect(talk.effects.count == 2)
    talk.type("yes", "yes")
    guard case .rollback(_, let only, let decisions)? = talk.effects.last else { return #expect(Bool(false)) }
    #expect(Set(try #require(only).map(\.key)) == ["anonymous_id", "user_id", "last_activity_time"])
    #expect(Set(decisions.values) == [.restore, .keep])
  }

  @Test func `leaving asks where decisions are not applied: yes keeps them, quit-and-forget in full loses them`() {
    var talk = LineTalk()
    talk.type("quit", then: \.effects, is: [.quit])
    talk = LineTalk()
    talk.type("accept", "q", says: "1 unapplied decision is saved for the next review")
    #expect(talk.answer.contains("yes quits, quit-and-forget quits and discards it, esc stays."))
    for line in ["y", "d", "quit", "quit and", "forget", "Yes"] { talk.enter(line) }
    #expect(talk.effects.isEmpty && talk.review.state.screen == .quit)
    talk.type("esc", then: \.review.state.screen, is: .review)
    talk.type("q", "yes", then: \.effects, is: [.quit])
    for name in ["quit-and-forget", "quit and discard"] {
      talk = LineTalk()
      talk.type("accept", "q", "nonsense", name)
      #expect(talk.effects.isEmpty && talk.said.first == "Read this before you answer yes.")
      talk.type(name, then: \.effects, is: [.quitForgetting])
    }
  }

  @Test func `where decisions cannot be kept that is said once, and leaving says what is lost`() {
    var talk = LineTalk()
    talk.type("accept")
    talk.send(.keeping("The disk is full."))
    #expect(talk.said.last == "The decisions cannot be saved here. The disk is full.")
    talk.type("q", says: "yes quits and discards it, esc stays.")
    talk.type("quit-and-forget", then: \.effects, is: [])
  }

  @Test func `what an earlier review has kept is read and asked about first; yes takes it up as one step`() {
    var talk = LineTalk(kept: sampleKept)
    for words in [
      "5 unapplied decisions", "Still apply 4", "user_id", "No longer apply 1", "anonymous_id",
      "yes restores what still applies, d discards everything, esc asks again next time.",
    ] { #expect(talk.answer.contains(words), "\(words)") }
    talk.type("", "1", "accept", "y", "use-saved", "apply")
    #expect(talk.review.state.screen == .kept && talk.review.state.decisions.isEmpty && talk.effects.isEmpty)
    talk.type("again", "yes")
    #expect(talk.review.state.decisions == sampleKept.decisions && talk.review.state.screen == .review)
    talk.type("undo")
    #expect(talk.review.state.decisions.isEmpty && talk.review.state.history.done.isEmpty)
  }

  @Test func `d forgets it; later leaves it saved`() {
    var talk = LineTalk(kept: sampleKept)
    talk.type("d")
    #expect(talk.review.state.decisionsToKeep.isEmpty && talk.review.state.hasAnsweredKept)
    #expect(talk.answer.contains("2 of 8. ? user_id"))
    talk = LineTalk(kept: sampleKept)
    talk.type("later")
    #expect(talk.review.state.decisionsToKeep == sampleKept.decisions && talk.review.state.screen == .review)
    talk = LineTalk(kept: KeptReview(moment: sampleKept.moment, decisions: [:], misfits: ["traits"]))
    talk.type("yes")
    #expect(talk.review.state.screen == .kept && talk.answer.contains("None of them still applies"))
  }

  @Test func `keys that the user has moved are typed as they are now, and yes stays yes`() throws {
    var keymap = Keymap()
    keymap.set(.character("Z"), "apply-this", on: "preview", line: 1)
    keymap.set(.character("y"), nil, on: "preview", line: 2)
    var state = ReviewState(
      plan: acmePlan(), size: LineSession<ReviewState>.size,
      options: LineSession<ReviewState>.options(ReviewOptions(keymap: keymap)), backupLocation: "/runs")
    _ = reduce(&state, .key(.character(" ")))
    var review = LineSession(state)
    _ = review.start()
    #expect(review.take(line: "a").lines.contains { $0.contains("yes applies this change") })
    #expect(review.take(line: "Z").lines == ["Type yes in full."])
    _ = review.take(line: "again")
    #expect(review.take(line: "yes").effects.count == 1)
  }
}

@Suite("Random lines") struct LinePropertyTests {
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
      case .readStores: talk.send(.stores(generator.hostileContainer()))
      case .copy, .extract, .suspend, .bell, .quit, .quitForgetting: break
      }
    }
  }

  @Test(arguments: Extent.seeds(0..<20, short: 6))
  func `undoing everything brings back the decisions of the start`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let start: Decisions = seed.isMultiple(of: 2) ? [:] : ["traits": .skip, "user_id": .edit("x")]
    var talk = LineTalk(decisions: start, container: nestedContainer(), kept: seed.isMultiple(of: 3) ? sampleKept : nil)
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

  @Test func `nothing is written but by yes right after what it is about was read`() throws {
    var writes = 0
    for seed in Extent.seeds(100..<150, short: 15) { writes += try Self.writes(seed) }
    #expect(writes > (Extent.isFull ? 50 : 0))
  }

  /// How often something was written in a random conversation, each time as it has to be.
  private static func writes(_ seed: UInt64) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    var talk = LineTalk(lastRun: "run", container: nestedContainer())
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
          #expect(isYes && before.screen == .preview && decisions == before.runDecisions.decisions)
          #expect(read.contains { $0.hasPrefix("Preview") } && read.contains { $0.contains("yes applies this change") })
          #expect(before.plan.undecided(decisions).isEmpty)
        case .rollback(let plan, let only, let decisions):
          writes += 1
          #expect(isYes && before.screen == .rollback && read.contains("Roll back"))
          let draft = try #require(before.pages.draft)
          #expect(plan == draft.plan && only == draft.only && decisions == draft.decisions)
          #expect(draft[.undecided] == 0)
        case .quit:
          #expect(isYes && before.screen == .quit || !before.hasUnappliedDecisions, "\(line) on \(before.screen)")
        case .quitForgetting:
          #expect(before.screen == .quit && read.contains("Quit") && line.hasPrefix("quit"))
        case .copy, .extract, .suspend, .bell: #expect(Bool(false), "\(effect)")
        case .plan(let choices):
          #expect(!choices.allowsOptedOut || isYes && before.screen == .optedOut || before.choices.allowsOptedOut)
        case .errand(.save(_, _, let isReplacing)):
          #expect(!isReplacing || isYes && [ReviewState.table.replace, .stores].contains(before.screen))
        case .loadHistory, .loadRollback, .readStores, .report, .errand: break
        }
      }
      answer(&talk, from: seen, &generator)
      read = (line.lowercased() == "more" ? read : []) + talk.said
    }
    return writes
  }

  @Test(arguments: Extent.seeds(200..<230, short: 8))
  func `no line that is said steers a terminal, in ASCII none leaves it, none is met with silence`(seed: UInt64) {
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
      let line = Self.line(&generator)
      talk.enter(line)
      check()
      #expect(!talk.said.isEmpty || talk.effects.count > seen || talk.review.prompt != prompt, "\(prompt)\(line)")
      Self.answer(&talk, from: seen, &generator)
      check()
      if round % 100 == 50 { talk.send(.replanned(generator.hostilePlan(fields: 12))) }
    }
  }

  @Test(arguments: Extent.seeds(300..<312, short: 4))
  func `with masks no value of a person is said, whatever is asked`(seed: UInt64) {
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
