/// The sentences of a rollback's plan and report.
enum RollbackWording {
  static let noDictionary = "Its root is no dictionary."
  static let alreadyBack = "It holds what it held before the run already."
  static let keptConflict = "It was changed since the run, and stays as it is."
  static let keptByDecision = "It stays as the run left it, by decision."

  static func copiesUnreadable(_ reason: String) -> String {
    "It was changed since the run, and the run's copies of it are no property lists. \(reason)"
  }

  static func fileUnreadable(_ reason: String) -> String {
    "It was changed since the run, and is no property list that could be edited. \(reason)"
  }
}
