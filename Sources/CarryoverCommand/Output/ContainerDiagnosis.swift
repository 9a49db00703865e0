import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct ContainerDiagnosis {
  let container: Container
  /// The gravest. Its plan's findings may be shown; the values are real.
  let told: RecipeVerdict
  let mending: Mending
  /// The gravest first.
  let others: [RecipeVerdict]
  let timeline: [TimelineEntry]
  let isInterrupted: Bool
  /// The write key, if the legacy files state it, and where.
  let inferredKey: String?
  /// What the write key would add; nil if there is one, or none is needed.
  let missingKey: String?
  /// Runs that came with the container: nobody can trust their records.
  private let foreignRuns: Int
  /// Ready to paste, but for words in capitals.
  let commands: [ShellCommand]

  /// Whether no recipe finds data here, and the user has named none.
  let isUnknown: Bool
  private let path: String

  /// - Parameters:
  ///   - verdicts: of every SDK, the gravest first.
  ///   - isDetected: whether the user has named no recipe.
  init(
    _ opened: OpenedContainer, _ verdicts: [RecipeVerdict], runs: RunListing, isInterrupted: Bool, isDetected: Bool,
    inferredKey: String?, _ command: MendingCommand
  ) {
    path = command.path
    self.inferredKey = inferredKey
    container = opened.container
    told = verdicts[0]
    others = Array(verdicts.dropFirst())
    self.isInterrupted = isInterrupted
    let (plan, verdict) = (told.plan, told.verdict)
    mending = Mending(verdict, plan)
    timeline = (plan.definition.timeline(of: plan) + container.timeline(of: plan) + Self.runs(runs, plan)).inOrder
    foreignRuns = runs.runs.count { $0.standing == .cameAlong }
    isUnknown = isDetected && plan.findsNothing(in: container)
    let needsKey = !isUnknown && plan.containerFindings.contains { $0.code == .targetNoWriteKey }
    missingKey = needsKey ? Self.keyAdds(opened.container.writeKeys.count) : nil
    // Values that are changed in place wait for a migration, even if nothing is lost.
    commands =
      verdict.isSound && verdict.situation != .inPlace
      ? [] : command.lines(for: mending, opened.container, isInterrupted: isInterrupted, needsKey: needsKey)
  }

  var plan: Plan { told.plan }
  var verdict: Verdict { told.verdict }

  /// The verdict; where no recipe finds data, how to look at what is there.
  var blocks: [Block] { isUnknown ? container.unknownBlocks(at: path) : page.blocks }

  var page: VerdictPage {
    var page = VerdictPage(told, others: others, timeline: timeline)
    page.recipeOption = "--recipe "
    page.remedy = [.list(cautions), .commands(commands), .list(advice)]
    return page
  }

  /// What to know before pasting the commands.
  var cautions: [String] {
    var lines = isInterrupted ? ["Recover the interrupted run, then diagnose again."] : []
    if let missingKey { lines.append(missingKey) }
    if foreignRuns > 0 {
      lines.append(
        "\(ValueWording.counted(foreignRuns, "run")) of Carryover came with the container, and did not affect the verdict. "
          + "carryover history lists such runs as “from elsewhere”.")
    }
    return lines + mending.blockers.filter { $0.code != .targetNoWriteKey }.map { $0.commandRemedy }
  }

  var advice: [String] {
    var lines: [String] = []
    if !mending.edit.isEmpty, !commands.isEmpty {
      lines.append("Put the value in place of VALUE: the container does not have it.")
    }
    if let field = mending.field, !verdict.isSound {
      lines.append(
        !commands.isEmpty && mending.replace.containsBytes(of: field)
          ? "To keep the value in the new SDK's file instead, give --keep \(field), or decide it in the review."
          : plan.field(field)?.status == .conflict
            ? "Decide \(field) in the review, or apply with --replace \(field) or --keep \(field)."
            : "In the review, go to \(field) and decide it.")
    }
    lines += mending.outsideRemedies
    guard lines.isEmpty, commands.isEmpty, cautions.isEmpty else { return lines }
    guard others.contains(where: { !$0.verdict.isSound }) else { return ["Nothing."] }
    return ["Nothing for this SDK. Diagnose the other SDKs with --recipe."]
  }

  private static func keyAdds(_ suites: Int) -> String {
    "\(FieldSummary.needsKey) (--write-key)"
      + (suites > 1 ? ": it says which of the \(suites) files the app reads." : ".")
  }

  private static func runs(_ listing: RunListing, _ plan: Plan) -> [TimelineEntry] {
    listing.runs.map { run in
      let origin = run.standing == .cameAlong ? ", from elsewhere" : ""
      return TimelineEntry(run.moment, "\(run.kind.rawValue) by Carryover\(origin)", at: run.id)
    }
      + [TimelineEntry(plan.now, "now", at: "system clock, or --now")]
  }
}

