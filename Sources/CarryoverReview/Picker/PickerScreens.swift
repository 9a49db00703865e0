package import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

extension Screen {
  static let containers = Screen("containers", "Containers")
  static let containersFilter = Screen("containers-filter", "Filter")
  static let containersFailure = Screen("containers-failure", "Not opened")
  static let containersWriteKey = Screen("containers-write-key", "Write key")
  static let containersHistory = Screen("containers-history", "History")
  static let containersVerdicts = Screen("containers-verdicts", "What the update does to all listed users")
  static let containersQuit = Screen("containers-quit", "Quit")
  package static let containersPreview = Screen("containers-preview", "Preview of all listed containers")
  package static let containersResult = Screen("containers-result", "Result of all listed containers")
}

package enum PickerEffect: ScreenEffect {
  case choose(ContainerCandidate)
  /// Plan these for a batch that applies, or that rolls back their last runs; answered by `show(_:on:)`.
  case preview(RunKind, [ListedContainer])
  /// Write what was previewed; answered by `show(_:on:)`.
  case write
  /// Answered by `show(historyOf:_:)`, or by `comeBack(size:failure:)`.
  case history(ContainerCandidate)
  /// Read the states of all containers again, under the present choices.
  case replan
  case errand(Errand)
  case suspend
  case bell
  case leave

  package var errand: Errand? { if case .errand(let errand) = self { errand } else { nil } }
  package var isForClicks: Bool { self != .write }
}

extension PickerState: Program {
  package typealias Effect = PickerEffect

  package static let table = ScreenTable<PickerState>(
    prefix: "containers-",
    .drawn(.containers) { $0.drawList() }.with {
      $0.scroller = { state, _ in
        Scroller(state.list, state.rows, 1..<max(1, state.size.columns - 1)) { $0.list.put($1, top: $2) }
      }
      $0.click = { $0.clickList(at: $1) }
      $0.empty = { $0.emptyWords }
      $0.line = { $0.line(ofRow: $1, $2) }
      $0.summary = { state, ink in
        let filter = state.filterWords.map { ink.words($0.capitalised) + ink.name(state.filter, columns: 200) }
        let more = state.answers.count - 1
        let others = more > 0 ? ink.words("\(state.key("verdicts", .containers)) shows \(more) more.") : nil
        return [state.answers.first.map { ink.words($0.words) }, others, filter].compactMap(\.self)
          .joined(separator: " ")
      }
    },
    [
      .line(.containersFilter, prompt: "/").with {
        $0.words = { state in ("\(state.list.count) of \(state.candidates.count)", state.list.count == 0) }
        $0.note = {
          $0.isPlanning
            ? $0.filterNote($0.filter, among: FilterWord.ofContainers) : ("words that all have to match", false)
        }
      },
      .containersFindings, .containersReplace,
      .line(.containersWriteKey, prompt: "write key: ").with {
        $0.words = { ($0.writeKeyComplaint ?? "", true) }
        $0.note = { _ in ("Leave it empty to use what each container has.", false) }
      },
      .text(.containersVerdicts, back: .leftward) { writer, state in
        writer.add(.list(state.answers.map { Item([.words($0.words)], sign: $0.sign, role: $0.role, indent: 0) }))
        for sentence in state.uncounted { writer.add(.paragraph([.words(sentence)])) }
      },
      .text(.containersPreview, back: .init(help: "Go back; nothing is written.")) { $0.preview($1) },
      .text(.containersResult, back: .out) { $0.add($1.batch?.blocks ?? []) },
      .text(.containersHistory, back: .leftward) { $0.add($1.history?.blocks ?? []) }.with {
        $0.title = { state, ink in ink.words("History of ") + ink.text(state.history?.path ?? "") }
      },
      .text(.containersQuit, back: .init(label: "stay", help: "Go back to the containers.")) { $0.quit($1) }.with {
        $0.isRead = true
        $0.question = { state in
          "Quit and discard the decisions? \(state.key("quit", .containersQuit)) or \(state.key("stay", .containersQuit))"
        }
      },
      .text(
        .containersFailure, back: .init(keys: [.escape, .enter, .character("q")], help: "Go back to the containers.")
      ) { $0.failure($1.failure) }.with { $0.hasHelp = false },
    ],
    marks: { writer, state in
      guard state.isPlanning else { return }
      writer.marks(
        "Signs", state.stack.actions.words,
        [
          (writer.ink.sign(.error), .error, "has an error, or cannot be read"),
          (writer.ink.sign(.conflict), .conflict, "the new SDK's file has another value"),
          (writer.ink.sign(.undecided), .flagged, "undecided"), (writer.ink.sign(.ready), .ready, "ready"),
          (writer.ink.sign(.done), .confirmed, "decided by finding"),
          (writer.ink.sign(.omitted), .flagged, "values that are not migrated"),
          (writer.ink.sign(.unchanged), .skipped, "applied: nothing is left to decide or write"),
        ])
    }, keys: keys, leaving: leaving)

