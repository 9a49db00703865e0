import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let members = Screen("members", "Members")
}

extension ScreenContent<ReviewState> {
  static var members: ScreenContent {
    drawn(.members, back: Back(keys: [.escape, .character("q"), .character("m")], help: "Go back.")) {
      $0.drawMembers()
    }
    .with {
      $0.keys = MembersKeys.all
      $0.scroller = { state, position in
        let layout = state.membersLayout
        guard let members = state.members, position.map({ $0.row < layout.dividerRow }) ?? true else { return nil }
        return Scroller(members.list, layout.listRows, 1..<layout.lastColumn) { $0.members?.list.put($1, top: $2) }
      }
      $0.closed = { $0.members = nil }
      $0.empty = { _ in "There are no members." }
      $0.title = { state, ink in state.members.map { "Members of \(ink.name($0.field, columns: 40))" } ?? "" }
      $0.summary = { state, ink in state.members.map { ink.words(Canvas.counts($0) + ".") } ?? "" }
      $0.line = { state, row, ink in state.members.map { ink.line(row, of: $0) } ?? "" }
      $0.pane = { writer, state in writer.member(state) }
      $0.click = { state, position in
        guard state.selectRow(at: position), position.column < 4 + 2 * 8 else { return }
        state.toggleMember()
      }
    }
  }
}

extension Canvas<ReviewState> {
  fileprivate mutating func drawMembers() {
    guard let members = state.members else { return }
    let (list, layout) = (members.list, state.membersLayout)
    let columns = MemberColumns(layout)
    let titles = ["Member", "1 Legacy", "2 " + state.writtenTitle, "3 Target"]
    drawListFrame(
      layout, titles: Array(zip(columns.starts, titles)), pane: Self.counts(members), row: list.row, of: list.count)
    for (row, index, item) in list.visible(at: layout.listRows) {
      draw(item, of: members, isSelected: index == list.row, row: row, columns)
    }
    var writer = paneWriter
    writer.member(state)
    drawPane(layout, writer.lines, rest: "… and more; \(state.key("edit", .members)) shows the value in full")
  }

  private mutating func draw(
    _ item: MemberList.Row, of members: MemberList, isSelected: Bool, row: Int, _ columns: MemberColumns
  ) {
    let label = Style(.label, selected: isSelected)
    field(isSelected ? ink.pointer : " ", row: row, columns: 1..<2, label)
    guard case .member(let index) = item else {
      return field(ink.line(item, of: members), row: row, columns: 2..<columns.end, Style(.muted, selected: isSelected))
    }
    let node = members.tree.nodes[index]
    let mark = node.isBranch ? (members.isOpen(index) ? "- " : "+ ") : "  "
    let indent = String(repeating: "  ", count: min(node.depth, columns.name.count / 4))
    field(indent + mark + ink.name(node.name, columns: columns.name.count), row: row, columns: columns.name, label)
    for (side, range) in columns.values.enumerated() {
      field(ink.value(of: node, side, columns: range.count), row: row, columns: range, Style(Self.role(node, side)))
    }
    field(node.fate.word, row: row, columns: columns.fate, Style(node.fate.role))
  }

  private static func role(_ node: MemberTree.Node, _ side: Int) -> Role {
    guard node.sides[side] != nil, !node.isBranch else { return .muted }
    switch (side, node.fate) {
    case (0, .removed), (0, .changed): return .removed
    case (1, .added), (1, .changed): return .added
    case (2, _) where node.sides[2] != node.sides[1]: return .conflict
    default: return .value
    }
  }

  /// `Members: 3 removed, 1 changed, 12 kept`.
  fileprivate static func counts(_ members: MemberList) -> String {
    let fates: [MemberTree.Fate] = [.removed, .changed, .added, .differs, .kept]
    let counts = fates.compactMap { fate in members.tree.counts[fate].map { "\($0) \(fate.word)" } }
    return "Members: " + (counts.isEmpty ? "none" : counts.joined(separator: ", "))
  }
}

private struct MemberColumns {
  let name: Range<Int>
  let values: [Range<Int>]
  let fate: Range<Int>
  let starts: [Int]
  let end: Int

  init(_ layout: Layout) {
    let columns = layout.size.columns
    end = columns - 1
    fate = max(0, end - 10)..<max(0, end - 1)
    let first = columns * 28 / 100
    let width = max(3, (fate.lowerBound - 1 - first) / 3)
    starts = [0] + (0..<3).map { first + $0 * width }
    name = 2..<max(2, first - 1)
    values = starts.dropFirst().map { ($0 + 2)..<max($0 + 2, $0 + width - 1) }
  }
}

