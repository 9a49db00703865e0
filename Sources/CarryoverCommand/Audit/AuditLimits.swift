import Carryover
import CarryoverAudit
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// What `--fail-on` names: limits for an audit, and limits for what differs from another one.
struct AuditLimits {
  private var limits: [AuditLimit] = []
  private var differences: [AuditDiffLimit] = []

  var isEmpty: Bool { limits.isEmpty && differences.isEmpty }

  /// The limits of an audit.
  init(_ texts: [String], fields: Set<String>, hasBaseline: Bool) throws {
    for text in texts {
      if let problem = add(text, fields: fields, hasBaseline: hasBaseline) { throw Self.failure(text, problem) }
    }
  }

  /// Adds a limit of an audit, and says what is wrong with it; nil if nothing is. `new` compares it with a baseline.
  mutating func add(_ text: String, fields: Set<String>, hasBaseline: Bool) -> String? {
    let threshold = AuditThreshold(text)
    if let threshold, threshold.name == AuditDiff.Change.new.rawValue, let limit = AuditDiffLimit(threshold) {
      guard hasBaseline else { return "“new” compares with an earlier audit: add --baseline FOLDER." }
      differences.append(limit)
    } else if let limit = threshold.flatMap({
      AuditLimit($0, codes: FindingCode.allCases.map(\.rawValue), fields: fields)
    }) {
      limits.append(limit)
    } else {
      return Self.problem(
        "error, warning, note, a finding's code, a group such as identity.*, an outcome, lost(FIELD), or new")
    }
    return nil
  }

  /// The limits of a difference.
  init(ofDifference texts: [String]) throws {
    differences = try texts.map { text in
      guard let limit = AuditThreshold(text).flatMap(AuditDiffLimit.init) else {
        let changes = AuditDiff.Change.allCases.map(\.rawValue).joined(separator: ", ")
        throw Self.failure(text, Self.problem("\(changes), lost(FIELD), or new-finding(CODE)"))
      }
      return limit
    }
  }

  private static func failure(_ text: String, _ problem: String) -> CommandFailure {
    .usage("--fail-on \(DisplayText.visible(text, limit: 60)): \(problem)")
  }

  private static func problem(_ names: String) -> String {
    "This is not a valid limit. Name \(names). Append >5 or >0.1% to allow that many."
  }

  /// What an audit can count, for completion; groups and fields aside.
  static var names: [String] {
    ["error", "warning", "note", "undecided", "blocked", AuditDiff.Change.new.rawValue]
      + AuditOutcome.allCases.map(\.rawValue) + FindingCode.allCases.map(\.rawValue)
  }

  /// Why the totals and the difference are beyond limits, as sentences.
  func excesses(_ totals: AuditTotals, _ diff: AuditDiff?) -> [String] {
    limits.compactMap { $0.excess(of: totals) } + excesses(diff)
  }

  /// Why a difference is beyond limits, as sentences.
  func excesses(_ diff: AuditDiff?) -> [String] { differences.compactMap { limit in diff.flatMap(limit.excess) } }
}
