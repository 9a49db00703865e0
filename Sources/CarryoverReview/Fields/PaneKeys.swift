import CarryoverTerminal

/// The panes: which one receives the keys, and how large each is.
enum PaneKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let all: [Binding] = [
    pane([.tab], "next pane", "Focus the next pane: fields, findings, details.", hint: 5) {
      $0.focusNeighbour(1)
    },
    pane([.backTab], "previous pane", "Focus the previous pane.") { $0.focusNeighbour(-1) },
    pane([.character("1")], "fields", "Focus the list of fields.", name: "focus-fields") {
      $0.focus(on: .fields)
    },
    pane([.character("2")], "findings", "Focus the findings, to scroll them.", name: "focus-findings") {
      $0.focus(on: .warnings)
    },
    Binding(
      [.character("3")], "details",
      "Focus the details; open them if the window is too narrow to show both.",
      in: [.review], .panes, name: "focus-details", opens: [.details], unless: FieldKeys.noCursor
    ) { $0.focus(on: .details) },
    pane([.character("+")], "taller", "Make the focused pane a row taller: the list, or the findings.") {
      $0.resizePane(.taller)
    },
    pane([.character("-")], "shorter", "Make the focused pane a row shorter.") { $0.resizePane(.shorter) },
    pane(
      [.character("<")], "divider left",
      "Move the divider left: between legacy and proposed, or beside focused details."
    ) { $0.resizePane(.left) },
    pane([.character(">")], "divider right", "Move the same divider right.") { $0.resizePane(.right) },
    pane([.character("=")], "restore sizes", "Restore the size of every pane.") {
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
