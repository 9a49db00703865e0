import Carryover
import CarryoverTerminal
import PropertyLists

extension LinearWriter {
  /// What is reviewed, how its fields stand, what is in the way.
  mutating func summary(_ state: ReviewState) {
    let plan = state.plan
    let names = plan.container.names.map { name($0) }.joined(separator: ", ")
    add("Container: \(names). Recipe: \(ink.sentence(Self.spoken(plan.recipe.title))).")
    counts(state)
    if let target = plan.target {
      add("Target file: \(path(target.path)), which \(target.exists ? "is there" : "does not exist yet").")
    } else {
      say("Target file: unknown, because the bundle id or the write key is. Give --bundle-id or --write-key.")
    }
    let findings = state.findingsCount
    if findings > 0 { say("\(counted(findings, "finding")) in all; warnings reads \(findings == 1 ? "it" : "them").") }
    if !plan.dropped.isEmpty { say("\(counted(plan.dropped.count, "key")) left behind; left behind reads them.") }
    if let readOnly = state.readOnly { quote(readOnly) }
    for blocker in state.blockers.prefix(100) { finding(blocker, "In the way of every apply") }
  }

  /// `8 fields: 5 ready, 2 to decide, 1 not carried.`
  mutating func counts(_ state: ReviewState) {
    let tally = state.tally
    let counts = FieldState.allCases.filter { tally[$0] > 0 }.map { "\(tally[$0]) \($0.word)" }
    say(counted(state.plan.fields.count, "field") + (counts.isEmpty ? "." : ": \(counts.joined(separator: ", "))."))
  }

  /// What had been interrupted before the review began, and what became of it.
  mutating func recovery(_ state: ReviewState) {
    if let failure = state.recoveryFailure {
      say("An interrupted run could not be recovered. Writing is disabled until it is.")
      self.failure(failure)
    }
    recovered(state.recovered)
  }

  /// Each run that had been interrupted.
  mutating func recovered(_ runs: [RecoveredRun]) {
    each(runs) { writer, run in writer.quote(run.description) }
  }

  /// What went wrong, and what to do.
  mutating func failure(_ failure: ReviewFailure) {
    add("Not done. " + ink.sentence(failure.message))
    if !failure.remedy.isEmpty { add("What to do: " + ink.sentence(failure.remedy)) }
  }

  /// Every finding, the gravest first.
  mutating func warnings(_ plan: Plan) {
    let findings = plan.findings
    guard !findings.isEmpty else { return say("There is nothing to warn about.") }
    say("\(counted(findings.count, "finding")), the gravest first.")
    let sorted = Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } }
    let count = findings.count
    each(Array(sorted.enumerated())) { writer, item in
      let about = item.element.field.map { ", about \(writer.name($0))" } ?? ""
      writer.finding(item.element, "\(item.offset + 1) of \(count)\(about)")
    }
  }

  /// The keys that stay in the legacy store, each with the reason.
  mutating func leftBehind(_ keys: [DroppedKey]) {
    guard !keys.isEmpty else { return say("No key is left behind.") }
    say("\(counted(keys.count, "key")) left behind.")
    let count = keys.count
    each(Array(keys.enumerated())) { writer, item in
      let key = item.element
      let held = key.secret ? "a secret, which is not shown" : writer.value(key.value, of: key.key)
      writer.add(
        "\(item.offset + 1) of \(count). \(writer.name(key.key)), \(held): \(writer.ink.sentence(key.reason))")
    }
  }

  /// The exact change, what is not written and why, and where the way back is.
  /// - Parameter obstacle: Why it cannot be applied; nil where it can.
  mutating func preview(_ state: ReviewState, obstacle: String?) {
    let plan = state.plan
    let changes = plan.changes(state.decisions)
    say("Preview. Nothing is written yet.")
    if let obstacle { add("This cannot be applied as it is: " + ink.sentence(obstacle)) }
    if let target = plan.target {
      let verb = changes.isEmpty ? "stays as it is" : target.exists ? "is changed" : "is created"
      add("File \(path(target.path)) \(verb): \(counted(changes.count, "key")) written.")
    }
    let count = changes.count
    each(Array(changes.enumerated())) { writer, item in
      let change = item.element
      writer.add(
        "\(item.offset + 1) of \(count). \(writer.name(change.key)) becomes "
          + "\(writer.value(change.after, of: change.key)); it holds \(writer.value(change.before, of: change.key)) now."
      )
    }
    if plan.target?.exists == true, count > 0 { say("Every other key of the file stays as it is.") }
    let left = plan.fields.compactMap { field in
      Self.reason(field, state.decisions[field.id]).map { (field.id, $0) }
    }
    if !left.isEmpty { say("\(counted(left.count, "field")) not written.") }
    each(left) { writer, item in writer.add("\(writer.name(item.0)): \(writer.ink.sentence(Self.spoken(item.1))).") }
    if !plan.dropped.isEmpty { say("\(counted(plan.dropped.count, "key")) left behind; left behind reads them.") }
    guard state.readOnly == nil, plan.target != nil, count > 0 else { return }
    add("Backup: before anything is written, the file's bytes go to \(path(state.backupLocation)).")
  }

  /// Why a field is not written; nil where it is, or where the target holds what it should.
  private static func reason(_ field: Field, _ decision: Decision?) -> String? {
    switch (field.resolution(decision), decision) {
    case (.write, _), (.leave(.unchanged), nil), (.leave(.unchanged), .migrate), (.leave(.unchanged), .edit): nil
    case (.undecided(let conflict), _): conflict ? "undecided, the target holds another value" : "undecided"
    case (.leave, .skip): "skipped, by decision"
    case (.leave, .keep): "the target's own value is kept, by decision"
    case (.leave(.absent), _): field.absence
    case (.leave, _): ChangeSummary.proposal(field)
    }
  }

  /// How a run ended, field by field, and the way back.
  mutating func result(_ report: RunReport, backup: String) {
    recovered(report.recovered)
    let id = report.runID.map { name($0) }
    switch (report.kind, id) {
    case (.apply, let id?): add("Applied. This is run \(id).")
    case (.apply, nil): say("Nothing had to be written: the target already held every value.")
    case (.cleanup, _): say("Cleaned up.")
    case (.rollback, _):
      let taken = report.rolledBack.map { "run \(name($0))" } ?? "the run"
      add("Rolled back \(taken)." + (id.map { " That is run \($0), which can be taken back itself." } ?? ""))
    }
    let outcomes = report.outcomes
    let counts = Outcome.allCases.compactMap { outcome -> String? in
      let count = outcomes.count { $0.outcome == outcome }
      return count > 0 ? "\(count) \(outcome.rawValue)" : nil
    }
    if !outcomes.isEmpty { say("\(counted(outcomes.count, "field")): \(counts.joined(separator: ", ")).") }
    let count = outcomes.count
    each(Array(outcomes.enumerated())) { writer, item in
      let outcome = item.element
      let reason = outcome.reason.map { "; " + writer.ink.sentence($0) } ?? ""
      writer.add("\(item.offset + 1) of \(count). \(writer.name(outcome.field)): \(outcome.outcome.rawValue)\(reason).")
    }
    each(report.files) { writer, file in writer.add("File written: \(writer.path(file)).") }
    guard report.kind == .apply, let id else { return }
    add("Backup: the file's bytes as they were lie below \(path(backup)), in the folder of run \(id).")
    say("To take this run back, type roll back.")
  }
}
