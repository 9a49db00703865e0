import Carryover
import CarryoverTerminal
import CarryoverVendors

extension ReviewState: Program {
  package typealias Effect = ReviewEffect

  /// The screens of the review and their keys, in the order of footer and help.
  package static let table = ScreenTable<ReviewState>(
    .review,
    [
      .details, .warnings, .finding, .preview, .result, .history, .run, .rollback, .recovery, .stores, .log,
      .recipes, .kept, .quit, .failure, .editor, .search, .filter, .decideMany, .filterMenu,
    ],
    marks: { writer, state in
      let (words, glyphs) = (state.stack.helpWords, writer.ink.glyphs)
      writer.marks("Marks", words, FieldState.allCases.map { ($0.mark(glyphs), $0.role, $0.word) })
      writer.marks("Marks of runs", words, RunStanding.allCases.map { ($0.mark(glyphs), $0.role, $0.words) })
      writer.marks(
        "Marks of a run's keys", words, RollbackDraft.Choice.allCases.map { ($0.mark(glyphs), $0.role, $0.words(1)) })
    },
    keys: FieldKeys.deciding + FieldKeys.many + NarrowingKeys.menus + DetailsKeys.all + PreviewKeys.applying
      + FieldKeys.undoing + RunKeys.all + NarrowingKeys.all + FieldKeys.moving + PreviewKeys.moving + PaneKeys.all
      + FindingKeys.explaining + FindingKeys.seeing + FieldKeys.seeing + FindingKeys.understanding
      + EditorKeys.all + KeptKeys.all,
    leaving: FieldKeys.leaving)

  package var pageSubject: [Int] {
    switch topScreen {
    case .details: [cursorPosition ?? -1]
    case .finding: [findingList.index]
    default: []
    }
  }

  package var busy: String? { waiting?.words }

  package func titleParts(columns: Int) -> [String] {
    let ink = Ink(options)
    return plan.container.names.map { ink.name($0) } + [ink.words(plan.recipe.title)]
  }

  /// The counts of the states; before them, what keeps the whole plan from being applied.
  package var titleCounts: [TitleCount] {
    var counts: [TitleCount] = []
    if let word = readOnly != nil ? FieldSummary.readOnly : blockers.isEmpty ? nil : FieldSummary.blocked {
      counts.append(TitleCount(text: word, role: .flagged))
    }
    for state in FieldState.allCases where tally[state] > 0 {
      counts.append(
        TitleCount(text: "\(tally[state]) \(state.word)", role: state.waits ? state.role : nil, tag: state.rawValue))
    }
    return TitleCount.placed(counts, Ink(options), columns: size.columns)
  }

  package var lineView: LineView { screen == .stores ? browser?.lineView ?? ownLineView : ownLineView }

  package mutating func lineChanged() {
    guard let text = stack.typing?.text else { return }
    if screen == .search { search(for: text) } else if screen == .filter { filter(by: text) }
  }

  package mutating func sizeChanged() {
    _ = browse(.resized(size))
    revealCursor()
    revealMenu()
    let (visibleRuns, visibleKeys) = (runsLayout.listRows.count, keysLayout.listRows.count)
    runs.reveal(visible: visibleRuns)
    draft?.reveal(visible: visibleKeys)
  }
}
