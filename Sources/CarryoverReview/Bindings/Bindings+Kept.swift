import CarryoverTerminal

/// Decisions that are kept from one review to the next, and the question before leaving.
extension Bindings {
  static let keeping: [Binding] = [
    Binding(
      [.character("y")], "take up", "Takes up the decisions that still fit, as one step that u takes back.",
      in: [.kept], .deciding, hint: 1, .takeUp,
      unless: { $0.kept?.decisions.isEmpty == false ? nil : "None of them fits any more." }),
    Binding(
      [.character("n")], "leave out", "Leaves them out; they are gone once you quit.", in: [.kept], .deciding, hint: 1,
      .leaveOut),
    Binding(
      [.escape, .character("q")], "later", "Goes on without an answer; they are offered again the next time.",
      in: [.kept], .leaving, hint: 0, .back),
    Binding(
      [.character("y")], "quit", "Quits. The decisions are kept for the next time where there is a place for them.",
      in: [.quit], .leaving, hint: 1, .quitForCertain),
    Binding(
      [.character("d")], "quit and forget", "Quits; the decisions are lost.", in: [.quit], .leaving, hint: 1,
      .quitForgetting,
      unless: { $0.keepingObstacle == nil ? nil : "They cannot be kept in any case." }),
    Binding([.character("n"), .escape], "stay", "Goes back to the review.", in: [.quit], .leaving, hint: 0, .back),
  ]
}
