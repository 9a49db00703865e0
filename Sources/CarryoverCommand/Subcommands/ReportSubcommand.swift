import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct ReportSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Prints a report to attach to a ticket, the verdict first, as Markdown or HTML, values masked.",
    discussion: """
      Personal data is masked; equal values have equal masks. Read the report before you send it. Nothing is written.
      """)

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @Flag(inversion: .prefixedNo, help: "Mask personal data, or show it.") var redact = true
  @Flag(help: "Print JSON, schema carryover.container-report/1, instead of Markdown.") var json = false
  @Flag(help: "Print one HTML file instead of Markdown. It loads nothing and runs no script.") var html = false

  func run() throws {
    let masking = Masking(redact)
    try reporting(masking) {
      guard !(json && html) else {
        throw CommandFailure.usage("Give --json or --html, not both.")
      }
      let selection = try container.choosing.selection()
      let opened = try container.open(selection, reading: planning.files, masking)
      let report = try ContainerReport(opened, selection, container, planning, masking, isForOthers: true)
      if json {
        try Console.printDocument(masking.document(report.json))
      } else {
        let shared = report.sharedReport(masking)
        try Console.printVerbatim(html ? shared.html : shared.markdown)
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }
}

extension ContainerReport {
  /// If the user named no recipe, the plan is that of the most serious verdict.
  /// - Parameters:
  ///   - selection: the selection that opened the container.
  ///   - named: the recipes that the user named; nil for those in `planning`.
  ///   - isForOthers: whether other people read the report. Its commands then omit the folders of this machine, and it
  ///     lists every store.
  init(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, _ container: ContainerArguments,
    _ planning: PlanningArguments, beside named: [String]? = nil, _ masking: Masking, isForOthers: Bool = false
  ) throws {
    masking.learn(planning.values)
    let prepared = try planning.prepared(opened, needsKey: false, omitsGaps: true)
    let plan = masking.findings(of: try prepared.plan())
    let runs = Edge.runs(of: opened)
    masking.learn(runs.runs)
    let isInterrupted = Edge.recoveryNeeded(opened) != nil
    let named = named ?? planning.recipe
    let isDetected = named.isEmpty
    // A report lists the other SDKs even if the user names a recipe: its readers have no container to diagnose.
    let first = try prepared.judged(
      plan, beside: isForOthers ? [] : named, isInterrupted: isInterrupted, masking)
    let judged = (isDetected ? first.ofGravest(in: opened.container) : nil) ?? first
    let isAboutAny = isDetected || named.contains(PlanChoices.allRecipes)
    let verdicts = isAboutAny ? judged.verdicts : judged.verdictsOfPlanFirst
    let told = verdicts[0].plan.definition
    // A recipe needs no name in a command where the container's keys call for it.
    let isCalledFor = planning.recipe.isEmpty && told.reference == plan.recipe
    let parameters = RecipeParameter.values(judged.options.parameters, of: told.reference.id).filter {
      told.takesWriteKey || $0.key != RecipeParameter.writeKey.name
    }
    let keys = verdicts.reduce(into: [:]) { (keys: inout [String: String], told) in
      let isOwn = plan.recipes.contains(told.recipe)
      let options = isOwn ? prepared.options : prepared.options.ofAnother(told.plan.definition, in: opened.container)
      let values = RecipeParameter.values(options.parameters, of: told.recipe.id)
      keys[told.recipe.id] = values[RecipeParameter.writeKey.name]
    }
    let command = MendingCommand(
      container, planning, isCalledFor ? nil : told,
      forAll: verdicts.filter { !$0.verdict.losses.isEmpty }.map(\.plan.definition), parameters, keys,
      for: isForOthers ? opened.container : nil, masking)
    let isUnknown = isDetected && plan.findsNothing(in: opened.container)
    let whole =
      isUnknown || isForOthers
      ? try container.whole(selection, planned: opened.container, reading: planning.files, masking) : nil
    let diagnosis = ContainerDiagnosis(
      opened, verdicts, runs: runs, isInterrupted: isInterrupted, unknown: isUnknown ? whole : nil,
      isForAll: isDetected || planning.recipe == [PlanChoices.allRecipes],
      inferredKey: planning.inferredKey(of: verdicts[0].plan, in: opened.container),
      // Without a recipe, the given key is that of the SDK whose recipe the container's keys call for.
      keyOption: isDetected && !isCalledFor
        ? "--recipe \(told.reference.id) --write-key KEY"
        : ParameterValues.keyOption(of: told, among: plan.recipePlans.map(\.definition)),
      command)
    var request = PlanRequest(
      opened.container, options: judged.options, hasOwnStateDirectory: container.stateDir != nil)
    if isForOthers { (request.container, request.stateDirectory) = (opened.container.name, nil) }
    self.init(
      container: whole ?? opened.container, plan: judged.plan, request: request, runs: runs, diagnosis: diagnosis)
  }

  func sharedReport(_ masking: Masking) -> SharedReport {
    let (page, ink) = (ContainerReportPage(report: self, isMasked: masking.isOn), Ink(redaction: masking.redaction))
    let blocks = page.blocks + [page.legend(of: ReportMarkdown.text(page.blocks, ink))]
    return SharedReport(markdown: ReportMarkdown.text(blocks, ink), html: ReportHTML.text(blocks, ink))
  }
}

struct DiagnoseSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Says why a user was logged out, or would be by the update, and how to repair it. Writes nothing.",
    discussion: """
      One sentence with its certainty, what is lost and why, the times that the container records, and the command \
      that fixes it. If several SDKs left data, the most serious verdict comes first, and each of the others has a line. Without a write key, the verdict relies on the container alone.
      """)

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.diagnosis/1.") var json = false

  func run() throws {
    try reporting(redacting) { masking in
      let selection = try container.choosing.selection()
      let opened = try container.open(selection, reading: planning.files, masking)
      let diagnosis = try ContainerReport(opened, selection, container, planning, masking).diagnosis
      try printing.paper.print(json: json, DiagnosisOutput.json(diagnosis), masking) {
        DiagnosisOutput.write(diagnosis, to: &$0)
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }
}

extension MendingCommand {
  /// - Parameters:
  ///   - recipe: the recipe to name; nil if the container's keys call for it.
  ///   - all: the recipes that the command for every SDK names.
  ///   - parameters: those of the recipe's plan. A write key of another SDK is not among them.
  ///   - keys: the write keys of the SDKs in the verdicts, by their recipes.
  ///   - shared: the container of a report for others, whose commands are without the folders of this machine.
  ///   - masking: a masked write key becomes a word in capitals, because nobody can paste a mask.
  fileprivate init(
    _ container: ContainerArguments, _ planning: PlanningArguments, _ recipe: Recipe?, forAll all: [Recipe],
    _ parameters: [String: String], _ keys: [String: String], for shared: Container?, _ masking: Masking
  ) {
    func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }
    func known(_ path: String) -> String {
      shared == nil ? path : FilePath.name(of: path)
    }
    // What is in an archive or a backup, or chosen below the path, is not found by its name.
    let isInside = shared?.wrapper != nil || container.choosing.container != nil || container.choosing.app != nil
    path = isInside ? known(container.path) : shared?.name ?? container.path
    isMasked = masking.isOn
    choosing =
      option("--container", container.choosing.container) + option("--app", container.choosing.app)
      + option("--bundle-id", container.bundleID) + option("--state-dir", shared == nil ? container.stateDir : nil)
    func shown(_ key: String) -> String { masking.isOn ? Self.writeKey : key }
    let given = planning.values.values.filter { ParameterValues.isWriteKey($0.key) }
    key = parameters[RecipeParameter.writeKey.name].flatMap { given.values.contains($0) ? shown($0) : nil }
    givenKeys = keys.filter { given.values.contains($0.value) }.mapValues(shown)
    sdk = option("--target-sdk", planning.targetSDK?.version.description)
    self.recipe = option(
      "--recipe", recipe.map { if case .file(let path, _) = $0.origin { known(path) } else { $0.reference.id } })
    let optedOut = planning.allowOptedOut ? ["--allow-opted-out"] : []
    permissions = planning.parameters.words(for: recipe.map { [$0] }) + optedOut
    permissionsForAll = planning.parameters.words(for: all) + optedOut
  }
}
