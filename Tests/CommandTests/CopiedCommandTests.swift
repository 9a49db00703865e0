import CarryoverReview
import CarryoverTerminal

@Suite("A review copied as a command") struct CopiedCommandTests {
  private static let texts = [
    "u-1", "it's", "''", "a\"b", "two\nlines\n", "\r", "\t", "\u{1B}[31mred\u{1B}]52;c;aGk=\u{07}",
    "\u{202E}abc\u{2066}",
    "-x", "--skip", "", " ", "$(touch hit)`touch hit`", "!!", "e\u{301}", "\u{301}'\u{301}", "日本\u{1F9EA}",
    "\\n \\u{41}",
    "%s", "a=b", "=x", "~", "* ?", "# no", "\u{0}nul", "\u{3}\ntouch hit\n",
    "{\"plan\":\"pro\\/annual\",\"q\":\"it's\"}",
    "{\"n\":18446744073709551615,\"x\":\"\u{202E}\\u001b\"}", "{}", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615", "true", "no", "0", "42",
  ]

  private let key = StateKey([UInt8](repeating: 0x5A, count: 32))

  private func copies(_ name: String, inConflict: Bool) throws -> (SampleCopy, SampleCopy) {
    let copies = try (SampleCopy(name), SampleCopy(name))
    let held = #"{'user_id': 'u-2002', 'traits': '{"a":1}', 'is_manual_session': True, 'rudder.app_build': 7}"#
    for target in inConflict ? [copies.0.target, copies.1.target] : [] { try Tool.edit(target, "values = " + held) }
    return copies
  }

