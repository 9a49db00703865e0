/// The screens of the review that its state opens or leaves.
extension Screen {
  /// The two panes and the warnings.
  package static let review = Screen("review", "Review")
  /// All about one field.
  static let details = Screen("details", "Details")
  /// Every finding, and what is left behind.
  static let warnings = Screen("findings", "Findings")
  /// All about one finding.
  static let finding = Screen("finding", "Finding")
  /// The exact change, before it is made.
  package static let preview = Screen("preview", "Preview")
  /// How a run ended.
  package static let result = Screen("result", "Result")
  /// The runs of the container.
  static let history = Screen("history", "History")
  /// The keys of one run, and what becomes of them if it is taken back.
  static let run = Screen("run", "Run")
  /// The question before a run is taken back.
  package static let rollback = Screen("rollback", "Roll back")
  /// The notice, at the start, of runs that had been interrupted.
  static let recovery = Screen("recovery", "Recovery")
  /// The offer of an earlier review's decisions.
  static let kept = Screen("kept", "Saved decisions")
  /// The question before leaving decisions that are not applied.
  package static let quit = Screen("quit", "Quit")
  /// What went wrong.
  package static let failure = Screen("failure", "Failed")
  /// A value being typed, over the review or the details.
  static let editor = Screen("editor", "Edit")
  /// A search being typed over the review.
  static let search = Screen("search", "Search")
  /// A filter being typed over the review.
  static let filter = Screen("filter", "Filter")
  /// The ways to decide many fields at once, over the review.
  static let decideMany = Screen("decide-many", "Decide many")
  /// The filters there are, over the review.
  static let filterMenu = Screen("filter-menu", "Filters")
}
