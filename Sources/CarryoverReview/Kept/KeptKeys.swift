import CarryoverTerminal

/// Decisions that are kept from one review to the next, and the question before leaving.
enum KeptKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let all: [Binding] = [
    Binding(
      [.character("y")], "use", "Use the saved decisions that still apply, as one step that u undoes.",
      in: [.kept], .deciding, hint: 1, name: "use-saved", duty: .confirmation,
      unless: { $0.kept?.decisions.isEmpty == false ? nil : "None of them still applies." }
    ) { $0.answerKept(takesUp: true) },
    Binding(
      [.character("d")], "forget", "Forget the saved decisions; they are lost once you quit.", in: [.kept], .deciding,
      hint: 1
    ) { $0.answerKept(takesUp: false) },
    Binding(
      [.character("y")], "quit", "Quit; the decisions are saved for the next time if possible.",
      in: [.quit], .leaving, hint: 1, duty: .confirmation
    ) { _ in [.quit] },
    Binding(
      [.character("d")], "quit and forget", "Quit and lose the decisions.", in: [.quit], .leaving, hint: 1,
      duty: .confirmation, unless: { $0.keepingObstacle == nil ? nil : "They cannot be saved in any case." }
    ) { $0.screen == .quit ? [.quitForgetting] : [.bell] },
  ]
}
