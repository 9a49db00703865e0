import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let editor = Screen("editor", "Edit")
}

struct Editing: Sendable {
  /// What the user's editor has now.
  var sent: EditedPart?
  /// Texts from the user's editor that are not valid, to be edited again.
  var drafts: [EditedPart: String] = [:]
  /// What was typed for each field, the newest last.
  var typed: [StringByBytes: [String]] = [:]
  /// An id with hidden characters that the user was asked about: typed again, it is accepted.
  var confirmedEdges: String?
}

extension ReviewState {
  static let maskedValues = "Values are masked here, so they cannot be edited."

  mutating func beginEdit() {
    guard let (part, text, choices) = edited else { return emit(.bell) }
    guard text.utf8.count <= TypedLine.limit else {
      return refuse("This value is too long for one line; \(key("editor", .review)) opens it in your editor.")
    }
    stack.typing = LineEditor(.editor, of: part, text: text, choices: choices)
  }

  /// The field with the cursor, or the member, with its text and the other texts that can replace it.
  private var edited: (part: EditedPart, text: String, choices: [LineEditor.Choice])? {
    guard screen == .members else {
      return selected.map { (EditedPart(field: $0.id), typedText(of: $0) ?? "", editorChoices($0)) }
    }
    guard let (field, path) = selectedMember else { return nil }
    let values = [
      (written(field), "what is written"), (field.legacy, "legacy value"), (field.proposed, "proposal"),
      (field.current, "target's value"),
    ]
    let choices = values.compactMap { value, origin in
      Self.text(value, at: path).map { LineEditor.Choice(text: $0, origin: origin) }
    }
    return (EditedPart(field: field.id, path: path), choices.first?.text ?? "", choices)
  }

  private func typedText(of field: Field) -> String? {
    guard options.redaction == nil else { return nil }
    let value = valueUnderDecision(field) ?? field.proposed ?? field.legacy
    return value?.editableText ?? value?.jsonText
  }

  /// Decides for the field that the editor was opened on, wherever the cursor is now.
  mutating func acceptEdit() {
    guard let editor, let part = editor.part else {
      stack.typing = nil
      return emit(.bell)
    }
    if let problem = accept(editor.text, for: part) { return refuse(problem.sentence) }
    stack.typing = nil
  }

  /// Decides for a text, or returns why it is not a valid value.
  mutating func accept(_ text: String, for part: EditedPart) -> Refusal? {
    guard let row = positions[part.field] else { return Refusal(FieldKeys.noField) }
    let field = plan.fields[row]
    do throws(Refusal) {
      let value = try self.value(text, for: part.path, of: field)
      if part.path.isEmpty, field.hidesCharacters(value), editing.confirmedEdges?.hasSameBytes(as: text) != true {
        editing.confirmedEdges = text
        throw Refusal("The id \(Self.hiddenCharacters) Save again to write it as it is.")
      }
      editing.confirmedEdges = nil
      editing.drafts[part] = nil
      if part.path.isEmpty { remember(text, for: field.id) } else { members?.keepSelected() }
      record(decision(for: value, field), for: field)
      return nil
    } catch {
      return error
    }
  }

  private static let hiddenCharacters = "has leading or trailing whitespace, or hidden characters."

  var hiddenEdges: String? {
    guard let editor, let part = editor.part, part.path.isEmpty, let row = positions[part.field],
      let value = try? value(editor.text, for: [], of: plan.fields[row]), plan.fields[row].hidesCharacters(value)
    else { return nil }
    let isAsked = editing.confirmedEdges?.hasSameBytes(as: editor.text) == true
    return "“\(editor.text)” \(Self.hiddenCharacters)"
      + (isAsked ? " Save again to write it as it is." : "")
  }

