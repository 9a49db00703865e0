@testable import CarryoverReview

@Suite("Deciding many fields") struct DecideManyTests {
  private static let both = ["is_manual_session", "last_activity_time"]

  private static func conflictPlan() -> Plan {
    var plan = acmePlan()
    for index in [3, 4] {
      plan.fields[index].status = .conflict
      plan.fields[index].current = "other"
      plan.fields[index].findings = []
    }
    return plan
  }

  @Test func `confirming what is clean leaves out what is to decide, in one step`() {
    var session = Session(typing: "Ar")
    #expect(session.state.screen == .review)
    #expect(session.state.message == "6 accepted.")
    #expect(session.state.decisions["user_id"] == nil && session.state.decisions["rudder.app_build"] == nil)
    #expect(session.state.history.done.count == 1)
    session.type("u")
    #expect(session.state.decisions.isEmpty && session.state.message == "Undone: 6 decisions.")
    #expect(session.effects.isEmpty)
  }

  @Test func `confirming a group says what it leaves out; only the item that says so includes it`() {
    var session = Session(typing: "A")
    #expect(session.text.contains("accept all proposals in group identity"))
    #expect(session.text.contains(", including 1 undecided"))
    session.type("jj", shows: "Not included: 1 undecided in the group.")
    session.type("<enter>", then: \.state.decisions, is: ["anonymous_id": .migrate])
    session.type("uAP", then: \.state.decisions, is: ["anonymous_id": .migrate, "user_id": .migrate])
    session.type("uAs", then: \.state.decisions, is: ["anonymous_id": .skip, "user_id": .skip])
  }

  @Test func `what is decided already is left alone but by taking back`() {
    var session = Session(typing: "sjs")
    session.type("Ar")
    #expect(session.state.decisions["anonymous_id"] == .skip && session.state.decisions.count == 7)
    session.type("Au")
    #expect(session.state.decisions.isEmpty && session.state.message == "7 undone.")
    session.type("u", then: \.state.decisions.count, is: 7)
  }

  @Test func `conflicts are kept or replaced alike; one that is flagged for something else stays`() {
    var plan = Self.conflictPlan()
    plan.fields[4].findings = [Finding(.userIDNotString(kind: "number", text: "42"))]
    var session = Session(plan, typing: "At")
    #expect(session.state.decisions == ["session_id": .keep])
    session.type("uA#", then: \.state.decisions, is: ["session_id": .migrate])
    #expect(session.state.tally[.conflict] == 1)
  }

  @Test func `in a range only its fields are meant, and the menu says so`() {
    var session = Session(Self.conflictPlan(), typing: "jjjjvA")
    #expect(session.text.contains("only the 1 field in the range"))
    session.type("#", then: \.state.decisions, is: ["is_manual_session": .migrate])
    #expect(session.state.tally[.conflict] == 1)
  }

  @Test func `with a filter on only listed fields are meant, and the menu says so`() {
    var session = Session(typing: "fgroup:session<enter>A")
    #expect(session.text.contains("only the 3 fields listed"))
    #expect(session.text.contains("accept all these ready fields"))
    session.type("r", then: \.state.decisions.count, is: 3)
    // What a decision changes does not take the row away under the cursor.
    #expect(session.state.rows.count == 3)
  }

  @Test func `what concerns no field is not offered, and esc leaves the menu`() {
    var session = Session(typing: "At")
    #expect(session.state.screen == .decideMany)
    #expect(session.state.message == "t has no entry here.")
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.decisions.isEmpty)
    session.type("A")
    session.send(.replanned(Self.conflictPlan()), then: \.state.screen, is: .review)
  }
}

@Suite("Ranges of fields") struct RangeTests {
  @Test func `v and moving choose rows; one key decides for all of them and one undo takes it back`() {
    var session = Session(typing: "vjj ")
    #expect(session.state.decisions == ["anonymous_id": .migrate, "user_id": .migrate, "traits": .migrate])
    #expect(session.state.message == "3 accepted.")
    #expect(session.state.history.done.count == 1)
    session.type("u", then: \.state.decisions, is: [:])
    #expect(session.state.message == "Undone: 3 decisions.")
    #expect(session.state.cursor == "anonymous_id")
    session.type("U", then: \.state.decisions.count, is: 3)
    #expect(session.state.message == "Redone: 3 decisions.")
    #expect(session.state.log.entries.map(\.kind) == [.decision, .decision, .decision])
    #expect(session.state.log.entries.first?.text == "Accepted: anonymous_id, user_id, traits")
  }

