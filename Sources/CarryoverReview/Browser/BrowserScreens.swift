package import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors

extension Screen {
  package static let stores = Screen("stores", "Stores")
  static let storesSearch = Screen("stores-search", "Search")
  static let storesDetails = Screen("stores-details", "Details")
}

package enum BrowserEffect: ScreenEffect {
  case copy(String)
  case errand(Errand)
  /// Write the plan that the preview shows.
  case change
  case loadRollback, loadHistory
  case rollback(RollbackPlan)
  case suspend, bell, leave

  package var errand: Errand? { if case .errand(let errand) = self { errand } else { nil } }
  package var isForClicks: Bool {
    switch self {
    case .change, .rollback: false
    default: true
    }
  }
}

extension BrowserState: Program {
  package typealias Effect = BrowserEffect

  package static let table = ScreenTable<BrowserState>(
    prefix: "stores-",
    .drawn(.stores) { $0.drawOutline() }.with {
      $0.page = { $0.paneText }
      $0.subject = { $0.pageSubject }
      $0.scroller = { $0.outlineScroller(at: $1) }
      $0.click = { $0.clickOutline(at: $1) }
      $0.empty = { $0.emptyWords }
      $0.line = { $0.line(ofRow: $1, $2) }
      $0.pane = { $0.details($1, limit: 200) }
    },
    [
      .matches,
      .line(.storesSearch, prompt: "/").with { content in
        content.words = { state in
          (state.matchWords, state.search?.wanted.isEmpty == false && state.search?.matches.count == 0)
        }
      },
      .line(.storesFilter, prompt: "filter: ").with {
        $0.words = { ("\(counted($0.listedStores, "store"))", $0.outline.rows.isEmpty) }
      },
      .text(
        .storesDetails,
        back: .init(keys: [.escape, .character("q"), .left, .character("h"), .enter], help: "Go back to the outline.")
      ) { $0.details($1, limit: $0.ink.isWhole ? .max : BrowserState.mostLines) }.with {
        $0.subject = { $0.pageSubject }
        $0.title = { $0.detailsTitle($1, columns: $0.size.columns - 8) }
      },
      .storesEditor, .storesName, .storesPreview, .storesResult, .storesFailure, .storesRollback, .storesHistory,
      .storesQuit,
    ],
    marks: { writer, state in
      writer.marks(
        "Signs", state.stack.actions.words,
        (state.isComparing
          ? [
            ("+", .added, "added"), ("-", .removed, "removed"), ("~", .changed, "changed, or changed inside"),
            (writer.ink.words("›"), .muted, "can be opened"), ("v", .muted, "is open"),
          ]
          : [
            ("+", .muted, "can be opened"), ("-", .muted, "is open"),
            ("~", .changed, "changed: by you and not written yet, or by the app while it is watched"),
          ]) + [
            ("*", .muted, "a secret, hidden until \(state.key("secret", .stores)) shows it"),
            (writer.ink.sign(.warning), .muted, "cannot be read, or has a notice"),
          ])
    },
    keys: BrowserKeys.all + ChangingKeys.all + ChangingKeys.pages, leaving: BrowserKeys.leaving)

  private var pageSubject: [Int] {
    guard let row = selectedRow else { return [] }
    // The pane is laid out whole only once it is scrolled.
    return [row.node, row.index, topScreen == .stores && pageTop > 0 ? 1 : 0]
  }

  package var lastLineWords: String? {
    let ink = Ink(options)
    if search == nil, isComparing { return ink.words(differenceWords) }
    guard let search, [.stores, .storesMatches].contains(topScreen) else { return nil }
    let text = options.repeatsTyped ? "/" + ink.name(search.wanted.text, columns: size.columns / 4) + "  " : ""
    return text + ink.words(matchWords)
  }

  package func titleParts(columns: Int) -> [String] {
    let ink = Ink(options)
    if isComparing { return [comparedNames.map { ink.name($0) }.joined(separator: ink.words(" → "))] }
    return ContainerSummary(container).names.map { ink.name($0) }
  }

