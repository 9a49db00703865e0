@testable import Carryover

@testable import CarryoverReview

@Suite("Sessions of keys") struct SessionTests {
  @Test func `space, s, t and e decide, and the same key again takes the decision back (F2)`() {
    var plan = acmePlan()
    plan.fields[0].current = "other"
    plan.fields[0].status = .conflict
    var session = Session(plan, typing: " ")
    #expect(session.state.decisions == ["anonymous_id": .migrate])
    session.type(" ", then: \.state.decisions, is: [:])
    session.type("t", then: \.state.decisions, is: ["anonymous_id": .keep])
    session.type("s", then: \.state.decisions, is: ["anonymous_id": .skip])
    session.type("s", then: \.state.decisions, is: [:])
    session.type("je<c-u>7<enter>", then: \.state.decisions, is: ["user_id": .edit("7")])
    #expect(session.state.tally[.edited] == 1)
  }

  @Test func `what has no proposal cannot be accepted, and the reason is said`() {
    var session = Session(typing: "<end> ")
    #expect(session.state.decisions.isEmpty)
    #expect(session.effects == [.bell])
    #expect(session.lines.last?.contains("There is no proposal to accept") == true)
    session.type("k")
    #expect(session.lines.last?.contains("space accept") == true)
  }

  @Test func `a reason that is longer than a row is wrapped, and the next key uncovers what it covers`() {
    var session = Session(columns: 60, rows: 24, typing: "<end>")
    let before = session.lines
    session.type(" ")
    let last = session.lines.suffix(2).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      last.first?.hasPrefix("There is no proposal to accept; ") == true && last.last?.hasSuffix("the field.") == true)
    session.type("k<end>")
    #expect(session.lines == before)
  }

  @Test func `a target that holds nothing cannot be kept`() {
    let session = Session(typing: "t")
    #expect(session.state.decisions.isEmpty)
    #expect(session.state.message == "The target has no value to keep.")
  }

  @Test func `an edit is checked while it is typed and accepted only when it fits`() {
    var session = Session(typing: "<end>e<c-u>4.2")
    #expect(session.state.screen == .editor)
    #expect(session.text.contains(FormMismatch.notInteger.description))
    session.type("<enter>")
    #expect(session.state.editor != nil && session.state.decisions.isEmpty)
    session.type("<bs><bs>20", shows: "Valid: ")
    session.type("<enter>", then: \.state.decisions, is: ["rudder.app_build": .edit(420)])
    session.type("e9<esc>", then: \.state.decisions, is: ["rudder.app_build": .edit(420)])
    session.type("e<home>1<end>7<left><del>8<enter>", then: \.state.decisions, is: ["rudder.app_build": .edit(14208)])
  }

  @Test func `keys that mean something elsewhere are text in the editor`() {
    let session = Session(typing: "je<c-u>quay?<enter>")
    #expect(session.state.decisions == ["user_id": .edit("quay?")])
    #expect(session.effects.isEmpty)
  }

  @Test func `typing the proposal is confirming it`() {
    let session = Session(typing: "je<c-u>42<enter>")
    #expect(session.state.decisions == ["user_id": .migrate])
  }

  @Test func `a pasted text is typed in the editor and does nothing elsewhere`() {
    var session = Session()
    session.send(.paste("ay q"))
    #expect(session.effects == [.bell])
    #expect(session.state.screen == .review)
    session.type("je<c-u>")
    session.send(.paste("ab\u{301}"))
    #expect(session.state.editor?.text == "ab\u{301}")
    #expect(session.state.editor?.line.cursor == 2)
  }

  @Test func `undo and redo go to the field and say what it is now`() {
    var session = Session(typing: "j <end>su")
    #expect(session.state.decisions == ["user_id": .migrate])
    #expect(session.state.cursor == "rudder.app_build")
    session.type("u", then: \.state.cursor, is: "user_id")
    #expect(session.state.message == "Undone: user_id is undecided.")
    session.type("<c-r>", then: \.state.decisions, is: ["user_id": .migrate])
    session.type("Uu", then: \.state.decisions, is: ["user_id": .migrate])
  }

  @Test func `n goes to the next field to decide, round the end`() {
    var plan = acmePlan()
    plan.fields[6].status = .conflict
    var session = Session(plan, typing: "n")
    #expect(session.state.cursor == "user_id")
    session.type("n", then: \.state.cursor, is: "rudder.app_version")
    session.type("n", then: \.state.cursor, is: "user_id")
    session.type("N", then: \.state.cursor, is: "rudder.app_version")
    session.type("sn n", then: \.state.message, is: "Every field is decided.")
  }

  @Test func `the preview shows the change; y refuses while a field is undecided, Enter does nothing (F4)`() {
    var session = Session(typing: "ay")
    #expect(session.effects == [.bell])
    #expect(session.state.message == "1 field is undecided.")
    session.type("<enter>", then: \.state.screen, is: .preview)
    #expect(session.effects == [.bell, .bell])
    session.type("n")
    #expect(session.state.screen == .review && session.state.cursor == "user_id")
    session.type(" a", shows: "+ user_id             string   \"42\"")
    session.type("<enter><enter>")
    #expect(!session.effects.contains { if case .apply = $0 { true } else { false } })
    session.type("y", then: \.effects.last, is: .apply(["user_id": .migrate]))
  }

  @Test func `keys typed while a run is under way are dropped, so that it is asked for once`() {
    var session = Session(typing: "n ayyyq")
    #expect(session.effects == [.apply(["user_id": .migrate])])
    session.send(.applied(.success(acmeReport)), then: \.state.screen, is: .result)
  }

  @Test func `a result offers the way back, and only y takes it (F5)`() {
    var session = Session(typing: "R")
    #expect(session.state.screen == .review)
    session.type("n ay")
    session.send(.applied(.success(acmeReport)))
    #expect(session.text.contains("20251120T120500Z-1"))
    session.type("R", then: \.effects.last, is: .loadRollback(runID: "20251120T120500Z-1"))
    session.send(.rollbackPlan(cleanPlan))
    session.type("<enter>", then: \.state.screen, is: .rollback)
    session.type("y", then: \.effects.last, is: .rollback(cleanPlan, only: nil, [:]))
    session.send(
      .rolledBack(
        .success(
          RunReport(
            kind: .rollback, runID: "r2", outcomes: [FieldOutcome(field: "user_id", outcome: .restored)],
            files: ["f.plist"], rolledBack: "20251120T120500Z-1"))))
    #expect(session.state.screen == .result)
    #expect(session.text.contains("Rolled back"))
    #expect(session.state.pages.lastRun == nil)
  }

  @Test func `a blocking finding stops the apply and says how to go on`() {
    var plan = acmePlan()
    plan.containerFindings.append(Finding(.consentOptedOut(store: "s.plist")))
    var session = Session(plan, typing: "n ay")
    #expect(session.effects == [.bell])
    #expect(session.text.contains("consent.opted-out"))
    plan.containerFindings = [Finding(.liveRunningStore(.home("/Users/ada")))]
    session = Session(plan)
    session.type("n ay", then: \.effects, is: [.bell])
    #expect(session.text.contains("live.running-store"))
    #expect(session.state.message?.contains("--live") == true)
  }

  @Test func `where nothing would be written there is nothing to apply`() {
    var plan = acmePlan()
    for index in plan.fields.indices {
      plan.fields[index].current = plan.fields[index].proposed
      plan.fields[index].status = plan.fields[index].proposed == nil ? .absent : .unchanged
    }
    let session = Session(plan, typing: "ay")
    #expect(session.effects == [.bell])
    #expect(session.text.contains("There is nothing to write"))
  }

  @Test func `quitting asks only where decisions are not applied`() {
    var session = Session(typing: "q")
    #expect(session.effects == [.quit])
    session.type("n q", then: \.state.screen, is: .quit)
    session.type("<enter>n", then: \.effects, is: [.quit, .bell, .bell])
    session.type("q", then: \.state.screen, is: .review)
    session.type("qy", then: \.effects.last, is: .quit)
  }

  @Test func `quitting after an apply loses nothing and does not ask`() {
    var session = Session(typing: "n ay")
    session.send(.applied(.success(acmeReport)))
    session.type("<esc>q", then: \.effects.last, is: .quit)
  }

  @Test func `too small a window loses nothing, and q still works`() {
    var session = Session(typing: "n <end>")
    let before = session.state
    session.send(.resized(Size(columns: 40, rows: 8)))
    #expect(session.text.contains("Too small"))
    session.type("sjk y")
    #expect(session.state.decisions == before.decisions && session.state.cursor == before.cursor)
    session.type("q", shows: "Quit? Decisions are saved.")
    session.type("<esc>")
    session.send(.resized(Size(columns: 120, rows: 40)))
    #expect(
      session.text
        == {
          var old = Session(); old.state = before; return old.text
        }())
  }

  @Test func `an alternative can be taken from the details`() {
    var session = Session(typing: "n<enter>1")
    #expect(session.state.decisions == ["user_id": .edit("41")])
    #expect(session.text.contains("Edited"))
    session.type("5", then: \.state.message, is: "There is no value 5.")
  }

  @Test func `the details go from field to field and decide there`() {
    var session = Session(typing: "<enter>]] ")
    #expect(session.state.decisions == ["traits": .migrate])
    session.type("[<left>")
    #expect(session.state.screen == .review && session.state.cursor == "user_id")
  }

  @Test func `the value goes to the clipboard whole`() {
    #expect(Session(typing: "jjc").effects == [.copy(acmeStrippedTraits)])
  }
}
