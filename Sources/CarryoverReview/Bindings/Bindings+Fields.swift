import Carryover
import CarryoverTerminal
import PropertyLists

/// What is done with fields: deciding, and the way to the apply.
extension Bindings {
  static let fields: Set<Screen> = [.review, .details]

  static let deciding: [Binding] = [
    Binding(
      [.character(" ")], "confirm", "Decides for the proposal. Again: takes that back.", in: fields, .deciding, hint: 1,
      .confirm, unless: confirmObstacle),
    Binding(
      [.character("s")], "skip", "Decides to write nothing for the field. Again: takes that back.", in: fields,
      .deciding, hint: 1, .skip, unless: { $0.cursorPosition == nil ? noField : nil }),
    Binding(
      [.character("e")], "edit", "Lets you type another value; its type is checked as you type.", in: fields, .deciding,
      hint: 1, .edit,
      unless: { state in
        if state.listRange != nil {
          return "A value is typed for one field; \(state.options.key("range", Screen.review)) leaves the range."
        }
        return state.cursorPosition == nil ? noField : nil
      }),
    Binding(
      (1...9).map { Key.character(Character(String($0))) }, "take",
      "Decides for one of the other values in the field's details.", in: [.details], .deciding, hint: 4,
      command: { key in
        guard case .character(let character) = key, let number = character.wholeNumberValue else { return .take(0) }
        return .take(number - 1)
      },
      unless: { $0.selected?.alternatives.isEmpty == false ? nil : "There is no other value to take." }),
  ]

  static let applying: [Binding] = [
    Binding(
      [.enter, .right, .character("l")], "details", "Shows all about the field.", in: [.review], .seeing, hint: 2,
      .open(.details), unless: { $0.cursorPosition == nil ? noField : nil }),
    Binding(
      [.character("a")], "apply", "Shows the exact change; nothing is written before you agree to it.", in: fields,
      .applying, hint: 1, .open(.preview)),
    Binding(
      [.character("y")], "apply this", "Applies the change that is shown.", in: [.preview], .applying, hint: 1, .apply,
      unless: { $0.applyObstacle }),
    Binding(
      [.character("u")], "undo", "Takes the last decision back.", in: fields, .deciding, hint: 2, .undo,
      unless: { $0.history.done.isEmpty ? "There is nothing to undo." : nil }),
    Binding(
      [.character("U"), .control("r")], "redo", "Takes the last undo back.", in: fields, .deciding, .redo,
      unless: { $0.history.undone.isEmpty ? "There is nothing to do again." : nil }),
    Binding(
      [.character("t")], "keep target's", "Decides for what the target holds now. Again: takes that back.", in: fields,
      .deciding, hint: 4, .keep,
      unless: { state in
        if state.listRange != nil { return nil }
        guard let position = state.cursorPosition else { return noField }
        return state.plan.fields[position].current == nil ? "The target holds nothing here that could be kept." : nil
      }),
  ]

  private static let confirmObstacle: @Sendable (ReviewState) -> String? = { state in
    if state.listRange != nil { return nil }
    guard let position = state.cursorPosition else { return noField }
    // The footer asks this for every frame, so no field is copied.
    if state.plan.fields[position].proposed != nil || state.standings[position] == .confirmed { return nil }
    let edit = state.options.key("edit", Screen.review)
    return state.plan.fields[position].legacy == nil
      ? "There is nothing to carry over here; \(edit) gives it a value."
      : "There is no proposal to confirm; \(edit) gives it a value, \(state.options.key("skip", Screen.review)) leaves it out."
  }

  static let noField = "There is no field here."
}
