import ArgumentParser
import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct AuditSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract:
      "Plans every container in folders, and counts the users that an update logs out and the fields that it loses.",
    discussion: """
      Without a subcommand, it audits the paths. carryover help audit run lists the options for that. For a folder named \
      like a subcommand, write ./report.
      """,
    subcommands: [AuditRunSubcommand.self, AuditReportSubcommand.self, AuditMergeSubcommand.self],
    defaultSubcommand: AuditRunSubcommand.self)
}

struct AuditLimitArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End with status 2 if containers have this: error, a finding's code, identity.*, lost(user_id), unreadable. "
        + "Append >5 or >0.1% to allow that many. Repeatable.",
      valueName: "limit"), completion: .list(AuditLimit.names))
  var failOn: [String] = []

  func limits(fields: some Sequence<String>) throws -> [AuditLimit] {
    let fields = Set(fields)
    return try failOn.map { try AuditLimit($0, fields: fields) }
  }

  /// Limits for an audit that was read can also name the fields in it.
  func limits(of totals: AuditTotals) throws -> [AuditLimit] {
    try limits(fields: Recipe.builtIn.flatMap(\.rules).map(\.target) + totals.order.map(\.field))
  }
}

struct AuditResultArguments: ParsableArguments {
  @OptionGroup var limiting: AuditLimitArguments
  @Flag(help: "Print JSON, schema carryover.audit/1.") var json = false
  @OptionGroup var printing: PrintingArguments

  func print(_ output: AuditOutput, _ masking: Masking = Masking(false)) throws {
    if json {
      try Console.printDocument(output.json)
    } else {
      try printing.paper.print(masking) { output.write(to: &$0) }
    }
    if let failure = output.failure { throw failure }
    try output.requireLimits()
  }
}

/// A limit for an audit, which `--fail-on` names: what it counts, and how many containers may have it.
///
/// `error`, `warning`: containers with such a finding. `identity.*`: with one of these findings. `lost(user_id)`: in
/// which the field is lost. `unreadable`: with this outcome. `undecided`, `blocked`: that need a decision, or are
/// blocked. `>5` or `>0.1%` behind it allows that many.
struct AuditLimit {
  private let name: String
  /// `0`, `5` or `0.1%`.
  private let allowance: String
  private let most: Double
  private let isPercentage: Bool
  private let subject: Subject

  private enum Subject {
    case severity(String)
    case outcome(AuditOutcome)
    case field(AuditVerdict, String)
    case finding(String)
    case group(String)
    case undecided
    case blocked
  }

  /// - Parameter fields: the fields that a limit can name: a limit on a misspelled one would never be exceeded.
  init(_ text: String, fields: Set<String>) throws {
    let parts = text.split(separator: ">", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard let name = parts.first, parts.count <= 2, let subject = Self.subject(name, fields: fields),
      let (most, isPercentage) = parts.count == 2 ? Self.allowed(parts[1]) : (0, false)
    else {
      throw CommandFailure.usage(
        "--fail-on \(DisplayText.visible(text, limit: 60)): This is not a valid limit. Name error, warning, note, a "
          + "finding's code, a group such as identity.*, an outcome, or lost(FIELD). Append >5 or >0.1% to allow that "
          + "many.")
    }
    (self.name, allowance, self.subject) = (name, parts.count == 2 ? parts[1] : "0", subject)
    (self.most, self.isPercentage) = (most, isPercentage)
  }

  private static func allowed(_ text: String) -> (most: Double, isPercentage: Bool)? {
    let isPercentage = text.hasSuffix("%")
    let digits = isPercentage ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let most = Double(digits) else {
      return nil
    }
    return (most, isPercentage)
  }

  private static func subject(_ name: String, fields: Set<String>) -> Subject? {
    if let open = name.firstIndex(of: "("), name.hasSuffix(")") {
      let field = String(name[name.index(after: open)...].dropLast())
      guard let verdict = AuditVerdict(rawValue: String(name[..<open])), fields.contains(field) else { return nil }
      return .field(verdict, field)
    }
    if name == "undecided" { return .undecided }
    if name == "blocked" { return .blocked }
    if Severity(rawValue: name) != nil { return .severity(name) }
    if let outcome = AuditOutcome(rawValue: name) { return .outcome(outcome) }
    if FindingCode(rawValue: name) != nil { return .finding(name) }
    let group = String(name.dropLast(2))
    return name.hasSuffix(".*") && FindingCode.allCases.contains { AuditTotals.group($0.rawValue) == group }
      ? .group(group) : nil
  }

  /// What a limit can name: kept, because the parser asks for it again and again.
  static let names =
    ["error", "warning", "note", "undecided", "blocked"] + AuditOutcome.allCases.map(\.rawValue)
    + FindingCode.allCases.map(\.rawValue)

  /// Why the totals exceed the limit; nil if they do not. A percentage is of the containers with a plan.
  func excess(of totals: AuditTotals) -> String? {
    let count = count(in: totals)
    let share = totals.planned == 0 ? 0 : Double(count) * 100 / Double(totals.planned)
    guard isPercentage ? share > most : Double(count) > most else { return nil }
    let whole = isPercentage ? " of \(totals.planned) with a plan" : ""
    return "\(sentence(count)) (limit: \(allowance)\(whole))."
  }

  /// "40 containers have errors".
  private func sentence(_ count: Int) -> String {
    let (all, isOne) = (ValueWording.counted(count, "container"), count == 1)
    let (are, have) = isOne ? ("is", "has") : ("are", "have")
    return switch subject {
    case .severity(let name): "\(all) \(have) \(name)s"
    case .outcome(.audited): "\(all) \(have) a plan"
    case .outcome(.nothingToMigrate): "\(all) \(have) nothing to migrate"
    case .outcome(.changed): "\(all) changed while being read"
    case .outcome(.timeout): "\(all) took too long"
    case .outcome(.crashed): "\(all) crashed the worker"
    case .outcome(let outcome): "\(all) \(are) \(outcome.rawValue)"
    case .field(.nothing, let field): "In \(all), \(field) has no value"
    case .field(let verdict, let field): "In \(all), \(field) is \(verdict.title)"
    case .finding, .group: "\(all) \(have) the finding \(name)"
    case .undecided: "\(all) \(have) undecided fields"
    case .blocked: "\(all) \(are) blocked"
    }
  }

  private func count(in totals: AuditTotals) -> Int {
    switch subject {
    case .severity(let name): totals.severities[name, default: 0]
    case .outcome(let outcome): totals.outcomes[outcome, default: 0]
    case .field(let verdict, let field): totals.count(verdict, of: field)
    case .finding(let code): totals.findings[code, default: 0]
    case .group(let group): totals.groups[group, default: 0]
    case .undecided: totals.undecided
    case .blocked: totals.blocked
    }
  }
}