  /// `5 stores · 1 unreadable`.
  package var titleCounts: [TitleCount] {
    var (stores, unreadable) = (0, 0)
    for case .store(_, let value) in outline.roots {
      stores += 1
      if value == nil { unreadable += 1 }
    }
    let listed = filter?.text.isEmpty == false ? "\(listedStores) of " : ""
    let text = listed + counted(stores, "store") + (unreadable > 0 ? " · \(unreadable) unreadable" : "")
    var counts = [TitleCount(text: text)] + (isWatched ? [TitleCount(text: "watching")] : [])
    if draft.count > 0 {
      counts.insert(TitleCount(text: counted(draft.count, "change") + " not written", role: .changed), at: 0)
    }
    return TitleCount.placed(counts, Ink(options), columns: size.columns)
  }

  package mutating func receive(_ input: ScreenInput) {
    if case .answer(.edited(let text)) = input { acceptEdited(text) } else { take(input) }
  }

  package mutating func sizeChanged() { revealCursor() }

  package mutating func lineChanged() {
    guard let text = stack.typing?.text else { return }
    switch screen {
    case .storesFilter: filter(by: text)
    case .storesSearch: search(for: text)
    // The name of a file to save narrows nothing.
    default: break
    }
  }

  private func line(ofRow position: Int, _ ink: Ink) -> String {
    guard let row = outline.rows.element(position), let item = outline.item(row) else { return "" }
    let isOpen = (outline.isOpen(row) ? "open, " : "") + (marking(of: row).map { $0.words + ", " } ?? "")
    let compared = comparedLine(row, ink).map { ", " + $0 } ?? ""
    switch item {
    case .folder(let folder): return isOpen + folderName(folder.path, ink) + ", " + counted(folder.roots.count, "store")
    case .root(.notice(let sentence, _)): return ink.sentence(sentence)
    case .root(let root): return isOpen + ink.text(root.fileName) + compared
    case .value(let child):
      let name = isOpen + ink.label(child.label)
      guard !isHidden(row), let value = item.value(.row) else { return name + ": " + Secrets.standIn + compared }
      let text = ink.name(shownText(of: value, row, limit: 200), columns: 200)
      return "\(name), \(ink.words(shownType(of: value, row, ink))): \(text)\(compared)"
    }
  }

  /// On one line; of a table its rows and columns, of a row the values of its columns.
  func shownText(of value: InspectedValue, _ row: Outline.Row, limit: Int) -> String {
    switch outline.tablePart(row) {
    case .table(let table): table.rowWords + " · " + table.columnWords
    case .row: InspectedText.columns(of: value, limit: limit)
    case nil: InspectedText.inline(value, limit: limit)
    }
  }

  func shownType(of value: InspectedValue, _ row: Outline.Row, _ ink: Ink) -> String {
    switch outline.tablePart(row) {
    case .table: "table"
    case .row: "row"
    case nil: ink.typeWord(value)
    }
  }

  /// Without the data folder, which almost all paths begin with.
  func folderName(_ path: String, _ ink: Ink, columns: Int = Grid.maximum) -> String {
    if path.isEmpty { return ink.name(container.name, columns: columns) }
    let prefix = container.dataFolder + "/"
    return ink.tail(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path, columns: columns)
  }

  func outlineTitle(_ ink: Ink) -> String {
    var parts = [Screen.stores.title]
    if let order = outline.order.words { parts.append(order) }
    if let text = filter?.text, !text.isEmpty, options.repeatsTyped {
      parts.append("filter: " + ink.name(text, columns: 30))
    }
    return parts.joined(separator: ink.words(TitleCount.separator))
  }

  var emptyWords: String {
    filter?.text.isEmpty == false
      ? "No store or key has this name; \(key("back", .stores)) lists all again." : Self.noStores
  }

  static let noStores = "The container has no stores."

  static let mostLines = 5000

  private var paneText: Page {
    guard layout.isWide else { return Page() }
    var writer = PageWriter(columns: layout.details.count, ink: Ink(options))
    writer.details(self, limit: pageTop > 0 ? Self.mostLines : layout.rows.count + 1)
    return writer.page
  }

