public import Carryover

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

extension PersistenceReport {
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
