import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let command = Screen("command", "Command")
}

extension ScreenContent<ReviewState> {
  static var command: ScreenContent {
    text(.command, back: .out, keys: commandKeys) { $0.command($1) }.with {
      $0.opened = { $0.pages.commandLine = try? $0.makeCommandLine() }
      $0.closed = { $0.pages.commandLine = nil }
      // What is saved can be run.
      $0.whole = { Page(lines: [[Span("#!/bin/sh")], [Span($0.pages.commandLine ?? "")]]) }
    }
  }

  private static var commandKeys: [ReviewKey] {
    [
      ReviewKey(
        [.character("C")], "copy as command", "Copy a command line that makes the same decisions.",
        in: [.review, .details, .preview], .applying, opens: [.command],
        unless: { state in
          do throws(Refusal) {
            _ = try state.makeCommandLine()
            return nil
          } catch {
            return error.sentence
          }
        }
      ) {
        $0.open(.command)
        if $0.options.lineColumns == nil { $0.copyCommand() }
      },
      ReviewKey(
        [.character("c")], "copy", "Copy the command line to the clipboard.", in: [.command], .applying, hint: 1
      ) { $0.copyCommand() },
    ]
  }
}

extension ReviewState {
  fileprivate func makeCommandLine() throws(Refusal) -> String {
    if options.redaction != nil {
      throw Refusal("With --redact there is no command line: it would contain the values unmasked.")
    }
    if let readOnly { throw Refusal(readOnly) }
    guard let words = applyWords?(choices) else {
      throw Refusal("How this container was opened is unknown.")
    }
    let (run, scope) = runDecisions
    guard scope != nil else { return try CommandLineText.text(words, plan, run) }
    // Without a field to name, the command would apply all of them; it cannot name one that is undecided.
    guard plan.undecided(run).isEmpty else { throw Refusal("Not every field \(narrowing ?? "") is decided.") }
    guard !plan.changes(run).isEmpty else { throw Refusal("There is nothing to write.") }
    return try CommandLineText.text(words, plan, run, isPartial: true)
  }

  fileprivate mutating func copyCommand() {
    guard let text = pages.commandLine else { return emit(.bell) }
    guard text.utf8.count <= Clipboard.limit else {
      return refuse("The command is too long for the clipboard; \(key("save", .command)) saves it.")
    }
    message = "The command was copied to the clipboard."
    emit(.copy(text))
  }
}

extension PageWriter {
  mutating func command(_ state: ReviewState) {
    guard let text = state.pages.commandLine else { return }
    let (run, scope) = state.runDecisions
    words("This command applies your decisions to the container as it is now\(scope.map { " (\($0))" } ?? ""):")
    blank()
    add([Span(ink.plain(text), .value)], exact: true)
    let waiting = state.plan.undecided(run).count
    guard waiting > 0 else { return }
    blank()
    words(
      "\(counted(waiting, "field")) \(waiting == 1 ? "is" : "are") undecided: the command writes nothing until "
        + "\(waiting == 1 ? "it is" : "they are") decided.", .flagged)
  }
}

enum CommandLineText {
  /// Quoted for a POSIX shell. It has no hidden characters: what it shows is what it does.
  /// - Parameters:
  ///   - words: The words of the command, with the container's path and options.
  ///   - isPartial: Whether some fields are omitted, so that the command has to name those to write.
  static func text(
    _ words: [String], _ plan: Plan, _ decisions: Decisions, isPartial: Bool = false
  ) throws(Refusal) -> String {
    let moment = MomentText.text(plan.now).split(separator: " ").joined(separator: "T") + "Z"
    let recipes = plan.recipePlans.flatMap { part -> [String] in
      if case .file(let path, _) = part.definition.origin { ["--recipe", path] } else { ["--recipe", part.recipe.id] }
    }
    var words = words + recipes + ["--now", moment]
    // Without a decision of its own, a field that describes another user than the target's is skipped.
    let skipped = Set(
      bytesOf: plan.describingFields.filter { $0.keepsAnother(decisions[$0.named.id]) }.map(\.field.id))
    // Decisions that follow from others are omitted: an option would make them decisions by name.
    let chosen = plan.withoutCompletion(decisions)
    for field in plan.fields {
      let decision = decisions[field.id]
      if isPartial, case .write = field.resolution(decision) {
        words += option("--only", field.id)
        if decision == .migrate { continue }
      }
      guard let decision, chosen[field.id] != nil, !isPartial || decision != .omit else { continue }
      words += try self.words(decision, field, isOtherwiseSkipped: skipped.contains(field.id))
    }
    words.append("--yes")
    if let word = words.first(where: { !isShown($0) }) {
      throw Refusal("“\(word)” has hidden characters and cannot be put on a command line.")
    }
    if words.contains(where: { $0.utf8.count > longestWord }) {
      throw Refusal("A value is too long for a command line; save a plan with carryover plan -o instead.")
    }
    return words.map(DisplayText.shellWord).joined(separator: " ")
  }

  private static func words(
    _ decision: Decision, _ field: Field, isOtherwiseSkipped: Bool
  ) throws(Refusal) -> [String] {
    switch decision {
    case .migrate:
      // A field that is written without a decision needs none, and one without a proposal has nothing to accept.
      let isUsual = !isOtherwiseSkipped && field.resolution(decision) == field.resolution(nil)
      if field.proposed == nil || isUsual { return [] }
      return option(field.status == .conflict || field.isTargetKept ? "--replace" : "--accept", field.id)
    case .accept: return option("--accept", field.id)
    case .skip, .omit: return option("--skip", field.id)
    case .keep: return option(field.current == nil ? "--skip" : "--keep", field.id)
    case .edit(let value):
      if let text = field.form.text(of: value), isShown(text), !field.hidesCharacters(value) {
        return option("--set", field.id + "=" + text)
      }
      if let json = field.form.json(of: value) { return option("--set-json", field.id + "=" + json) }
      throw Refusal("The value of \(field.id) cannot be given on a command line; save a plan with carryover plan -o.")
    }
  }

  /// An option with its value; joined if the value would look like an option itself.
  private static func option(_ name: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
  }

  private static func isShown(_ text: String) -> Bool {
    DisplayText.harmless(text).unicodeScalars.elementsEqual(text.unicodeScalars)
  }

  /// The longest word that Linux passes to a program, in bytes.
  private static let longestWord = 131_071
}