  private func outlineScroller(at position: Position?) -> Scroller<BrowserState>? {
    if let position, layout.isWide, position.column > layout.outline.upperBound {
      // Clamped once the whole text is laid out.
      return Scroller(count: .max, rows: layout.rows, top: pageTop) { $0.stack.pageTop = $2 }
    }
    if let position, !layout.outline.contains(position.column) { return nil }
    return Scroller(
      count: outline.rows.count, rows: layout.rows, columns: layout.outline, top: topRow, row: cursor
    ) { ($0.cursor, $0.topRow) = ($1, $2) }
  }

  /// Selects a row; a click on its mark opens or closes it.
  private mutating func clickOutline(at position: Position) {
    guard selectRow(at: position), let row = selectedRow,
      position.column == layout.markColumn(depth: outline.depth(row)), outline.isOpen(row) || openObstacle == nil
    else { return }
    toggle()
  }

  func detailsTitle(_ ink: Ink, columns: Int) -> String {
    guard let row = selectedRow, let item = outline.item(row) else { return Screen.storesDetails.title }
    switch item {
    case .value(let child): return ink.label(child.label, columns: columns)
    case .folder(let folder): return folderName(folder.path, ink, columns: columns)
    case .root(.notice): return "Notice"
    case .root(let root): return ink.middle(ink.name(root.fileName), columns: columns)
    }
  }
}

typealias BrowserKey = KeyBinding<BrowserState>

enum BrowserKeys {
  private static let outline: Set<Screen> = [.stores]
  private static let shown: Set<Screen> = [.stores, .storesDetails]

