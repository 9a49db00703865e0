import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let nextLaunch = Screen("next-launch", "Next launch")
}

extension ScreenContent<ReviewState> {
  static var nextLaunch: ScreenContent {
    text(
      .nextLaunch,
      keys: [
        ReviewKey(
          [.character("P")], "next launch", "Show the next launch: what the new SDK reads and does.",
          in: [.review, .details, .preview], .seeing, opens: .nextLaunch)
      ]
    ) { writer, state in
      let plan = state.plan
      let isOfRun = state.stack.screens.contains(.preview)
      let preview = state.pages.preview
      let (decisions, scope) = isOfRun ? (decisions: preview.decisions, scope: preview.scope) : state.runDecisions
      writer.scope(scope)
      for part in plan.recipePlans {
        if !plan.parts.isEmpty { writer.heading(part.recipe.title) }
        let launch = part.definition.nextLaunch(part, decisions: plan.decisions(decisions, of: part))
        writer.nextLaunch(
          launch.map { state.options.redaction?.nextLaunch($0) ?? $0 }, part,
          isSideBySide: state.options.lineColumns == nil)
      }
    }
  }
}
