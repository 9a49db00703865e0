import CarryoverTerminal

/// The panes: which one receives the keys, and how large each is.
enum PaneKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let all: [Binding] = [
    pane([.tab], "next pane", "Lets the next pane receive the keys: fields, warnings, details.", hint: 5) {
      $0.focusNeighbour(1)
    },
    pane([.backTab], "previous pane", "Lets the previous pane receive the keys.") { $0.focusNeighbour(-1) },
    pane([.character("1")], "fields", "Lets the list of fields receive the keys.", name: "focus-fields") {
      $0.focus(on: .fields)
    },
    pane([.character("2")], "warnings", "Lets the warnings receive the keys: they scroll.", name: "focus-warnings") {
      $0.focus(on: .warnings)
    },
    Binding(
      [.character("3")], "details",
      "Lets the details beside the list receive the keys; shows them where the window is too narrow for both.",
      in: [.review], .panes, name: "focus-details", opens: [.details], unless: FieldKeys.noCursor
    ) { $0.focus(on: .details) },
    pane([.character("+")], "taller", "Gives the pane with the keys a row more: the list, or the warnings.") {
      $0.resizePane(.taller)
    },
    pane([.character("-")], "shorter", "Gives it one row less.") { $0.resizePane(.shorter) },
    pane(
      [.character("<")], "divider left",
      "Moves the line between legacy and proposed to the left; with the keys in the details, that beside them."
    ) { $0.resizePane(.left) },
    pane([.character(">")], "divider right", "Moves the same line to the right.") { $0.resizePane(.right) },
    pane([.character("=")], "restore sizes", "Makes every pane as large as it was at the start.") {
      $0.resizePane(.restore)
    },
  ]

  private static func pane(
    _ keys: [Key], _ label: String, _ help: String, hint: Int? = nil, name: String? = nil,
    _ action: @escaping @Sendable (inout ReviewState) -> [ReviewEffect]
  ) -> Binding {
    Binding(keys, label, help, in: [.review], .panes, hint: hint, name: name, action)
  }
}