  /// The field's value that a text gives, as a whole or as the member at a path.
  private func value(_ text: String, for path: [String], of field: Field) throws(Refusal) -> PropertyListValue {
    if !path.isEmpty { try Self.check(text) }
    do {
      guard !path.isEmpty else { return try field.form.value(fromText: text) }
      let whole = try JSONText(written(field)?.jsonText ?? "{}").setting(path, toText: text)
      return try field.form.value(fromText: whole)
    } catch let mismatch as FormMismatch {
      throw Refusal(mismatch.description)
    } catch {
      throw Refusal("The proposal is not the text of a JSON object.")
    }
  }

  private static func check(_ text: String) throws(Refusal) {
    do {
      _ = try JSONText(text)
    } catch {
      throw Refusal("Enter JSON: text in quotes, a number, true, {…}. \(error)")
    }
  }

  var editorMismatch: String? {
    guard let editor, let part = editor.part, let row = positions[part.field] else { return nil }
    do throws(Refusal) {
      if part.path.isEmpty {
        _ = try value(editor.text, for: [], of: plan.fields[row])
      } else {
        try Self.check(editor.text)
      }
      return nil
    } catch {
      return error.sentence
    }
  }

  static let mostTyped = 50

  /// Masked values are not offered.
  private func editorChoices(_ field: Field) -> [LineEditor.Choice] {
    var choices = (editing.typed[field.id] ?? []).reversed().map { LineEditor.Choice(text: $0, origin: "typed before") }
    var values: [(PropertyListValue?, String)] = [
      (field.legacy, "legacy value"), (field.proposed, "proposal"), (field.current, "target's value"),
    ]
    values += field.alternatives.map { ($0.value, $0.label) }
    for case (let value?, let origin) in values where options.redaction.map({ $0.value(value) == value }) ?? true {
      if let text = value.editableText { choices.append(LineEditor.Choice(text: text, origin: origin)) }
    }
    return choices
  }

  private mutating func remember(_ text: String, for field: Field.ID) {
    var texts = editing.typed[field] ?? []
    texts.removeAll { $0.hasSameBytes(as: text) }
    texts.append(text)
    editing.typed[field] = texts.suffix(Self.mostTyped)
  }

  var outsideObstacle: String? {
    if options.redaction != nil { return Self.maskedValues }
    if screen == .members { return memberObstacle }
    if listRange != nil {
      return "Only one field's value can be edited at a time; \(key("range", .review)) leaves the range."
    }
    return FieldKeys.noCursor(self)
  }

  mutating func editOutside() {
    if let edited { edit(edited.part, edited.text) } else { emit(.bell) }
  }

  mutating func goOnOutside() {
    guard let editor, let part = editor.part else { return emit(.bell) }
    editing.drafts[part] = editor.text
    edit(part, editor.text)
  }

  /// Text that came back last and did not fit is offered again.
  private mutating func edit(_ part: EditedPart, _ text: String) {
    editing.sent = part
    let form = positions[part.field].map { plan.fields[$0].form }
    let isJSON = !part.path.isEmpty || form == .jsonObjectString || form == .jsonObjectData
    emit(.errand(.edit(editing.drafts[part] ?? text, name: isJSON ? "value.json" : "value.txt")))
  }

  /// Decides for the text that came back; text that does not fit is offered again, with the reason.
  mutating func acceptEdited(_ text: String) {
    guard let part = editing.sent else { return }
    editing.sent = nil
    guard let problem = accept(text, for: part) else {
      stack.typing = nil
      message = "\(part.name) is edited."
      return
    }
    editing.drafts[part] = text
    guard text.utf8.count <= TypedLine.limit, options.lineColumns == nil else {
      stack.typing = nil
      message = "\(key("editor", .review)) opens it again. \(problem.sentence)"
      return
    }
    stack.typing = LineEditor(.editor, of: part, text: text)
  }
}

extension ScreenContent<ReviewState> {
  static var editor: ScreenContent {
    ScreenContent(.editor, .pane { $0.drawEditor() })
  }
}

enum EditorKeys {
  /// From where the field is shown: line by line there is no other way.
  static let outside = ReviewKey(
    [.character("E")], "editor", "Open the value, or the member, in your editor ($VISUAL or $EDITOR).",
    in: [.review, .details, .members], .deciding, unless: { $0.outsideObstacle }
  ) { $0.editOutside() }

