public import Carryover
import CarryoverSystem
public import CarryoverUserDefaults

/// The result of a restoration. Its description contains field names and codes, never values.
public struct PersistenceReport: Sendable, CustomStringConvertible, Described {
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
  public var outcomes: [PersistedField: Outcome] = [:]
  /// The findings, most severe first.
  public var findings: [Finding] = []
  /// Why the mark of an earlier restoration is not understood; nil if it is, or if there is none.
  package var markDefect: RestorationMarkDefect?
  /// The open conflicts that the app itself has resolved since.
  var overtaken: Set<PersistedField> = []
  /// The new paths of damaged files that were set aside; see `UserDefaultsDomain.synchronize()`. If such a file
  /// contained the mark of an earlier restoration, the values were restored once more.
  public var filesSetAside: [String] = []

  /// The fields with an outcome.
  public func fields(_ outcome: Outcome) -> Set<PersistedField> { Set(outcomes.filter { $0.value == outcome }.keys) }

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

  /// The entries for the app's log: one if the restoration failed or was blocked, and one for each field with a legacy
  /// value that was not restored.
  public var logEntries: [PersistenceLogEntry] {
    var entries: [PersistenceLogEntry] = []
    switch status {
    case .failed(let error):
      entries.append(PersistenceLogEntry(level: .error, codes: [], message: "The restoration failed. \(error)"))
    case .blocked:
      let codes = findings.map(\.code).filter(\.blocks)
      entries.append(
        PersistenceLogEntry(
          level: .notice, codes: codes,
          message: "Nothing was restored: \(Self.reasons(codes, or: "it is not allowed")).")
      )
    case .done, .doneBefore, .nothingFound: break
    }
    for field in PersistedField.allCases {
      if let entry = entry(field) { entries.append(entry) }
    }
    return entries
  }

  private func entry(_ field: PersistedField) -> PersistenceLogEntry? {
    let found = findings.filter { $0.field == field.rawValue }
    func entry(
      _ level: PersistenceLogEntry.Level, _ what: String, _ findings: [Finding], or reason: String
    ) -> PersistenceLogEntry {
      let codes = findings.map(\.code)
      return PersistenceLogEntry(
        level: level, field: field, codes: codes,
        message: "\(field.rawValue) was not restored\(what): \(Self.reasons(codes, or: reason)).")
    }
    // Other findings are about the value, and would be a wrong reason.
    let unwritten = found.filter { $0.observation.brief != nil }
    switch outcomes[field] {
    case .failed: return entry(.error, "", [], or: "it could not be written")
    case .conflict where overtaken.contains(field), .skipped where overtaken.contains(field):
      return entry(.notice, "", [], or: "the app has removed or replaced the new SDK's value")
    case .conflict:
      let conflicts = found.filter { $0.code.isAboutTarget }
      return entry(.notice, "; the new SDK's value was kept", conflicts, or: "the two values differ")
    case .skipped, .dropped:
      let isError = unwritten.contains { $0.severity == .error }
      return entry(isError ? .error : .notice, "", unwritten, or: "there was nothing to write")
    default: return nil
    }
  }

  /// The titles of the codes, without any value.
  private static func reasons(_ codes: [FindingCode], or reason: String) -> String {
    codes.isEmpty ? reason : codes.map { "\($0.explanation.title) (\($0.rawValue))" }.joined(separator: "; ")
  }
}

/// A line for the app's own log about a restoration. It contains field names and reasons, never values.
public struct PersistenceLogEntry: Hashable, Sendable {
  /// The severity of an entry.
  public enum Level: String, Hashable, Sendable {
    case error, notice
  }

  /// The severity.
  public var level: Level
  /// The field; nil if the entry is about the whole restoration.
  public var field: PersistedField?
  /// The codes of the findings that are the reason, most severe first.
  public var codes: [FindingCode]
  /// A sentence that says what happened.
  public var message: String
}
