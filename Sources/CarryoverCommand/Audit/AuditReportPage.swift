import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// The totals of an audit as a page: first what becomes of the users, then of their values, then all the rest.
struct AuditReportPage {
  let totals: AuditTotals
  /// The options of the audit; nil if only its rows are there.
  var about: JSONValue?
  /// The most rows of a table; nil if there is no limit, nor room for bars.
  var mostRows: Int?

  /// The answer, and what else becomes of users.
  var answers: [Block] {
    let answers = totals.users.answers
    guard let first = answers.first else { return [.answer([.text(withoutAnswer)])] }
    let others = answers.dropFirst().map { Item([.text($0.sentence)], sign: $0.sign, role: $0.role, indent: 0) }
    return [.answer([.text(first.sentence)], first.sign, first.role)] + (others.isEmpty ? [] : [.list(others)])
  }

  /// The sentence without any verdict.
  fileprivate var withoutAnswer: String {
    totals.planned == 0 ? "No container has a plan." : UserTotals.withoutUsers(totals.planned)
  }

  var evidence: [Block] { outcomes + fields + findings }

  private var outcomes: [Block] {
    var facts =
      "\(ValueWording.counted(totals.inputs, "input")), \(ValueWording.counted(totals.containers, "container"))."
    if totals.copies > 0 { facts += " Copies of an earlier container: \(totals.copies)." }
    if totals.blocked > 0 { facts += " Containers blocked by a finding: \(totals.blocked)." }
    if totals.undecided > 0 { facts += " Containers with undecided fields: \(totals.undecided)." }
    if let now = about?["now"]?.stringValue, let version = about?["version"]?.stringValue {
      facts += " Planned for \(now) by Carryover \(version)."
    }
    let rows = AuditOutcome.allCases.compactMap { outcome -> [Pieces]? in
      guard let count = totals.outcomes[outcome] else { return nil }
      let examples = totals.examples[outcome, default: []].prefix(3)
      return [
        [.text(outcome.rawValue)], number(count), share(count, outcome.hasPlan ? .good : .bad, of: totals.containers),
        Piece.list(examples.map { .name($0) }),
      ]
    }
    let columns: [Table.Column] = [
      .init(.whole, "outcome", .head), .init(.whole, "containers"), Self.share, .init(.sentence, "such as"),
    ]
    return [.paragraph([.text(facts)]), .heading("Outcomes"), .table(Table(columns, rows))]
  }

  private var fields: [Block] {
    let ofRecipes = Dictionary(grouping: totals.order, by: \.recipe)
    return totals.recipes.flatMap { recipe -> [Block] in
      let all = ofRecipes[recipe] ?? []
      // Those with losses first, if there is no room for all.
      let most = mostRows ?? .max
      let shown = all.count <= most ? all : Array(all.sorted { worse($0, $1) }.prefix(most))
      let verdicts = AuditVerdict.allCases.filter { verdict in
        verdict.isUsual || all.contains { totals.fields[$0]?.verdicts[verdict] != nil }
      }
      return [
        .heading("Fields of \(recipe)"),
        .table(
          Table(
            [.init(.name, "field", .head)] + verdicts.map { .init(.whole, $0.title, isOptional: $0.isOptional) }
              + (mostRows != nil ? [Self.share] : []) + [.init(.whole, "without Carryover")],
            shown.map { row($0, verdicts) })),
      ] + more(all.count - shown.count, "field")
    }
  }

  private func worse(_ one: AuditTotals.FieldKey, _ other: AuditTotals.FieldKey) -> Bool {
    func badness(_ key: AuditTotals.FieldKey) -> (Int, Int) {
      let verdicts = totals.fields[key]?.verdicts ?? [:]
      return (verdicts[.lost, default: 0], verdicts[.carriesWithDecision, default: 0])
    }
    return badness(one) > badness(other)
  }

