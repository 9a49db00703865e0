import Carryover
package import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  static let storesEditor = Screen("stores-editor", "Edit")
  static let storesName = Screen("stores-name", "New key")
}

/// What the screens need to change stores; without it, the stores are read-only.
package struct StoreChanging: Sendable {
  /// The folder of the runs.
  let backups: String
  /// The command that rolls a run back.
  let rollback: ShellCommand
  /// The reason that nothing can be written; nil if it can.
  let readOnly: String?

  package init(backups: String, rollback: ShellCommand, readOnly: String?) {
    (self.backups, self.rollback, self.readOnly) = (backups, rollback, readOnly)
  }
}

/// Unwritten changes of values, in their order, and the stores after them.
struct ChangeDraft: Sendable {
  /// The container as it was read.
  private(set) var container: Container
  private(set) var changes: [ValueChange] = []
  private var undone: [ValueChange] = []
  /// What the changes do; nil without any.
  private(set) var plan: ChangePlan?
  /// The changed values, and the values that contain them.
  private(set) var marked: Set<InspectedPath> = []

  init(_ container: Container) { self.container = container }

  /// The same changes in the current container, without those that can no longer be made.
  func renewed(_ container: Container) -> ChangeDraft {
    var renewed = ChangeDraft(container)
    for change in changes { try? renewed.add(change) }
    return renewed
  }

  /// The container with the changes.
  var changed: Container { plan.map { container.applying($0) } ?? container }
  var canRedo: Bool { !undone.isEmpty }

  /// How many values differ, however often each was edited; 0 if there is nothing to write.
  var count: Int {
    guard let plan, !plan.isEmpty else { return 0 }
    // Another notation of an equal value is also written.
    return max(1, plan.changes.count { !$0.isUnchanged })
  }

  mutating func add(_ change: ValueChange) throws(ChangeError) {
    try replace(changes + [change])
    undone = []
  }

  mutating func undo() throws(ChangeError) {
    guard let last = changes.last else { return }
    try replace(Array(changes.dropLast()))
    undone.append(last)
  }

  mutating func redo() throws(ChangeError) {
    guard let next = undone.last else { return }
    try replace(changes + [next])
    undone.removeLast()
  }

  private mutating func replace(_ changes: [ValueChange]) throws(ChangeError) {
    plan = try changes.isEmpty ? nil : ChangePlan(changes, in: container)
    self.changes = changes
    marked = []
    for change in plan?.changes ?? [] where !change.isUnchanged {
      for count in 0...change.path.labels.count {
        marked.insert(InspectedPath(store: change.path.store, labels: Array(change.path.labels.prefix(count))))
      }
    }
  }
}

/// The value that is being edited, or added.
struct EditedValue: Sendable {
  var path: InspectedPath
  /// Nil for a new value.
  var old: InspectedValue.Content?
  var type: ValueType
  /// Whether it is in JSON, which has other types.
  var isInJSON: Bool

  /// The change to typed text. Text of a text has no type, so that JSON in it stays JSON, as in `carryover set`.
  func change(to text: String) -> ValueChange {
    let isText = if case .string? = old?.propertyListValue { true } else { false }
    return ValueChange(path, .typed(text, isText && type == .text ? nil : type))
  }
}

extension BrowserState {
  /// The reason that nothing can be changed here; nil if it can.
  var changeObstacle: String? {
    guard let changing else { return onlyRead("Values are changed in carryover browse, not in the review.") }
    if options.redaction != nil { return ReviewState.maskedValues }
    if let readOnly = changing.readOnly { return readOnly }
    return selectedRow == nil ? Self.noStores : nil
  }

  /// The reason that the stores are read-only: in the review, or in a comparison.
  func onlyRead(_ inReview: String) -> String {
    isComparing ? "A comparison is read-only; open one container with carryover browse to change values." : inReview
  }

  /// The same for the values of the selected store.
  private var storeObstacle: String? {
    if let changeObstacle { return changeObstacle }
    guard let row = selectedRow, case .database? = draft.container.store(outline.path(row).store)?.content else {
      return nil
    }
    return ChangeError.readOnlyDatabase
  }

  var editObstacle: String? {
    if let storeObstacle { return storeObstacle }
    guard let row = selectedRow, case .value(let child) = outline.item(row) else {
      return "This is not a value; open it to change a value in it."
    }
    if isHidden(row) { return "This is a secret; \(key("secret", .stores)) shows it." }
    guard let value = child.raw.propertyListValue, ValueType(value) != nil || value == .null else {
      return "Open it to change a value in it; \(key("delete", .stores)) removes it as a whole."
    }
    return nil
  }

  var deleteObstacle: String? {
    if let storeObstacle { return storeObstacle }
    guard let row = selectedRow, case .value = outline.item(row) else {
      return "This is not a value; a whole store cannot be removed."
    }
    return nil
  }

  var addObstacle: String? {
    if let storeObstacle { return storeObstacle }
    guard let place else { return "Nothing can be added here." }
    return switch place.value.content {
    case .propertyList(.set), .keyed(.set), .keyed(.orderedSet): "Elements cannot be added to a set."
    default: nil
    }
  }

