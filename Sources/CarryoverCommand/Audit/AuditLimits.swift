import Carryover
import CarryoverAudit
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// What `--fail-on` names: the limits of an audit.
struct AuditLimits {
  private var limits: [AuditLimit] = []

  var isEmpty: Bool { limits.isEmpty }

  /// - Parameter fields: the fields that a limit can name.
  /// - Throws: a usage error for a text that is not a limit.
  init(_ texts: [String], fields: Set<String>) throws {
    let codes = FindingCode.allCases.map(\.rawValue)
    limits = try texts.map { text in
      guard let limit = AuditThreshold(text).flatMap({ AuditLimit($0, codes: codes, fields: fields) }) else {
        throw CommandFailure.usage(
          "--fail-on \(DisplayText.visible(text, limit: 60)): This is not a valid limit. Name error, warning, note, a "
            + "finding's code, a group such as identity.*, an outcome, or lost(FIELD). Append >5 or >0.1% to allow that "
            + "many.")
      }
      return limit
    }
  }

  /// What an audit can count, for completion; groups and fields aside.
  static var names: [String] {
    ["error", "warning", "note", "undecided", "blocked"] + AuditOutcome.allCases.map(\.rawValue)
      + FindingCode.allCases.map(\.rawValue)
  }

  /// Why the totals are beyond limits, as sentences.
  func excesses(_ totals: AuditTotals) -> [String] { limits.compactMap { $0.excess(of: totals) } }
}
