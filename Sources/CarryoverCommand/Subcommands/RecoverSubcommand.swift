import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages

struct RecoverSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Finishes an interrupted run, or rolls it back if it cannot be finished.",
    discussion: """
      Every command that writes does this first; recover does only this. If no run was interrupted, nothing is written.

      A run that came with the container may be another user's or an attacker's. It is shown and \
      never finished without asking: --adopt makes it yours, --discard moves it aside.
      """)

  @OptionGroup var container: ContainerArguments
  @Flag(help: "Close the interrupted run with every file as it is, if another program has changed one.")
  var keep = false
  @Flag(
    help: "Make a run that came with the container yours, then recover it. Use it only if you know who made the run.")
  var adopt = false
  @Flag(help: "Move a run that came with the container aside, into .carryover/discarded. Nothing is deleted.")
  var discard = false
  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("The run to adopt or discard. By default the interrupted one.", valueName: "id"))
  var runID: String?
  @OptionGroup var live: LiveArguments
  @Flag(help: "Do not ask before writing.") var yes = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print what was done as JSON, schema carryover.recovery/1.") var json = false

  func validate() throws {
    guard [keep, adopt, discard].count(where: { $0 }) <= 1 else {
      throw ValidationError("Give only one of --keep, --adopt and --discard.")
    }
    guard runID == nil || adopt || discard else { throw ValidationError("--run needs --adopt or --discard.") }
  }

  func run() throws {
    try reporting(redacting) { masking in
      let opened = try container.open(masking)
      try opened.container.requireWritable(allowing: live.allowed)
      let foreign = ForeignState(opened: opened, allowed: live.allowed, masking: masking)
      var hasDecided = adopt || discard
      if discard {
        try foreign.discard(runID)
      } else if adopt {
        try foreign.adopt(runID, shown: try confirmAdoption(foreign, masking))
      } else if keep {
        try Edge.confirm(
          "Close the interrupted run with every file as it is?", unless: yes, for: "recover --keep",
          or: "nothing was written")
      } else {
        hasDecided = try foreign.settle(asking: !yes)
      }
      try ThisProcess.uninterrupted {
        try reporting(masking) { try recover(opened, hasDecided: hasDecided, masking) }
      }
    }
  }

  private func recover(_ opened: OpenedContainer, hasDecided: Bool, _ masking: Masking) throws {
    let runs = try Edge.migrator(opened).recover(in: opened.container, keeping: keep, allowing: live.allowed)
    if json {
      try Console.printDocument(
        masking.document(.object(["schema": "carryover.recovery/1", "recovered": runs])))
    } else {
      // With --keep, an unreadable journal may have been removed, which names no run.
      let nothing =
        keep
        ? "No run is interrupted; every file stays as it is."
        : hasDecided
          ? "No run is interrupted now." : "No run was interrupted; there was nothing to write."
      let lines = runs.isEmpty ? [nothing] : runs.map(\.description)
      try printing.paper.print(masking) { page in for line in lines { page.add(line) } }
    }
  }

  private func confirmAdoption(_ foreign: ForeignState, _ masking: Masking) throws -> ForeignRun? {
    let migrator = Edge.migrator(foreign.opened)
    let run = try migrator.foreignRun(in: foreign.opened.container, runID: runID)
    if let run { foreign.show(run) }
    try Edge.confirm("Adopt this run?", unless: yes, for: "recover --adopt", or: "nothing was written")
    return run
  }
}
