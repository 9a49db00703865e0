public import Carryover
import CarryoverSystem
public import CarryoverUserDefaults
public import PropertyLists

/// What a restoration did. It names fields and reasons, never values.
public struct PersistenceReport: Sendable {
  /// How it ended as a whole.
  public enum Status: Hashable, Sendable {
    /// Every field that was asked for is settled; the fields say how. Where the findings say that a file could not be
    /// read, those without a value are not, and the next call looks again.
    case done
    /// An earlier call settled every field; this one read no values. A mark that cannot be read means the same, and the
    /// description says what is wrong with it.
    case doneBefore
    /// No values of the requested legacy SDK, or of any, were found: a new install, or a start before the device was
    /// first unlocked, when values cannot be read. Nothing was written, and the next call looks again.
    case nothingFound
    /// Something forbids it, such as a user who opted out; the findings say what. Nothing was written, and the next call
    /// looks again.
    case blocked
    /// Something failed, the first of all with this error. The outcomes say which fields; the others are settled, unless
    /// the mark itself could not be written. What was written stands, and the next call goes on from there.
    case failed(DefaultsDomainError)
  }

  /// How it ended.
  public var status: Status
  /// How each field that was asked for ended; where nothing was looked at, only the conflicts that an earlier call left
  /// open.
  public var outcomes: [PersistedField: Outcome]
  /// What was observed, the gravest first.
  public var findings: [Finding]
  /// Why the mark of what was restored before is not understood; nil where it is, or where there is none.
  package var markDefect: RestorationMarkDefect?
  /// Where damaged files of the new SDK's suite, or of the legacy values, were set aside; see
  /// `synchronize()`. A mark that was in one of them is gone from the suite, so what was restored once
  /// has been restored again.
  public var filesSetAside: [String] = []

  init(
    _ status: Status, outcomes: [PersistedField: Outcome] = [:], findings: [Finding] = [],
    markDefect: RestorationMarkDefect? = nil
  ) {
    self.status = status
    self.outcomes = outcomes
    self.findings = findings
    self.markDefect = markDefect
  }

  /// The fields that ended in a way.
  public func fields(_ outcome: Outcome) -> Set<PersistedField> {
    Set(outcomes.filter { $0.value == outcome }.keys)
  }
}

extension PersistenceReport: CustomStringConvertible, Described {
  /// One line for a log: how it ended, the fields by outcome, and the codes of what was observed.
  package var words: String {
    var parts: [String]
    switch status {
    case .done: parts = ["restored"]
    case .doneBefore:
      parts = [markDefect.map { "restored before, as far as can be told: \($0)" } ?? "restored before; nothing to do"]
    case .nothingFound: parts = ["nothing of a legacy SDK found; the next start looks again"]
    case .blocked: parts = ["blocked"]
    case .failed(let error): parts = ["failed: \(error)"]
    }
    for outcome in Outcome.allCases {
      let names = fields(outcome).map(\.rawValue).sorted()
      if !names.isEmpty { parts.append("\(outcome.rawValue): \(names.joined(separator: ", "))") }
    }
    let codes = findings.map(\.code.rawValue)
    if !codes.isEmpty { parts.append("findings: \(codes.joined(separator: ", "))") }
    if !filesSetAside.isEmpty {
      parts.append("damaged and set aside: \(filesSetAside.map(DisplayText.quoted).joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }
}
