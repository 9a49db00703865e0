/// How one field ended. The raw value is the word in JSON output and run records.
public enum Outcome: String, CaseIterable, Sendable {
  /// The target now holds the value that was decided.
  case migrated
  /// A rollback put back what was there before the run it takes back.
  case restored
  /// The target already held it, or its own value was kept.
  case unchanged
  /// The legacy store had no value.
  case absent
  /// Nothing was written, by decision or because there was nothing sound to write.
  case skipped
  /// Left behind by design.
  case dropped
  /// The target held another value, and nobody decided.
  case conflict
  /// The write or its verification failed.
  case failed
}

extension Outcome {
  /// What it is called on screens and in text; its raw value is the word in JSON.
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
