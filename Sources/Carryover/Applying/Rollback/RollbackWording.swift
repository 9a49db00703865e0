/// The texts of a rollback's plan and report.
enum RollbackWording {
  static let alreadyBack = "It has its value from before the run already."
  static let keptConflict = "It changed after the run, and is kept."
  static let keptByDecision = "It is kept by decision."

  static func copiesUnreadable(_ reason: String) -> String {
    "It changed after the run, and the run's copies of it are not property lists. \(reason)"
  }

  static func fileUnreadable(_ reason: String) -> String {
    "It changed after the run, and is not a property list that can be edited. \(reason)"
  }
}
