/// A part of the review's screen that can receive the keys.
package enum Pane: Int, CaseIterable, Hashable, Sendable {
  /// The list of fields: legacy and proposed.
  case fields = 1
  /// What is to be said of the selected field and of the container.
  case warnings
  /// All about the selected field, where the window is wide enough for it beside the list.
  case details

  /// The title in the frame.
  package var title: String {
    switch self {
    case .fields: "Fields"
    case .warnings: "Findings"
    case .details: "Details"
    }
  }
}