extension Container {
  /// What is said where no recipe finds data, and how to look at what is there.
  func unknownBlocks(at path: String) -> [Block] {
    unknownAnswer + [
      .heading("What to do"),
      .commands([
        ShellCommand(["carryover", "browse", path]), ShellCommand(["carryover", "inspect", path, "--find", "TEXT"]),
        ShellCommand(["carryover", "recipe", "new", "ID", "--from", path]),
      ]),
    ]
  }
}

struct MendingCommand {
  let path: String
  let choosing: [String]
  let planning: [String]

  /// The commands, none of which needs another; empty if nothing can be applied.
  func lines(for mending: Mending, _ container: Container, isInterrupted: Bool, needsKey: Bool) -> [ShellCommand] {
    if isInterrupted { return [Self.line(["recover", path] + choosing)] }
    guard mending.applies, mending.blockers.allSatisfy({ Self.options[$0.code] != nil }) else { return [] }
    var decisions = mending.accept.flatMap { ["--accept", $0] }
    decisions += mending.edit.flatMap { ["--set", $0 + "=VALUE"] }
    decisions += mending.replace.flatMap { ["--replace", $0] }
    var options = planning
    for finding in mending.blockers where finding.code != .targetNoWriteKey || needsKey {
      options += Self.options[finding.code] ?? []
    }
    guard container.wrapper != nil else { return [Self.line(["apply", path] + choosing + options + decisions)] }
    return [
      Self.line(["extract", path] + choosing + ["--output", "FOLDER"]),
      Self.line(["apply", "FOLDER"] + options + decisions),
    ]
  }

  /// Stands for a write key that is unknown or masked.
  static let writeKey = "WRITE_KEY"

  private static let options: [FindingCode: [String]] = [
    .targetNoWriteKey: ["--write-key", writeKey], .targetNoBundleID: ["--bundle-id", "BUNDLE_ID"],
    .consentOptedOut: ["--allow-opted-out"],
  ]

  /// - Parameter arguments: the subcommand and the path, then each option with its value.
  private static func line(_ arguments: [String]) -> ShellCommand {
    let end = arguments.firstIndex { $0.hasPrefix("--") } ?? arguments.endIndex
    var command = ShellCommand(["carryover"] + arguments[..<end])
    var option: [String] = []
    for word in arguments[end...] {
      if word.hasPrefix("--"), !option.isEmpty {
        command.add(option)
        option = []
      }
      option.append(word)
    }
    if !option.isEmpty { command.add(option) }
    return command
  }
}

enum DiagnosisOutput {
  static func write(_ diagnosis: ContainerDiagnosis, to page: inout PageWriter) {
    page.add(diagnosis.blocks)
    page.blank()
    page.add(title(diagnosis))
  }

  private static func title(_ diagnosis: ContainerDiagnosis) -> String {
    ([diagnosis.container.bundleID ?? "unknown app", diagnosis.container.name]
      + (diagnosis.isUnknown ? [] : [diagnosis.plan.recipe.title])
      + (diagnosis.inferredKey.map { ["write key \($0)"] } ?? [])).joined(separator: " · ")
  }

  static func json(_ diagnosis: ContainerDiagnosis) -> JSONValue {
    let (container, plan) = (diagnosis.container, diagnosis.plan)
    let head: JSONValue = [
      "schema": "carryover.diagnosis/1", "tool": .string(Version.text),
      "container": [
        "kind": .string(container.kind.rawValue), "name": .string(container.name),
        "bundleID": JSONValue(container.bundleID),
      ], "recipe": ["id": .string(plan.recipe.id), "version": JSONValue(plan.recipe.version)],
      "now": .string(plan.now.text), "target": JSONValue(plan.target?.path),
    ]
    let tail: JSONValue = [
      "cautions": JSONValue(diagnosis.cautions), "advice": JSONValue(diagnosis.advice),
      "commands": JSONValue(diagnosis.commands.map(\.text)),
      "field": JSONValue(diagnosis.verdict.isSound ? nil : diagnosis.mending.field),
    ]
    return .object([head, diagnosis.page.json, tail].flatMap { $0.members ?? [] })
  }
}
