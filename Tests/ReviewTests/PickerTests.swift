import Carryover
import CarryoverSystem
import CarryoverTerminal
import Testing

@testable import CarryoverReview

@Suite("Choosing a container")
struct PickerTests {
  @Test("every container has its bundle id, name, form, files, how many are missing, and path")
  func rows() {
    let lines = Picking(columns: 140).lines
    #expect(lines[3].contains("▸com.acme.shop") && lines[3].contains("Acme Shop") && lines[3].contains("folder"))
    #expect(lines[3].contains("214, 3 missing"))
    #expect(lines[5].contains("xcappdata") && lines[5].contains("exports/old/Shop 4.1.xcappdata"))
  }

  @Test("the columns are as wide as what stands in them, and names and files that nobody has take no room")
  func columns() {
    let many = (0..<3).map {
      ContainerCandidate(
        path: "Findings/identity.user-id-not-string-\($0).xcappdata", kind: .xcappdata, bundleID: "com.acme.shop",
        name: "identity.user-id-not-string-\($0).xcappdata")
    }
    for columns in [80, 120] {
      let lines = Picking(many, columns: columns, rows: 24).lines
      #expect(lines[4].contains("Findings/identity.user-id-not-string-1.xcappdata"), "\(columns) columns")
      #expect(!lines[2].contains("Files"))
      #expect(lines[2].contains("Name") == (columns == 80))
    }
    let app = ContainerCandidate(path: "com.a", kind: .folder, bundleID: "com.a", name: "com.a", files: 2)
    #expect(Picking([app], columns: 80, rows: 24).lines[3].split(separator: "com.a").count == 2, "said once")
  }

  @Test("a filter keeps what holds every word, whatever its case, and enter opens what the cursor is on")
  func filter() {
    var picking = Picking()
    picking.type("j/ACME wal")
    #expect(picking.state.shown == [1] && picking.text.contains("1 of 4 containers"))
    picking.type("<enter><enter>")
    #expect(picking.effects == [.choose(sampleCandidates[1])])
    picking.type("/<c-u>nothing")
    #expect(picking.text.contains("No container contains every word typed."))
    picking.type("<enter><enter>")
    #expect(picking.effects.last == .bell)
    picking.type("/<esc>")
    #expect(picking.state.shown.count == 4)
  }

  @Test("Esc clears the filter and never quits")
  func clearing() {
    var picking = Picking()
    picking.type("/acme<enter>")
    #expect(picking.state.shown.count == 3 && picking.lines.last?.contains("esc clear") == true)
    picking.type("<esc>")
    #expect(picking.state.shown.count == 4 && picking.effects.isEmpty)
    picking.type("<esc>")
    #expect(picking.effects == [.bell] && picking.text.contains("No filter is on; q quits."))
  }

  @Test("q leaves without a choice, also in a window that is too small")
  func leaving() {
    var picking = Picking()
    picking.type("jq")
    #expect(picking.effects == [.leave])
    picking.send(.resized(Size(columns: 10, rows: 3)))
    #expect(picking.text.contains("Too small"))
    picking.type("q")
    #expect(picking.effects == [.leave, .leave])
  }

  @Test("coming back from a container finds cursor, filter and place as they were; why one could not be opened is said")
  func comingBack() {
    var picking = Picking()
    picking.type("/acme<enter>j")
    let (cursor, shown) = (picking.state.cursor, picking.state.shown)
    picking.type("<enter>")
    picking.state.opening()
    #expect(picking.text.contains("Opening…"))
    picking.state.comeBack(size: Size(columns: 80, rows: 20))
    #expect(picking.state.cursor == cursor && picking.state.shown == shown && picking.state.screen == .containers)
    #expect(picking.lines.count == 20 && picking.lines.contains { $0.contains("▸") })
    picking.state.comeBack(
      size: Size(columns: 80, rows: 20),
      failure: ReviewFailure(message: "It could not be read.\u{1B}[2J", remedy: ""))
    #expect(picking.state.screen == .containersFailure && picking.text.contains("It could not be read."))
    #expect(!picking.text.contains("\u{1B}"))
    picking.type("q")
    #expect(picking.state.screen == .containers && picking.state.cursor == cursor && picking.effects.count == 1)
  }

  @Test("ten thousand containers scroll with the cursor in sight, and a new size keeps it")
  func many() {
    let many = (0..<10_000).map {
      ContainerCandidate(path: "app\($0)", kind: .folder, bundleID: "com.acme.app\($0)", name: "App \($0)")
    }
    var picking = Picking(many, columns: 80, rows: 24)
    picking.type("G<pgup>k")
    #expect(picking.lines.filter { $0.contains("▸") }.count == 1)
    let selected = picking.state.selected
    picking.send(.resized(Size(columns: 60, rows: 16)))
    #expect(picking.state.selected == selected && picking.lines.contains { $0.contains("▸") })
    picking.type("?")
    #expect(picking.text.contains("Open the container."))
  }
}
