import CarryoverSystem

/// The failure of a run that had begun, before its effect on the container is known.
enum RunFailure: Error {
  case file(FileSystemError)
  case ownerNotKept(path: String, user: UInt32)
  case changedMeanwhile(path: String)
  case verification(path: String, VerificationProblem)
  case path(RunError)

  /// The error to report, with the run's effect.
  func error(_ aftermath: Aftermath) -> RunError {
    switch self {
    case .file(let error): .file(error, aftermath)
    case .ownerNotKept(let path, let user): .ownerNotKept(path: path, user: user)
    case .changedMeanwhile(let path): .changedMeanwhile(path: path, aftermath)
    case .verification(let path, let problem): .verification(path: path, problem, aftermath)
    case .path(.file(let error, _)): .file(error, aftermath)
    case .path(.unsafePath(let path, let problem)) where aftermath != .nothingChanged:
      .pathChanged(path, problem, aftermath)
    case .path(let error): error
    }
  }
}
