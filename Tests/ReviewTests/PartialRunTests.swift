@testable import Carryover
@testable import CarryoverReview

@Suite("A run of some fields, in the review") struct PartialRunReviewTests {
  @Test func `the preview counts the fields of the range alone, and warns of what the app then loses`() throws {
    var session = Session(try samplePlan("AcmeShop"), rows: 60, typing: "vja")
    #expect(session.text.contains("Preview, 2 of 8 fields: only those in the range"), "\(session.text)")
    let page = session.lines.dropFirst().joined(separator: "\n")
    #expect(!page.contains("not migrated") && !page.contains("unchanged"), "\(page)")
    #expect(
      page.contains("▲ Because of this run, the app also loses the traits, the session and the app's version."),
      "\(page)")
    session.type("<esc><esc>gsa")
    #expect(session.text.contains("▲ Because of this run, the app also loses the anonymous id."), "\(session.text)")
    #expect(session.text.contains("RudderStack's migrator will do nothing after this run"))
  }

  @Test func `the next launch after a run of the range says so`() throws {
    let scope = "2 of 8 fields: only those in the range. The others stay as they are, decided or not."
    for typing in ["vjP", "vjaP"] {
      #expect(Session(try samplePlan("AcmeShop"), rows: 60, typing: typing).text.contains(scope), "\(typing)")
    }
    #expect(!Session(try samplePlan("AcmeShop"), rows: 60, typing: "P").text.contains("The others stay"))
  }

  @Test func `n in the preview leaves the range as it is`() throws {
    var session = Session(try samplePlan("AcmeShop"), typing: "vjja")
    #expect(session.text.contains("Undecided 1: user_id."), "\(session.text)")
    session.type("n")
    #expect(session.state.cursor == "user_id" && session.state.screen.name == "details")
    session.type(" ")
    #expect(session.state.decisions == ["user_id": .migrate])
    session.type("a", shows: "Preview, 3 of 8 fields", "y applies this change")
    session.type("<esc><esc>", then: \.state.range, is: 0...2)
    session.type("k", then: \.state.range, is: 0...0)
  }

  @Test func `the range ends when the cursor leaves it in the details`() throws {
    var session = Session(try samplePlan("AcmeShop"), typing: "vjjan")
    session.type("]", then: \.state.range, is: 0...2)
    session.type("]", then: \.state.range, is: nil)
    #expect(session.state.cursorRow == 3)
  }

  @Test func `the result counts what was not in the run by itself`() {
    let outcomes = [
      FieldOutcome(field: "anonymous_id", outcome: .migrated),
      FieldOutcome(field: "user_id", outcome: .skipped, isOmitted: true),
      FieldOutcome(field: "traits", outcome: .skipped, isOmitted: true),
    ]
    #expect(outcomes.counts(in: .apply) == "1 written, 2 not in this run")
    var session = Session()
    session.send(.applied(.success(RunReport(kind: .apply, runID: "r1", outcomes: outcomes, files: ["f"]))))
    #expect(session.text.contains("Fields 1") && !session.text.contains("skipped"), "\(session.text)")
  }

  @Test func `only of a file that existed, an apply says that nothing else in it changed`() {
    for (created, words) in [
      (["f"], "Verified: the file contains the planned values."),
      ([], "Verified: the file contains the planned values; nothing else in it changed."),
    ] {
      var session = Session()
      var report = RunReport(
        kind: .apply, runID: "r1", outcomes: [FieldOutcome(field: "user_id", outcome: .migrated)], files: ["f"])
      report.created = created
      session.send(.applied(.success(report)))
      #expect(session.text.contains(words), "\(session.text)")
    }
  }

  @Test(arguments: [
    (["f"], ["f"], "Verified: the file is gone."),
    (["f", "g"], ["f"], "Verified: 1 file is gone; each other file is as planned; nothing else in it changed."),
    (["f"], [], "Verified: the file is as planned; nothing else in it changed."),
  ])
  func `a rollback says of a file that it removed that it is gone`(files: [String], removed: [String], words: String) {
    let outcomes = [FieldOutcome(field: "user_id", outcome: .restored)]
    var session = Session()
    session.send(
      .rolledBack(
        .success(RunReport(kind: .rollback, runID: "r2", outcomes: outcomes, files: files, removed: removed))))
    #expect(session.text.contains(words), "\(session.text)")
  }
}

@Suite("The recommendation in a small window") struct SmallWindowTests {
  private func session(_ typing: String = "") throws -> Session {
    Session(try samplePlan("Findings/target.fresh-identity"), columns: 80, rows: 24, typing: typing)
  }

  @Test func `it is in view for a conflict, and the footer has the key for all of them`() throws {
    var session = try session()
    #expect(session.text.contains("(recommended)"), "\(session.text)")
    #expect(session.lines.last?.contains("A recommended") == true, "\(session.text)")
    session.type("A", shows: "accept all recommendations")
    #expect(!session.text.contains(" 0 "), "\(session.text)")
    session.type("<enter>", then: \.state.decisions, is: ["anonymous_id": .migrate])
    let fixed = try #require(session.state.verdicts.first).verdict.losses.count - 1
    #expect(fixed > 0 && session.text.contains("and \(fixed) other value"), "\(session.text)")
    #expect(session.lines.last?.contains("A recommended") == false)
  }