extension Ink {
  fileprivate func value(of node: MemberTree.Node, _ side: Int, columns: Int) -> String {
    guard let value = node.sides[side] else { return nothing }
    return Secrets.holds(node.name) ? Secrets.standIn : name(value.head(limit: columns), columns: columns)
  }

  fileprivate func line(_ row: Int, of members: MemberList) -> String {
    members.list.rows.element(row).map { line($0, of: members) } ?? ""
  }

  fileprivate func line(_ row: MemberList.Row, of members: MemberList) -> String {
    switch row {
    case .unchanged(let first, let count):
      let indent = String(repeating: "  ", count: min(members.tree.nodes[first].depth, 8))
      return indent + words("… \(count) members unchanged")
    case .member(let index):
      let node = members.tree.nodes[index]
      let path = members.tree.path(of: index).map { name($0) }.joined(separator: ".")
      let values = ["legacy", "written", "target"].enumerated().map { "\($1) \(value(of: node, $0, columns: 60))" }
      return "\(path), \(node.fate.word): \(values.joined(separator: ", "))"
    }
  }
}

extension PageWriter {
  fileprivate mutating func member(_ state: ReviewState) {
    guard let members = state.members else { return }
    guard let (index, node) = members.selected else {
      let shows = state.key("toggle", .members)
      return add([Span(ink.line(members.list.row, of: members)), Span(ink.words("; \(shows) shows them."), .muted)])
    }
    let path = members.tree.path(of: index).map { ink.name($0) }.joined(separator: ".")
    let changes = node.isBranch && node.changes > 0 ? ", \(counted(node.changes, "value")) inside" : ""
    add([
      Span(node.fate.sign(ink.glyphs) + " ", node.fate.role), Span(path + "  ", .label),
      Span(node.fate.word + changes, node.fate.role),
    ])
    for (side, label) in ["Legacy", state.writtenTitle, "Target now"].enumerated() {
      guard let value = node.sides[side] else {
        row(label, width: 12, [Span(ink.nothing, .muted)], indent: 2)
        continue
      }
      let text = Secrets.holds(node.name) ? Secrets.standIn : ink.text(value.head(limit: 4096))
      row(label, width: 12, [Span(text, .value)], indent: 2, exact: true)
    }
  }
}

extension ReviewState {
  fileprivate var writtenTitle: String {
    guard let id = members?.field, case .edit = decisions[id] else { return "Proposed" }
    return "Edited"
  }

  var membersLayout: Layout { Layout(size: size, rows: members?.list.count ?? 0) }

  /// Reads no value: the footer asks for every frame.
  var membersObstacle: String? {
    guard let position = cursorPosition else { return FieldKeys.noField }
    let field = plan.fields[position]
    guard field.form == .jsonObjectString || field.form == .jsonObjectData else { return "This value has no members." }
    return written(field) == nil ? "There is no proposal with members." : nil
  }

  mutating func openMembers() {
    guard let field = selected, let tree = memberTree(field) else {
      return refuse("The proposal is not the text of a JSON object, or there is nothing to compare it with.")
    }
    var list = MemberList(field.id, tree)
    list.revision = decisionsRevision
    members = list
    open(.members)
  }

  mutating func refreshMembers() {
    let revision = decisionsRevision
    guard let members, members.revision != revision else { return }
    guard let position = positions[members.field], let tree = memberTree(plan.fields[position]) else {
      return show(stack.screens.filter { $0 != .members })
    }
    self.members?.update(tree)
    self.members?.revision = revision
    reveal(.members)
  }

  mutating func useMember(from value: PropertyListValue?, _ owner: String) {
    guard let (field, path) = selectedMember, let text = Self.text(value, at: path) else {
      return refuse("\(owner) has no such member; \(key("remove", .members)) removes it.")
    }
    setMember(path, of: field, to: text)
  }

  mutating func dropMember() {
    guard let (field, path) = selectedMember else { return emit(.bell) }
    setMember(path, of: field, to: nil)
  }

  private mutating func setMember(_ path: [String], of field: Field, to text: String?) {
    guard let old = written(field)?.jsonText else { return emit(.bell) }
    do {
      let new = try JSONText(old).setting(path, toText: text)
      guard new != old else { return refuse("It already has this value.") }
      let value = try field.form.value(fromText: new)
      members?.keepSelected()
      record(decision(for: value, field), for: field)
    } catch {
      return refuse("The result is not the text of a JSON object. Nothing was done.")
    }
  }

  var selectedMember: (field: Field, path: [String])? {
    guard let members, let (index, _) = members.selected, let position = positions[members.field] else { return nil }
    return (plan.fields[position], members.tree.path(of: index))
  }

  var memberObstacle: String? {
    if options.redaction != nil { return Self.maskedValues }
    return members?.selected == nil ? "These members are unchanged; \(key("toggle", .members)) shows them." : nil
  }