  var undoObstacle: String? { changeObstacle ?? (draft.changes.isEmpty ? "There is no change to undo." : nil) }
  var redoObstacle: String? { changeObstacle ?? (draft.canRedo ? nil : "There is no change to redo.") }

  /// Where a new value goes: into the row with the cursor if that is open or a store, else beside it.
  private var place: (path: InspectedPath, value: InspectedValue)? {
    guard let row = selectedRow else { return nil }
    let lineage = outline.lineage(row)
    for candidate in lineage.reversed() {
      guard let item = outline.item(candidate), let value = item.value(), value.isContainer else { continue }
      if case .root = item { return (outline.path(candidate), value) }
      if candidate != row || outline.isOpen(candidate) || value.count == 0 { return (outline.path(candidate), value) }
    }
    return nil
  }

  mutating func beginChange() {
    guard let (edited, text) = editable else { return emit(.bell) }
    guard text.utf8.count <= TypedLine.limit else {
      return refuse("This value is too long for one line; \(key("editor", .stores)) opens it in your editor.")
    }
    type(text, into: edited)
  }

  private mutating func type(_ text: String, into edited: EditedValue) {
    editing = edited
    stack.typing = LineEditor(.storesEditor, of: EditedPart(field: edited.path.labelText), text: text)
  }

  private var editable: (EditedValue, String)? {
    guard let row = selectedRow, case .value(let child) = outline.item(row), let value = child.raw.propertyListValue
    else {
      return nil
    }
    let isInJSON = if case .json = child.raw { true } else { false }
    let edited = EditedValue(
      path: outline.path(row), old: child.raw, type: ValueType(value) ?? .text, isInJSON: isInJSON)
    switch value {
    case .data(let bytes): return (edited, bytes.hexadecimal)
    case .null: return (edited, "")
    default:
      if case .json(.number(let number)) = child.raw { return (edited, number.lexeme) }
      return (edited, value.editableText ?? "")
    }
  }

  mutating func beginAdding() {
    guard let (path, value) = place else { return emit(.bell) }
    switch value.content {
    case .propertyList(.array), .json(.array), .keyed(.array): editNew(.index(value.count), in: path, value)
    default: stack.typing = LineEditor(.storesName)
    }
  }

  /// Why the typed name is not that of a new key; nil if it is.
  fileprivate var nameObstacle: String? {
    guard let name = stack.typing?.text, let (_, value) = place, value.index(of: .name(name)) != nil else { return nil }
    return "This key already exists; \(key("edit", .stores)) edits its value."
  }

  /// Continues with the value of a typed key.
  mutating func nameNew() {
    guard let name = stack.typing?.text, let (path, value) = place, nameObstacle == nil else { return emit(.bell) }
    editNew(.name(name), in: path, value)
  }

  private mutating func editNew(_ label: InspectedChild.Label, in path: InspectedPath, _ value: InspectedValue) {
    let isInJSON = if case .json = value.content { true } else { false }
    let new = InspectedPath(store: path.store, labels: path.labels + [label])
    type("", into: EditedValue(path: new, old: nil, type: .text, isInJSON: isInJSON))
  }

  mutating func nextType() {
    guard let edited = editing else { return emit(.bell) }
    let types = ValueType.allCases.filter { type in
      switch type {
      case .date, .data: !edited.isInJSON
      case .null: edited.isInJSON
      default: true
      }
    }
    let next = ((types.firstIndex(of: edited.type) ?? 0) + 1) % types.count
    editing?.type = types[next]
  }

  var typedChange: ValueChange? {
    guard let editing, let text = stack.typing?.text else { return nil }
    return editing.change(to: text)
  }

  /// Why the typed text is not a value of the type; nil if it is.
  var typedMismatch: String? {
    guard let editing, let change = typedChange else { return nil }
    return change.new.problem(replacing: editing.old, isInJSON: editing.isInJSON)
  }

  mutating func acceptChange() {
    guard let change = typedChange else {
      stack.typing = nil
      return emit(.bell)
    }
    _ = make(change)
  }

  mutating func deleteValue() {
    guard let row = selectedRow else { return emit(.bell) }
    let place = rowAfterRemoval(of: row)
    guard make(ValueChange(outline.path(row), .removed)) else { return }
    select(row: max(0, min(place, outline.rows.count - 1)))
    refresh()
  }

  /// The position of the next value beside a row, else of the one before it, else of the row around it: removing again
  /// must not remove what is outside.
  private func rowAfterRemoval(of row: Outline.Row) -> Int {
    let rows = outline.rows
    if rows[min(cursor + 1, rows.count)...].contains(where: { $0.node == row.node }) { return cursor }
    return rows[..<cursor].lastIndex { $0.node == row.node } ?? outline.parentPosition(of: cursor) ?? cursor
  }

