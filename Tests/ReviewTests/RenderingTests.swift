@testable import Carryover
@testable import CarryoverReview

@Suite("Rendering") struct RenderingTests {
  static let sizes = [
    Size(columns: 1, rows: 1), Size(columns: 0, rows: 0), Size(columns: 59, rows: 16), Size(columns: 60, rows: 16),
    Size(columns: 75, rows: 20), Size(columns: 80, rows: 24), Size(columns: 99, rows: 30), Size(columns: 120, rows: 40),
    Size(columns: 300, rows: 90),
  ]

  @Test(arguments: Scene.all.map(\.name))
  func `every screen fills every size exactly, in Unicode and in ASCII`(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    for glyphs in [Glyphs.unicode, .ascii] {
      Self.expectSound(try scene.session(Size(columns: 59, rows: 16), glyphs: glyphs))
      var session = try scene.session(Size(columns: 80, rows: 24), glyphs: glyphs)
      for size in Self.sizes {
        session.send(.resized(size))
        Self.expectSound(session)
      }
    }
  }

  @Test func `a read-only container is named so at first and in the title; the preview promises no backup`() {
    var session = Session(columns: 80, rows: 40, wrapper: ContainerWrapper(.backup, path: "/cases/4711/Backup"))
    #expect(session.lines[0].contains("read-only · 6 ready"))
    #expect(session.lines[39].contains("Read-only backup. To migrate, extract"))
    session.type("a", shows: "The container is in the read-only backup “/cases/4711/Backup”")
    #expect(!session.text.contains("Nothing was changed") && !session.text.contains("Backup\n"))
    #expect(!session.text.contains("R takes the run back"))
  }

  @Test func `y in the preview of a read-only container asks for a folder to extract it to, beside the archive`() {
    var container = Container([], kind: .xcappdata, in: "/cases/4711/Case.zip/Acme.xcappdata")
    container.wrapper = ContainerWrapper(.archive, path: "/cases/4711/Case.zip")
    var session = Session(container: container, wrapper: container.wrapper)
    session.type("a", shows: "y extracts it to a folder, and previews the change there.")
    session.type("y", shows: "extract to: ", "The archive is not changed")
    #expect(session.state.stack.typing?.text == "/cases/4711/Acme.xcappdata" && session.effects.isEmpty)
    session.type("<esc>")
    #expect(session.state.screen == .preview && session.effects.isEmpty)
    session.type("y<c-u><enter>", then: \.effects, is: [.bell])
    session.type("out<enter>", shows: "Extracting…")
    #expect(session.effects == [.bell, .extract("out")])
    session.send(.failed(ReviewFailure(message: "It already exists.", remedy: "")))
    #expect(session.state.screen == .failure && session.text.contains("It already exists."))
    // An archive that is the container itself gives it its name.
    container = Container([], kind: .folder, in: "/cases/4711/Case.tar.gz")
    let wrapper = ContainerWrapper(.archive, path: "/cases/4711/Case.tar.gz")
    let whole = Session(container: container, wrapper: wrapper, typing: "ay")
    #expect(whole.state.stack.typing?.text == "/cases/4711/Case")
    let masked = Session(container: container, redaction: Redaction(recipes: []), wrapper: wrapper, typing: "ay")
    #expect(masked.state.stack.typing?.text == "")
  }