  /// The edited value, or the proposal.
  func written(_ field: Field) -> PropertyListValue? {
    if case .edit(let value) = decisions[field.id] { return value }
    return field.proposed
  }

  static func text(_ value: PropertyListValue?, at path: [String]) -> String? {
    value?.objectText.flatMap { try? JSONText($0) }?.text(at: path)
  }

  private func memberTree(_ field: Field) -> MemberTree? {
    let ink = Ink(options)
    // A missing side is an empty object, so that every member is listed.
    let texts = [field.legacy?.objectText ?? "{}", written(field)?.jsonText, field.current?.objectText]
    return MemberTree(texts.map { text in text.flatMap { ink.shown(.string($0)).jsonText } })
  }

  fileprivate var memberField: Field? { selectedMember?.field }

  fileprivate mutating func changeMembers(_ change: (inout MemberList) -> Void) {
    guard var members else { return emit(.bell) }
    // Moved out, so that it is changed in place and not copied.
    self.members = nil
    change(&members)
    self.members = members
    reveal(.members)
  }

  mutating func toggleMember() {
    changeMembers { members in
      if members.openRow() { return }
      if let (_, node) = members.selected, node.isBranch { members.closeRow() }
    }
  }

  fileprivate mutating func openMember() {
    changeMembers { members in
      if members.openRow() { return }
      if let (_, node) = members.selected, node.isBranch { members.list.put(members.list.row + 1, top: 0) }
    }
  }

  fileprivate mutating func goToMemberChange(step: Int) {
    var isFound = false
    changeMembers { isFound = $0.goToChange(step: step) }
    if !isFound { refuse("No \(step > 0 ? "later" : "earlier") member differs.") }
  }
}

enum MembersKeys {
  static let opening: [ReviewKey] = [
    ReviewKey(
      [.character("m")], "members",
      "Show the members of the legacy value, the proposal and the target's value side by side.",
      in: [.review, .details], .seeing, hint: 3, opens: [.members], unless: { $0.membersObstacle }
    ) { $0.openMembers() }
  ]

  static let all: [ReviewKey] = [
    ReviewKey(
      [.enter, .character(" ")], "open", "Open or close a member; show folded, unchanged members.",
      in: [.members], .seeing, hint: 1, name: "toggle"
    ) { $0.toggleMember() },
    ReviewKey(
      [.right, .character("l")], "open", "Open a member; go into an open one.", in: [.members], .seeing
    ) { $0.openMember() },
    ReviewKey(
      [.left, .character("h")], "close", "Close a member; fold unchanged ones; go to the member it is in.",
      in: [.members], .seeing
    ) { state in state.changeMembers { $0.closeRow() } },
    ReviewKey(
      [.character("1")], "use legacy", "Use the legacy value's member.", in: [.members], .deciding, hint: 1,
      unless: { $0.memberObstacle }
    ) { $0.useMember(from: $0.memberField?.legacy, "The legacy value") },
    ReviewKey(
      [.character("2")], "use proposal", "Use the proposal's member.", in: [.members], .deciding, hint: 2,
      unless: { $0.memberObstacle }
    ) { $0.useMember(from: $0.memberField?.proposed, "The proposal") },
    ReviewKey(
      [.character("3"), .character("t")], "use target", "Use the target's member.", in: [.members], .deciding, hint: 1,
      // Three keys that begin with a digit would be one family.
      unless: { $0.memberObstacle }
    ) { $0.useMember(from: $0.memberField?.current, "The target's value") },
    ReviewKey(
      [.character("s"), .delete], "remove", "Remove the member.", in: [.members], .deciding, hint: 1,
      unless: { $0.memberObstacle }
    ) { $0.dropMember() },
    ReviewKey(
      [.character("e")], "edit", "Type the member's value as JSON.", in: [.members], .deciding, hint: 1,
      opens: [.editor], unless: { $0.memberObstacle }
    ) { $0.beginEdit() },
    ReviewKey(
      [.character("n")], "next", "Go to the next member that changes or differs.", in: [.members], .moving, hint: 2,
      counting: .times
    ) { $0.goToMemberChange(step: 1) },
    ReviewKey(
      [.character("N")], "previous", "Go to the previous member that changes or differs.", in: [.members], .moving,
      counting: .times
    ) { $0.goToMemberChange(step: -1) },
  ]
}

/// The members of a field's value as rows. Unchanged ones are folded, and open ones stay open while members change.
struct MemberList: Sendable {
  enum Row: Hashable, Sendable {
    /// By its number in the tree.
    case member(Int)
    case unchanged(first: Int, count: Int)
  }

  let field: Field.ID
  /// The legacy value, the value to write and the target's, masked if need be.
  private(set) var tree: MemberTree
  var list = RowList<Row>()
  var revision = 0

