import Carryover
import CarryoverTerminal

/// What a laid-out page depends on; it is laid out again when this changes, not for every frame.
struct PageKey: Hashable, Sendable {
  var screen: Screen
  var columns: Int
  var revision: Int
  var field: Field.ID?
  var finding: Int?
}

extension ReviewState {
  /// Lays the page on top out where it is not up to date.
  mutating func refreshPage() {
    let shown = screens.last ?? .review
    let key = PageKey(
      screen: shown, columns: size.columns, revision: revision, field: shown == .details ? cursor : nil,
      finding: shown == .finding ? findingList.index : nil)
    if key != pageKey {
      let isSameChange = shown == .preview && pageKey?.screen == shown && pageKey?.revision == revision
      pageKey = key
      if !isSameChange {
        pendingChanges = shown == .preview ? plan.changes(decisions) : []
        refreshFilePreview(isShown: shown == .preview)
      }
      page = pageContent(shown)
    }
    pageTop = clampedPageTop(pageTop)
  }

  /// What becomes of the file takes its encoding, so it is worked out once for a set of decisions.
  private mutating func refreshFilePreview(isShown: Bool) {
    guard isShown, !pendingChanges.isEmpty else {
      filePreview = nil
      return
    }
    filePreview = try? plan.filePreview(decisions, in: container)
  }

  private func pageContent(_ screen: Screen) -> Page {
    var writer = PageWriter(
      columns: PageLayout(size: size).columns.count, ink: Ink(options))
    switch screen {
    case .review, .editor, .goTo, .history, .run, .stores, .helpSearch, .search, .filter, .decideMany, .filterMenu,
      .tooSmall:
      return Page()
    case .details:
      if let selected { writer.details(of: selected, self) }
    case .warnings: writer.warnings(findingList, plan)
    case .finding: writer.finding(self)
    case .preview: writer.preview(self)
    case .result:
      writer.result(self)
      writer.operationsHint(self)
    case .rollback: writer.rollback(self)
    case .recovery: writer.recovery(self)
    case .log: writer.log(self)
    case .recipes: writer.recipes(self)
    case .help: writer.help(self)
    case .kept: writer.kept(self)
    case .quit: writer.quit(self)
    case .failure:
      writer.failure(failure)
      writer.failedStep(self)
    }
    return writer.page
  }
}

extension Canvas {
  /// A frame with the page of a screen in it.
  mutating func drawPage(_ screen: Screen) {
    drawPage(state.page, from: state.pageTop, title: title(of: screen))
    if screen == .warnings { drawChosenFinding() }
  }

  private func title(of screen: Screen) -> String {
    if screen == .finding { return "Finding \(state.findingList.index + 1) of \(state.findingList.findings.count)" }
    guard screen == .details, let selected = state.selected else { return screen.title }
    // What is changed in its place comes from where it goes to.
    guard !selected.isChangedInPlace else { return ink.name(selected.id, columns: 66) }
    return "\(ink.name(selected.sourceLabel, columns: 30)) \(ink.words("→")) \(ink.name(selected.id, columns: 30))"
  }
}
