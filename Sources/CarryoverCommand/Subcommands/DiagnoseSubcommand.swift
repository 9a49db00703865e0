import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverVendors
import PropertyLists

struct DiagnoseSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Says why a user was logged out, or would be by the update, and how to repair it. Writes nothing.",
    discussion: """
      One sentence with its certainty, what is lost and why, the times that the container records, and the command \
      that fixes it. Other SDKs that left data have a line each. Without a write key it says what the container alone shows.
      """)

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.diagnosis/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      let opened = try container.open(reading: planning.files, masking)
      let diagnosis = try ContainerReport(opened, container, planning, for: "diagnose", masking).diagnosis
      try printing.paper.print(json: json, DiagnosisOutput.json(diagnosis), masking) {
        DiagnosisOutput.write(diagnosis, to: &$0, masking)
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }
}

extension MendingCommand {
  /// - Parameter masking: a masked write key becomes a word in capitals, because nobody can paste a mask.
  init(_ container: ContainerArguments, _ planning: PlanningArguments, _ masking: Masking) {
    func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }
    path = container.path
    choosing =
      option("--container", container.choosing.container) + option("--app", container.choosing.app)
      + option("--bundle-id", container.bundleID) + option("--state-dir", container.stateDir)
    self.planning =
      option("--write-key", planning.target.writeKey.map { masking.isOn ? Self.writeKey : $0 })
      + option("--target-sdk", planning.targetSDK?.version.description)
      + planning.recipeChoice.recipe.flatMap { ["--recipe", $0] }
      + planning.recipeChoice.parameters.words
      + (planning.allowOptedOut ? ["--allow-opted-out"] : [])
  }
}