  static let all: [BrowserKey] = [
    BrowserKey(
      [.enter], "open", "Open or close the row; show the details of a single value.",
      in: outline, .seeing, hint: 1, name: "toggle", opens: [.storesDetails], unless: noRow
    ) { $0.toggle() },
    BrowserKey(
      [.right, .character("l")], "open", "Open the row, or go into it.", in: outline, .seeing,
      unless: { $0.openObstacle }
    ) { $0.openOrEnter() },
    BrowserKey(
      [.left, .character("h")], "close", "Close the row, or go to the one it is in.", in: outline,
      .seeing, hint: 2, unless: noRow
    ) { $0.closeOrLeave() },
    BrowserKey(
      [.character("/")], "search", "Search every key and value of all stores, open or not.",
      in: outline.union([.storesMatches]), .searching, hint: 1, opens: [.storesSearch], unless: noRow
    ) { $0.beginSearch() },
    BrowserKey(
      [.character("n")], "next", "Go to the next match; in a comparison without a search, to the next difference.",
      in: outline.union([.storesMatches]), .searching, hint: 1, counting: .times, unless: noNext
    ) { $0.goToNext(step: 1) },
    BrowserKey(
      [.character("N")], "previous", "Go to the previous match or difference.", in: outline.union([.storesMatches]),
      .searching, counting: .times, unless: noNext
    ) { $0.goToNext(step: -1) },
    BrowserKey(
      [.character("m")], "matches", "List every match of the search with its store, its key and its text.",
      in: outline, .searching, hint: 1, opens: [.storesMatches], unless: noMatch
    ) { $0.open(.storesMatches) },
    BrowserKey(
      [.enter, .right, .character("l")], "go to", "Go to the match in the stores.", in: [.storesMatches], .moving,
      hint: 1, name: "go-to-match", unless: noMatch
    ) { $0.goToMatch() },
    BrowserKey(
      [.character("f")], "filter", "List only stores and keys whose names contain what you type.", in: outline,
      .searching, hint: 2, opens: [.storesFilter], unless: { $0.outline.roots.isEmpty ? BrowserState.noStores : nil }
    ) { $0.beginFilter() },
    BrowserKey(
      [.character("s")], "sort", "Sort the stores in the next order: name, size, last write, number of keys, original.",
      in: outline, .seeing, hint: 3, unless: noRow
    ) { $0.sortNext() },
    BrowserKey(
      [.character("i")], "details", "Show the whole value with its type, path and the time that it stands for.",
      in: outline, .seeing, hint: 2, opens: .storesDetails, unless: noRow),
    BrowserKey(
      [.character("]")], "next row", "Show the details of the row below.", in: [.storesDetails], .seeing, hint: 3,
      counting: .times
    ) { $0.goToNeighbour(1) },
    BrowserKey(
      [.character("[")], "previous row", "Show the details of the row above.", in: [.storesDetails], .seeing,
      counting: .times
    ) { $0.goToNeighbour(-1) },
    BrowserKey(
      [.character("c")], "copy", "Copy the value to the clipboard.", in: shown, .seeing, hint: 2,
      unless: { $0.copyObstacle }
    ) { $0.copyValue() },
    BrowserKey(
      [.character("Y")], "copy path", "Copy the path of the value to the clipboard.", in: shown, .seeing, hint: 4,
      unless: noRow
    ) { $0.copyPath() },
    BrowserKey(
      [.character("S")], "secret", "Show a secret (again: hide it); searches skip secrets.", in: shown, .seeing,
      unless: { state in
        guard let row = state.selectedRow, case .value(let child) = state.outline.item(row), state.isSecret(child, row)
        else {
          return "This is not a secret."
        }
        return nil
      }
    ) { $0.revealSecret() },
    BrowserKey(
      [.enter], "go", "Go to the selected match; n and N go to the others.", in: [.storesSearch],
      .searching, hint: 1, name: "keep"
    ) { $0.keepSearch() },
    BrowserKey(
      [.escape], "cancel", "Cancel the search and go back to where it began.", in: [.storesSearch], .searching,
      hint: 1, duty: .wayOut
    ) { $0.endSearch() },
    BrowserKey(
      [.down], "next", "Go to the next match.", in: [.storesSearch], .searching, hint: 1, unless: noMatch
    ) { $0.goToMatch(step: 1) },
    BrowserKey(
      [.up], "previous", "Go to the previous match.", in: [.storesSearch], .searching, unless: noMatch
    ) { $0.goToMatch(step: -1) },
    BrowserKey(
      [.enter], "done", "Keep the filter; an empty one clears it.", in: [.storesFilter], .searching, hint: 1,
      name: "keep"
    ) { $0.keepFilter() },
    BrowserKey(
      [.escape], "cancel", "List everything again.", in: [.storesFilter], .searching, hint: 1, duty: .wayOut
    ) { $0.endFilter() },
  ]

  static let leaving: [BrowserKey] = [
    BrowserKey(
      [.escape], "back", "Clear the search, otherwise the filter; without either, go back to the review.", in: outline,
      .leaving,
      unless: {
        $0.search == nil && $0.filter == nil && !$0.isEmbedded
          ? "No search or filter is on; \($0.key("leave", .stores)) leaves." : nil
      }
    ) { state in
      guard state.search != nil || state.filter != nil else { return state.emit(.leave) }
      if state.search != nil { state.endSearch() } else { state.endFilter() }
    },
    BrowserKey(
      [.character("q")], "leave", "Leave the stores.", in: outline, .leaving, hint: 0, duty: .wayOut,
      opens: [.storesQuit]
    ) { state in
      if state.draft.count == 0 { state.emit(.leave) } else { state.open(.storesQuit) }
    },
  ]

  private static let noRow: @Sendable (BrowserState) -> String? = {
    $0.selectedRow == nil ? BrowserState.noStores : nil
  }

  private static let noNext: @Sendable (BrowserState) -> String? = { state in
    guard state.search == nil, state.isComparing else { return noMatch(state) }
    return state.differencePlaces.isEmpty ? "There are no differences." : nil
  }

  private static let noMatch: @Sendable (BrowserState) -> String? = { state in
    guard let search = state.search else {
      return "There is no search; \(state.key("search", .stores)) starts one."
    }
    return search.matches.count == 0 ? "There is no match." : nil
  }
}
