@testable import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Rendering")
struct RenderingTests {
  static let sizes = [
    Size(columns: 1, rows: 1), Size(columns: 0, rows: 0), Size(columns: 59, rows: 16), Size(columns: 60, rows: 16),
    Size(columns: 75, rows: 20), Size(columns: 80, rows: 24), Size(columns: 99, rows: 30), Size(columns: 120, rows: 40),
    Size(columns: 300, rows: 90),
  ]

  @Test("every screen fills every size exactly, in Unicode and in ASCII", arguments: Scene.all.map(\.name))
  func exactSize(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    for size in Self.sizes {
      for glyphs in [Glyphs.unicode, .ascii] {
        Self.expectSound(try scene.session(size, glyphs: glyphs))
      }
    }
  }

  @Test("a read-only container is named so at first and in the title; the preview promises no backup")
  func readOnly() {
    var session = Session(columns: 80, rows: 40, wrapper: ContainerWrapper(.backup, path: "/cases/4711/Backup"))
    #expect(session.lines[0].contains("read-only · 6 ready"))
    #expect(session.lines[39].contains("Read-only backup. To migrate, extract"))
    session.type("a")
    #expect(session.text.contains("The container is in the read-only backup “/cases/4711/Backup”"))
    #expect(!session.text.contains("Nothing was changed") && !session.text.contains("Backup\n"))
    #expect(!session.text.contains("R takes the run back"))
  }

  @Test("a blocked plan is said so in the title, and a container called like its app is named once")
  func titles() throws {
    #expect(try Session(samplePlan("OptedOut"), columns: 80, rows: 24).lines[0].contains("  opted out (W) · 8 ready"))
    var plan = acmePlan()
    plan.container.name = "com.acme.shop"
    let title = Session(plan, columns: 120, rows: 24).lines[0]
    #expect(title.contains("Carryover  com.acme.shop · RudderStack"))
  }

