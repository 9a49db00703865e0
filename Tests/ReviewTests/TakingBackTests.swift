@testable import Carryover

@testable import CarryoverReview

@Suite("History and taking back") struct TakingBackTests {
  private func place(_ key: String) throws -> KeyPlace {
    try #require(conflictedPlan.entries.first { $0.id.key == key }).id
  }

  private func opened(_ plan: RollbackPlan = conflictedPlan, columns: Int = 120, rows: Int = 40) -> Session {
    var session = Session(columns: columns, rows: rows)
    session.openHistory()
    session.type("j")
    session.openRun(plan)
    return session
  }

  @Test func `H asks for the runs and shows them, the newest first, with the fields of the selected one`() throws {
    var session = Session(typing: "H")
    #expect(session.effects == [.loadHistory])
    #expect(session.state.screen == .review)
    session.send(.history(sampleRuns, offsets: [7200, 3600, 0, 0, 0]), then: \.state.screen, is: .history)
    let lines = session.lines
    let rows = lines.filter { $0.contains("Z-") && $0.contains("file") }
    #expect(rows.count == 5)
    #expect(rows[0].contains("▸") && rows[0].contains("2025-11-20 14:15:00") && rows[0].contains("interrupted"))
    #expect(rows[1].contains("2025-11-20 13:10:00") && rows[1].contains("partly rolled back"))
    #expect(rows[4].contains("pruned"))
    session.type("j")
    #expect(session.lines.contains { $0.contains("is_manual_session") && $0.contains("true → false") })
    #expect(session.lines.contains { $0.contains("session_id") && $0.contains("rolled back") })
  }

  @Test func `the number of a run's fields is the number that it wrote`() {
    var run = sampleRuns[3]
    let place = KeyPlace(file: "f", key: "traits")
    run.fields += [
      RunField(id: place, before: nil, after: nil, outcome: .skipped),
      RunField(id: place, before: "x", after: "x", outcome: .unchanged),
      // Both values were too long for the record.
      RunField(id: place, before: nil, after: nil, outcome: .migrated),
    ]
    #expect(run.writtenCount == 2)
    var session = Session(typing: "H")
    session.send(.history([run], offsets: [0]))
    #expect(session.text.contains("2 of 4 fields written"), "\(session.text)")
    #expect(session.lines.contains { $0.contains("▸") && $0.contains("2 fields") }, "\(session.text)")
  }

  @Test func `runs that were interrupted or pruned cannot be opened, and the reason is said`() {
    var session = Session()
    session.openHistory()
    session.type("<enter>", then: \.effects, is: [.loadHistory, .bell])
    #expect(session.state.message?.contains("interrupted") == true)
    session.type("G<enter>")
    #expect(session.state.message?.contains("pruned") == true)
    #expect(session.state.screen == .history)
  }

  @Test func `a run that came with the container is not offered to be opened`() {
    var session = Session(typing: "H")
    var runs = Array(sampleRuns[1...1])
    runs[0].standing = .cameAlong
    session.send(.history(runs, offsets: [0]))
    #expect(!session.text.contains("enter open") && !session.text.contains("R roll back"))
    session.type("<enter>")
    #expect(session.effects == [.loadHistory, .bell] && session.state.message?.contains("adopt") == true)
  }

  @Test func `R in the history previews the rollback of the selected run, and the footer says so where it can`() {
    var session = Session()
    session.openHistory()
    session.type("R", then: \.effects, is: [.loadHistory, .bell])
    session.type("j")
    #expect(session.lines.last?.contains("R roll back") == true)
    session.type("R", then: \.effects.last, is: .loadRollback(runID: sampleRuns[1].id))
    session.send(.rollbackPlan(cleanPlan))
    #expect(session.state.screen == .rollback && session.text.contains("Roll back run"))
    session.type("<esc>", then: \.state.screen, is: .history)
  }

  @Test func `a container without runs has an empty history`() {
    var session = Session()
    session.openHistory([])
    #expect(session.text.contains("Carryover has not written to this container yet."))
    session.type("jG<enter>", then: \.effects.last, is: .bell)
  }

