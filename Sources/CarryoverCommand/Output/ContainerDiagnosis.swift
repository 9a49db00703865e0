import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct ContainerDiagnosis {
  let container: Container
  /// The most serious verdict. Its plan's findings may be shown; the values are real.
  let told: RecipeVerdict
  let mending: Mending
  /// The options that every printed command with these values needs.
  private let planning: [String]
  /// The most serious first.
  let others: [RecipeVerdict]
  let timeline: [TimelineEntry]
  let isInterrupted: Bool
  /// The write key, if the legacy files state it, and where.
  let inferredKey: String?
  /// What the write key would add; nil if there is one, or none is needed.
  let missingKey: String?
  /// Runs that came with the container: nobody can trust their records.
  private let foreignRuns: Int
  private let isRepaired: (RecipeReference) -> Bool
  /// Each can be run as it stands, but for a masked write key.
  let commands: [ShellCommand]
  /// Whether the commands apply a plan.
  private let applies: Bool
  /// The same for all SDKs at once; empty if no other one loses anything, or if a command alone cannot repair all.
  private let commandsForAll: [ShellCommand]

  /// The container with its tables and the count of other files, if no recipe finds data and the user named none.
  fileprivate let unknown: Container?
  private let path: String
  private let isKeyMasked: Bool
  private let isMasked: Bool

  /// - Parameters:
  ///   - verdicts: of every SDK, the most serious first.
  ///   - unknown: the container with its tables and the count of other files, if no recipe finds data; otherwise nil.
  ///   - isForAll: whether the commands may repair every SDK: the user named no recipe, or `all`.
  ///   - keyOption: the option that gives this command the write key for the most serious verdict.
  init(
    _ opened: OpenedContainer, _ verdicts: [RecipeVerdict], runs: RunListing, isInterrupted: Bool, unknown: Container?,
    isForAll: Bool, inferredKey: String?, keyOption: String, _ command: MendingCommand
  ) {
    path = command.path
    isKeyMasked = command.planning.contains(MendingCommand.writeKey)
    isMasked = command.isMasked
    self.inferredKey = inferredKey
    container = opened.container
    told = verdicts[0]
    others = Array(verdicts.dropFirst())
    self.isInterrupted = isInterrupted
    let (plan, verdict) = (told.plan, told.verdict)
    mending = Mending(verdict, plan)
    let isOptedOut = mending.blockers.contains { $0.code == .consentOptedOut }
    planning = command.planning + (isOptedOut ? ["--allow-opted-out"] : [])
    timeline =
      (plan.definition.timeline(of: plan) + container.timeline(of: plan)
      + runs.runs.timeline(until: plan.now, "system clock, or --now")).inOrder
    isRepaired = runs.runs.wrote
    foreignRuns = runs.runs.count { $0.standing == .cameAlong }
    self.unknown = unknown
    let needsKey = unknown == nil && plan.lacksWriteKey
    let files = plan.definition.keysOfFiles(in: opened.container).count
    missingKey = needsKey && !isInterrupted && (!verdict.isSound || told.waits) ? Self.keyAdds(files, keyOption) : nil
    // What to decide depends on what is in the file.
    let isFileUnknown = needsKey && files > 1
    commands =
      verdict.isSound && !told.waits
      ? []
      : isFileUnknown && !isInterrupted
        ? command.diagnosing
        : command.lines(for: mending, opened.container, isInterrupted: isInterrupted, needsKey: needsKey)
    applies = !commands.isEmpty && !isInterrupted && !isFileUnknown
    let repairsAll =
      isForAll && applies && !verdict.losses.isEmpty
      && others.contains { !$0.verdict.losses.isEmpty } && !others.contains(where: \.isGap)
    commandsForAll =
      repairsAll ? command.linesForAll(verdicts.filter { !$0.verdict.losses.isEmpty }, opened.container) : []
  }

  var plan: Plan { told.plan }
  var verdict: Verdict { told.verdict }

  var isUnknown: Bool { unknown != nil }

  /// The verdict; where no recipe finds data, how to look at what is there.
  var blocks: [Block] { unknown?.unknownBlocks(at: path) ?? page.blocks }

  var page: VerdictPage {
    var page = VerdictPage(told, others: others, timeline: timeline)
    page.recipeOption = "--recipe "
    page.remedy = [.list(cautions), .commands(commands)]
    if !commandsForAll.isEmpty {
      page.remedy += [.paragraph(Self.forAll, indent: 2), .commands(commandsForAll)]
    }
    page.remedy.append(.list(advice))
    if cautions.isEmpty, commands.isEmpty, advice.isEmpty {
      page.remedy.append(.paragraph("Nothing to do.", indent: 2))
    }
    page.showsWriteKey = !isMasked
    page.isRepaired = isRepaired
    page.isRepairedHere = mending.repairs && applies
    return page
  }

  private static let forAll = "Or repair every SDK in one run:"

  /// The advice, with the commands for all SDKs.
  fileprivate var wholeAdvice: [String] {
    let line = commandsForAll.map(\.text).joined(separator: " && ")
    return (line.isEmpty ? [] : ["\(Self.forAll) \(line)"]) + advice
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
    return isUnknown
      ? lines : lines + mending.blockers.filter { $0.code != .targetNoWriteKey }.map { $0.commandRemedy }
  }

  var advice: [String] {
    // The verdict that it would be about is not said.
    guard !isUnknown else { return [] }
    var lines: [String] = []
    if commandsForAll.contains(where: { $0.text.contains(MendingCommand.writeKey) }) {
      lines.append("In the command for every SDK, put each SDK's own write key in place of \(MendingCommand.writeKey).")
    }
    for field in mending.edit {
      lines.append(
        "\(field) needs a value that the container does not have: enter it in the review, or apply with --set \(field)=… "
          + "or --skip \(field).")
    }
    let asked = mending.accept + mending.replace + mending.asks
    if let field = mending.field, !verdict.isSound || told.waits && asked.containsBytes(of: field),
      !mending.edit.containsBytes(of: field)
    {
      lines.append(
        commands.isEmpty || !(mending.accept + mending.replace).containsBytes(of: field)
          ? deciding(field)
          : isConflict(field)
            ? "To keep the value in the new SDK's file instead, give --keep \(field), or decide it in the review."
            : "Or decide \(field) in the review.")
    }
    if !verdict.isSound || told.waits { lines += mending.acceptIfReplaced.map { $0.hint.capitalised + "." } }
    if (commands.map(\.text) + lines).contains(where: { $0.contains(" --write-key " + MendingCommand.writeKey) }) {
      if isKeyMasked {
        lines.insert("Put the write key in place of \(MendingCommand.writeKey): it is masked here.", at: 0)
      } else if missingKey != nil {
        lines.insert(ParameterValues.keyAdvice, at: 0)
      }
    }
    lines += mending.outsideRemedies(for: .command)
    guard lines.isEmpty, commands.isEmpty, cautions.isEmpty else { return lines }
    return others.contains { !$0.verdict.isSound }
      ? ["Nothing for this SDK. Diagnose the other SDKs with --recipe."] : []
  }

  private func isConflict(_ id: Field.ID) -> Bool { plan.field(id)?.status == .conflict }

  /// How to decide a field that no command decides, with all other decisions that a run needs.
  private func deciding(_ id: Field.ID) -> String {
    let fields = mending.asks.containsBytes(of: id) ? mending.asks : [id] + mending.asks
    let options: String? =
      if let field = plan.field(id), field.status == .unchanged, field.proposed != nil {
        // An earlier run has decided.
        fields.count == 1 ? "\(field.isKeptByRun ? "--replace" : "--accept") \(id)" : nil
      } else if fields.allSatisfy(isConflict) {
        fields.count == 1 ? "--replace \(id) or --keep \(id)" : "--replace FIELD or --keep FIELD for each"
      } else {
        nil
      }
    // The command would need more than decisions: values to enter, or first an extraction.
    guard let options, mending.edit.isEmpty, container.wrapper == nil else {
      return "In the review, go to \(id) and decide it."
    }
    let also = (mending.accept.map { ("--accept", $0) } + mending.replace.map { ("--replace", $0) })
      .filter { !$0.1.hasSameBytes(as: id) }.map { " \($0) \($1)" }.joined()
    let given = planning.isEmpty ? "" : ShellCommand(planning).text + " "
    return "Decide \(ValueWording.joined(fields)) in the review, or apply with \(given)\(options)"
      + (also.isEmpty ? "." : ", and with\(also).")
  }

  private static func keyAdds(_ suites: Int, _ option: String) -> String {
    "\(FieldSummary.needsKey) (\(option))"
      + (suites > 1 ? ": it says which of the \(suites) files the app reads." : ".")
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
  /// Of a report for others, without folders.
  let path: String
  let choosing: [String]
  /// The write key of the SDK that the commands are about, if the user has given it.
  let key: String?
  /// The write keys that the user has given, by the recipes of their SDKs.
  let givenKeys: [String: String]
  /// The options before and after those that name the recipe.
  let sdk: [String]
  let recipe: [String]
  let permissions: [String]
  /// The same for every recipe.
  let permissionsForAll: [String]
  let isMasked: Bool

  var planning: [String] { (key.map { ["--write-key", $0] } ?? []) + sdk + recipe + permissions }

  /// The commands, each of which can be run as it stands; empty if there is none.
  func lines(for mending: Mending, _ container: Container, isInterrupted: Bool, needsKey: Bool) -> [ShellCommand] {
    if isInterrupted { return [Self.line(["recover", path] + choosing)] }
    return lines(for: [(mending, { $0 })], planning, container, needsKey: needsKey)
  }

  /// The command that diagnoses again with the write key.
  var diagnosing: [ShellCommand] {
    [Self.line(["diagnose", path] + choosing + ["--write-key", Self.writeKey] + planning)]
  }

  /// The commands for several SDKs in one run. Each field and each write key has its recipe's name.
  func linesForAll(_ verdicts: [RecipeVerdict], _ container: Container) -> [ShellCommand] {
    let named = verdicts.map(\.plan).filter(\.definition.takesWriteKey).flatMap { plan -> [String] in
      let name = RecipeParameter.writeKey.of(plan.recipe.id).name
      let isMissing = plan.lacksWriteKey
      return (givenKeys[plan.recipe.id] ?? (isMissing ? Self.writeKey : nil)).map { ["-P", "\(name)=\($0)"] } ?? []
    }
    return lines(
      for: verdicts.map { told in
        (mending: Mending(told.verdict, told.plan), name: { FieldOwner.name($0, of: told.recipe.id) })
      }, sdk + verdicts.flatMap { ["--recipe", $0.recipe.id] } + named + permissionsForAll, container, needsKey: false)
  }

  private func lines(
    for mendings: [(mending: Mending, name: (Field.ID) -> Field.ID)], _ planning: [String], _ container: Container,
    needsKey: Bool
  ) -> [ShellCommand] {
    let blockers = mendings.flatMap(\.mending.blockers)
    guard mendings.contains(where: \.mending.applies),
      mendings.allSatisfy({ $0.mending.edit.isEmpty && $0.mending.asks.isEmpty }),
      blockers.allSatisfy({ [.consentOptedOut, .targetNoWriteKey].contains($0.code) })
    else { return [] }
    var decisions = mendings.flatMap { part in part.mending.accept.flatMap { ["--accept", part.name($0)] } }
    decisions += mendings.flatMap { part in part.mending.replace.flatMap { ["--replace", part.name($0)] } }
    let isOptedOut = blockers.contains { $0.code == .consentOptedOut }
    let key = needsKey ? ["--write-key", Self.writeKey] : []
    let options = key + planning + (isOptedOut ? ["--allow-opted-out"] : [])
    guard container.wrapper != nil else { return [Self.line(["apply", path] + choosing + options + decisions)] }
    return [
      Self.line(["extract", path] + choosing + ["--output", "FOLDER"]),
      Self.line(["apply", "FOLDER"] + options + decisions),
    ]
  }

  /// Stands for a write key that is masked or unknown.
  static let writeKey = RecipeParameter.unknownWriteKey

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
    let head = JSONValue.object([
      "schema": "carryover.diagnosis/1", "tool": Version.text,
      "container": JSONValue.object(["kind": container.kind, "name": container.name, "bundleID": container.bundleID]),
      "recipe": JSONValue.object(["id": plan.recipe.id, "version": plan.recipe.version]), "now": plan.now,
      "target": plan.target?.path,
    ])
    let tail = JSONValue.object([
      "cautions": diagnosis.cautions, "advice": diagnosis.wholeAdvice, "commands": diagnosis.commands.map(\.text),
      "field": diagnosis.verdict.isSound || diagnosis.isUnknown ? nil : diagnosis.mending.field,
    ])
    let page = (diagnosis.page.json.members ?? []).map { member in
      guard let unknown = diagnosis.unknown, member.name == "verdict" else { return member }
      return JSONMember(member.name, unknown.unknownJSON(diagnosis.verdict.situation))
    }
    return head.adding(page + (tail.members ?? []))
  }
}
