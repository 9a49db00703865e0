import CarryoverTerminal

/// Decisions that are kept from one review to the next, and the question before leaving.
enum KeptKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let all: [Binding] = [
    Binding(
      [.character("y")], "take up", "Takes up the decisions that still fit, as one step that u takes back.",
      in: [.kept], .deciding, hint: 1, duty: .confirmation,
      unless: { $0.kept?.decisions.isEmpty == false ? nil : "None of them fits any more." }
    ) { $0.answerKept(takesUp: true) },
    Binding(
      [.character("n")], "leave out", "Leaves them out; they are gone once you quit.", in: [.kept], .deciding, hint: 1
    ) { $0.answerKept(takesUp: false) },
    Binding(
      [.character("y")], "quit", "Quits. The decisions are kept for the next time where there is a place for them.",
      in: [.quit], .leaving, hint: 1, duty: .confirmation
    ) { _ in [.quit] },
    Binding(
      [.character("d")], "quit and forget", "Quits; the decisions are lost.", in: [.quit], .leaving, hint: 1,
      duty: .confirmation, unless: { $0.keepingObstacle == nil ? nil : "They cannot be kept in any case." }
    ) { $0.screen == .quit ? [.quitForgetting] : [.bell] },
  ]
}