  /// A number for each member, the same in every tree.
  private var ids: [Int] = []
  private var known: [Name: Int] = [:]
  private var open: Set<Int> = []
  private var unfolded: Set<Int> = []

  private struct Name: Hashable {
    let parent: Int
    let name: StringByBytes
  }

  private static let fewest = 3

  init(_ field: Field.ID, _ tree: MemberTree) {
    self.field = field
    self.tree = tree
    update(tree)
  }

  mutating func update(_ tree: MemberTree) {
    let cursor = id(of: list.selected)
    self.tree = tree
    ids = []
    ids.reserveCapacity(tree.nodes.count)
    for node in tree.nodes {
      let name = Name(parent: node.parent.map { ids[$0] } ?? -1, name: StringByBytes(node.name))
      let id = known[name] ?? known.count
      if id == known.count {
        known[name] = id
        if node.isBranch, node.fate != .kept { open.insert(id) }
      }
      ids.append(id)
    }
    layOut(cursor)
  }

  /// Nil for folded members.
  func member(at row: Int) -> (index: Int, node: MemberTree.Node)? {
    guard case .member(let index) = list.rows.element(row) else { return nil }
    return (index, tree.nodes[index])
  }

  var selected: (index: Int, node: MemberTree.Node)? { member(at: list.row) }

  func isOpen(_ index: Int) -> Bool { open.contains(ids[index]) }

  /// Opens or unfolds the row; false if there is nothing to open.
  mutating func openRow() -> Bool {
    switch list.selected {
    case .member(let index) where tree.nodes[index].isBranch && !isOpen(index): open.insert(ids[index])
    case .unchanged(let first, let count):
      var next = first
      for _ in 0..<count {
        unfolded.insert(ids[next])
        next = tree.nodes[next].end
      }
    default: return false
    }
    layOut(id(of: list.selected))
    return true
  }

  /// Closes the row, or folds it with the unchanged ones around it, or goes to the member it is in.
  mutating func closeRow() {
    guard let (index, node) = selected else { return }
    if node.isBranch, isOpen(index) {
      open.remove(ids[index])
      layOut(ids[index])
    } else if unfolded.contains(ids[index]), node.fate == .kept {
      var siblings = node.parent.map { $0 + 1 } ?? 0
      let end = node.parent.map { tree.nodes[$0].end } ?? tree.nodes.count
      while siblings < end {
        unfolded.remove(ids[siblings])
        siblings = tree.nodes[siblings].end
      }
      layOut(ids[index])
    } else if let parent = node.parent, let row = list.rows.firstIndex(of: .member(parent)) {
      list.select(row)
    }
  }

  /// Keeps the row with the cursor unfolded when its member changes.
  mutating func keepSelected() { if let (index, _) = selected { unfolded.insert(ids[index]) } }

  mutating func goToChange(step: Int) -> Bool {
    var next = list.row + step
    while list.rows.indices.contains(next) {
      if let (_, node) = member(at: next), node.fate != .kept, !node.isBranch {
        list.select(next)
        return true
      }
      next += step
    }
    return false
  }

  private func id(of row: Row?) -> Int? {
    switch row {
    case .member(let index), .unchanged(let index, _): ids.element(index)
    case nil: nil
    }
  }

  private mutating func layOut(_ cursor: Int?) {
    var rows: [Row] = []
    var levels = [(next: 0, end: tree.nodes.count)]
    var found: Int?
    while let (next, end) = levels.popLast() {
      guard next < end else { continue }
      let (behind, count) = folded(from: next, to: end)
      if count > Self.fewest {
        rows.append(.unchanged(first: next, count: count))
        levels.append((behind, end))
      } else {
        if ids[next] == cursor { found = rows.count }
        rows.append(.member(next))
        levels.append((tree.nodes[next].end, end))
        if tree.nodes[next].isBranch, isOpen(next) { levels.append((next + 1, tree.nodes[next].end)) }
      }
    }
    // A folded member is in a row that begins before it.
    let place = cursor.flatMap { ids.firstIndex(of: $0) }
    list.replace(rows)
    if let row = found ?? place.flatMap({ place in rows.lastIndex { ($0.first ?? 0) <= place } }) { list.select(row) }
  }

  private func folded(from start: Int, to end: Int) -> (end: Int, count: Int) {
    var (next, count) = (start, 0)
    while next < end, tree.nodes[next].fate == .kept, !unfolded.contains(ids[next]) {
      count += 1
      next = tree.nodes[next].end
    }
    return (next, count)
  }
}

extension MemberList.Row {
  fileprivate var first: Int? {
    switch self {
    case .member(let index), .unchanged(let index, _): index
    }
  }
}