  private static let keys: [KeyBinding<PickerState>] = [
    KeyBinding(
      [.enter, .right, .character("l")], "open", "Open the container.", in: [.containers], .seeing, hint: 1,
      unless: { $0.selected == nil ? noContainer : nil }
    ) { state in state.emit(state.selected.map { .choose($0) } ?? .bell) },
    KeyBinding(
      [.character("a")], "apply",
      "Preview the changes to all listed containers. Interrupted runs are recovered; nothing else is written yet.",
      in: [.containers], .applying, hint: 1, opens: [.containersPreview], unless: { $0.batchObstacle }
    ) { $0.previewBatch(.apply) },
    KeyBinding(
      [.character("R")], "roll back",
      "Preview rolling back the last run of each listed container. Interrupted runs are recovered; nothing else is "
        + "written yet.", in: [.containers], .applying, hint: 3, opens: [.containersPreview],
      unless: { $0.rollbackObstacle }
    ) { $0.previewBatch(.rollback) },
    KeyBinding(
      [.character("y")], "apply these", "Make the change that is shown, in each container separately.",
      in: [.containersPreview], .applying, hint: 1, duty: .confirmation, opens: [.containersResult],
      footer: .init(label: { $0.batch?.kind == .rollback ? "roll back these" : "apply these" }),
      unless: { $0.batch.map { $0.count > 0 } == true ? nil : $0.nothingToWrite }
    ) { $0.writeBatch() },
    KeyBinding(
      [.character("H")], "history", "List the runs of the container.", in: [.containers], .seeing, hint: 3,
      opens: [.containersHistory],
      unless: {
        $0.selected == nil ? noContainer : $0.isReviewing ? nil : "Containers are not migrated here."
      }
    ) { state in state.emit(state.selected.map { .history($0) } ?? .bell) },
    KeyBinding(
      [.character("V")], "verdicts", "Show what the update does to the listed users of each SDK.", in: [.containers],
      .seeing, hint: 3, opens: .containersVerdicts,
      unless: { $0.answers.isEmpty ? "No listed container shows a user." : nil }),
    KeyBinding(
      [.character("W")], "write key", "Set the write key for all containers opened from here.", in: [.containers],
      .seeing, hint: 2, opens: [.containersWriteKey],
      unless: { $0.isReviewing ? nil : "Containers are not migrated here." }
    ) {
      // The line shows no masked value either.
      let key = $0.options.redaction == nil ? $0.choices.writeKey : nil
      $0.stack.typing = LineEditor(.containersWriteKey, text: key ?? "")
    },
    KeyBinding(
      [.enter], "use", "Plan again with what you typed.", in: [.containersWriteKey], .typing, hint: 1, name: "accept",
      unless: { $0.writeKeyComplaint }
    ) { state in
      let text = state.stack.typing?.text ?? ""
      state.stack.typing = nil
      state.useWriteKey(text.isEmpty ? nil : text)
    },
    .cancel(in: [.containersWriteKey]),
    KeyBinding(
      [.character("/")], "filter",
      "List only the containers that match every word: a name, a finding, is:undecided, has:error.", in: [.containers],
      .searching, hint: 1, opens: [.containersFilter]
    ) { $0.stack.typing = LineEditor(.containersFilter, text: $0.filter) },
    KeyBinding(
      [.character("s")], "sort", "Sort the containers in the next order: name, state, findings, original.",
      in: [.containers], .seeing, hint: 2
    ) { $0.sortNext() },
    KeyBinding(
      [.enter], "done", "Keep the filter; enter again opens the container.", in: [.containersFilter], .searching,
      hint: 1, name: "keep"
    ) { $0.keepFilter() },
    KeyBinding(
      [.tab], "complete", "Complete a filter word: is:…, has:…, group:….", in: [.containersFilter], .searching, hint: 1
    ) { $0.completeFilter(among: FilterWord.ofContainers) },
    KeyBinding([.escape], "cancel", "Clear the filter.", in: [.containersFilter], .searching, hint: 1, duty: .wayOut) {
      $0.stack.typing = nil
      $0.refilter("")
    },
  ]

