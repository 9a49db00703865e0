import CarryoverTerminal
import Testing

@testable import CarryoverReview

@Suite("Layout")
struct LayoutTests {
  private static func any(_ generator: inout SeededGenerator, size: Size) -> Layout {
    var sizes = PaneSizes()
    func share() -> Proportion? {
      [
        nil, Proportion(Int.random(in: -5...300, using: &generator), of: Int.random(in: 0...200, using: &generator)),
        Proportion(.max, of: 1),
      ].randomElement(using: &generator) ?? nil
    }
    (sizes.list, sizes.legacy, sizes.main) = (share(), share(), share())
    return Layout(
      size: size, rows: Int.random(in: 0...60, using: &generator),
      form: LayoutChoice.Form.allCases.randomElement(using: &generator) ?? .auto, sizes: sizes,
      hasDetails: Bool.random(using: &generator))
  }

  @Test("panes cover the screen, never overlap and keep room each, whatever the size and the settings")
  func panes() {
    var generator = SeededGenerator(seed: 7)
    let known = [(60, 16), (80, 24), (120, 40), (149, 40), (150, 40), (200, 50), (1000, 1000)]
    let sizes =
      known.map { Size(columns: $0.0, rows: $0.1) }
      + (0..<300).map { _ in
        Size(
          columns: Int.random(in: 60...320, using: &generator), rows: Int.random(in: 16...100, using: &generator))
      }
    for size in sizes {
      let layout = Self.any(&generator, size: size)
      let panes: [Pane] = layout.hasDetails ? Pane.allCases : [.fields, .warnings]
      let frames = panes.map { layout.frame(of: $0) }
      let insides = frames.map { frame in
        Rect(
          column: frame.origin.column + 1, row: frame.origin.row + 1, columns: frame.size.columns - 2,
          rows: frame.size.rows - 2)
      }
      // Rows and columns at which anything begins or ends are enough to look at, and each beside them.
      for row in Self.edges(frames.map(\.rowRange), size.rows) {
        for column in Self.edges(frames.map(\.columnRange), size.columns) {
          let position = Position(column: column, row: row)
          let within = insides.indices.filter { insides[$0].contains(position) }
          let isBar = row == 0 || row == size.rows - 1
          #expect(frames.contains { $0.contains(position) } == !isBar, "\(layout) \(position)")
          #expect(within.count <= 1, "\(layout) \(position)")
          if let only = within.first { #expect(layout.pane(at: position) == panes[only]) }
          #expect((layout.pane(at: position) == nil) == isBar)
        }
      }
      #expect(layout.warningRows.count >= 3 && layout.warningColumns.count >= 50)
      #expect(!layout.listRows.isEmpty && layout.proposedColumns.count >= 24)
      if layout.shape != .narrow { #expect(layout.legacyColumns.count >= 16) }
      if layout.hasDetails { #expect(layout.detailsColumns.count >= 23) }
      #expect(layout.listRows.upperBound == layout.dividerRow && layout.warningRows.upperBound == size.rows - 2)
    }
  }

  private static func edges(_ ranges: [Range<Int>], _ end: Int) -> [Int] {
    let all = ranges.flatMap { [$0.lowerBound, $0.upperBound - 1] } + [0, end - 1]
    return Set(all.flatMap { [$0 - 1, $0, $0 + 1] }).filter { (0..<end).contains($0) }.sorted()
  }

  @Test("no window is too small for a layout, and no setting")
  func tiny() {
    var generator = SeededGenerator(seed: 8)
    for columns in 0...59 {
      for rows in 0...15 {
        let layout = Self.any(&generator, size: Size(columns: columns, rows: rows))
        #expect(!layout.hasDetails && layout.lastColumn >= 2)
      }
    }
  }

  @Test("the details stand beside the list from 150 columns on, and only where nothing else was chosen")
  func details() {
    func layout(_ columns: Int, _ form: LayoutChoice.Form = .auto) -> Layout {
      Layout(size: Size(columns: columns, rows: 40), rows: 8, form: form, hasDetails: true)
    }
    #expect(!layout(149).hasDetails && layout(150).hasDetails)
    #expect(layout(150).shape == .wide && layout(200).detailsColumns.count > layout(150).detailsColumns.count)
    for form in [LayoutChoice.Form.wide, .medium, .narrow] { #expect(!layout(200, form).hasDetails) }
    #expect(layout(80, .wide).shape == .wide && layout(120, .narrow).shape == .narrow)
    #expect(layout(75).shape == .narrow && layout(76).shape == .medium && layout(100).shape == .wide)
  }

  @Test("sizes made by keys hold in a window of another size, come back with it, and end where a pane would vanish")
  func resizing() {
    var session = Session(largePlan(100), columns: 200, rows: 50)
    let start = session.state.layout
    session.type("+++<<3>>")
    let made = session.state.layout
    #expect(made.listRows.count == start.listRows.count + 3)
    #expect(made.legacyColumns.count < start.legacyColumns.count && made.lastColumn == start.lastColumn + 4)
    for size in [Size(columns: 60, rows: 16), Size(columns: 1, rows: 1), Size(columns: 90, rows: 20)] {
      session.send(.resized(size))
    }
    session.send(.resized(Size(columns: 200, rows: 50)))
    #expect(session.state.layout == made && session.state.activePane == .details)
    session.type(String(repeating: "+", count: 60))
    #expect(session.state.layout.warningRows.count == 3)
    #expect(session.text.contains("The panes cannot be moved further"))
    session.type("-")
    #expect(session.state.layout.warningRows.count == 4, "one key back is one row back")
    session.type("2+")
    #expect(session.state.layout.warningRows.count == 5, "with the keys in the warnings, they get the row")
    session.type("=")
    #expect(session.state.layout == start)
    for key in ["-", "<", ">", "3<", "3>"] {
      session.type("1" + String(repeating: key, count: 80))
      RenderingTests.expectSound(session)
      #expect(session.state.visiblePanes.count == 3)
    }
  }

  @Test("what was chosen beforehand is where = goes back to")
  func choice() {
    let options = ReviewOptions(layout: LayoutChoice(form: .medium, listShare: 50, legacyShare: 60))
    var state = ReviewState(
      plan: largePlan(100), size: Size(columns: 120, rows: 45), options: options, backupLocation: "/runs")
    let start = state.layout
    #expect(start.shape == .medium && start.listRows.count == 20 && start.legacyColumns.upperBound == 72)
    for key in "+<=" { _ = reduce(&state, .key(.character(key))) }
    #expect(state.layout == start)
  }
}
