import Carryover
import PropertyLists

extension ErrandAnswer {
  /// What the editor left of a text. Most end the last line, which is no part of a value that did not end so before, and
  /// some end every line with CRLF.
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

/// A value in the user's own editor, and what becomes of what comes back.
extension ReviewState {
  /// Why nothing can be opened in an editor; nil where it can.
  var outsideObstacle: String? {
    if options.redaction != nil { return Self.maskedValues }
    if screen == .members { return memberObstacle }
    if listRange != nil { return "A value is edited for one field; \(key("range", .review)) leaves the range." }
    return FieldKeys.noCursor(self)
  }

  /// Opens the member with the cursor, or else the field's value.
  mutating func editOutside() -> [ReviewEffect] {
    if screen == .members {
      guard let (field, path) = selectedMember else { return [.bell] }
      let values = [written(field), field.legacy, field.proposed, field.current]
      let text = values.lazy.compactMap { Self.text($0, at: path) }.first
      return edit(EditedPart(field: field.id, path: path), text ?? "")
    }
    guard let field = selected else { return [.bell] }
    return edit(EditedPart(field: field.id), editableText(field) ?? "")
  }

  /// Goes on with what is being typed.
  mutating func goOnOutside() -> [ReviewEffect] {
    guard let editor else { return [.bell] }
    let part = EditedPart(field: editor.subject, path: editor.part)
    drafts[part] = editor.text
    return edit(part, editor.text)
  }

  /// Asks for the editor. What came back last and did not fit is offered again.
  private mutating func edit(_ part: EditedPart, _ text: String) -> [ReviewEffect] {
    sentToEditor = part
    let form = positions[part.field].map { plan.fields[$0].form }
    let isJSON = !part.path.isEmpty || form == .jsonObjectString || form == .jsonObjectData
    return [.errand(.edit(drafts[part] ?? text, name: isJSON ? "value.json" : "value.txt"))]
  }

  /// Takes what the editor left: a decision where it fits; else it is offered again, with the reason.
  mutating func takeEdited(_ text: String) {
    guard let part = sentToEditor else { return }
    sentToEditor = nil
    guard let problem = accept(text, for: part) else {
      stack.typing = nil
      message = "\(part.name) is edited."
      return
    }
    drafts[part] = text
    guard text.utf8.count <= LineEditor.limit, options.lineColumns == nil else {
      stack.typing = nil
      message = "\(key("editor", .review)) opens it again. \(problem.description)"
      return
    }
    // The reason stands under the line.
    stack.typing = LineEditor(.editor, of: part.field, part: part.path, text: text)
  }
}