  @Test func `the review of the extracted folder begins at the preview, with the decisions; nothing is written yet`() {
    let kept = KeptReview(moment: Moment(secondsSince1970: 1_763_640_000), decisions: ["user_id": .migrate])
    var session = Session()
    session.state.resume(kept, ofPart: false, saying: "12 files extracted to /cases/4711/Acme.xcappdata.")
    #expect(session.state.screen == .preview && session.text.contains("12 files extracted to"))
    #expect(session.state.decisions["user_id"] == .migrate && session.effects.isEmpty)
    session.type("y")
    #expect(session.effects.count == 1)
    guard case .apply? = session.effects.first else { return #expect(Bool(false), "y applies here") }
    var bare = Session()
    bare.state.resume(
      KeptReview(moment: kept.moment, decisions: [:]), ofPart: false, saying: "1 file extracted to /x.")
    #expect(bare.state.screen == .preview && bare.text.contains("1 file extracted to /x."))
  }

  @Test func `after a preview of some fields, the review of the extracted folder begins at the list`() {
    let wrapper = ContainerWrapper(.archive, path: "/cases/4711/Case.zip")
    #expect(Session(wrapper: wrapper, typing: "vja").state.previewsPart)
    #expect(!Session(wrapper: wrapper, typing: "a").state.previewsPart)
    let kept = KeptReview(moment: Moment(secondsSince1970: 1_763_640_000), decisions: ["user_id": .migrate])
    var session = Session()
    session.state.resume(kept, ofPart: true, saying: "12 files extracted to /x.")
    #expect(session.state.screen == .review && session.state.decisions["user_id"] == .migrate)
    #expect(session.text.contains("The range or filter is cleared: choose the fields again. 12 files"))
  }

  @Test func `an offer that waits for an answer stays when the review goes on in the extracted folder`() {
    let moment = Moment(secondsSince1970: 1_763_640_000)
    var session = Session()
    session.send(.kept(KeptReview(moment: moment, decisions: ["user_id": .skip])))
    session.state.resume(KeptReview(moment: moment, decisions: [:]), ofPart: false, saying: "Extracted.")
    #expect(session.state.decisions.isEmpty && session.state.kept?.decisions == ["user_id": .skip])
  }

  @Test func `a blocked plan is said so in the title, and a container called like its app is named once`() throws {
    #expect(try Session(samplePlan("OptedOut"), columns: 80, rows: 24).lines[0].contains("  opted out (W) · 8 ready"))
    var plan = acmePlan()
    plan.container.name = "com.acme.shop"
    #expect(Session(plan, columns: 120, rows: 24).lines[0].contains("Carryover  com.acme.shop · RudderStack"))
  }

  @Test(arguments: Extent.seeds(0..<60, short: 12))
  func `hostile texts are shown escaped and move nothing`(seed: UInt64) {
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

  @Test func `the inverted flag, the milliseconds and the stripped members are visible at a glance (F1)`() throws {
    let lines = Session().lines
    let flag = try #require(lines.first { $0.contains("is_manual_session") })
    #expect(flag.contains("rl_session_auto_track_sta") && flag.contains("true") && flag.contains("false"))
    #expect(flag.contains("inverted"))
    #expect(lines.contains { $0.contains("\"1763640123000\"") && $0.contains("s → ms, → string") })
    #expect(lines.contains { $0.contains("rl_traits ") && $0.contains("−3 members") })
    #expect(lines.contains { $0.contains("anonymous_id · ready") })
  }

  @Test(arguments: [0, 2, 3, 4, 5])
  func `a move of the cursor changes few cells`(row: Int) {
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

  @Test func `a move of the cursor changes its two rows, the lines about the field and the keys, and nothing else`() {
    var session = Session(columns: 120, rows: 40, typing: "jj")
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

  @Test func `every sign is a column wide and has one meaning, in Unicode and in ASCII`() {
    for isASCII in [false, true] {
      let signs = Sign.allCases.map { $0.text(ascii: isASCII) }
      #expect(Set(signs).count == signs.count)
      #expect(signs.allSatisfy { DisplayWidth.columns(of: $0) == 1 && (!isASCII || $0.utf8.count == 1) })
    }
  }

  @Test func `a secret that is left behind is never shown`() {
    var plan = acmePlan()
    plan.dropped = [DroppedKey(key: "rl_auth_token", value: "hunter2", reason: "A secret.", secret: true)]
    for script in ["", "w", "a"] {
      var session = Session(plan)
      session.type(script)
      #expect(session.text.contains("rl_auth_token"))
      #expect(!session.text.contains("hunter2"))
    }
  }

  @Test func `of a very long value only what fits is looked at in the list, and the details say what they cut`() {
    var plan = acmePlan()
    plan.fields[0].legacy = .string(String(repeating: "x", count: 1 << 20))
    var session = Session(plan)
    #expect(session.lines[session.state.layout.listRows.lowerBound].contains("xxx…"))
    session.type("<enter><end>")
    session.type("<home>")
    #expect(session.state.page.lines.contains { $0.contains { $0.text.contains("1048576 bytes in all") } })
  }

  @Test func `the preview shows a long value to its last character (F4)`() {
    var plan = acmePlan()
    plan.fields[0].proposed = .string(String(repeating: "0123456789", count: 300) + "end")
    let session = Session(plan, typing: "am")
    let text = session.state.page.lines.flatMap { $0 }.map(\.text).joined()
    #expect(text.filter { $0 != " " }.contains("0123456789end"))
  }

  @Test func `a hundred thousand fields scroll with the cursor always in sight`() {
    var session = Session(largePlan(100_000))
    #expect(session.text.contains("1 of 100000"))
    session.type("G", shows: "▸rl_key_99999")
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

@Suite("Layout") struct LayoutTests {
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

  @Test func `panes cover the screen, never overlap and keep room each, whatever the size and the settings`() {
    var generator = SeededGenerator(seed: 7)
    let known = [(60, 16), (80, 24), (120, 40), (149, 40), (150, 40), (200, 50), (1000, 1000)]
    let sizes =
      known.map { Size(columns: $0.0, rows: $0.1) }
      + (0..<300).map { _ in
        Size(columns: Int.random(in: 60...320, using: &generator), rows: Int.random(in: 16...100, using: &generator))
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
          func isIn(_ rect: Rect) -> Bool { rect.columnRange.contains(column) && rect.rowRange.contains(row) }
          let within = insides.indices.filter { isIn(insides[$0]) }
          let isBar = row == 0 || row == size.rows - 1
          #expect(frames.contains(where: isIn) == !isBar, "\(layout) \(position)")
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

  @Test func `no window is too small for a layout, and no setting`() {
    var generator = SeededGenerator(seed: 8)
    for columns in 0...59 {
      for rows in 0...15 {
        let layout = Self.any(&generator, size: Size(columns: columns, rows: rows))
        #expect(!layout.hasDetails && layout.lastColumn >= 2)
      }
    }
  }

  @Test func `the details stand beside the list from 150 columns on, and only where nothing else was chosen`() {
    func layout(_ columns: Int, _ form: LayoutChoice.Form = .auto) -> Layout {
      Layout(size: Size(columns: columns, rows: 40), rows: 8, form: form, hasDetails: true)
    }
    #expect(!layout(149).hasDetails && layout(150).hasDetails)
    #expect(layout(150).shape == .wide && layout(200).detailsColumns.count > layout(150).detailsColumns.count)
    for form in [LayoutChoice.Form.wide, .medium, .narrow] { #expect(!layout(200, form).hasDetails) }
    #expect(layout(80, .wide).shape == .wide && layout(120, .narrow).shape == .narrow)
    #expect(layout(75).shape == .narrow && layout(76).shape == .medium && layout(100).shape == .wide)
  }

  @Test func `sizes made by keys hold in a window of another size, come back, and end where a pane would vanish`() {
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
    session.type(String(repeating: "+", count: 60), then: \.state.layout.warningRows.count, is: 3)
    #expect(session.text.contains("The panes cannot be resized further"))
    session.type("-")
    #expect(session.state.layout.warningRows.count == 4, "one key back is one row back")
    session.type("2+")
    #expect(session.state.layout.warningRows.count == 5, "with the keys in the warnings, they get the row")
    session.type("=", then: \.state.layout, is: start)
    for key in ["-", "<", ">", "3<", "3>"] {
      session.type("1" + String(repeating: key, count: 80))
      RenderingTests.expectSound(session)
      #expect(session.state.visiblePanes.count == 3)
    }
  }

  @Test func `what was chosen beforehand is where = goes back to`() {
    let options = ReviewOptions(layout: LayoutChoice(form: .medium, listShare: 50, legacyShare: 60))
    var state = ReviewState(
      plan: largePlan(100), size: Size(columns: 120, rows: 45), options: options, backupLocation: "/runs")
    let start = state.layout
    #expect(start.shape == .medium && start.listRows.count == 20 && start.legacyColumns.upperBound == 72)
    for key in "+<=" { _ = reduce(&state, .key(.character(key))) }
    #expect(state.layout == start)
  }
}

@Suite("A review of very many fields") struct ManyFieldsTests {
  @Test(arguments: [
    "G<pgup>kg<pgdn>j5j", "/9<enter>nnN", "/value 1<bs><bs><esc>", "fis:undecided<enter>Gg<esc>", "f99<enter>n<esc>",
    "Ac", "vG uU", "vGsu", "wGg<esc>", "a<end><esc>",
  ])
  func `a key takes time in proportion to the fields at most`(_ script: String) {
    let factor = Growth.factor(from: 1000) { count in
      Session(largePlan(count))
    } _: { session in
      for _ in 0..<3 { session.type(script) }
      #expect(session.text.contains("of"))
    }
    #expect(factor < Growth.most)
  }

  @Test(arguments: [false, true])
  func `a review of fields that the update would lose opens in time in proportion to them`(_ haveOneLoss: Bool) {
    let factor = Growth.factor(from: 1000) { count in
      var plan = largePlan(count)
      plan.definition.rules = plan.fields.map { field in
        FieldRule(
          target: field.id, group: .other, form: .string, candidates: [Candidate(SourceKey(field.id))],
          loss: haveOneLoss ? .lost("the flags") : nil)
      }
      return plan
    } _: { (plan: inout Plan) in
      #expect(Session(plan).state.verdicts.first?.verdict.losses.isEmpty == false)
    }
    #expect(factor < Growth.most)
  }

  @Test(arguments: ["w<end>", "a<end>", "<tab><end>j"])
  func `what is left behind of a container costs no more a key, on any screen`(_ script: String) {
    let factor = Growth.factor(from: 1000) { count in
      var plan = acmePlan()
      plan.dropped = (0..<count).map { DroppedKey(key: "rl_\($0)", value: "value", reason: "No rule knows the key.") }
      plan.containerFindings = [Finding(.droppedUnknownKey(plan.dropped.map(\.key)))]
      return plan
    } _: { (plan: inout Plan) in
      var session = Session(plan)
      session.type(script, then: \.lines.count, is: 40)
    }
    #expect(factor < Growth.most)
  }

  @Test func `a masked value of any length is masked once, and not for each frame`() throws {
    let factor = Growth.factor(from: 2000, below: 2) { count in
      let members = (0..<count).map { #""trait \#($0)":"value \#($0)""# }.joined(separator: ",")
      var plan = acmePlan()
      plan.fields[2].legacy = .string("{\(members)}")
      plan.fields[2].proposed = plan.fields[2].legacy
      var redaction = Redaction(recipes: [.rudderStackObjC])
      redaction.learn(plan)
      let session = Session(redaction.findings(of: plan), redaction: redaction, typing: "jk")
      #expect(!session.text.contains("value 0"))
      return session
    } _: { session in
      for _ in 0..<5 {
        session.type("jk")
        #expect(!session.text.contains("value 0"))
      }
    }
    #expect(factor < 2)
  }
}