  private static let leaving: [KeyBinding<PickerState>] = [
    KeyBinding(
      [.escape], "clear", "Clear the filter.", in: [.containers], .searching, hint: 1,
      unless: { $0.filter.isEmpty ? "No filter is on; \($0.key("quit", .containers)) quits." : nil }
    ) { $0.refilter("") },
    KeyBinding(
      [.character("q")], "quit", "Quit without opening a container.", in: [.containers], .leaving, hint: 0,
      duty: .wayOut, opens: [.containersQuit]
    ) { state in
      if state.mayLoseDecisions { state.open(.containersQuit) } else { state.emit(.leave) }
    },
    KeyBinding(
      [.character("y")], "quit", "Quit and discard the decisions by finding.", in: [.containersQuit], .leaving, hint: 1,
      duty: .confirmation
    ) { $0.emit(.leave) },
  ]

  private static let noContainer = "There is no container here."

  package func titleParts(columns: Int) -> [String] { [Ink(options).tail(place, columns: columns)] }

  package var titleCounts: [TitleCount] {
    let all = counted(candidates.count, "container")
    let text = filter.isEmpty ? all : "\(list.count) of \(all)"
    var counts = [TitleCount(text: text)]
    if unreadCount > 0 { counts.append(TitleCount(text: "\(unreadCount) not read yet")) }
    if choices.writeKey != nil { counts.append(TitleCount(text: "write key set", role: .confirmed)) }
    let decided = decidedCount
    if decided > 0 { counts.append(TitleCount(text: "\(counted(decided, "field")) decided", role: .confirmed)) }
    return TitleCount.placed(counts, Ink(options), columns: size.columns)
  }

  package mutating func sizeChanged() { reveal(.containers) }

  package mutating func lineChanged() {
    if let typing = stack.typing, typing.screen == .containersFilter { refilter(typing.text) }
  }

  fileprivate var writeKeyComplaint: String? {
    guard let text = stack.typing?.text, !text.isEmpty else { return nil }
    return RecipeParameter.writeKey.accepts(text) ? nil : "not a valid write key"
  }

  private mutating func keepFilter() {
    if let complaint = FilterQuery(filter, among: FilterWord.ofContainers).complaint { return refuse(complaint) }
    stack.typing = nil
  }

  fileprivate var nothingToWrite: String {
    batch?.kind == .rollback ? "There is nothing to roll back." : "There is nothing to write."
  }

  /// What precedes the filter where it is named; nil if none is on, or while it is typed.
  fileprivate var filterWords: String? {
    filter.isEmpty || stack.typing != nil ? nil : "filter (\(key("clear", .containers)) clears it): "
  }

  var emptyWords: String {
    candidates.isEmpty ? "There is no container here." : "No container contains every word typed."
  }

  private func line(ofRow row: Int, _ ink: Ink) -> String {
    guard let number = list.rows.element(row) else { return "" }
    let candidate = candidates[number]
    var parts = [ink.name(bundleID(of: number) ?? "unknown app")]
    if let name = candidate.ownName { parts.append(ink.name(name)) }
    parts.append(candidate.form)
    if !candidate.filesText.isEmpty { parts.append("files: " + candidate.filesText) }
    if candidate.path != candidate.bundleID { parts.append(ink.text(candidate.path)) }
    let text = parts.joined(separator: ", ")
    guard isPlanning else { return text }
    let verdict = states[number].plan?.verdict.map { "; " + $0.words } ?? ""
    return text + ": " + ink.words(states[number].parts.joined(separator: ", ") + verdict)
  }

  /// Selects a row, or opens the container if it is selected already.
  private mutating func clickList(at position: Position) {
    let before = list.row
    guard selectRow(at: position), list.row == before else { return }
    act(byClick: "open")
  }
}

extension PageWriter {
  fileprivate mutating func preview(_ state: PickerState) {
    guard let batch = state.batch else { return }
    if batch.recovered > 0 {
      words("An interrupted run was recovered in \(counted(batch.recovered, "container")).", .flagged)
    }
    if batch.count > 0 {
      let nothing = batch.recovered > 0 ? "Nothing else" : "Nothing"
      let verb = batch.kind == .rollback ? "rolls back" : "writes"
      add([
        Span(ink.words("\(nothing) is written yet. ")), Span(state.key("apply-these", .containersPreview), .key),
        Span(
          ink.words(
            " \(verb) \(counted(batch.fields, "field")) in \(counted(batch.count, "container")), each separately; "
              + "nothing else does.")),
      ])
    } else {
      words(state.nothingToWrite, .flagged)
    }
    blank()
    add(batch.blocks)
  }

