import ArgumentParser
import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct AuditReportSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Prints the rows of an audit as a report: HTML, JUnit, Markdown, CSV, JSON or text.",
    discussion: """
      The audit must be complete. A report contains the paths that are in the rows, but no values of the containers. \
      Exit status: 0 printed and within every limit, 1 error, 2 a limit is exceeded, 64 usage.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, html, markdown, junit, csv, json
  }

  @Argument(
    help: ArgumentHelp("The folder of an audit, or a file with its rows.", valueName: "audit"), completion: .file())
  var audit: String
  @Option(help: "How to print: text, html (one file without scripts), markdown, junit (XML), csv or json.")
  var format = Form.text
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write the report to this file, and replace it.", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var limiting: AuditLimitArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON: the same as --format json, schema carryover.audit/1.") var json = false

  func run() throws {
    try reporting {
      guard output != "" else { throw CommandFailure.usage("-o needs the file to write; “” is not a file.") }
      let source = try AuditSource(audit)
      let form = json ? .json : format
      var summary: AuditOutput?
      try ThisProcess.uninterrupted {
        try PieceOutput.write(to: output) { summary = try write(form, source, &$0) }
      }
      try summary?.requireLimits()
    }
  }

  private func write(_ form: Form, _ source: AuditSource, _ output: inout PieceOutput) throws -> AuditOutput {
    if form == .csv { try output.print(AuditCSV.head) }
    var totals = AuditTotals()
    var junit = AuditJUnit()
    try source.rows.forEachUnit { unit in
      try totals.add(unit)
      switch form {
      case .csv: for line in AuditCSV.lines(unit) { try output.print(line) }
      case .junit: junit.add(unit)
      default: break
      }
    }
    let summary = AuditOutput(totals: totals, limits: try limiting.limits(of: totals))
    switch form {
    case .html, .markdown:
      let sized = form == .html ? ReportForm.html : .markdown(marker: "carryover audit report")
      try output.print(sized.text(AuditReportPage(totals: totals, about: source.about, mostRows: sized.mostRows)))
    case .junit: for line in junit.lines(totals) { try output.print(line) }
    case .json: try output.print(summary.json.text(pretty: true, visible: true))
    case .csv: break
    case .text:
      // In a file, as wide as without a terminal.
      let paper = self.output == nil ? printing.paper : Paper(columns: 120, glyphs: .unicode, hasColors: false)
      var page = paper.page()
      summary.write(to: &page)
      for line in page.lines { try output.print(paper.text(line)) }
    }
    return summary
  }
}

struct AuditSource {
  let rows: AuditRowFile
  /// The audit's options; nil if only the rows were named.
  let about: JSONValue?

  init(_ path: String) throws {
    let fileSystem = POSIXFileSystem()
    let shown = DisplayText.visible(path)
    func isThere(_ path: String) -> Bool { (try? fileSystem.resolve(path)) != nil }
    guard isThere(path) else { throw CommandFailure("There is nothing at “\(shown)”: check the path.", .error) }
    guard (try? fileSystem.list(path)) != nil else {
      (rows, about) = (AuditRowFile(path, in: fileSystem), nil)
      return
    }
    let parts = AuditParts(path)
    about = try AuditParts.document(in: path)
    guard isThere(parts.allRows) else {
      throw CommandFailure(
        about == nil
          ? "“\(shown)” is not the folder of an audit. Name a folder that carryover audit --output made, or its rows."
          : "The audit in “\(shown)” is not complete. Add --resume to its command to continue.", .error)
    }
    if let shard = about?["shard"]?.stringValue.flatMap(AuditShard.init(argument:)), shard != .whole {
      throw CommandFailure(
        "“\(shown)” is shard \(shard.text) of an audit. Merge all its shards with carryover audit merge.", .error)
    }
    rows = AuditRowFile(parts.allRows, in: fileSystem, rows: try AuditSeal(of: path)?.rows)
  }
}

enum AuditCSV {
  static let head = "n,container,path,recipe,field,group,source,candidate,legacy_kind,status,verdict,reference,findings"

  static func lines(_ unit: AuditUnit) -> [String] {
    unit.fields.map { field in
      [
        "\(unit.input)", cell(unit.id), cell(unit.path), cell(field.recipe), cell(field.name), cell(field.group),
        cell(field.source), field.candidate.map { "\($0)" } ?? "", cell(field.legacyKind), cell(field.status),
        field.verdict.rawValue, cell(field.reference), cell(field.findings.joined(separator: " ")),
      ].joined(separator: ",")
    }
  }

  /// A text as a cell. A spreadsheet would compute one that begins like a formula, also behind blanks and with the wide
  /// signs of East Asian keyboards. Some take a semicolon for the end of a cell.
  private static func cell(_ text: String?) -> String {
    guard let text else { return "" }
    var shown = DisplayText.visible(text)
    let first = shown.unicodeScalars.first { !$0.properties.isWhitespace }
    if let first, "=+-@＝＋－＠".unicodeScalars.contains(first) { shown = "'" + shown }
    guard shown.utf8.contains(where: { ",;\"".utf8.contains($0) }) else { return shown }
    return "\"" + shown.replacing("\"", with: "\"\"") + "\""
  }
}

/// An audit as JUnit tests: a test for each container and group of fields, or, of many containers, for each field and
/// finding.
struct AuditJUnit {
  /// The tests of each container by the recipe; nil once there are too many containers.
  private var cases: [String: [JUnit.Case]]? = [:]
  private var containers = 0

  static let mostContainers = 500

  mutating func add(_ unit: AuditUnit) {
    containers += 1
    if containers > Self.mostContainers { cases = nil }
    guard cases != nil else { return }
    for (recipe, found) in Self.cases(unit) { cases?[Self.suite(recipe), default: []].append(found) }
  }

  func lines(_ totals: AuditTotals) -> [String] {
    let suites = cases.map { $0.map { JUnit.Suite(name: $0.key, cases: $0.value) } } ?? Self.suites(totals)
    let users = JUnit.Suite(name: "users", cases: totals.users.answers.map(\.junit))
    return JUnit.lines((users.cases.isEmpty ? [] : [users]) + suites.sorted { $0.name < $1.name })
  }

  private static func suite(_ recipe: String?) -> String { recipe.flatMap { $0.isEmpty ? nil : $0 } ?? "no plan" }

  private static func cases(_ unit: AuditUnit) -> [(recipe: String?, JUnit.Case)] {
    guard unit.outcome.hasPlan else {
      let reason = unit.outcome.rawValue + (unit.code.map { " (\($0))" } ?? "")
      return [(unit.recipe, JUnit.Case(name: "plan", className: unit.name, result: .skipped(message: reason)))]
    }
    let groups = unit.fields.map { [$0.recipe, $0.group] }.distinct { $0 }
    let ofFields = Set(unit.fields.flatMap(\.findings))
    let others = unit.findings.filter { !ofFields.contains($0) && isError($0) }
    let container = JUnit.Case(
      name: "container", className: unit.name,
      result: others.first.map { .failed(message: $0, lines: others) } ?? .passed)
    return [(unit.recipe, container)]
      + groups.map { group in
        let fields = unit.fields.filter { [$0.recipe, $0.group] == group }
        return (group[0], JUnit.Case(name: group[1], className: unit.name, result: result(fields)))
      }
  }

  private static func result(_ fields: [AuditUnit.Field]) -> JUnit.Result {
    let problems = fields.flatMap { field in
      (field.verdict == .lost ? ["\(field.name) is lost"] : [])
        + field.findings.filter(isError).map { "\(field.name): \($0)" }
    }
    if let first = problems.first { return .failed(message: first, lines: problems) }
    return fields.allSatisfy { $0.verdict == .nothing } ? .skipped(message: "no legacy value") : .passed
  }

  private static func suites(_ totals: AuditTotals) -> [JUnit.Suite] {
    let fields = totals.order.map { key -> (String, JUnit.Case) in
      let verdicts = totals.fields[key]?.verdicts ?? [:]
      let lost = verdicts[.lost, default: 0]
      let all = verdicts.values.reduce(0, +)
      let result: JUnit.Result =
        lost > 0
        ? .failed(message: "lost in \(lost) of \(ValueWording.counted(all, "container"))", lines: [])
        : verdicts[.nothing] == all ? .skipped(message: "no legacy value") : .passed
      return (key.recipe, JUnit.Case(name: "field " + key.field, className: key.recipe, result: result))
    }
    let findings = totals.findingCounts.sorted { $0.key < $1.key }.map { key, count -> (String, JUnit.Case) in
      let message = "in " + ValueWording.counted(count.containers, "container")
      let isError = isError(key.code)
      return (
        key.recipe,
        JUnit.Case(
          name: key.code, className: key.recipe,
          result: isError ? .failed(message: message, lines: count.examples) : .passed,
          output: isError ? [] : [message] + count.examples)
      )
    }
    let outcomes = AuditOutcome.allCases.filter { !$0.hasPlan && totals.outcomes[$0] != nil }
      .map { outcome -> (String, JUnit.Case) in
        let message = "\(ValueWording.counted(totals.outcomes[outcome, default: 0], "container")): \(outcome.rawValue)"
        return ("", JUnit.Case(name: outcome.rawValue, className: "plan", result: .skipped(message: message)))
      }
    return Dictionary(grouping: fields + findings + outcomes, by: \.0).map {
      JUnit.Suite(name: suite($0.key), cases: $0.value.map(\.1))
    }
  }

  private static func isError(_ code: String) -> Bool { FindingCode(rawValue: code)?.severity == .error }
}

extension UsersAnswer {
  /// The test passes if Carryover keeps all users.
  fileprivate var junit: JUnit.Case {
    JUnit.Case(
      name: effect?.rawValue ?? (group.time == .unknown ? "unknown" : "nothing-lost"), className: group.recipe,
      result: lost > 0
        ? .failed(message: sentence, lines: []) : group.time == .unknown ? .skipped(message: sentence) : .passed,
      output: [sentence])
  }
}
