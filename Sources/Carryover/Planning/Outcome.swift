/// The outcome of a field. The raw value is the word in JSON output and run records.
public enum Outcome: String, CaseIterable, Sendable {
  /// The run wrote the value.
  case migrated
  /// A rollback restored the earlier value.
  case restored
  /// The target already contained the value, or its own value was kept.
  case unchanged
  /// The legacy stores have no value.
  case absent
  /// Nothing was written: by decision, or because there was no valid value.
  case skipped
  /// A cleanup removed the legacy value.
  case dropped
  /// The target has another value, and the field is undecided.
  case conflict
  /// The write or its verification failed.
  case failed
}

extension Outcome {
  /// The word on screens and in text. The raw value is the word in JSON.
  package var word: String {
    switch self {
    case .migrated: "written"
    case .dropped: "not migrated"
    case .restored: "rolled back"
    case .unchanged, .absent, .skipped, .conflict, .failed: rawValue
    }
  }

  /// The sign in front of an outcome.
  package var sign: Sign {
    switch self {
    case .migrated, .restored: .done
    case .unchanged: .unchanged
    case .absent: .nothing
    case .skipped, .dropped: .omitted
    case .conflict: .conflict
    case .failed: .error
    }
  }
}