  fileprivate mutating func quit(_ state: PickerState) {
    let decided = state.decidedCount
    let findings = counted(state.policy.choices.count, "finding")
    let what =
      decided > 0
      ? "\(counted(decided, "field")) decided by \(findings), and not applied."
      : "Decisions by \(findings); \(counted(state.unreadCount, "container")) not read yet."
    words(what + " These decisions are not saved.", .flagged)
    blank()
    add([
      Span(state.key("quit", .containersQuit), .key), Span(ink.words(" quits and discards them, ")),
      Span(state.key("stay", .containersQuit), .key), Span(ink.words(" stays.")),
    ])
  }
}

extension Canvas where State == PickerState {
  mutating func drawList() {
    let filter = state.filterWords.map { ink.words($0) + ink.name(state.filter, columns: max(12, size.columns - 62)) }
    let title = [ink.words("Which container?"), filter, state.order.words.map { ink.words($0) }].compactMap(\.self)
    grid.frame(
      Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2),
      title: title.joined(separator: ink.words(TitleCount.separator)), titleStyle: Style(.title))
    let columns = CandidateColumns(size, state.widths, hasStates: state.isPlanning)
    let head = state.rows.lowerBound - 1
    for (index, line) in state.answerLines.enumerated() { put(line, row: 2 + index, columns: 2..<(size.columns - 2)) }
    for (title, range) in [
      ("App", columns.app), ("Name", columns.name), ("Verdict", columns.verdict), ("State", columns.state),
      ("Form", columns.form), ("Files", columns.files), ("Path", columns.path),
    ] where !range.isEmpty { field(title, row: head, columns: range, Style(.muted)) }
    for (row, _, number) in state.list.visible(at: state.rows) { draw(number, row: row, columns) }
    if state.list.count == 0 {
      field(ink.words(state.emptyWords), row: state.rows.lowerBound, columns: 2..<(size.columns - 2), Style(.muted))
    } else {
      drawPlace(of: state.list, visible: state.rows.count)
    }
  }

  private mutating func draw(_ number: Int, row: Int, _ columns: CandidateColumns) {
    let candidate = state.candidates[number]
    let isSelected = number == state.list.selected
    let style = Style(.label, selected: isSelected)
    field(isSelected ? ink.pointer : " ", row: row, columns: 1..<2, style)
    field(
      state.bundleID(of: number).map { ink.name($0, columns: columns.app.count) } ?? "unknown", row: row,
      columns: columns.app, style)
    field(
      ink.name(fitting(name(of: candidate, columns), columns.name), columns: columns.name.count), row: row,
      columns: columns.name,
      Style(.value))
    if let sign = columns.state.first {
      let state = state.states[number]
      if let verdict = state.plan?.verdict {
        field(ink.words(verdict.words), row: row, columns: columns.verdict, Style(verdict.role))
      }
      field(ink.sign(state.look.sign), row: row, columns: (sign - 2)..<(sign - 1), Style(state.look.role))
      field(
        ink.words(state.words(columns: columns.state.count)), row: row, columns: columns.state, Style(state.look.role))
    }
    field(candidate.form, row: row, columns: columns.form, Style(.muted))
    field(candidate.filesText, row: row, columns: columns.files, Style(candidate.missing > 0 ? .flagged : .muted))
    field(ink.tail(candidate.path, columns: columns.path.count), row: row, columns: columns.path, Style(.muted))
  }

  /// Without the extension that all downloads of Xcode share, where the column is too narrow: the end tells them apart.
  private func fitting(_ name: String, _ columns: Range<Int>) -> String {
    let end = ".xcappdata"
    guard name.hasSuffix(end), DisplayWidth.columns(of: ink.name(name)) > columns.count else { return name }
    return String(name.dropLast(end.count))
  }

  /// The name; in narrow windows, which have no column for the path, the path or its end if there is no name.
  private func name(of candidate: ContainerCandidate, _ columns: CandidateColumns) -> String {
    if let name = candidate.ownName { return name }
    guard columns.path.isEmpty else { return "" }
    let isWhole = DisplayWidth.columns(of: ink.name(candidate.place)) <= columns.name.count
    return isWhole || !state.widths.areEndsDistinct ? candidate.place : FilePath.name(of: candidate.place)
  }
}

