import Carryover
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

extension LinearReview {
  /// Carries an answer out that was given among the fields.
  mutating func review(_ command: LinearCommand) {
    switch command {
    case .review(let command): perform(inFields: command)
    case .take(let text): take(text)
    case .edit: if perform(.edit) { place = .value }
    case .allClean: decideMany(.clean)
    case .many(let text): many(text)
    case .again: announce()
    case .down: move(.down, end: "This is the last field.")
    case .up: move(.up, end: "This is the first field.")
    case .go(let text): go(text)
    case .list(let text): list(text)
    case .more: readOn()
    case .find(let text): find(text)
    case .filter(let text): filter(text)
    case .details: details()
    case .explain(let text): explain(text)
    case .warnings: writer.warnings(state.plan)
    case .leftBehind: writer.leftBehind(state.plan.dropped)
    case .recipes(let text): recipes(text)
    case .log(let text): writer.log(state.log, all: text.lowercased() == "all")
    case .status: writer.summary(state)
    case .stores: openStores()
    case .history: perform(.showHistory)
    case .rollBack: perform(.askForLastRun)
    case .preview: preview()
    case .apply: askToApply()
    case .help(let word): writer.help(LinearVocabulary.fields, self, about: word)
    case .quit: askToQuit()
    case .openRun, .putBack, .leave, .allKeys, .noKey, .only, .nextConflict, .ask, .back, .later: break
    }
  }

  private mutating func perform(inFields command: Command) {
    switch command {
    case .confirm, .skip, .keep: decide(command)
    case .undo, .redo:
      if perform(command) { announce() }
    case .nextToDecide, .previousToDecide: if goToWaiting(command) { announce() }
    default: perform(command)
    }
  }

  /// On a screen the same key takes a decision back; here undo does, so that an answer given twice stays given.
  private mutating func decide(_ command: Command) {
    guard let field = state.selected else { return writer.say(Bindings.noField) }
    let wanted: Decision? =
      switch command {
      case .confirm: .migrate
      case .skip: .skip
      case .keep: .keep
      default: nil
      }
    guard wanted == nil || state.decisions[field.id] != wanted else {
      return writer.add("\(writer.name(field.id)) is \(FieldState(field, wanted).word) already; undo takes it back.")
    }
    deciding { $0.perform(command) }
  }

  private mutating func take(_ text: String) {
    guard let field = state.selected, let number = Int(text), number > 0 else {
      return writer.say("The number of one of the other values is needed; again reads them.")
    }
    if field.alternatives.indices.contains(number - 1),
      state.decisions[field.id] == state.decision(for: field.alternatives[number - 1].value, field)
    {
      return writer.say("That value is decided for already; undo takes it back.")
    }
    deciding { $0.perform(.take(number - 1)) }
  }

  /// Decides, says what came of it, and goes on to the next field to decide where this one was.
  mutating func deciding(_ decide: (inout LinearReview) -> Bool) {
    guard let field = state.selected else { return writer.say(Bindings.noField) }
    let before = state.decisions[field.id]
    let waited = FieldState(field, before).waits
    guard decide(&self), state.decisions[field.id] != before else { return }
    let decision = state.decisions[field.id]
    let standing = FieldState(field, decision).word
    let waiting = state.tally.waiting
    writer.add(
      "\(writer.name(field.id)) is \(standing)"
        + (decision.map { ": " + writer.outcome(field, $0) } ?? "") + ". \(waiting) left to decide.")
    guard waited else { return }
    if waiting == 0 { conclude() } else if goToWaiting(.nextToDecide, isSilent: true) { announce() }
  }

  /// Takes a value that was typed: the same check as on a screen says whether it fits.
  mutating func takeValue(_ line: String) {
    guard let editor = state.editor else { return toFields() }
    guard !line.isEmpty else {
      perform(.cancel, isSilent: true)
      place = .fields
      return writer.say("Nothing was changed.")
    }
    perform(.textMove(.end), isSilent: true)
    perform(.textDelete(.start), isSilent: true)
    effects += reduce(&state, .paste(line)).filter { $0 != .bell }
    if let mismatch = state.editorMismatch {
      let shown = state.options.redaction?.mismatch(mismatch) ?? mismatch
      return writer.add("This does not fit. " + ink.sentence(shown.description))
    }
    place = .fields
    let before = state.decisions[editor.field]
    deciding { $0.perform(.accept) }
    if state.decisions[editor.field] == before { writer.say("That is what was decided already.") }
  }

  private mutating func details() {
    guard let field = state.selected, let position = state.cursorPosition else { return writer.say(Bindings.noField) }
    writer.details(field, position + 1, of: state.plan.fields.count, state.decisions[field.id], state.options)
  }

  private mutating func explain(_ text: String) {
    guard !text.isEmpty else {
      let findings = state.selected?.findings ?? []
      guard !findings.isEmpty else { return writer.say("This field has no finding. explain and a code explains one.") }
      var codes: [FindingCode] = []
      for finding in findings where !codes.contains(finding.code) { codes.append(finding.code) }
      for code in codes { writer.explanation(code) }
      return
    }
    let wanted = text.lowercased()
    if let code = FindingCode(rawValue: wanted) { return writer.explanation(code) }
    let nearest = FindingCode.nearest(to: text, among: FindingCode.allCases)
    let met = state.plan.findings.map(\.code).filter { $0.rawValue.contains(wanted) }
    if let code = met.first, Set(met).count == 1 { return writer.explanation(code) }
    writer.say("No finding has that code. The nearest are \(nearest.map(\.rawValue).joined(separator: ", ")).")
  }

  private mutating func recipes(_ text: String) {
    let all = Recipe.builtIn
    guard !text.isEmpty else { return writer.recipes(state.plan.recipe) }
    let names = all.map(\.reference.id)
    guard let index = number(text, of: all.count, "recipe") ?? named(text, names) else { return }
    writer.recipe(all[index])
  }

  private mutating func openStores() {
    guard let container else { return writer.say("The stores were not given.") }
    var stores = self.stores ?? LinearStores(container, options: state.options)
    if let origin = state.selected?.origin { stores.show(store: origin.store, key: origin.source.key) }
    for line in stores.start().lines { writer.add(line) }
    self.stores = stores
    place = .stores
  }

  mutating func lookIntoStores(_ line: String) {
    guard var stores else { return toFields() }
    let step = stores.take(line: line)
    self.stores = stores
    for line in step.lines { writer.add(line) }
    guard step.isLeft else { return }
    place = .fields
    writer.say("Back at the fields.")
  }
}
