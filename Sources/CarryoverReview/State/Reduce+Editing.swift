import Carryover
import PropertyLists

extension ReviewState {
  mutating func edit(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .edit:
      guard let field = selected else { return [.bell] }
      let value = valueUnderDecision(field) ?? field.proposed ?? field.legacy
      // What stands there is shown nowhere, so it is not shown to be changed either.
      let text = options.redaction == nil ? value?.editableText ?? "" : ""
      guard text.utf8.count <= LineEditor.limit else {
        message = "This value is too long to be edited here; give it with --set."
        return [.bell]
      }
      editor = LineEditor(field: field.id, text: text, choices: editorChoices(field))
    case .textMove(let motion): editor?.move(motion)
    case .textDelete(let motion): editor?.delete(motion)
    case .textOlder: return editor?.step(by: 1) == true ? [] : [.bell]
    case .textNewer: return editor?.step(by: -1) == true ? [] : [.bell]
    case .cancel: editor = nil
    case .accept: return accept()
    default: break
    }
    return []
  }

  /// The decision is for the field the editor was opened on, wherever the cursor is by now.
  private mutating func accept() -> [ReviewEffect] {
    guard let editor, let row = positions[editor.field] else {
      self.editor = nil
      return [.bell]
    }
    let field = plan.fields[row]
    do throws(FormMismatch) {
      let value = try field.form.value(fromText: editor.text)
      self.editor = nil
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
    guard let editor, let row = positions[editor.field] else { return nil }
    do throws(FormMismatch) {
      _ = try plan.fields[row].form.value(fromText: editor.text)
      return nil
    } catch {
      return error
    }
  }
}