  static let all: [ReviewKey] = [
    ReviewKey(
      [.control("o")], "editor", "Edit the value in your editor ($VISUAL or $EDITOR).", in: [.editor],
      .typing, hint: 2, unless: { $0.options.redaction == nil ? nil : ReviewState.maskedValues }
    ) { $0.goOnOutside() },
    ReviewKey(
      [.enter], "save", "Save the typed value.", in: [.editor], .typing, hint: 1, name: "accept",
      unless: { $0.editorMismatch }
    ) { $0.acceptEdit() },
    .cancel(in: [.editor]),
    ReviewKey(
      [.up], "other values", "Insert another value: typed before, legacy, proposed, the target's, or known.",
      in: [.editor], .typing, hint: 2,
      unless: { $0.editor?.hasNext == true ? nil : "There is no other value to insert." }
    ) { $0.stepLine(by: 1) },
    ReviewKey(
      [.down], "value before", "Insert the previous value, down to what you typed.", in: [.editor], .typing
    ) { $0.stepLine(by: -1) },
  ]
}

extension Canvas<ReviewState> {
  mutating func drawEditor() {
    guard let editor = state.editor, let part = editor.part, let row = state.positions[part.field] else { return }
    let item = state.plan.fields[row]
    let mismatch = state.editorMismatch
    let typed = editor.line.text
    let isQuoted = item.form.kind == .string && typed.count > 1 && typed.hasPrefix("\"") && typed.hasSuffix("\"")
    let note =
      mismatch ?? state.hiddenEdges
      ?? (isQuoted ? "Valid, but the quotation marks become part of the value: type it without them." : nil)
      ?? (item.form == .data
        ? "Valid: \(item.form.article). Its contents are not checked."
        : item.model == nil
          ? "Valid: \(item.reader) reads it as \(item.form.article)."
          : "Valid: \(item.form.article), as the app stores it. Its members are not checked.")
    drawEditor(
      editor, title: "Edit \(ink.name(part.name, columns: 40)) (\(part.path.isEmpty ? item.form.kind.word : "JSON"))",
      note: note, isValid: mismatch == nil && !isQuoted && state.hiddenEdges == nil)
  }
}

extension Canvas {
  /// A pane with a line that is typed, and a note on whether it is a value.
  mutating func drawEditor(_ editor: LineEditor, title: String, note: String, isValid: Bool) {
    let height = 5
    let top = size.rows - 1 - height
    let pane = Rect(column: 0, row: top, columns: size.columns, rows: height)
    grid.clear(pane)
    grid.frame(pane, title: title, style: Style(.frameFocused), titleStyle: Style(.title))
    let columns = 2..<(size.columns - 2)
    cursor = drawLine(editor.line, row: top + 1, columns: columns)
    var writer = PageWriter(columns: columns.count, ink: ink)
    writer.words(note, isValid ? .confirmed : .flagged)
    if let origin = editor.origin { drawPlace(ink.name(origin, columns: max(8, size.columns - 8)), row: top + 4) }
    for (offset, line) in writer.lines.prefix(2).enumerated() { put(line, row: top + 2 + offset, columns: columns) }
  }
}

extension ErrandAnswer {
  /// The text as the editor left it. Most editors end the last line, and some end every line with CRLF.
  package init(edited bytes: [UInt8], of before: String) {
    guard var text = String(utf8: bytes) else {
      self = .done("The editor left text that is not UTF-8. Nothing was changed.")
      return
    }
    // CRLF is one character, neither CR nor LF.
    if !before.utf8.contains(0x0D), !text.contains("\r"), !text.contains("\n") {
      text = text.replacing("\r\n", with: "\n")
    }
    if !before.utf8.elementsEqual(text.utf8), before.utf8.last != 0x0A, text.utf8.last == 0x0A {
      text.unicodeScalars.removeLast()
    }
    self = before.utf8.elementsEqual(text.utf8) ? .done("Nothing was changed.") : .edited(text)
  }
}
