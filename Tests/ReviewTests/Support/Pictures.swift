import CarryoverReview
import CarryoverTerminal
import CarryoverTestSupport

struct Picture: Sendable {
  var scene: String
  var theme = Theme.dark
  var title: String

  var file: String { theme.name == "dark" ? "\(scene).svg" : "\(scene)-\(theme.name).svg" }

  func svg() throws -> String {
    guard let scene = Scene.all.first(where: { $0.name == scene }) else { throw Rehearsal.Stuck(what: "no \(scene)") }
    let grid = render(try scene.session(Scene.pictureSize).state).grid
    return GridSVG.svg(of: grid, theme: theme, title: "Carryover: \(title)")
  }

  static let all = [
    Picture(scene: "review", title: "the review"),
    Picture(scene: "review", theme: .light, title: "the review, in the light theme"),
    Picture(scene: "review", theme: .mono, title: "the review, without colours"),
    Picture(scene: "details-traits", title: "everything about a field"),
    Picture(scene: "preview", title: "the exact change, before it is made"),
    Picture(scene: "stores", title: "every key and value of every store"),
    Picture(scene: "history", title: "every run and its state"),
    Picture(scene: "run", title: "a run, key by key, before its rollback"),
  ]
}