  private func row(_ key: AuditTotals.FieldKey, _ shown: [AuditVerdict]) -> [Pieces] {
    let count = totals.fields[key] ?? AuditTotals.FieldCount()
    let verdicts = shown.map { (count: count.verdicts[$0, default: 0], kind: $0.kind, title: $0.title) }
    let all = verdicts.reduce(0) { $0 + $1.count }
    let words = verdicts.filter { $0.count > 0 }.map { "\(Bar.percent($0.count, of: all)) \($0.title)" }
    let lost = count.references["dropped", default: 0]
    let wrong = count.references["wrong", default: 0]
    let bar = Bar(verdicts.map { ($0.count, $0.kind) }, of: all, words.joined(separator: ", "))
    let counts = verdicts.map { verdict -> Pieces in
      [.count(verdict.count, verdict.count == 0 ? .muted : verdict.kind == .bad ? .error : .plain)]
    }
    let reference: Pieces = lost + wrong == 0 ? [] : [.text("\(lost) lost, \(wrong) wrong", .muted)]
    return [[.name(key.field)]] + counts + (mostRows != nil ? [[.bar(bar)]] : []) + [reference]
  }

  private var findings: [Block] {
    let all = totals.sortedFindings
    guard !all.isEmpty else { return [] }
    // The forms with a limit have the table, and the examples behind it.
    guard mostRows != nil else { return [.heading("Findings"), .list(all.map { finding($0.code, $0.count) })] }
    let rows = all.prefix(mostRows ?? .max).map { code, count -> [Pieces] in
      let known = FindingCode(rawValue: code)
      return [
        known.map { [.sign($0.severity.sign), .text(" \($0.severity.rawValue)")] } ?? [], [.name(code)],
        [.text(known?.explanation.title ?? "")], number(count),
        share(count, known?.severity == .error ? .bad : known?.severity == .note ? .nothing : .ask, of: totals.planned),
      ]
    }
    return [
      .heading("Findings"),
      .table(
        Table(
          [
            .init(.whole, "severity", .head), .init(.name, "finding", .head), .init(.sentence, "condition"),
            .init(.whole, "containers"), Self.share,
          ], Array(rows))),
    ] + more(all.count - rows.count, "finding")
  }

  private func finding(_ code: String, _ count: Int) -> Item {
    let known = FindingCode(rawValue: code)
    let names = totals.examples(of: code).prefix(3)
    let more = count - names.count
    return Item(
      [
        .name(code), .text((known.map { ": \($0.explanation.title)" } ?? "") + ", in "), .count(count),
        .text(" \(count == 1 ? "container" : "containers")"),
      ],
      sign: known?.severity.sign,
      below: [Piece.list(names.map { .name($0) }) + (more > 0 ? [.text(" and \(more) more")] : [])])
  }

  var examples: [Block] {
    let blocks = totals.sortedFindings.compactMap { code, count -> Block? in
      let found = totals.examples(of: code)
      let shown =
        found.count < count
        ? "the first \(found.count) of \(count) containers" : ValueWording.counted(count, "container")
      return found.isEmpty ? nil : .details(title: "\(code): \(shown)", found.map { [.name($0)] })
    }
    return blocks.isEmpty ? [] : [.heading("Examples")] + blocks
  }

  private func more(_ count: Int, _ noun: String) -> [Block] {
    count > 0 ? [.paragraph([.text("Not shown: \(ValueWording.counted(count, noun)).")])] : []
  }

  private static let share = Table.Column(.whole, "share", isOptional: true)

  private func number(_ count: Int) -> Pieces { [.count(count)] }

  private func share(_ count: Int, _ kind: Bar.Kind, of whole: Int) -> Pieces {
    [.bar(Bar([(count, kind)], of: whole, Bar.percent(count, of: whole)))]
  }
}

extension AuditVerdict {
  /// Whether a narrow table omits its column.
  fileprivate var isOptional: Bool { self == .nothing || self == .unknown }