  private func decide(_ state: inout ReviewState, _ generator: inout some RandomNumberGenerator) {
    func press(_ key: Key) { _ = reduce(&state, .key(key)) }
    for row in state.plan.fields.indices {
      _ = reduce(&state, .row(row))
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: press(.character(" "))
        case 1: press(.character("s"))
        case 2: press(.character("t"))
        case 3:
          press(.enter)
          press(.character(Character(String(Int.random(in: 1...3, using: &generator)))))
          press(.escape)
        default:
          press(.character("e"))
          guard state.editor != nil else { continue }
          press(.control("a"))
          press(.control("k"))
          // Few texts are an object, so fields of one get those alone.
          let isObject = [.jsonObjectString, .jsonObjectData].contains(state.plan.fields[row].form)
          let texts = isObject ? Self.texts.filter { $0.hasPrefix("{") } : Self.texts
          _ = reduce(&state, .paste(texts.randomElement(using: &generator) ?? ""))
          press(.enter)
          if state.editor != nil { press(.enter) }
          if state.editor != nil { press(.escape) }
        }
      }
      let field = state.plan.fields[row]
      if state.plan.undecided(state.decisions).contains(where: { $0.id == field.id }) { press(.character("s")) }
    }
  }

  @Test(arguments: ["AcmeShop", "HalfFilled", "Disagree", "CorruptTraits", "ManualSession", "Person"])
  func `does to another copy exactly what the review does`(name: String) throws {
    var (edits, applied, escaped) = (0, 0, 0)
    for seed in Extent.seeds(0..<12, short: 5) {
      var generator = SeededGenerator(seed: seed &+ UInt64(name.utf8.count) &* 1000)
      let (reviewed, other) = try copies(name, inConflict: name == "AcmeShop" && seed.isMultiple(of: 2))
      let files = POSIXFileSystem()
      let opened = try ContainerOpener(fileSystem: files).opened(reviewed.path, options: ContainerOptions())
      let migrator = Migrator(
        fileSystem: opened.fileSystem, toolVersion: "1", key: try #require(key),
        now: { Moment(secondsSince1970: 1_763_640_300) })
      let plan = try migrator.plan(
        opened.container, with: Recipe.detect(in: opened.container).recipe,
        now: Moment(millisecondsSince1970: 1_763_640_300_250), options: PlannerOptions(writeKey: SampleCopy.writeKey))
      let words = [Tool.carryover.path, "apply", other.path, "--write-key", SampleCopy.writeKey]
      var state = ReviewState(
        plan: plan, size: Size(columns: 100, rows: 40), backupLocation: "/runs", container: opened.container,
        applyWords: { _ in words })
      decide(&state, &generator)
      for case .edit in state.decisions.values { edits += 1 }
      #expect(state.plan.undecided(state.decisions).isEmpty)

      guard case .copy(let command)? = reduce(&state, .key(.character("C"))).first else {
        return #expect(Bool(false), "nothing was copied: \(state.message ?? "")")
      }
      let isHarmless = DisplayText.harmless(command) == command
      #expect(isHarmless, "what is shown is what is copied")
      if command.contains("--set-json") { escaped += 1 }
      let result = try Tool.run("/bin/sh", ["-c", command])
      #expect(result.status == 0, "\(command)\n\(result.error)")
      if try migrator.apply(plan, decisions: state.decisions, in: opened.container).runID != nil { applied += 1 }
      #expect(try other.files() == reviewed.files(), "\(command)")
    }
    #expect(!Extent.isFull || edits > 0 && applied > 0, "\(edits) edits, \(applied) applied")
    #expect(!Extent.isFull || escaped > 0 || name == "Person", "texts that a command line cannot show")
  }

  @Test func `the command that plan prints has every decision that plan was given`() throws {
    let (fresh, conflicted) = (try copies("AcmeShop", inConflict: false).0, try copies("AcmeShop", inConflict: true).0)
    for (sample, given) in [
      (fresh, ["--accept user_id", "--set-json rudder.app_build=7"]),
      (conflicted, ["--keep user_id", "--replace traits"]),
    ] {
      let result = try Tool.carryover(
        ["plan"] + sample.options + given.flatMap { $0.split(separator: " ").map(String.init) })
      #expect(result.status == 0 || result.status == 3, "\(result.error)")
      for words in given { #expect(result.output.contains(words), "\(result.output)") }
    }
  }

  @Test func `--keep and --replace decide one conflict each, and need a value to keep or a proposal`() throws {
    let sample = try copies("AcmeShop", inConflict: true).0
    let rest = ["--on-conflict", "keep", "--skip", "rudder.app_build", "--yes"]
    try Tool.carryover(["apply"] + sample.options + ["--replace", "user_id", "--keep", "traits"] + rest).ended()
    let target = try sample.targetAsPythonReadsIt()
    #expect(target["user_id"] == "str\t'42'" && target["traits"] == "str\t'{\"a\":1}'")
    let fresh = try SampleCopy("AcmeShop")
    let missing = try Tool.carryover(["apply"] + fresh.options + ["--keep", "user_id", "--yes"])
    #expect(missing.status != 0 && missing.error.contains("has no value to keep"), "\(missing.error)")
  }

  @Test func `--set-json takes a string, a whole number or a boolean, and nothing else`() throws {
    let sample = try SampleCopy("AcmeShop")
    let options = ["--skip", "rudder.app_build", "--yes"]
    for wrong in ["user_id", "user_id=", "user_id=u-1", "user_id=null", "user_id=1.5", "user_id=[\"a\"]", "user_id=7"] {
      let result = try Tool.carryover(["apply"] + sample.options + ["--set-json", wrong] + options)
      #expect(result.status != 0 && result.error.contains("--set-json"), "\(wrong): \(result.error)")
    }
    try Tool.carryover(
      ["apply"] + sample.options + ["--set-json", #"user_id="\u001bé""#, "--set-json", "is_manual_session=true"]
        + options
    ).ended()
    let target = try sample.targetAsPythonReadsIt()
    #expect(target["user_id"] == "str\t'\\x1bé'" && target["is_manual_session"] == "bool\tTrue")
  }
}
