import Carryover
import CarryoverPages
import CarryoverTerminal

enum FieldKeys {
  private static let fields: Set<Screen> = [.review, .details]

  static let deciding: [ReviewKey] = [
    ReviewKey(
      [.character(" ")], "accept", "Accept the proposal (again: undo).", in: fields, .deciding, hint: 1,
      footer: footer("accept", undoing: .confirmed), unless: acceptObstacle
    ) { $0.decide(.migrate) },
    ReviewKey(
      [.character("s")], "skip", "Skip the field: nothing is written for it (again: undo).", in: fields,
      .deciding, hint: 1, footer: footer("skip", undoing: .skipped), unless: noCursor
    ) { $0.decide(.skip) },
    ReviewKey(
      [.character("e")], "edit", "Enter another value; Carryover checks it as you type.", in: fields, .deciding,
      hint: 1, opens: [.editor],
      unless: { state in
        if state.listRange != nil {
          return "Only one field's value can be edited at a time; \(state.key("range", .review)) leaves the range."
        }
        return noCursor(state)
      }
    ) { $0.beginEdit() },
    EditorKeys.outside,
    ReviewKey(
      (1...9).map { Key.character(Character(String($0))) }, "other value",
      "Use one of the other values in the details.", in: [.details], .deciding, hint: 4,
      unless: { $0.selected?.alternatives.isEmpty == false ? nil : "There is no other value." },
      byKey: { state, key in
        guard case .character(let character) = key, let number = character.wholeNumberValue else {
          return state.emit(.bell)
        }
        state.useAlternative(number - 1)
      }),
  ]

  private static func footer(
    _ label: String, undoing decided: FieldState, rank: (@Sendable (ReviewState) -> Int?)? = nil
  ) -> ReviewKey.Footer {
    .init(rank: rank, label: { $0.listRange == nil && $0.standing == decided ? "undo" : label })
  }

  static let many: [ReviewKey] = [
    ReviewKey(
      [.character("v")], "range",
      "Start a range at the cursor; space, s and t decide every field in it (again: end the range).",
      in: [.review], .deciding, hint: 3, unless: noCursor
    ) { $0.toggleRange() },
    ReviewKey(
      [.character("A")], "many", "Decide many fields at once; with a filter, only the listed fields.",
      in: [.review], .deciding, hint: 3, name: "decide-many", opens: [.decideMany],
      footer: .init(
        rank: { $0.offersRecommendations ? 1 : 3 }, label: { $0.offersRecommendations ? "recommended" : "many" }),
      unless: noCursor
    ) { state in
      guard state.manyMenu.list.count > 0 else { return state.refuse(ReviewState.noneConcerned) }
      state.open(.decideMany)
    },
  ]

  static let undoing: [ReviewKey] = [
    ReviewKey(
      [.character("u")], "undo", "Undo the last decision.", in: fields.union([.members]), .deciding, hint: 3,
      unless: { $0.history.done.isEmpty ? "There is nothing to undo." : nil }
    ) { $0.undo() },
    ReviewKey(
      [.character("U"), .control("r")], "redo", "Redo the last undone decision.",
      in: fields.union([.members]), .deciding, unless: { $0.history.undone.isEmpty ? "There is nothing to redo." : nil }
    ) { $0.redo() },
    ReviewKey(
      [.character("t")], "keep", "Keep the target's value (again: undo).", in: fields,
      .deciding, hint: 4, footer: footer("keep", undoing: .kept) { $0.standing == .conflict ? 1 : 4 },
      unless: { state in
        if state.listRange != nil { return nil }
        guard let position = state.cursorPosition else { return noField }
        return state.plan.fields[position].current == nil ? "The target has no value to keep." : nil
      }
    ) { $0.decide(.keep) },
  ]

  static let moving: [ReviewKey] = [
    ReviewKey(
      [.character("n")], "next", "Go to the next match; without a search, to the next undecided field.",
      in: fields, .moving, hint: 2, counting: .times,
      footer: .init(label: { $0.search != nil ? "next match" : "next" }), unless: noNext
    ) { $0.search == nil ? $0.goToWaiting(step: 1) : $0.goToMatch(step: 1) },
    ReviewKey(
      [.character("N")], "previous", "Go to the previous match or undecided field.", in: fields,
      .moving, counting: .times, unless: noNext
    ) { $0.search == nil ? $0.goToWaiting(step: -1) : $0.goToMatch(step: -1) },
    ReviewKey(
      [.character("]")], "next field", "Go to the next field.", in: [.details], .moving, hint: 4, counting: .times
    ) { $0.goToNeighbour(1) },
    ReviewKey(
      [.character("[")], "previous field", "Go to the previous field.", in: [.details], .moving, counting: .times
    ) { $0.goToNeighbour(-1) },
  ]