/// The widths of the candidates' parts, headings included; 0 for a part that no candidate has.
struct CandidateWidths: Hashable {
  var app = 3
  var name = 0
  var files = 0
  /// The name, or else the path, as they share a column on a narrow screen.
  var place = 0
  var areAppsDistinct = false
  /// Whether the last components of the paths distinguish the containers.
  var areEndsDistinct = false
  var verdict = 0
  /// With its sign.
  var state = 0

  init(_ candidates: [ContainerCandidate]) {
    for candidate in candidates {
      app = max(app, Self.columns(candidate.bundleID ?? ""))
      if let name = candidate.ownName { self.name = max(self.name, 4, Self.columns(name)) }
      if !candidate.place.isEmpty { place = max(place, 4, Self.columns(candidate.place)) }
      if !candidate.filesText.isEmpty { files = max(files, 5, candidate.filesText.utf8.count) }
    }
    areAppsDistinct = Set(candidates.compactMap { $0.bundleID.map { StringByBytes($0) } }).count == candidates.count
    areEndsDistinct = Set(candidates.map { StringByBytes(FilePath.name(of: $0.path)) }).count == candidates.count
  }

  mutating func take(_ states: [ContainerState]) {
    state = states.reduce(5) { max($0, $1.columns) } + 2
    app = states.lazy.compactMap(\.plan?.bundleID).reduce(app) { max($0, Self.columns($1)) }
    verdict = states.lazy.compactMap(\.plan?.verdict).reduce(0) { max($0, 7, $1.words.utf8.count) }
  }

  private static func columns(_ text: String) -> Int { DisplayWidth.columns(of: DisplayText.visible(text, limit: 100)) }
}

/// The columns of a candidate's row; those without content or room are empty.
struct CandidateColumns {
  private(set) var app = 0..<0
  private(set) var name = 0..<0
  private(set) var verdict = 0..<0
  /// Its sign is two columns before it.
  private(set) var state = 0..<0
  private(set) var form = 0..<0
  private(set) var files = 0..<0
  private(set) var path = 0..<0

  init(_ size: Size, _ widths: CandidateWidths, hasStates: Bool = false) {
    let end = size.columns - 2
    var next = 2
    func columns(_ width: Int) -> Range<Int> {
      guard width > 0 else { return 0..<0 }
      let range = min(next, end)..<min(next + width, end)
      next = range.upperBound + 2
      return range
    }
    if hasStates {
      // Part of the column that tells the containers apart has room first, then the verdict, whole or not at all.
      let isByApp = widths.place == 0 || widths.areAppsDistinct
      let (main, other) = isByApp ? (widths.app, widths.place) : (widths.place, widths.app)
      let least = min(main, size.columns / 4)
      var room = end - next - least - 2
      func share(_ width: Int, least: Int) -> Int {
        let width = min(width, room)
        guard width >= least else { return 0 }
        room -= width + 2
        return width
      }
      let verdict = share(widths.verdict, least: max(1, widths.verdict))
      let state = share(widths.state, least: 3)
      let second = share(min(other, size.columns / 5), least: max(1, min(other, 12)))
      let first = min(main, least + max(0, room))
      room -= first - least
      let form = share(13, least: 13)
      let files = share(min(widths.files, 18), least: max(1, widths.files))
      app = columns(isByApp ? first : second)
      name = columns(isByApp ? second : first)
      self.verdict = columns(verdict)
      let states = columns(state)
      self.state = states.isEmpty ? states : (states.lowerBound + 2)..<states.upperBound
      self.form = columns(form)
      self.files = columns(files)
    } else if size.columns >= 100 {
      app = columns(min(widths.app, size.columns * 28 / 100))
      name = columns(min(widths.name, size.columns * 18 / 100))
      form = columns(13)
      files = columns(min(widths.files, 18))
      path = columns(max(0, end - next))
    } else {
      let files = min(widths.files, 18)
      app = columns(min(widths.app, size.columns * 38 / 100))
      name = columns(min(widths.place, max(0, end - next - (files > 0 ? files + 2 : 0))))
      self.files = columns(files)
    }
  }
}

extension ContainerCandidate {
  /// The name, or else the path: it distinguishes containers of the same app.
  var place: String { ownName ?? (path == bundleID ? "" : path) }

  /// `812, 3 missing`.
  var filesText: String {
    let files = files.map(String.init) ?? ""
    guard missing > 0 else { return files }
    return (files.isEmpty ? "" : files + ", ") + "\(missing) missing"
  }
}
