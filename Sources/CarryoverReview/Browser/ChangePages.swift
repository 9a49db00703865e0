package import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let storesPreview = Screen("stores-preview", "Preview")
  static let storesResult = Screen("stores-result", "Result")
  static let storesFailure = Screen("stores-failure", "Failed")
  static let storesRollback = Screen("stores-rollback", "Rollback")
  static let storesHistory = Screen("stores-history", "History")
  static let storesQuit = Screen("stores-quit", "Quit")
}

/// What the screens about runs show.
struct StoreRuns: Sendable {
  var report: RunReport?
  var failure: ReviewFailure?
  var rollback: RollbackPlan?
  var listing = RunListing(runs: [])
}

extension ScreenContent<BrowserState> {
  static var storesPreview: ScreenContent {
    text(.storesPreview, back: Back(help: "Go back; nothing is written.")) { $0.changePreview($1) }.with {
      $0.saving = Saving(name: "changes.json") { state, path in
        guard path.lowercased().hasSuffix(".json"), let plan = state.draft.plan else { return nil }
        return ChangeDocument.json(plan, hides: { $0.isSecret && !state.revealed.contains($0.path) })
          .text(pretty: true, visible: true) + "\n"
      }
    }
  }

  static var storesResult: ScreenContent { text(.storesResult, back: .out) { $0.changeResult($1) } }
  static var storesFailure: ScreenContent { text(.storesFailure, back: .out) { $0.failure($1.runs.failure) } }

  static var storesRollback: ScreenContent {
    text(.storesRollback, back: Back(help: "Go back; nothing is written.")) { $0.rollbackPreview($1) }
  }

  static var storesHistory: ScreenContent { text(.storesHistory, back: .leftward) { $0.history($1) } }

  static var storesQuit: ScreenContent {
    text(.storesQuit, back: Back(label: "stay", help: "Go back to the stores.")) { $0.quit($1) }.with {
      $0.isRead = true
      $0.question = { state in
        "Quit and discard the changes? \(state.key("quit", .storesQuit)) or \(state.key("stay", .storesQuit))"
      }
    }
  }
}

extension PageWriter {
  fileprivate mutating func changePreview(_ state: BrowserState) {
    guard let plan = state.draft.plan, let changing = state.changing else {
      return words("There is nothing to change.")
    }
    if let obstacle = state.applyObstacle {
      words(obstacle, .flagged)
    } else {
      add([
        Span("Nothing is written yet. "), Span(state.key("apply-this", .storesPreview), .key),
        Span(" writes these changes; nothing else does."),
      ])
    }
    blank()
    // A secret can be edited only after the user has chosen to see it.
    add(
      ChangePage(plan, hidesSecrets: !plan.changes.allSatisfy { state.revealed.contains($0.path) || !$0.isSecret })
        .blocks)
    heading("Backup")
    words("Before it writes, Carryover copies what exists to:", indent: 2)
    add([Span(ink.text(changing.backups), .value)], indent: 2, exact: true)
  }

  fileprivate mutating func changeResult(_ state: BrowserState) {
    guard let report = state.runs.report, let changing = state.changing else { return }
    let rollback: [Block] = [
      .paragraph(
        [
          .key(state.key("roll-back", .storesResult)),
          .text(" previews the rollback of this run. The command for later:"),
        ],
        indent: 2), .commands([changing.rollback]),
    ]
    let page = RunReportPage(
      report, backups: changing.backups, rollingBack: report.kind == .rollback ? [] : rollback,
      hidesSecrets: !report.changes.allSatisfy { state.revealed.contains($0.path) || !$0.isSecret })
    add(page.blocks)
  }

  fileprivate mutating func history(_ state: BrowserState) {
    let listing = state.runs.listing
    if listing.runs.isEmpty, listing.problems.isEmpty {
      return words("This container has no runs yet.", .muted)
    }
    add(RunTable.of(listing.runs))
    add(.list(listing.problems.map(\.description)))
    guard let changing = state.changing, !listing.runs.isEmpty else { return }
    blank()
    add([
      Span(state.key("roll-back", .storesHistory), .key),
      Span(" previews the rollback of the newest change in effect. The command for another run, or for single keys:"),
    ])
    var command = changing.rollback
    command.add(["--run", "ID", "--only", "KEY"])
    add(.commands([command]))
  }

  fileprivate mutating func quit(_ state: BrowserState) {
    let (count, key) = (state.draft.count, { (name: String) in Span(state.key(name, .storesQuit), .key) })
    let (are, them) = count == 1 ? ("is", "it") : ("are", "them")
    words("\(counted(count, "change")) \(are) not written.")
    blank()
    add([
      key("quit"), Span(" quits and discards \(them), "), key("stay"), Span(" stays. In the preview, "),
      Span(state.key("save", .storesPreview), .key), Span(" saves \(them) as a file for carryover set --from."),
    ])
  }

