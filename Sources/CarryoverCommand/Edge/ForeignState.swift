import Carryover
import CarryoverContainers

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

  /// Whose it is, every file it would touch and what each would become, and what can be answered.
  func lines(_ run: ForeignRun, columns: Int) -> [String] {
    func wrapped(_ text: String) -> [String] { PlanText.wrapped(masking.text(text), columns: columns) }
    var lines = wrapped("Run \(run.id) came with this container; \(run.reason.phrase).")
    lines += wrapped(
      run.isFinished
        ? "If you adopt it, no file changes yet. Rolling it back would then do this:"
        : "If you adopt it, Carryover finishes it:")
    for file in run.files {
      lines += wrapped(file.sentence(namingKeys: false) + (file.changes.isEmpty ? "." : ":"))
      var table = Table(limits: [30, nil, 1, nil], masking: masking)
      for change in file.changes {
        table.add([
          "    " + change.key, SecretKeys.text(masking.value(change.before), of: change.key), "→",
          SecretKeys.text(masking.value(change.after), of: change.key),
        ])
      }
      lines += table.lines(columns: columns)
      if file.moreChanges > 0 { lines.append("    and \(file.moreChanges) more keys") }
    }
    return lines
  }

  /// Prints lines on standard error, which `--json` leaves to people.
  func show(_ lines: [String]) { for line in lines { Console.error(masking.text(line)) } }

  private func ask(about run: ForeignRun) throws -> Answer {
    show(lines(run, columns: Console.columns))
    let advice = "Adopt it only if you know who made it. Discarding moves it aside; nothing is deleted."
    show(PlanText.wrapped(advice, columns: Console.columns))
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