  @Test func `opening a run chooses nothing and decides no conflict; a chooses every key that needs no decision`() {
    var session = opened()
    #expect(session.effects.last == .loadRollback(runID: sampleRuns[1].id))
    #expect(session.state.pages.draft?.choices == [.stays, .undecided, .stays, .isBack, .stays, .undecided, .stays])
    #expect(session.text.contains("4 not chosen, 2 undecided, 1 unchanged"))
    session.type("a")
    #expect(
      session.state.pages.draft?.choices == [
        .goesBack, .undecided, .goesBack, .isBack, .goesBack, .undecided, .goesBack,
      ])
    #expect(session.text.contains("4 to roll back, 2 undecided, 1 unchanged"))
  }

  @Test func `the whole run goes back as a whole`() {
    var session = opened(cleanPlan)
    session.type("aR", shows: "After the rollback, the new SDK lacks the", "y roll back")
    session.type("y", then: \.effects.last, is: .rollback(cleanPlan, only: nil, [:]))
  }

  @Test func `a live container is looked at but not written to, and the question says why; allowed by name, it is`() {
    var plan = acmePlan()
    plan.containerFindings.append(Finding(.liveRunningStore(.simulator(device: "11111111"))))
    for allowed in [false, true] {
      plan.allowed = allowed ? [.liveRunningStore] : []
      var session = Session(plan)
      session.openHistory()
      session.type("j")
      session.openRun(cleanPlan)
      session.type("aR", then: \.state.screen, is: .rollback)
      #expect(session.text.contains("live.running-store") != allowed)
      #expect(session.text.contains("--live") != allowed)
      session.type("y")
      #expect(session.effects.last == (allowed ? .rollback(cleanPlan, only: nil, [:]) : .bell))
      #expect(session.state.message?.contains("--live") == (allowed ? nil : true))
    }
  }

  @Test func `one key alone is taken back (F5)`() throws {
    var session = opened(cleanPlan)
    session.type("j R", shows: "Roll back 1 of 7 keys of run 20251120T121000Z-4?")
    #expect(session.text.contains("- user_id") && !session.text.contains("- traits"))
    session.type("<enter>y")
    #expect(session.effects.suffix(2) == [.bell, .rollback(cleanPlan, only: Set([try place("user_id")]), [:])])
  }

  @Test func `an undecided conflict stops the rollback and is named; decided, it says what is lost`() throws {
    var session = opened()
    session.type("Ry", then: \.effects.last, is: .bell)
    #expect(session.state.message == "2 conflicts are undecided.")
    #expect(session.text.contains("Undecided: user_id, last_activity_time"))
    session.type("<esc>n ")
    #expect(session.state.pages.draft?.choices[1] == .isOverwritten)
    #expect(session.state.message?.hasSuffix("discarding the current value: \"43\"") == true)
    session.type("n  ")
    #expect(session.state.pages.draft?.choices[5] == .isKept)
    #expect(session.state.message?.hasSuffix("The key was absent before the run.") == true)
    session.type("aRy")
    let decisions: RollbackDecisions = [try place("user_id"): .restore, try place("last_activity_time"): .keep]
    #expect(session.effects.last == .rollback(conflictedPlan, only: nil, decisions))
  }

  @Test func `space on a conflict goes round, all and none leave conflicts alone, and what is back cannot be chosen`() {
    var session = opened()
    session.type("j   ")
    #expect(session.state.pages.draft?.choices[1] == .undecided)
    session.type("a")
    #expect(session.state.pages.draft?[.goesBack] == 4 && session.state.pages.draft?[.undecided] == 2)
    session.type("a")
    #expect(session.state.pages.draft?.choices == [.stays, .undecided, .stays, .isBack, .stays, .undecided, .stays])
    session.type("gjjj ", then: \.effects.last, is: .bell)
    #expect(session.state.message == "It already has its value from before the run.")
  }

  @Test func `with no key chosen, as at first, R does not ask but says how to choose`() {
    var session = opened(cleanPlan)
    #expect(
      session.state.message == "No key is chosen yet: space chooses one, a all of them; R then previews the rollback.")
    for script in ["R", "aaR"] {
      session.type(script)
      #expect(session.effects.last == .bell && session.state.screen == .run)
      #expect(session.state.message == "No key is chosen: space chooses one, a all of them.")
    }
    session.type(" R", then: \.state.screen, is: .rollback)
  }

  @Test func `keys of a file that cannot be edited stay out of reach, and the rest goes back`() throws {
    var plan = cleanPlan
    plan.files.append(RollbackFile(id: "other.plist", state: .unreadable("Its root is no dictionary.")))
    plan.entries.append(
      RollbackEntry(
        id: KeyPlace(file: "other.plist", key: "lost"), before: "a", after: "b", current: nil, state: .conflict))
    var session = opened(plan)
    session.type("G", shows: "Its root is no dictionary.")
    session.type(" ", then: \.effects.last, is: .bell)
    session.type("aRy", then: \.effects.last, is: .rollback(plan, only: Set(cleanPlan.entries.map(\.id)), [:]))
  }

  @Test func `R from the review leads to the question at once, or to the keys where conflicts must be decided`() {
    for plan in [cleanPlan, conflictedPlan] {
      var session = Session(lastRun: "run", typing: "R")
      #expect(session.effects == [.loadRollback(runID: "run")])
      session.type("yyq", then: \.effects.count, is: 1)
      session.send(.rollbackPlan(plan), then: \.state.screen, is: (plan == cleanPlan ? .rollback : .run))
      session.type("<esc>", then: \.state.screen, is: .review)
    }
  }

  @Test func `Escape goes back one level, and after a rollback the history is read again`() {
    var session = opened(cleanPlan)
    session.type("aR<esc>", then: \.state.screen, is: .run)
    session.type("<esc>", then: \.state.screen, is: .history)
    session.openRun(cleanPlan)
    session.type("aRy")
    session.send(
      .rolledBack(.success(RunReport(kind: .rollback, runID: "r", outcomes: [], files: ["f"], rolledBack: "x"))))
    #expect(session.effects.last == .loadHistory)
    #expect(session.state.screen == .result)
    session.send(.history(Array(sampleRuns.dropFirst())), then: \.state.screen, is: .result)
    session.send(.lastRun("another"))
    #expect(!session.text.contains("R roll back"))
    session.type("R")
    #expect(session.effects.last == .bell && session.state.message?.contains("This was a rollback: H") == true)
    session.type("<esc>", then: \.state.screen, is: .history)
    #expect(session.state.runs.selected?.id == sampleRuns[1].id)
    session.type("<esc>", then: \.state.screen, is: .review)
  }

  private func rolledBack(_ again: Plan = acmePlan()) -> Session {
    var plan = cleanPlan
    let decided: [(Int, String?, PropertyListValue?)] = [(0, nil, "9f1c2a7e"), (1, "edit", "43"), (2, "skip", nil)]
    plan.run.fields = decided.map { index, decision, after in
      let field = acmePlan().fields[index]
      return RunField(
        id: KeyPlace(file: "f", key: field.id), decision: decision, legacy: field.legacy.map { SavedValue($0) },
        proposed: field.proposed.map { SavedValue($0) }, before: nil, after: after,
        outcome: after == nil ? .skipped : .migrated)
    }
    var session = opened(plan)
    session.type("aRy")
    let report = RunReport(kind: .rollback, runID: "r", outcomes: [], files: ["f"], rolledBack: plan.run.id)
    session.send(.rolledBack(.success(report)))
    session.send(.replanned(again))
    return session
  }

  @Test func `the run's decisions are offered again on the result: restored, one is edited and applied again`() {
    var session = rolledBack()
    #expect(session.state.screen == .result && session.lines.last?.contains("d decisions") == true)
    #expect(session.text.contains("d offers the decisions of that run again"), "\(session.text)")
    #expect(session.state.decisions.isEmpty && session.state.decisionsToKeep.isEmpty)
    session.type("d", shows: "2 decisions of run \(sampleRuns[1].id), rolled back.", "Still apply 2")
    session.type("y", then: \.state.decisions, is: ["user_id": .edit("43"), "traits": .skip])
    #expect(session.state.screen == .review)
    #expect(session.state.message == "2 decisions of run \(sampleRuns[1].id) restored; u undoes that.")
    session.type("u", then: \.state.decisions, is: [:])
    session.type("Uay", then: \.effects.last, is: .apply(["user_id": .edit("43"), "traits": .skip]))
  }

  @Test func `decisions about other values than the run's are named and not offered; all stay in its record`() {
    var plan = acmePlan()
    plan.fields[1].legacy = 43
    var session = rolledBack(plan)
    session.type("d", shows: "Still apply 1", "No longer apply 1", "user_id: changed since the decision")
    session.type("d", then: \.state.message, is: "They stay in the record of the run.")
    session.type("<esc>", then: \.state.screen, is: .result)
    session.type("dy", then: \.state.decisions, is: ["traits": .skip])
    #expect(session.state.kept == nil && !session.state.hasAnsweredKept && session.state.screen == .review)
  }

  @Test func `from a result the history opens too, and a rollback there leads back to it`() {
    var session = Session(typing: "n ay")
    session.send(.applied(.success(acmeReport)))
    session.openHistory()
    session.type("j")
    session.openRun(cleanPlan)
    session.type("aRy")
    session.send(.rolledBack(.success(RunReport(kind: .rollback, runID: "r", outcomes: [], files: []))))
    #expect(session.effects.last == .loadHistory)
    session.type("<esc>", then: \.state.screen, is: .history)
  }

  @Test func `a run that cannot be read is reported, and Escape leads back to the history`() {
    var session = Session()
    session.openHistory()
    session.type("j<enter>")
    session.send(.failed(ReviewFailure(message: "The record is damaged.", remedy: "")))
    #expect(session.state.screen == .failure)
    session.type("<esc>", then: \.state.screen, is: .history)
  }

  @Test func `records that cannot be read are told of, and the other runs are shown`() {
    var session = Session(typing: "H")
    session.send(.history(sampleRuns, problems: ["The record of one is damaged.", "So is that of two."]))
    #expect(session.state.message == "2 records cannot be read. The first: The record of one is damaged.")
    #expect(session.state.screen == .history)
  }

  @Test func `a file without keys goes back with the whole run only`() {
    var plan = cleanPlan
    plan.files.append(RollbackFile(id: "blob", state: .asLeft))
    plan.entries = Array(plan.entries.prefix(1))
    var session = opened(plan)
    session.type("Ry", then: \.effects.last, is: .bell)
    session.type("aRy", then: \.effects.last, is: .rollback(plan, only: nil, [:]))
    plan.entries = []
    session = opened(plan)
    session.type("Ry", then: \.effects.last, is: .rollback(plan, only: nil, [:]))
    plan.files[0].state = .unreadable("No.")
    session = opened(plan)
    session.type("Ry", then: \.effects.last, is: .bell)
  }

  @Test func `an answer nobody waits for changes nothing`() {
    var session = Session()
    session.send(.rollbackPlan(cleanPlan))
    #expect(session.state.screen == .review && session.state.pages.draft == nil)
  }

  @Test func `the decisions of the review and their undo are untouched by all of this`() {
    var session = Session(typing: "n ")
    session.openHistory()
    session.type("ju")
    session.openRun()
    session.type("auUs <esc><esc>", then: \.state.decisions, is: ["user_id": .migrate])
    session.type("u", then: \.state.decisions, is: [:])
  }

  @Test func `thousands of runs and a hundred thousand keys scroll with the cursor in sight`() {
    var session = Session()
    session.openHistory(manyRuns(5000))
    session.type("G<pgup>k")
    #expect(session.lines.filter { $0.contains("▸") }.count == 1)
    session.openRun(largeRollback(100_000))
    session.type("G<pgup><up>N")
    #expect(session.lines.filter { $0.contains("▸") }.count == 1)
    #expect(session.text.contains("of 100000"))
    session.type(" a")
    #expect(session.state.pages.draft?[.goesBack] == 90_000 && session.state.pages.draft?[.isOverwritten] == 1)
    RenderingTests.expectSound(session)
  }

  @Test(arguments: [("rl_auth_token", ""), ("config", #"{"password": "#)])
  func `the values of secrets are never shown`(key: String, before: String) {
    let place = KeyPlace(file: "f", key: key)
    func value(_ secret: String) -> PropertyListValue {
      .string(before.isEmpty ? secret : before + "\"\(secret)\"}")
    }
    var run = sampleRuns[1]
    run.fields = [RunField(id: place, before: value("hunter2"), after: nil, outcome: .migrated)]
    var session = Session()
    session.openHistory([run])
    #expect(session.text.contains("(secret)") && !session.text.contains("hunter2"))
    session.openRun(
      RollbackPlan(
        run: run, files: [RollbackFile(id: "f", state: .changed)],
        entries: [
          RollbackEntry(
            id: place, before: value("hunter2"), after: nil, current: value("hunter3"), state: .conflict)
        ]))
    session.type(" ")
    #expect(session.text.contains("(secret)") && !session.text.contains("hunter"))
    session.type("x")
    #expect(session.text.contains("(secret)") && !session.text.contains("hunter"))
    session.type("R")
    #expect(session.text.contains("(secret)") && !session.text.contains("hunter"))
  }

  @Test(arguments: Extent.seeds(0..<30, short: 6))
  func `hostile runs are shown escaped`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 60, rows: 16)][Int(seed % 3)]
    let place = KeyPlace(file: generator.hostileText(), key: generator.hostileText())
    let run = RunSummary(
      id: generator.hostileText(), kind: .apply, moment: Moment(millisecondsSince1970: .max),
      recipe: RecipeReference(id: generator.hostileText(), version: 1, title: ""), tool: generator.hostileText(),
      files: [place.file, generator.hostileText()],
      fields: [
        RunField(id: place, before: generator.hostileValue(), after: generator.hostileValue(), outcome: .migrated)
      ],
      rolledBack: generator.hostileText(), standing: .holds, backup: "b", size: .max)
    let states: [RollbackEntryState] = [.restorable, .conflict, .back, .conflict]
    let plan = RollbackPlan(
      run: run,
      files: [
        RollbackFile(id: place.file, state: .changed),
        RollbackFile(id: "x", state: .unreadable(generator.hostileText())),
      ],
      entries: states.enumerated().map { index, state in
        RollbackEntry(
          id: KeyPlace(file: index == 3 ? "x" : place.file, key: "\(index)" + generator.hostileText()),
          before: generator.hostileValue(), after: generator.hostileValue(), current: generator.hostileValue(),
          state: state)
      })
    let recovered = [RecoveredRun(id: run.id, kind: .apply, ending: .kept, files: run.files)]
    var session = Session(
      columns: size.columns, rows: size.rows, glyphs: seed.isMultiple(of: 2) ? .unicode : .ascii, recovered: recovered,
      recoveryFailure: ReviewFailure(message: generator.hostileText(), remedy: generator.hostileText()))
    RenderingTests.expectSound(session)
    session.type("x")
    session.openHistory([run])
    RenderingTests.expectSound(session)
    session.openRun(plan)
    for key in ["j", " ", "j", "j", "a", "R", "<end>"] {
      session.type(key)
      RenderingTests.expectSound(session)
    }
  }
}