  @Test func `a previews and applies the fields of the range`() {
    var session = Session(typing: "jjvja")
    #expect(session.text.contains("Preview, 2 of 8 fields: only those in the range"), "\(session.text)")
    session.type("y")
    guard case .apply(let run)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(session.state.plan.changes(run).map(\.key) == ["traits", "session_id"])
  }

  @Test func `fields for which it is impossible are left alone and counted`() {
    var session = Session(typing: "<end>vkkk ")
    #expect(session.state.decisions.count == 3 && session.state.decisions["rudder.app_build"] == nil)
    #expect(session.state.message == "3 accepted; 1 has no proposal.")
    session.type("<esc>k<end>v ", then: \.state.message, is: "The field has no proposal.")
    #expect(session.effects == [.bell])
    session.type("<home>t", then: \.state.message, is: "None of the 8 fields has a target value to keep.")
  }

  @Test func `where all that can carry the decision have it, it is taken back; else it is set for the rest`() {
    var session = Session(typing: "jj vkk ")
    #expect(session.state.decisions.count == 3)
    #expect(session.state.message == "2 accepted; 1 was already.")
    session.type(" ", then: \.state.decisions, is: [:])
    #expect(session.state.message == "3 undone.")
    session.type("s")
    #expect(session.state.decisions.values.allSatisfy { $0 == .skip } && session.state.decisions.count == 3)
  }

  @Test(arguments: [Glyphs.unicode, .ascii])
  func `every row of the range has a mark, without colours too`(glyphs: Glyphs) {
    var session = Session(columns: 120, glyphs: glyphs, typing: "vjj")
    let mark = glyphs == .ascii ? "*" : "•"
    let pointer = glyphs == .ascii ? ">" : "▸"
    let first = session.state.layout.listRows.lowerBound
    let rows = first..<(first + 3)
    #expect(session.lines[rows].map { String(Array($0)[1]) } == [mark, mark, pointer])
    #expect(String(Array(session.lines[rows.upperBound])[1]) == " ")
    #expect(session.lines.last?.contains("range of 3") == true)
    session.type("<esc>")
    #expect(session.lines[rows].map { String(Array($0)[1]) } == [" ", " ", pointer])
  }

  @Test func `the range is left by v and by esc, and ends with a new plan`() {
    var session = Session(typing: "vjv")
    #expect(session.state.range == nil && session.state.cursor == "user_id")
    session.type("vj<esc>", then: \.state.range, is: nil)
    session.type("<esc>", then: \.state.message, is: "No range, search or filter is on; q quits.")
    session.type("vk")
    var plan = acmePlan()
    plan.fields.swapAt(0, 5)
    session.send(.replanned(plan))
    #expect(session.state.range == nil)
  }

  @Test func `in the details a key is about that field alone, and e asks for the range to be left`() {
    var session = Session(typing: "vjj<enter> <esc>")
    #expect(session.state.decisions == ["traits": .migrate])
    #expect(session.state.range == 0...2)
    session.type("e", then: \.state.editor, is: nil)
    #expect(session.state.message == "Only one field's value can be edited at a time; v leaves the range.")
  }
}

@Suite("Numbers in front of keys") struct CountsTests {
  @Test func `on a page of text a number says how often, or which line`() {
    var session = Session(columns: 80, rows: 24, typing: "r5j")
    #expect(session.state.pageTop == 5)
    session.type("2k", then: \.state.pageTop, is: 3)
    session.type("12G", then: \.state.pageTop, is: 11)
    session.type("10g", then: \.state.pageTop, is: 9)
    session.type("99999999j")
    #expect(session.state.pageTop == session.state.page.lines.count - 20)
  }

  @Test func `a number is shown until its key comes; Esc and every other key drop it`() {
    var session = Session(columns: 80, rows: 24, typing: "r12")
    #expect(session.lines.last?.contains("12 … then a key") == true)
    session.type("<esc>")
    #expect(session.state.screen == .recipes && session.lines.last?.contains("esc back") == true)
    session.type("j", then: \.state.pageTop, is: 1)
    session.type("7xj", then: \.state.pageTop, is: 2)
    session.type("3<esc><esc>", then: \.state.screen, is: .review)
    session.type("r0j")
    #expect(session.state.pageTop == 1, "a zero begins no number")
  }

  @Test func `a key that applies does nothing behind a number`() {
    var session = Session(decisions: ["user_id": .migrate], typing: "a1y")
    #expect(session.state.screen == .preview && !session.effects.contains { !$0.isForClicks && $0 != .bell })
    #expect(session.state.message == "y takes no number, so nothing happened. Press it without one.")
    session.type("y")
    #expect(session.state.message == nil && session.effects.contains { $0 != .bell })
  }

