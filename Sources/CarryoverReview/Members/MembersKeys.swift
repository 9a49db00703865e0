import Carryover
import CarryoverTerminal

/// What the keys do with the members of a value.
enum MembersKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let opening: [Binding] = [
    Binding(
      [.character("m")], "members",
      "Show the members of the legacy value, the proposal and the target's value side by side.",
      in: [.review, .details], .seeing, hint: 3, opens: [.members], unless: { $0.membersObstacle }
    ) { $0.openMembers() }
  ]

  static let all: [Binding] = [
    Binding(
      [.enter, .character(" ")], "open", "Open or close a member; show folded, unchanged members.",
      in: [.members], .seeing, hint: 1, name: "toggle"
    ) { $0.toggleMember() },
    Binding(
      [.right, .character("l")], "open", "Open a member; go into an open one.", in: [.members], .seeing
    ) { $0.openMember() },
    Binding(
      [.left, .character("h")], "close", "Close a member; fold unchanged ones; go to the member it is in.",
      in: [.members], .seeing
    ) { state in state.changeMembers { $0.closeRow() } },
    Binding(
      [.character("1")], "use legacy", "Use the legacy value's member.", in: [.members], .deciding, hint: 1,
      unless: { $0.memberObstacle }
    ) { $0.takeMember(from: $0.memberField?.legacy, "The legacy value") },
    Binding(
      [.character("2")], "use proposal", "Use the proposal's member.", in: [.members], .deciding, hint: 2,
      unless: { $0.memberObstacle }
    ) { $0.takeMember(from: $0.memberField?.proposed, "The proposal") },
    Binding(
      [.character("3"), .character("t")], "use target", "Use the target's member.", in: [.members],
      .deciding, hint: 1,
      // More than two keys that begin with a digit would be one family.
      unless: { $0.memberObstacle }
    ) { $0.takeMember(from: $0.memberField?.current, "The target's value") },
    Binding(
      [.character("s"), .delete], "remove", "Remove the member.", in: [.members], .deciding, hint: 1,
      unless: { $0.memberObstacle }
    ) { $0.dropMember() },
    Binding(
      [.character("e")], "edit", "Type the member's value as JSON.", in: [.members], .deciding, hint: 1,
      opens: [.editor], unless: { $0.memberObstacle }
    ) { $0.beginMemberEdit() },
    Binding(
      [.character("n")], "next", "Go to the next member that changes or differs.", in: [.members], .moving, hint: 2,
      counting: .times
    ) { $0.goToMemberChange(step: 1) },
    Binding(
      [.character("N")], "previous", "Go to the previous member that changes or differs.", in: [.members], .moving,
      counting: .times
    ) { $0.goToMemberChange(step: -1) },
  ]
}

extension ReviewState {
  fileprivate var memberField: Field? { selectedMember?.field }

  /// Changes the list, and shows its cursor.
  fileprivate mutating func changeMembers(_ change: (inout MemberList) -> Void) -> [ReviewEffect] {
    guard var list = members else { return [.bell] }
    // Taken out, so that it is changed in place and not copied.
    members = nil
    change(&list)
    members = list
    let visible = membersLayout.listRows.count
    members?.reveal(visible: visible)
    return []
  }

  mutating func toggleMember() -> [ReviewEffect] {
    changeMembers { list in
      if list.openRow() { return }
      if let (_, node) = list.selected, node.isBranch { list.closeRow() }
    }
  }

  fileprivate mutating func openMember() -> [ReviewEffect] {
    changeMembers { list in
      if list.openRow() { return }
      if let (_, node) = list.selected, node.isBranch { list.select(row: list.row + 1, visible: .max) }
    }
  }

  fileprivate mutating func goToMemberChange(step: Int) -> [ReviewEffect] {
    var isFound = false
    let effects = changeMembers { isFound = $0.goToChange(step: step) }
    if isFound { return effects }
    message = "No \(step > 0 ? "later" : "earlier") member differs."
    return [.bell]
  }
}
