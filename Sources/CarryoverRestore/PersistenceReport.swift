public import Carryover
import CarryoverSystem
public import CarryoverUserDefaults
public import PropertyLists

/// The result of a restoration. Its description contains field names and codes, never values.
public struct PersistenceReport: Sendable {
  /// The status of the whole restoration.
  public enum Status: Hashable, Sendable {
    /// Every requested field is settled; ``PersistenceReport/outcomes`` says how. If the findings report a file that
    /// cannot be read, fields without a value are not settled: the next call looks for them again.
    case done
    /// An earlier call settled every field; this call read no values. The status is the same if the mark of that call
    /// is not understood; the description then gives the reason.
    case doneBefore
    /// No values of the requested legacy SDK, or of any if none was requested, were found. For example, the app is
    /// newly installed, or the device was not unlocked since it started. Nothing was written, and the next call looks
    /// again.
    case nothingFound
    /// Findings block the restoration, for example a user who opted out. Nothing was written, and the next call looks
    /// again.
    case blocked
    /// A step failed; this is the first error. The outcomes name the failed fields; the others are settled, unless the
    /// mark could not be written. Values that were written stay, and the next call continues from there.
    case failed(DefaultsDomainError)
  }

  /// The status.
  public var status: Status
  /// The outcome of each requested field. If the call read no values, only conflicts that an earlier call left open.
  public var outcomes: [PersistedField: Outcome]
  /// The findings, most severe first.
  public var findings: [Finding]
  /// Why the mark of an earlier restoration is not understood; nil if it is, or if there is none.
  package var markDefect: RestorationMarkDefect?
  /// The open conflicts that the app itself has resolved since.
  var overtaken: Set<PersistedField> = []
  /// The new paths of damaged files that were set aside; see `UserDefaultsDomain.synchronize()`. If such a file
  /// contained the mark of an earlier restoration, the values were restored once more.
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

  /// The fields with an outcome.
  public func fields(_ outcome: Outcome) -> Set<PersistedField> {
    Set(outcomes.filter { $0.value == outcome }.keys)
  }
}

extension PersistenceReport: CustomStringConvertible, Described {
  /// One line for a log: the status, the fields by outcome, and the codes of the findings.
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
    let codes = findings.shared.map(\.finding.code.rawValue)
    if !codes.isEmpty { parts.append("findings: \(codes.joined(separator: ", "))") }
    if !filesSetAside.isEmpty {
      parts.append("damaged and set aside: \(filesSetAside.map(DisplayText.quoted).joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }
}
