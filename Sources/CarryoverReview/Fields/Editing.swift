import Carryover
import CarryoverTerminal
import PropertyLists

extension ReviewState {
  /// Opens the value editor for the field with the cursor.
  mutating func beginEdit() -> [ReviewEffect] {
    guard let field = selected else { return [.bell] }
    let value = valueUnderDecision(field) ?? field.proposed ?? field.legacy
    // What stands there is shown nowhere, so it is not shown to be changed either.
    let text = options.redaction == nil ? value?.editableText ?? "" : ""
    guard text.utf8.count <= LineEditor.limit else {
      message = "This value is too long to be edited here; give it with --set."
      return [.bell]
    }
    stack.typing = LineEditor(.editor, of: field.id, text: text, choices: editorChoices(field))
    return []
  }

  /// The decision is for the field the editor was opened on, wherever the cursor is by now.
  mutating func acceptEdit() -> [ReviewEffect] {
    guard let editor, let row = positions[editor.subject] else {
      stack.typing = nil
      return [.bell]
    }
    let field = plan.fields[row]
    do throws(FormMismatch) {
      let value = try field.form.value(fromText: editor.text)
      stack.typing = nil
      remember(editor.text, for: field.id)
      record(decision(for: value, field), for: field)
      return []
    } catch {
      // The reason stands under the line while it is typed.
      return [.bell]
    }
  }

  /// Why the text being typed does not fit its field; nil when it does.
  var editorMismatch: FormMismatch? {
    guard let editor, let row = positions[editor.subject] else { return nil }
    do throws(FormMismatch) {
      _ = try plan.fields[row].form.value(fromText: editor.text)
      return nil
    } catch {
      return error
    }
  }

  /// How many typed texts are remembered for a field.
  static let mostTyped = 50

  /// What can be put into the line for a field. What is shown nowhere is not put in either.
  private func editorChoices(_ field: Field) -> [LineEditor.Choice] {
    var choices = (typed[field.id] ?? []).reversed().map { LineEditor.Choice(text: $0, origin: "typed before") }
    var values: [(PropertyListValue?, String)] = [
      (field.legacy, "legacy value"), (field.proposed, "proposal"), (field.current, "target's value"),
    ]
    values += field.alternatives.map { ($0.value, $0.label) }
    for case (let value?, let origin) in values where options.redaction.map({ $0.value(value) == value }) ?? true {
      if let text = value.editableText { choices.append(LineEditor.Choice(text: text, origin: origin)) }
    }
    return choices
  }

  /// Remembers what was typed for a field.
  private mutating func remember(_ text: String, for field: Field.ID) {
    var texts = typed[field] ?? []
    texts.removeAll { $0 == text }
    texts.append(text)
    typed[field] = texts.suffix(Self.mostTyped)
  }
}

extension ScreenContent<ReviewState> {
  /// A value being typed, over whatever shows its field.
  static var editor: ScreenContent {
    ScreenContent(.editor, .pane).with {
      $0.back = nil
      $0.hasHelp = false
      $0.overlay = { $0.drawEditor() }
    }
  }
}

/// What the keys do while a value is typed.
enum EditorKeys {
  static let all: [KeyBinding<ReviewState>] = [
    KeyBinding(
      [.enter], "accept", "Decides for what is typed.", in: [.editor], .typing, hint: 1,
      unless: { $0.editorMismatch?.description }
    ) { $0.acceptEdit() },
    KeyBinding(
      [.escape], "cancel", "Forgets what is typed.", in: [.editor], .typing, hint: 1, duty: .wayOut
    ) {
      $0.stack.typing = nil
      return []
    },
    KeyBinding(
      [.up], "other values",
      "Puts another value into the line: typed before, legacy, proposed, the target's, or known.",
      in: [.editor], .typing, hint: 2,
      unless: { $0.editor?.choices.isEmpty == false ? nil : "There is no other value to put in." }
    ) { $0.stepLine(by: 1) },
    KeyBinding(
      [.down], "value before", "Puts the previous value into the line; in the end, what you began to type.",
      in: [.editor], .typing
    ) { $0.stepLine(by: -1) },
  ]
}

extension Canvas<ReviewState> {
  /// The line being typed, over the lowest rows, with the reason why it does not fit yet.
  mutating func drawEditor() {
    guard let editor = state.editor, let row = state.positions[editor.subject] else { return }
    let item = state.plan.fields[row]
    let height = 5
    let top = size.rows - 1 - height
    let pane = Rect(column: 0, row: top, columns: size.columns, rows: height)
    grid.fill(pane)
    grid.frame(
      pane, title: "Edit \(ink.name(editor.subject, columns: 40)) (\(item.form.kind.word))",
      style: Style(.frameFocused),
      titleStyle: Style(.title))
    let columns = 2..<(size.columns - 2)
    cursor = drawLine(editor.line, row: top + 1, columns: columns)
    let mismatch = state.editorMismatch
    let note =
      mismatch?.description
      ?? (item.model == nil
        ? "This fits: \(item.reader) reads it as \(item.form.article)."
        : "This fits: \(item.form.article), as the app stores it. Its members are not checked.")
    var writer = PageWriter(columns: columns.count, ink: ink)
    writer.words(note, mismatch == nil ? .confirmed : .flagged)
    if let origin = editor.origin { drawPlace(ink.name(origin, columns: max(8, size.columns - 8)), row: top + 4) }
    for (offset, line) in writer.lines.prefix(2).enumerated() { put(line, row: top + 2 + offset, columns: columns) }
  }
}