  @Test func `a number before : counts steps of a search too, and is forgotten when the list is left`() {
    var session = Session(columns: 80, rows: 24, typing: "r/the<enter>")
    session.type("3:next<enter>")
    #expect(session.state.find?.current == 3)
    session.type("<esc>?3:<esc>G<enter>")
    #expect(session.state.stack.actions.times == nil && session.state.message?.contains("number") != true)
  }

  @Test func `in the history, in a run and in the stores a number says how often, or which row`() {
    var session = Session(columns: 80, rows: 24)
    session.openHistory()
    session.type("3j", then: \.state.runs.row, is: 3)
    session.type("2G", then: \.state.runs.row, is: 1)
    session.openRun(largeRollback(100))
    session.type("50G3n", then: \.state.keys.row, is: 73)
    var browsing = Browsing(columns: 80, rows: 24, typing: "l3j")
    #expect(browsing.state.cursor == 4)
    browsing.type("2G", then: \.state.cursor, is: 1)
    browsing.type("4")
    #expect(browsing.lines.last?.contains("4 … then a key") == true)
    browsing.type("<esc>x")
    #expect(browsing.effects.contains(.leave) == false)
    browsing.type("/anonymous<enter>:1<enter>")
    #expect(browsing.state.cursor == 0 && browsing.state.search?.wanted.text == "anonymous")
    var picking = Picking(typing: ":3<enter>")
    #expect(picking.state.list.row == 2 && picking.state.list.rows.count == 4)
    picking.type("g2j", then: \.state.list.row, is: 2)
    picking.type("2G", then: \.state.list.row, is: 1)
  }

  @Test func `in the review and the details, where digits mean something else, : asks for the row`() {
    var session = Session(largePlan(100), columns: 80, rows: 24, typing: ":42")
    #expect(session.lines.last?.contains(":42") == true && render(session.state).cursor != nil)
    session.type("<enter>")
    #expect(session.state.cursor == "key_41" && session.state.screen == .review)
    session.type(":100000<enter>", then: \.state.cursor, is: "key_99")
    session.type(":5<esc>", then: \.state.cursor, is: "key_99")
    session.type(":<c-u>no such thing<enter><esc>")
    #expect(session.effects.last == .bell && session.state.cursor == "key_99")
    let details = Session(columns: 80, rows: 16, typing: "jj<enter>:9<enter>")
    #expect(details.state.screen == .details && details.state.pageTop == 8)
  }
}

@Suite("The values a line being typed can be replaced by") struct EditorHistoryTests {
  @Test func `up and down walk through what was typed, the legacy value, the proposal and known ones, each named`() {
    var session = Session(typing: "ne<c-u>mine<up>")
    #expect(session.state.editor?.text == "42" && session.text.contains("legacy value, proposal (1 of 2)"))
    session.type("<up>")
    #expect(session.state.editor?.text == "41" && session.text.contains("from rsDefaultsPersistence.plist (2 of 2)"))
    session.type("<up>", then: \.effects, is: [.bell])
    session.type("<down><down>")
    #expect(session.state.editor?.text == "mine" && !session.text.contains("of 2)"))
    session.type("<enter>e<c-u>other<enter>e<up>")
    #expect(session.state.editor?.text == "other" && session.text.contains("typed before (1 of 4)"))
    session.type("<up>")
    #expect(session.state.editor?.text == "mine" && session.text.contains("typed before (2 of 4)"))
    session.type("<up>", shows: "legacy value, proposal (3 of 4)")
  }

  @Test func `what is changed in a line stays with it while another one is looked at`() {
    var session = Session(typing: "ne<up><up>9<down><down>x<up><up>")
    #expect(session.state.editor?.text == "419")
    #expect(session.text.contains("from rsDefaultsPersistence.plist, changed"))
    session.type("<down><down>", then: \.state.editor?.text, is: "42x")
    session.type("<up><up><enter>", then: \.state.decisions, is: ["user_id": .edit("419")])
  }

  @Test func `an id with blanks or hidden characters is shown with them, and asked about before it is written`() {
    for (text, shown) in [
      (" u-42 \n", "“ u-42 \\n”"), ("u-42 ", "“u-42 ”"), ("u\u{200B}-42", "“u\\u{200B}-42”"),
      ("\u{FEFF}u-42", "“\\u{FEFF}u-42”"), ("u-42\u{A0}", "“u-42\\u{A0}”"), ("u-42\u{202E}", "“u-42\\u{202E}”"),
    ] {
      var session = Session(typing: "ne<c-u>")
      session.send(.paste(text))
      #expect(session.text.contains(shown) && !session.text.contains("Valid"), "\(session.text)")
      session.type("<enter>")
      #expect(session.state.editor?.text == text && session.state.decisions.isEmpty && session.effects == [.bell])
      #expect(session.text.contains("Save again to write it as it is."), "\(session.text)")
      session.type("x<enter>")
      #expect(session.state.decisions.isEmpty == (text.last != " " || text.contains("\n")))
    }
    let session = Session(typing: "ne<c-u> u-42<enter><enter>")
    #expect(session.state.decisions == ["user_id": .edit(" u-42")] && session.state.editor == nil)
  }

