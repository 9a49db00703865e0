import Carryover
import CarryoverPages
import CarryoverTerminal

typealias ReviewKey = KeyBinding<ReviewState>

extension ReviewState: Program {
  package typealias Effect = ReviewEffect

  /// In the order of footer and help.
  package static let table = ScreenTable<ReviewState>(
    .review,
    [
      .details, .members, .verdict, .warnings, .finding, .preview, .extraction, .result, .history, .run, .rollback,
      .recovery,
      .stores, .log, .recipes, .nextLaunch, .command, .report, .kept, .quit, .failure, .editor, .search, .filter,
      .decideMany, .filterMenu, .setup, .parameter, .bundleID, .recipe, .optedOut, .unknown,
    ],
    marks: { writer, state in
      writer.marks(
        "Signs", state.stack.actions.words,
        Sign.allCases.compactMap { sign in sign.meaning.map { (writer.ink.sign(sign), .plain, $0) } })
    },
    keys: FieldKeys.deciding + FieldKeys.many + MenuKeys.deciding + DetailsKeys.all + PreviewKeys.applying
      + FieldKeys.undoing + RunKeys.all + NarrowingKeys.all + FilterKeys.all + MenuKeys.filtering + FieldKeys.moving
      + PreviewKeys.seeing + PreviewKeys.moving
      + PaneKeys.all + FindingKeys.explaining + FindingKeys.seeing + FieldKeys.seeing + FindingKeys.understanding
      + MembersKeys.opening + EditorKeys.all + KeptKeys.all, leaving: FieldKeys.leaving)

  package var busy: String? { waiting?.words }

  package func titleParts(columns: Int) -> [String] {
    let ink = Ink(options)
    let (names, recipe) = (plan.container.names.map { ink.name($0) }, isUnknown ? [] : [ink.words(plan.recipeTitle)])
    // Of several SDKs, first the one whose fields these are: what is last has no room in a narrow window.
    return verdicts.count > 1 ? recipe + names : names + recipe
  }

  package var titleCounts: [TitleCount] {
    guard !isUnknown else { return [] }
    var counts: [TitleCount] = []
    if readOnly != nil {
      counts.append(TitleCount(text: FieldSummary.readOnly, role: .flagged))
    } else if let obstacle = blockers.first?.obstacle {
      let setup = obstacle.isSetUp ? " (\(key("setup", .review)))" : ""
      counts.append(TitleCount(text: obstacle.words + setup, role: .flagged))
    }
    let written = min(pages.writtenCount, tally[.unchanged])
    for state in FieldState.allCases where tally[state] > 0 {
      func count(_ number: Int, _ word: String) {
        guard number > 0 else { return }
        counts.append(TitleCount(text: "\(number) \(word)", role: state.waits ? state.role : nil, tag: state.rawValue))
      }
      if state == .unchanged { count(written, Outcome.migrated.word) }
      count(tally[state] - (state == .unchanged ? written : 0), state.word)
    }
    return TitleCount.placed(counts, Ink(options), columns: size.columns)
  }

  package var lineView: LineView { screen == .stores ? browser?.lineView ?? ownLineView : ownLineView }

  package mutating func lineChanged() {
    guard let text = stack.typing?.text else { return }
    if screen == .search { search(for: text) } else if screen == .filter { filter(by: text) }
  }

  package mutating func sizeChanged() {
    layOutVerdict()
    if browser != nil { browse(.resized(size)) }
    revealCursor()
    for screen in [Screen.decideMany, .members, .history, .run] { reveal(screen) }
  }
}
