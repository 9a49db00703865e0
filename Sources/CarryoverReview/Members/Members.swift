import Carryover
import CarryoverTerminal
import PropertyLists

/// The members of a field's value: which are shown, and how single ones are decided for.
extension ReviewState {
  var membersLayout: Layout { Layout(size: size, rows: members?.rows.count ?? 0) }

  /// Why a field's members cannot be shown; nil where that can be tried. Looks at no value: the footer asks every frame.
  var membersObstacle: String? {
    guard let position = cursorPosition else { return FieldKeys.noField }
    let field = plan.fields[position]
    guard field.form == .jsonObjectString || field.form == .jsonObjectData else { return "This value has no members." }
    return written(field) == nil ? "There is no proposal with members." : nil
  }

  /// Shows the members of the field with the cursor.
  mutating func openMembers() -> [ReviewEffect] {
    guard let field = selected, let tree = memberTree(field) else {
      message = "The proposal is not the text of a JSON object, or there is nothing to compare it with."
      return [.bell]
    }
    var list = MemberList(field.id, tree)
    list.revision = decisionsRevision
    members = list
    open(.members)
    return []
  }

  /// Brings the members up to date with the decisions.
  mutating func refreshMembers() {
    guard let list = members, list.revision != decisionsRevision else { return }
    guard let position = positions[list.field], let tree = memberTree(plan.fields[position]) else {
      return show(stack.screens.filter { $0 != .members })
    }
    members?.take(tree)
    members?.revision = decisionsRevision
    let visible = membersLayout.listRows.count
    members?.reveal(visible: visible)
  }

  /// Takes a member as another value has it.
  mutating func takeMember(from value: PropertyListValue?, _ owner: String) -> [ReviewEffect] {
    guard let (field, path) = selectedMember, let text = Self.text(value, at: path) else {
      message = "\(owner) has no such member; \(key("remove", .members)) removes it."
      return [.bell]
    }
    return setMember(path, of: field, to: text)
  }

  /// Leaves a member out.
  mutating func dropMember() -> [ReviewEffect] {
    guard let (field, path) = selectedMember else { return [.bell] }
    return setMember(path, of: field, to: nil)
  }

  private mutating func setMember(_ path: [String], of field: Field, to text: String?) -> [ReviewEffect] {
    guard let old = written(field)?.jsonText else { return [.bell] }
    do {
      let new = try JSONText(old).setting(path, toText: text)
      guard new != old else {
        message = "It is so already."
        return [.bell]
      }
      let value = try field.form.value(fromText: new)
      members?.keepSelected()
      record(decision(for: value, field), for: field)
    } catch {
      message = "This does not give the text of a JSON object. Nothing was done."
      return [.bell]
    }
    return []
  }

  /// The member with the cursor: the field, and the names that lead to it.
  var selectedMember: (field: Field, path: [String])? {
    guard let list = members, let (index, _) = list.selected, let position = positions[list.field] else { return nil }
    return (plan.fields[position], list.tree.path(of: index))
  }

  /// Why nothing can be done with the member under the cursor; nil where it can.
  var memberObstacle: String? {
    if options.redaction != nil { return Self.maskedValues }
    return members?.selected == nil ? "These members are unchanged; \(key("toggle", .members)) shows them." : nil
  }

  /// The value whose members are shown and changed: the one that was edited, or the proposal.
  func written(_ field: Field) -> PropertyListValue? {
    if case .edit(let value) = decisions[field.id] { return value }
    return field.proposed
  }

  static func text(_ value: PropertyListValue?, at path: [String]) -> String? {
    value?.objectText.flatMap { try? JSONText($0) }?.text(at: path)
  }

  private func memberTree(_ field: Field) -> MemberTree? {
    let ink = Ink(options)
    // Whatever cannot be compared stands beside an empty object, so that every member is there.
    let texts = [field.legacy?.objectText ?? "{}", written(field)?.jsonText, field.current?.objectText]
    return MemberTree(texts.map { text in text.flatMap { ink.shown(.string($0)).jsonText } })
  }
}
