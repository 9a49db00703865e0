import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

/// What a command does about a run that came with a container: it is shown, and somebody decides.
struct ForeignState {
  let opened: OpenedContainer
  let allowed: Set<FindingCode>
  let masking: Masking

  /// What somebody can answer.
  enum Answer { case adopt, discard, neither }

  /// Makes sure that nothing which came along is in the way: shows it and asks, and carries the answer out.
  /// - Parameter asking: whether anybody may be asked, which needs a terminal too.
  /// - Returns: whether something was written.
  /// - Throws: `foreignJournal`, with the commands that decide, where nobody may be asked or nothing was decided.
  func settle(asking: Bool) throws -> Bool {
    guard let run = try Edge.migrator(opened).foreignRun(in: opened.container) else { return false }
    guard asking, Console.inputIsTerminal else { throw RunError.foreignJournal(run) }
    switch try ask(about: run) {
    case .adopt: try adopt(nil, shown: run)
    case .discard: try discard(nil)
    case .neither: throw RunError.foreignJournal(run)
    }
    return true
  }

  /// Shows on standard error, which `--json` leaves to people, whose it is, every file it would touch and what each would
  /// become.
  func show(_ run: ForeignRun) {
    var page = Paper.error.page(masking)
    write(run, to: &page)
    Console.error(page)
  }

  private func write(_ run: ForeignRun, to page: inout TextPage) {
    let (ink, columns) = (page.ink, page.paper.columns)
    page.add("Run \(run.id) came with this container; \(run.reason.phrase).")
    page.add(
      run.isFinished
        ? "If you adopt it, no file changes yet. Rolling it back would then do this:"
        : "If you adopt it, Carryover finishes it:")
    for file in run.files {
      page.add(file.sentence(namingKeys: false) + (file.changes.isEmpty ? "." : ":"))
      var table = Table(
        [
          Table.Column(.name, "", .head), Table.Column(.value, "now"), Table.Column(.whole),
          Table.Column(.value, "becomes"),
        ], indent: 4, glyphs: ink.glyphs)
      for change in file.changes {
        table.add([
          Span(ink.name(change.key)), Span(ink.value(change.before, of: change.key, columns: columns)),
          Span(ink.words("→")), Span(ink.value(change.after, of: change.key, columns: columns)),
        ])
      }
      page.add(table)
      if file.moreChanges > 0 { page.add("and \(file.moreChanges) more keys", indent: 4) }
    }
  }

  private func ask(about run: ForeignRun) throws -> Answer {
    var page = Paper.error.page(masking)
    write(run, to: &page)
    page.add("Adopt it only if you know who made it. Discarding moves it aside; nothing is deleted.")
    Console.error(page)
    let question = "Type adopt or discard, or press Enter for neither: "
    // Whole words, because a key that was typed ahead for something else must not adopt anything.
    guard case .text(let answer) = Console.ask(question) else { return .neither }
    return switch answer {
    case "adopt": .adopt
    case "discard": .discard
    default: .neither
    }
  }

  /// Makes a run the user's own.
  /// - Parameter shown: what was shown of the interrupted run.
  func adopt(_ runID: String?, shown: ForeignRun?) throws {
    try ThisProcess.uninterrupted {
      try Edge.migrator(opened).adopt(in: opened.container, runID: runID, shown: shown, allowing: allowed)
    }
    ThisProcess.hasWritten = true
  }

  /// Moves a run aside, and says where.
  func discard(_ runID: String?) throws {
    let place = try ThisProcess.uninterrupted {
      try Edge.migrator(opened).discard(in: opened.container, runID: runID, allowing: allowed)
    }
    ThisProcess.hasWritten = true
    Console.error("carryover: " + masking.text("Moved to “\(place)”."))
  }
}
