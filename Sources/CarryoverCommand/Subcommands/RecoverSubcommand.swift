import ArgumentParser
import Carryover
import CarryoverContainers
import PropertyLists

struct RecoverSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Brings an interrupted run to its end: finishes it, or takes it back where it cannot be finished.",
    discussion: """
      Every command that writes does this first; this does it alone. Where nothing was interrupted, nothing is written.
      """)

  @OptionGroup var container: ContainerArguments
  @Flag(
    help: "Close the interrupted run with every file as it stands, where somebody else has changed one since.")
  var keep = false
  @OptionGroup var live: LiveArguments
  @Flag(help: "Do not ask before closing a run with --keep.") var yes = false
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Print what was done as JSON, schema carryover.recovery/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let opened = try container.open(masking)
      try opened.container.requireWritable(allowing: live.allowed)
      if keep { try confirm() }
      try Edge.uninterrupted {
        try reporting(masking) { try recover(opened, masking) }
      }
    }
  }

  private func recover(_ opened: OpenedContainer, _ masking: Masking) throws {
    let runs = try Edge.migrator(opened).recover(in: opened.container, keeping: keep, allowing: live.allowed)
    if json {
      try Console.printDocument(masking.document(RecoveryJSON.document(runs)))
    } else {
      // With --keep a journal that nobody could read may have gone, which names no run.
      let nothing =
        keep ? "No run is open; every file stays as it stands." : "No run was interrupted; nothing had to be written."
      let lines = runs.isEmpty ? [nothing] : runs.map(\.description)
      try Console.print(masking.lines(lines))
    }
  }

  private func confirm() throws {
    guard !yes else { return }
    try Edge.requireTerminal(for: "recover --keep", or: "nothing was written")
    try Edge.askToGoOn("Close the interrupted run with every file as it stands?")
  }
}