  @Test("hostile texts are shown escaped and move nothing", arguments: UInt64(0)..<60)
  func hostile(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let plan = generator.hostilePlan(fields: 12)
    let size = [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 60, rows: 16)][Int(seed % 3)]
    let glyphs: Glyphs = seed.isMultiple(of: 2) ? .unicode : .ascii
    for script in ["", "<end>", "<enter>", "jj<enter><end>", "a", "a<end>", "w", "?", "jje", "je\u{200D}漢<home>", " q"]
    {
      var session = Session(plan, columns: size.columns, rows: size.rows, glyphs: glyphs)
      session.type(script)
      Self.expectSound(session)
      if session.state.screen == .review { Self.expectFrame(session) }
    }
  }

  @Test("the inverted flag, the milliseconds and the stripped members are visible at a glance (F1)")
  func atAGlance() throws {
    let lines = Session().lines
    let flag = try #require(lines.first { $0.contains("is_manual_session") })
    #expect(flag.contains("rl_session_auto_track_sta") && flag.contains("true") && flag.contains("false"))
    #expect(flag.contains("inverted"))
    #expect(lines.contains { $0.contains("\"1763640123000\"") && $0.contains("s → ms, → string") })
    #expect(lines.contains { $0.contains("rl_traits ") && $0.contains("−3 members") })
    #expect(lines.contains { $0.contains("anonymous_id · ready") })
  }

  @Test("a move of the cursor changes few cells", arguments: [0, 2, 3, 4, 5])
  func fewCellsChange(row: Int) {
    var session = Session()
    session.type(String(repeating: "j", count: row))
    let before = render(session.state).grid
    session.type("j")
    let after = render(session.state).grid
    var changed = 0
    for row in 0..<before.size.rows {
      for column in 0..<before.size.columns where before[row, column] != after[row, column] { changed += 1 }
    }
    #expect(changed > 0 && changed < 800)
  }

  @Test("a move of the cursor changes its two rows, the lines about the field and the keys, and nothing else")
  func fewRowsChange() {
    var session = Session(columns: 120, rows: 40)
    session.type("jj")
    let before = render(session.state).grid
    session.type("j")
    let after = render(session.state).grid
    let layout = session.state.layout
    let changed = (0..<before.size.rows).filter { before.cells($0) != after.cells($0) }
    #expect(changed.filter(layout.listRows.contains).count == 2)
    let warnings = changed.filter(layout.warningRows.contains)
    #expect(warnings.count <= 4)
    #expect(
      changed.allSatisfy {
        layout.listRows.contains($0) || warnings.contains($0) || $0 == before.size.rows - 1 || $0 == layout.dividerRow
      })
  }

  @Test("every sign is a column wide and has one meaning, in Unicode and in ASCII")
  func signs() {
    for isASCII in [false, true] {
      let signs = Sign.allCases.map { $0.text(ascii: isASCII) }
      #expect(Set(signs).count == signs.count)
      #expect(signs.allSatisfy { DisplayWidth.columns(of: $0) == 1 && (!isASCII || $0.utf8.count == 1) })
    }
  }

  @Test("a secret that is left behind is never shown")
  func secret() {
    var plan = acmePlan()
    plan.dropped = [DroppedKey(key: "rl_auth_token", value: "hunter2", reason: "A secret.", secret: true)]
    for script in ["", "w", "a"] {
      var session = Session(plan)
      session.type(script)
      #expect(session.text.contains("rl_auth_token"))
      #expect(!session.text.contains("hunter2"))
    }
  }

  @Test("of a very long value only what fits is looked at in the list, and the details say what they cut")
  func longValue() {
    var plan = acmePlan()
    plan.fields[0].legacy = .string(String(repeating: "x", count: 1 << 20))
    var session = Session(plan)
    #expect(session.lines[session.state.layout.listRows.lowerBound].contains("xxx…"))
    session.type("<enter><end>")
    session.type("<home>")
    #expect(session.state.page.lines.contains { $0.contains { $0.text.contains("1048576 bytes in all") } })
  }

  @Test("the preview shows a long value to its last character (F4)")
  func wholeValueInPreview() {
    var plan = acmePlan()
    plan.fields[0].proposed = .string(String(repeating: "0123456789", count: 300) + "end")
    var session = Session(plan)
    session.type("am")
    let text = session.state.page.lines.flatMap { $0 }.map(\.text).joined()
    #expect(text.filter { $0 != " " }.contains("0123456789end"))
  }

  @Test("a hundred thousand fields scroll with the cursor always in sight")
  func manyFields() {
    var session = Session(largePlan(100_000))
    #expect(session.text.contains("1 of 100000"))
    session.type("G")
    #expect(session.text.contains("▸rl_key_99999"))
    session.type("<pgup>kkN")
    #expect(session.lines.filter { $0.contains("▸") }.count == 1)
    session.type("g<pgdn>n ")
    #expect(session.state.tally[.confirmed] == 1)
    Self.expectSound(session)
  }

  /// Every row is as wide as the grid, and no cell holds a scalar that could steer a terminal.
  static func expectSound(_ session: Session, sourceLocation: SourceLocation = #_sourceLocation) {
    let grid = render(session.state).grid
    #expect(grid.size == session.state.size, sourceLocation: sourceLocation)
    let lines = grid.lines
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) == grid.size.columns }, sourceLocation: sourceLocation)
    let unsound = lines.lazy.flatMap(\.unicodeScalars).first { scalar in
      guard scalar.value > 0x7E || scalar.value < 0x20 else { return false }
      let hidden: [Unicode.GeneralCategory] = [
        .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      ]
      return grid.glyphs == .ascii || hidden.contains(scalar.properties.generalCategory)
    }
    #expect(unsound == nil, sourceLocation: sourceLocation)
  }

  static func expectFrame(_ session: Session) {
    let grid = render(session.state).grid
    let side = grid.glyphs == .ascii ? "|" : "│"
    for row in session.state.layout.listRows {
      #expect(grid[row, 0].text == side)
      #expect(grid[row, grid.size.columns - 1].text == side)
      if session.state.layout.shape != .narrow {
        #expect(grid[row, session.state.layout.proposedColumns.lowerBound - 1].text == side)
      }
    }
  }
}