  fileprivate mutating func rollbackPreview(_ state: BrowserState) {
    guard let plan = state.runs.rollback, let resolution = try? RollbackResolution(plan) else { return }
    if let obstacle = state.rollbackObstacle {
      words(obstacle, .flagged)
    } else {
      add([
        Span("Nothing is written yet. "), Span(state.key("roll-back-this", .storesRollback), .key),
        Span(" rolls back run "), Span(ink.name(plan.run.id), .value), Span("."),
      ])
    }
    blank()
    add(RollbackPage(resolution).blocks)
  }
}

extension BrowserState {
  var applyObstacle: String? {
    changeObstacle ?? (draft.plan?.isEmpty == false ? nil : "There is nothing to write: every value is unchanged.")
  }

  var rollbackObstacle: String? {
    if let readOnly = changing?.readOnly { return readOnly }
    guard let plan = runs.rollback, let resolution = try? RollbackResolution(plan) else {
      return "There is no run to roll back."
    }
    if !resolution.undecided.isEmpty {
      return "Keys changed after the run. Decide them with carryover rollback, or in the review's history."
    }
    if let file = resolution.unreadable.first, case .unreadable(let reason) = file.state { return reason }
    return resolution.changesFiles
      ? nil : "There is nothing to roll back: every key already has its value from before the run."
  }

  /// Takes the result of a run, and the container afterwards if it could be read.
  package mutating func finish(_ result: Result<RunReport, ReviewFailure>, _ container: Container?) {
    show([.stores])
    switch result {
    case .success(let report):
      runs.report = report
      // A rollback restores keys.
      let keys = report.kind == .rollback ? runs.rollback?.entries ?? [] : []
      let paths =
        report.changes.map(\.path) + keys.map { InspectedPath(store: $0.id.file, labels: [.name($0.id.key)]) }
      changed.subtract(paths)
      written = container.map { OwnWrites(paths, $0) }
      draft = ChangeDraft(container ?? draft.container)
      if let container { arrange(container) }
      open(.storesResult)
    case .failure(let failure):
      if let container { reload(container) }
      show(failure)
    }
    refresh()
  }

  package mutating func show(_ failure: ReviewFailure) {
    runs.failure = failure
    show([.stores])
    open(.storesFailure)
    refresh()
  }

  package mutating func preview(_ plan: RollbackPlan) {
    runs.rollback = plan
    open(.storesRollback)
    refresh()
  }

  package mutating func list(_ listing: RunListing) {
    runs.listing = listing
    open(.storesHistory)
    refresh()
  }
}

extension ChangingKeys {
  static let pages: [BrowserKey] = [
    BrowserKey(
      [.character("a")], "preview", "Preview the exact change. Nothing is written yet.", in: [.stores], .applying,
      hint: 1, opens: [.storesPreview],
      unless: { $0.changeObstacle ?? ($0.draft.changes.isEmpty ? "There is no change to write." : nil) }
    ) { $0.open(.storesPreview) },
    BrowserKey(
      [.character("y")], "apply this", "Write the changes that are shown, as one run.", in: [.storesPreview], .applying,
      hint: 1, duty: .confirmation, unless: { $0.applyObstacle }
    ) { $0.emit(.change) },
    BrowserKey(
      [.character("H")], "history", "List the runs of the container.", in: [.stores, .storesResult], .applying,
      opens: [.storesHistory],
      unless: { $0.changing == nil ? $0.onlyRead("carryover browse shows the history and rolls back.") : nil }
    ) { $0.emit(.loadHistory) },
    BrowserKey(
      [.character("R")], "roll back", "Preview the rollback of the newest change in effect.",
      in: [.stores, .storesResult, .storesHistory], .applying, opens: [.storesRollback],
      unless: { state in
        guard let changing = state.changing else {
          return state.onlyRead("carryover browse shows the history and rolls back.")
        }
        if let readOnly = changing.readOnly { return readOnly }
        return state.draft.count == 0 ? nil : "Apply or undo the changes first."
      }
    ) { $0.emit(.loadRollback) },
    BrowserKey(
      [.character("y")], "roll back this", "Roll back the run that is shown.", in: [.storesRollback], .applying,
      hint: 1, duty: .confirmation, unless: { $0.rollbackObstacle }
    ) { state in
      if let plan = state.runs.rollback { state.emit(.rollback(plan)) }
    },
    BrowserKey(
      [.character("y")], "quit", "Quit and discard the changes.", in: [.storesQuit], .leaving, hint: 1,
      duty: .confirmation
    ) { $0.emit(.leave) },
  ]
}