@Suite("The notice of recovered runs") struct RecoveryNoticeTests {
  @Test func `it stands before the review, names each run, and goes with any key, which does nothing else`() {
    for key in ["y", "q", " ", "a", "R", "<enter>", "<esc>", "j"] {
      var session = Session(lastRun: "r", recovered: sampleRecovered)
      #expect(session.state.screen == .recovery)
      for run in sampleRecovered { #expect(session.text.contains(run.id) && session.text.contains(run.files[0])) }
      #expect(session.text.contains("rolled back") && session.text.contains("finished"))
      session.type(key, then: \.state.screen, is: .review)
      #expect(session.effects.isEmpty && session.state.decisions.isEmpty && session.state.cursor == "user_id")
    }
  }

  @Test func `a long one can be scrolled before it goes`() {
    let runs = (0..<30).map { RecoveredRun(id: "run-\($0)", kind: .apply, ending: .finished, files: ["f"]) }
    var session = Session(columns: 60, rows: 16, recovered: runs, typing: "<pgdn>G")
    #expect(session.state.screen == .recovery && session.text.contains("run-29"))
    session.type("x", then: \.state.screen, is: .review)
  }

  @Test func `what could not be recovered is said with its remedy`() {
    var session = Session(recoveryFailure: sampleRecoveryFailure)
    #expect(session.text.contains("could not be recovered"))
    #expect(session.text.contains("another program changed") && session.text.contains("recover PATH --keep"))
    session.type("<enter>", then: \.state.screen, is: .review)
  }

  @Test func `a review of a sound container begins without it`() {
    #expect(Session().state.screen == .review)
  }

  @Test func `too small a window keeps it for later`() {
    var session = Session(columns: 30, rows: 8, recovered: sampleRecovered, typing: "x")
    session.send(.resized(Size(columns: 80, rows: 24)))
    #expect(session.state.screen == .recovery)
  }
}