  /// Adds an unwritten change, or gives the reason that it cannot be made.
  private mutating func make(_ change: ValueChange) -> Bool {
    do throws(ChangeError) {
      try draft.add(change)
    } catch {
      refuse(error.description)
      return false
    }
    stack.typing = nil
    // What is removed has no row; its filter stays.
    showDraft(at: change.new == .removed ? nil : change.path)
    message =
      "\(draft.plan?.isEmpty == false ? draft.plan?.counts ?? "" : "Nothing to change"). \(key("preview", .stores)) shows the preview; nothing is written yet."
    return true
  }

  mutating func undoChange() {
    let last = draft.changes.last
    do throws(ChangeError) { try draft.undo() } catch { return refuse(error.description) }
    showDraft(at: last?.path)
    message = "Undone\(last.map { ": " + $0.path.labelText } ?? "")."
  }

  mutating func redoChange() {
    do throws(ChangeError) { try draft.redo() } catch { return refuse(error.description) }
    showDraft(at: draft.changes.last?.path)
    message = "Redone\(draft.changes.last.map { ": " + $0.path.labelText } ?? "")."
  }

  private mutating func showDraft(at path: InspectedPath?) {
    arrange(draft.changed)
    if let path { show(path) }
  }

  mutating func editOutside() {
    guard let (edited, text) = editable else { return emit(.bell) }
    editing = edited
    emit(.errand(.edit(text, name: "value.txt")))
  }

  mutating func goOnOutside() {
    guard let text = stack.typing?.text, editing != nil else { return emit(.bell) }
    emit(.errand(.edit(text, name: "value.txt")))
  }

  /// Takes the text from the user's editor. Text that is not valid goes to the line editor, with the reason.
  mutating func acceptEdited(_ text: String) {
    guard let edited = editing else { return }
    if make(edited.change(to: text)) { return }
    guard text.utf8.count <= TypedLine.limit, options.lineColumns == nil else { return }
    type(text, into: edited)
  }
}

extension ScreenContent<BrowserState> {
  static var storesEditor: ScreenContent { ScreenContent(.storesEditor, .pane { $0.drawStoreEditor() }) }
  static var storesName: ScreenContent {
    line(.storesName, prompt: "new key: ").with {
      $0.words = { state in
        if state.stack.typing?.text.isEmpty == true { return ("Type the name of the new key.", false) }
        return (state.nameObstacle ?? "", true)
      }
    }
  }
}

extension Canvas<BrowserState> {
  fileprivate mutating func drawStoreEditor() {
    guard let editor = state.stack.typing, let editing = state.editing else { return }
    let mismatch = state.typedMismatch
    let key = state.key("type", .storesEditor)
    drawEditor(
      editor,
      title:
        "\(editing.old == nil ? "Add" : "Edit") \(ink.name(editing.path.labelText, columns: 40, isPath: true)) (\(editing.type.rawValue))",
      note: mismatch ?? "Valid. \(key) changes the type; nothing is written until you apply.", isValid: mismatch == nil
    )
  }
}

enum ChangingKeys {
  static let all: [BrowserKey] = [
    BrowserKey(
      [.character("e")], "edit", "Edit the value; nothing is written until you apply.", in: [.stores], .deciding,
      hint: 1, opens: [.storesEditor], unless: { $0.editObstacle }
    ) { $0.beginChange() },
    BrowserKey(
      [.character("E")], "editor", "Edit the value in your editor ($VISUAL or $EDITOR).", in: [.stores], .deciding,
      unless: { $0.editObstacle }
    ) { $0.editOutside() },
    BrowserKey(
      [.character("D"), .delete], "delete", "Remove the key, the member or the element.", in: [.stores], .deciding,
      unless: { $0.deleteObstacle }
    ) { $0.deleteValue() },
    BrowserKey(
      [.character("+")], "add", "Add a key or an element to the open row, or beside the value.", in: [.stores],
      .deciding, opens: [.storesName, .storesEditor], unless: { $0.addObstacle }
    ) { $0.beginAdding() },
    BrowserKey(
      [.character("u")], "undo", "Undo the last unwritten change.", in: [.stores], .deciding,
      counting: .times, unless: { $0.undoObstacle }
    ) { $0.undoChange() },
    BrowserKey(
      [.control("r")], "redo", "Redo the change that was undone.", in: [.stores], .deciding, counting: .times,
      unless: { $0.redoObstacle }
    ) { $0.redoChange() },
    BrowserKey(
      [.enter], "save", "Make the change; nothing is written yet.", in: [.storesEditor], .typing, hint: 1,
      name: "accept", unless: { $0.typedMismatch }
    ) { $0.acceptChange() },
    BrowserKey(
      [.control("t")], "type", "Change the value to the next type.", in: [.storesEditor], .typing, hint: 2
    ) { $0.nextType() },
    BrowserKey(
      [.control("o")], "editor", "Edit the value in your editor ($VISUAL or $EDITOR).", in: [.storesEditor], .typing,
      hint: 2
    ) { $0.goOnOutside() },
    .cancel(in: [.storesEditor, .storesName]),
    BrowserKey(
      [.enter], "go on", "Continue with the value of this key.", in: [.storesName], .typing, hint: 1, name: "accept",
      unless: { $0.nameObstacle }
    ) { $0.nameNew() },
  ]
}
