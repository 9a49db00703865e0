/// Names that screens and bindings had in earlier versions: a configuration file, or a line that is typed, may use them.
package enum FormerNames {
  /// By the former name of a screen, the present one.
  static let screens = [
    "warnings": "findings",
    "go-to": "palette", "help-search": "palette", "stores-go-to": "stores-palette",
    "stores-help-search": "stores-palette", "containers-go-to": "containers-palette",
    "containers-help-search": "containers-palette",
  ]

  /// By the former name of a coloured part, the present one.
  static let parts = ["flagged": "warning", "confirmed": "decided"]

  /// By the former name of a binding, the present one. A present name always comes first.
  static let bindings = [
    "warnings": "findings", "focus-warnings": "focus-findings",
    "confirm": "accept", "keep-targets": "keep", "keep target's": "keep", "take": "other-value", "leave": "clear",
    "take-up": "use-saved", "take up": "use-saved", "use": "use-saved", "leave-out": "forget", "leave out": "forget",
    "quit and forget": "quit-and-forget", "go-to": "action", "go to": "action", "go": "run", "keep": "run",
    "delete-character": "delete-before", "clear-to-start": "clear", "drop": "remove", "go-on": "continue",
    "legacys": "use-legacy", "proposals": "use-proposal", "targets": "use-target",
  ]

  /// The former names of a binding.
  static func of(_ name: String) -> [String] { bindings.filter { $0.value == name }.map(\.key).sorted() }
}