  fileprivate var kind: Bar.Kind {
    switch self {
    case .carries: .good
    case .carriesWithDecision: .ask
    case .lost, .blocked: .bad
    case .nothing, .unknown: .nothing
    }
  }
}

/// A form with a size limit.
enum ReportForm {
  case html
  /// A comment on a pull request. By the hidden marker, a program finds the comment that it wrote before.
  case markdown(marker: String)

  var mostRows: Int {
    switch self {
    case .html: 300
    case .markdown: 60
    }
  }

  /// Bytes of HTML, UTF-16 units of Markdown.
  private var limit: Int {
    switch self {
    case .html: 1_900_000
    case .markdown: 60_000
    }
  }

  /// Omits blocks that do not fit, and says so.
  func text(_ page: AuditReportPage) -> String {
    let answer = Array(page.answers.prefix(1))
    let blocks = Array(page.answers.dropFirst()) + page.evidence + page.examples
    let notice = Block.notice([
      .text("There is more than fits on this page. "), .literal("carryover audit report --format csv"),
      .text(" prints every row."),
    ])
    let empty = size([])
    func cost(_ block: Block) -> Int { size([block]) - empty + 2 }
    var room = limit - size(answer) - cost(notice)
    let shown = blocks.filter { block in
      let cost = cost(block)
      guard cost <= room else { return false }
      room -= cost
      return true
    }
    return text(answer + shown + (shown.count < blocks.count ? [notice] : []))
  }

  private func text(_ blocks: [Block]) -> String {
    let ink = Ink(redaction: nil)
    return switch self {
    case .html: ReportHTML.text(blocks, ink)
    case .markdown(let marker): (["<!-- \(marker) -->"] + ReportMarkdown.lines(blocks, ink)).joined(separator: "\n")
    }
  }

  private func size(_ blocks: [Block]) -> Int {
    switch self {
    case .html: text(blocks).utf8.count
    case .markdown: text(blocks).utf16.count
    }
  }
}

struct AuditOutput {
  let totals: AuditTotals
  var limits: [AuditLimit] = []
  var folder: String?
  var isComplete = true
  var failure: CommandFailure?

  var excesses: [String] { limits.compactMap { $0.excess(of: totals) } }

  func requireLimits() throws {
    if !excesses.isEmpty { throw CommandFailure(excesses.joined(separator: " "), .decisionsNeeded) }
  }

  func write(to page: inout PageWriter) {
    let report = AuditReportPage(totals: totals)
    page.add(report.answers + report.evidence + [.blank])
    if !limits.isEmpty, excesses.isEmpty { page.add(.ready, "Within every limit.") }
    if !isComplete { page.add(.error, "The audit was interrupted: these are the results so far.") }
    if let folder, isComplete { page.add("Rows: \(FilePath.join(folder, "rows.ndjson"))") }
  }

  var json: JSONValue {
    .object([
      "schema": "carryover.audit/1", "complete": isComplete, "inputs": totals.inputs, "containers": totals.containers,
      "copies": totals.copies, "undecided": totals.undecided, "blocked": totals.blocked,
      "answer": totals.users.answers.first?.sentence ?? AuditReportPage(totals: totals).withoutAnswer,
      "users": totals.users.json,
      "outcomes": JSONValue.object(
        AuditOutcome.allCases.map { JSONMember($0.rawValue, totals.outcomes[$0, default: 0].json) }),
      "fields": totals.order.map { key in
        let count = totals.fields[key] ?? AuditTotals.FieldCount()
        let references = ["kept", "dropped", "wrong"].map { JSONMember($0, count.references[$0, default: 0].json) }
        return JSONValue.object(["recipe": key.recipe, "field": key.field]).adding(
          AuditVerdict.allCases.map { JSONMember($0.rawValue, count.verdicts[$0, default: 0].json) }
            + [JSONMember("reference", .object(references))])
      },
      "findings": totals.sortedFindings.map { JSONValue.object(["code": $0.code, "containers": $0.count]) },
      "beyond": excesses,
    ])
  }
}