  @Test func `redacted, nothing is put into the line that is masked elsewhere`() {
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(acmePlan())
    var session = Session(redaction: redaction, typing: "e<up><up><up><up>")
    #expect(session.state.editor?.text == "")
    session.type("u-7<enter>e<c-u><up>", then: \.state.editor?.text, is: "u-7")
  }

  @Test(arguments: Extent.seeds(0..<20, short: 5))
  func `pasted keys are text, and a long hostile text scrolls, whatever is put into the line`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var session = Session(generator.hostilePlan(fields: 6), columns: 80, rows: 24, typing: "e")
    for _ in 0..<60 {
      session.send(.paste(generator.hostileText() + "\u{1B}[A\ry"))
      session.type(["<up>", "<down>", "<left>", "<home>", "<end>", "<bs>", "é"].randomElement(using: &generator) ?? "")
      #expect(session.state.screen == .editor)
      #expect(session.lines.count == 24)
    }
    #expect(session.state.decisions.isEmpty)
  }

  @Test func `a line stays within its limit in bytes, however few characters they make`() {
    var line = TypedLine("e")
    for _ in 0..<4 { line.insert(String(repeating: "\u{301}", count: 30_000)) }
    #expect(line.text.utf8.count <= TypedLine.limit && line.text.utf8.count > TypedLine.limit - 2)
    line.insert("x")
    #expect(line.text.utf8.count <= TypedLine.limit)
  }
}

@Suite("One recommendation") struct RecommendedDecisionTests {
  private struct Example: Decodable {
    var container: String
    var options: [String]
  }

  private struct Index: Decodable { var examples: [Example] }

  /// Every sample, and every example of a finding that is a package.
  private static func all() throws -> [Example] {
    let folder = packageRoot.appending(path: "Examples")
    let samples = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let index = try Data(contentsOf: folder.appending(path: "Findings/index.json"))
    let examples = try JSONDecoder().decode(Index.self, from: index).examples.map {
      Example(container: "Findings/" + $0.container, options: $0.options)
    }
    return (samples.map { Example(container: $0, options: []) } + examples).filter {
      $0.container.hasSuffix(".xcappdata")
    }
  }

  @Test func `findings, verdict, answers and A say what the core recommends`() throws {
    for example in try Self.all() { try check(example) }
  }

  private func check(_ example: Example) throws {
    let (options, name) = (example.options, example.container)
    let recipe = options.firstIndex(of: "--recipe").flatMap { options.dropFirst($0 + 1).first }
    let plan = try samplePlan(String(name.dropLast(".xcappdata".count)), recipe: recipe)
    var session = Session(plan, columns: 120, rows: 60)
    let undecided = plan.undecided([:])
    guard !undecided.isEmpty else { return }
    let mending = Mending(plan.definition.verdict(on: plan), plan)
    func ids(_ recommendation: Recommendation) -> [Field.ID] {
      undecided.filter { $0.recommendation == recommendation }.map(\.id)
    }
    #expect(mending.accept == ids(.accept) && mending.replace == ids(.replace) && ids(.keep) == [], "\(name)")
    for field in undecided {
      let remedies = field.findings.filter(\.asks).map { $0.commandRemedy.lowercased() }
      switch field.recommendation {
      case .accept: #expect(remedies.contains { $0.contains("accept") || $0.contains("offer") }, "\(name): \(remedies)")
      case .replace: #expect(remedies.contains { $0.contains("replace the new id") }, "\(name): \(remedies)")
      case .keep, nil: break
      }
      session.state.go(toField: try #require(plan.fields.firstIndex { $0.id == field.id }))
      let lines = session.state.ownWarnings(at: session.state.cursorPosition, .wide, columns: 120)
      let answers = lines.joined().map(\.text).joined()
      let isMarked = [.accept, .replace].contains(field.recommendation)
      #expect(answers.contains("(recommended)") == isMarked, "\(name): \(answers)")
    }
    let recommended = ids(.accept) + ids(.replace)
    guard !recommended.isEmpty else { return }
    session.type("Aa")
    for field in undecided {
      let decision: Decision? = recommended.contains(field.id) ? .migrate : nil
      #expect(session.state.decisions[field.id] == decision, "\(name): \(field.id)")
    }
  }
}
