/// What is on the screen, as far as it decides which keys do what.
package enum Screen: ScreenPlace {
  /// The two panes and the warnings.
  case review
  /// All about one field.
  case details
  /// Every finding, and what is left behind.
  case warnings
  /// All about one finding.
  case finding
  /// The exact change, before it is made.
  case preview
  /// How a run ended.
  case result
  /// The runs of the container.
  case history
  /// The keys of one run, and what becomes of them if it is taken back.
  case run
  /// The question before a run is taken back.
  case rollback
  /// The notice, at the start, of runs that had been interrupted.
  case recovery
  /// The stores of the container, in a browser that has screens and keys of its own.
  case stores
  /// What was done so far.
  case log
  /// The recipes, and why one of them is followed.
  case recipes
  /// The offer of an earlier review's decisions.
  case kept
  /// Every key.
  case help
  /// The help, with a line being typed that narrows it.
  case helpSearch
  /// The question before leaving decisions that are not applied.
  case quit
  /// What went wrong.
  case failure
  /// A value being typed, over the review or the details.
  case editor
  /// The number of a row being typed, over a list or a text.
  case goTo
  /// A search being typed over the review.
  case search
  /// A filter being typed over the review.
  case filter
  /// The ways to decide many fields at once, over the review.
  case decideMany
  /// The filters there are, over the review.
  case filterMenu
  /// The notice that the window is too small for anything else.
  case tooSmall

  /// The title in the frame.
  package var title: String {
    switch self {
    case .review: "Review"
    case .details: "Details"
    case .warnings: "Warnings"
    case .finding: "Finding"
    case .preview: "Preview"
    case .result: "Result"
    case .history: "History"
    case .run: "Run"
    case .rollback: "Roll back"
    case .recovery: "Interrupted before"
    case .stores: "Stores"
    case .log: "Log"
    case .recipes: "Recipes"
    case .kept: "Decided before"
    case .help: "Help"
    case .helpSearch: "Search in the help"
    case .quit: "Quit"
    case .failure: "Not done"
    case .editor: "Edit"
    case .goTo: "Go to"
    case .search: "Search"
    case .filter: "Filter"
    case .decideMany: "Decide many"
    case .filterMenu: "Filters"
    case .tooSmall: "Too small"
    }
  }
}
