import Carryover
import CarryoverTerminal

/// Decisions that are kept from one review to the next, and the question before leaving.
enum KeptKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let all: [Binding] = [
    Binding(
      [.character("y")], "restore", "Restore the saved decisions that still apply; u undoes all of them.",
      in: [.kept], .deciding, hint: 1, name: "use-saved", duty: .confirmation,
      unless: { $0.kept?.decisions.isEmpty == false ? nil : "None of them still applies." }
    ) { $0.answerKept(takesUp: true) },
    Binding(
      [.character("d")], "discard", "Discard the saved decisions.", in: [.kept], .deciding, hint: 1, name: "forget"
    ) { $0.answerKept(takesUp: false) },
    Binding(
      [.character("y")], "quit", "Quit; the decisions are saved for the next time if possible.",
      in: [.quit], .leaving, hint: 1, duty: .confirmation
    ) { _ in [.quit] },
    Binding(
      [.character("d")], "quit and discard", "Quit and discard the decisions.", in: [.quit], .leaving, hint: 1,
      name: "quit-and-forget", duty: .confirmation,
      unless: { $0.keepingObstacle == nil ? nil : "They cannot be saved in any case." }
    ) { $0.screen == .quit ? [.quitForgetting] : [.bell] },
  ]
}