  @Test func `the verdict counts the recommendations that one key accepts, unless a filter narrows the list`() throws {
    var plan = try samplePlan("AcmeShop")
    for index in plan.fields.indices where plan.fields[index].status == .ready {
      plan.fields[index].status = .needsDecision
    }
    let count = plan.fields.count { [.accept, .replace].contains($0.recommendation) }
    try #require(count > 1)
    let words = "in the review accepts all \(count) recommendations."
    let whole = Session(plan, rows: 90, typing: "V")
    #expect(whole.text.components(separatedBy: words).count == 2, "\(whole.text)")
    let narrowed = Session(plan, rows: 90, typing: "fsession<enter>V")
    #expect(narrowed.state.isFiltered && !narrowed.text.contains("in the review accepts all"), "\(narrowed.text)")
  }

  @Test func `the verdict names the recommended value and the keys`() throws {
    let session = Session(try samplePlan("Findings/target.fresh-identity"), rows: 60, typing: "V")
    #expect(session.text.contains("To repair: replace anonymous_id with 9f1c2a7e-"), "\(session.text)")
    #expect(session.text.contains("(recommended): enter goes there, space"), "\(session.text)")
  }

  @Test func `after a rollback, R says when the run was rolled back, and what is possible`() throws {
    var session = Session(typing: "R")
    #expect(session.state.message == "There is no run to roll back.")
    var rollback = sampleRuns[2]
    var run = try #require(sampleRuns.first { $0.id == rollback.rolledBack })
    let container = try sampleContainer("Clean")
    func said(_ runs: RunSummary...) -> String {
      session.send(.reopened(container, runs: runs))
      session.type("R")
      return session.state.message ?? ""
    }
    let applied = said(rollback, run)
    #expect(applied.hasPrefix("The last run was rolled back at 2025-11-20"), "\(applied)")
    #expect(applied.hasSuffix(". a previews a new migration; H shows the runs."), "\(applied)")
    // A run from elsewhere is not the last run.
    var foreign = run
    foreign.standing = .cameAlong
    #expect(said(foreign, rollback, run) == applied)
    // The key a previews a migration, not these.
    for kind in [RunKind.cleanup, .edit] {
      run.kind = kind
      let other = said(rollback, run)
      #expect(other.contains("rolled back at") && other.hasSuffix(". H shows the runs."), "\(other)")
    }
    rollback.rolledBack = nil
    #expect(said(rollback, run) == "There is no run to roll back.")
  }
}

@Suite("What is visible is found") struct VisibleSearchTests {
  /// The titles of panes, and the line about the rest of a cut pane, are no content.
  private static let others: Set = ["»1", "Legacy", "Proposed", "enter", "shows", "the", "rest", "Details:"]

  @Test(
    arguments: [
      "AcmeShop", "Clean", "Disagree", "Findings/target.fresh-identity", "Findings/target.other-user",
      "Findings/target.wrong-type", "Findings/source.doubtful", "Findings/traits.duplicate-member",
    ], [(80, 24), (120, 40), (170, 45)])
  func `every word in view is found`(sample: String, size: (Int, Int)) throws {
    let container = try sampleContainer(sample)
    for glyphs in [Glyphs.unicode, .ascii] {
      let session = Session(
        try samplePlan(sample), columns: size.0, rows: size.1, glyphs: glyphs, container: container)
      let cut = glyphs == .ascii ? "~" : "…"
      for row in session.lines[1..<(size.1 - 2)] {
        for part in row.split(whereSeparator: { "│|┌├─┬┤┴└┘┐+▸>".contains($0) }) {
          for word in part.split(separator: " ") where word.count > 2 && !word.contains(cut) {
            if Self.others.contains(String(word)) || word.allSatisfy({ $0 == "-" }) { continue }
            var search = session
            search.type("/")
            search.send(.paste(String(word)))
            #expect((search.state.search?.count ?? 0) > 0, "“\(word)” of “\(row)”")
          }
        }
      }
    }
  }

  @Test func `a remedy is found with the user's own key for the setup`() throws {
    var keymap = Keymap()
    keymap.set(.character("Z"), "setup", on: "review", line: 1)
    var plan = acmePlan()
    plan.fields[0].findings = [
      Finding(.sourceV1AndV2(chosen: "rudderstack-objc", evidence: []), field: plan.fields[0].id)
    ]
    var session = Session(plan, keymap: keymap, typing: "/the recipe with Z")
    #expect(session.state.search?.matches == [0])
    session.type("<c-u>the recipe with W")
    #expect(session.state.search?.matches == [])
  }

  @Test func `a recommendation and a line of the verdict are found`() throws {
    var session = Session(try samplePlan("Findings/target.fresh-identity"), columns: 80, rows: 24, typing: "/recom")
    #expect(session.state.search?.matches == [0])
    session.type("<c-u>logged out", shows: "1 of ")
    #expect(session.state.search?.notes.isEmpty == false)
  }
}

@Suite("A batch of a list says where it is") struct BatchProgressTests {
  @Test func `planning and applying count the containers`() {
    var state = PickerState(
      sampleFleet, place: "/cases/4711", isPlanning: false, isReviewing: true, choices: ListChoices(),
      size: Size(columns: 80, rows: 24), options: ReviewOptions())
    state.previewBatch(.apply)
    #expect(state.busy == "Planning… (esc stops)")
    for _ in 1...3 { state.progress(of: 8) }
    #expect(state.busy == "Planning 3 of 8… (esc stops)")
    state.show(ListedBatch([], count: 1, fields: 1, recovered: 0), on: .containersPreview)
    state.writeBatch()
    state.progress(of: 8)
    #expect(state.busy == "Applying 1 of 8… (esc stops)")
  }
}