  static let seeing: [ReviewKey] = [
    ReviewKey(
      [.character("b")], "stores", "Open the stores at the field's own key.",
      in: [.review, .details, .warnings, .unknown], .seeing, hint: 3, opens: [.stores],
      unless: { $0.browser == nil ? "The stores are not available here." : nil }
    ) { $0.browseField() },
    ReviewKey(
      [.character("c")], "copy", "Copy the field's value to the clipboard.", in: fields, .seeing,
      unless: { state in
        guard let field = state.selected else { return noField }
        let value = state.valueUnderDecision(field) ?? field.legacy
        return value?.editableText == nil ? "There is no text here to copy." : nil
      }
    ) { $0.copyValue() },
  ]

  static let leaving: [ReviewKey] = [
    ReviewKey(
      [.character("q")], "quit", "Quit; Carryover asks first if decisions are not applied.", in: [.review], .leaving,
      hint: 0, duty: .wayOut, opens: [.quit]
    ) { state in
      guard state.hasUnappliedDecisions else { return state.emit(.quit) }
      state.open(.quit)
    }
  ]

  private static let acceptObstacle: @Sendable (ReviewState) -> String? = { state in
    if state.listRange != nil { return nil }
    guard let position = state.cursorPosition else { return noField }
    // The footer asks this for every frame, so no field is copied.
    if state.plan.fields[position].proposed != nil || state.standings[position] == .confirmed { return nil }
    let edit = state.key("edit", .review)
    return state.plan.fields[position].legacy == nil
      ? "There is nothing to migrate here; \(edit) gives it a value."
      : "There is no proposal to accept; \(edit) enters a value, \(state.key("skip", .review)) skips the field."
  }

  static let noField = "There is no field here."

  static let noCursor: @Sendable (ReviewState) -> String? = { $0.cursorPosition == nil ? noField : nil }

  private static let noNext: @Sendable (ReviewState) -> String? = { state in
    guard let search = state.search else { return state.tally.waiting == 0 ? "Every field is decided." : nil }
    return search.count == 0 && search.revision == state.contentRevision
      ? "There is no match; \(state.key("clear", .review)) ends the search." : nil
  }
}

extension ReviewState {
  /// Whether conflicts wait, and a key accepts what Carryover recommends.
  fileprivate var offersRecommendations: Bool { tally[.conflict] > 0 && decided.recommended > 0 }

  mutating func useAlternative(_ number: Int) {
    guard let field = selected else { return emit(.bell) }
    guard field.alternatives.indices.contains(number) else { return refuse("There is no value \(number + 1).") }
    decide(decision(for: field.alternatives[number].value, field))
  }

  mutating func goToNeighbour(_ step: Int) {
    if let row = cursorRow { select(row: max(0, min(row + step, rows.count - 1))) }
  }

  mutating func copyValue() {
    guard let field = selected, let value = valueUnderDecision(field) ?? field.legacy,
      let text = (options.redaction?.value(value) ?? value).editableText
    else { return emit(.bell) }
    message = "The value was sent to the clipboard."
    emit(.copy(text))
  }

  /// Opens the stores; for another field than last time, at the field's legacy key.
  mutating func browseField() {
    if let field = selected, browsedField.map(field.id.hasSameBytes) != true {
      browsedField = field.id
      if let origin = field.origin { browser?.show(store: origin.store, key: origin.source.key) }
    }
    openStores()
  }

  mutating func browse(_ input: ScreenInput) {
    guard var browser else { return emit(.bell) }
    // Moved out, so that it is changed in place and not copied.
    self.browser = nil
    let asked = reduce(&browser, input)
    self.browser = browser
    for effect in asked {
      switch effect {
      case .copy(let text): emit(.copy(text))
      case .errand(let errand): emit(.errand(errand))
      case .suspend: emit(.suspend)
      case .bell: emit(.bell)
      case .leave: back()
      // The review changes no store by hand.
      case .change, .rollback, .loadRollback, .loadHistory: break
      }
    }
  }
}

extension ScreenContent<ReviewState> {
  static var stores: ScreenContent {
    drawn(.stores) { canvas in
      guard let browser = canvas.state.browser else { return }
      let frame = render(browser)
      (canvas.grid, canvas.cursor) = (frame.grid, frame.cursor)
    }
    .with { $0.ownsFrame = true }
  }
}
