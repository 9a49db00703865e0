@testable import Carryover

@Suite("Redaction of random containers") struct RedactionPropertyTests {
  @Test(arguments: 0..<60)
  func `no planted value is in a redacted plan, its findings or its values`(_ seed: UInt64) throws {
    var made = Made(seed: seed)
    let app = made.app()
    let container = try app.container()
    let plan = try app.plan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    redaction.learn(plan)
    let masked = redaction.findings(of: plan)
    var shown = [redaction.document(try RedactionTests.document(masked)).text()]
    shown += masked.findings.flatMap { [$0.message, $0.remedy, redaction.text($0.message)] }
    shown += plan.findings.map { redaction.text($0.message) }
    for store in container.stores {
      for entry in store.dictionary?.entries ?? [] {
        shown.append(redaction.text(entry.key))
        shown.append(redaction.document(CodedValue.json(entry.value)).text())
        shown.append("\(redaction.value(entry.value))")
      }
    }
    let bare = try RedactionTests.document(plan).text()
    #expect(made.planted.contains { bare.contains($0) })
    for text in shown {
      for value in made.planted { #expect(!text.contains(value), "seed \(seed): \(value) in \(text.prefix(400))") }
    }
  }

  @Test(arguments: 0..<20)
  func `masks are equal exactly where values are`(_ seed: UInt64) throws {
    var made = Made(seed: seed)
    let container = try made.app().container()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    var numbers: [Int: String] = [:]
    for value in made.planted {
      guard let number = redaction.masked(.string(value))?.number else { continue }
      #expect(numbers.updateValue(value, forKey: number) == nil)
    }
    var again = Redaction(recipes: [.rudderStackObjC])
    again.learn(container)
    #expect(again.known == redaction.known && again.plain == redaction.plain && again.names == redaction.names)
    redaction.learn(container)
    #expect(again.known == redaction.known && again.plain == redaction.plain && again.names == redaction.names)
  }

  private struct Made {
    var random: SeededGenerator
    var planted: [String] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed &* 77 &+ 5) }

    mutating func app() -> LegacyApp {
      var keys = LegacyApp.clean
      keys["rl_anonymous_id"] = .string(secret())
      keys["rl_traits"] = .string(traits())
      keys["rl_auth_token"] = .string(secret())
      keys["rl_external_id"] = .string(#"[{"type":"\#(secret())","id":"\#(secret())"}]"#)
      keys["rl_" + word()] = .string(secret())
      if flip() { keys["rl_application_build_key"] = .string(secret()) }
      if flip() { keys["rl_application_info_key"] = .string(secret()) }
      if flip() { keys["rl_session_id"] = .string(secret()) }
      if flip() { keys["rl_last_event_time_stamp"] = .string(secret()) }
      for _ in 0..<4 { keys["app." + word()] = value(depth: 0) }
      var file = keys
      if flip() { file["rl_anonymous_id"] = .string(secret()) }
      if flip() { file["rl_traits"] = .string(traits()) }
      var app = LegacyApp(standard: keys, file: file)
      if flip() {
        app.target = ["anonymous_id": .string(secret()), "user_id": value(depth: 3), "traits": .string(traits())]
      }
      return app
    }

    private mutating func traits() -> String {
      let id = flip() ? "\"\(secret())\"" : number()
      let end = flip() ? "}" : ""
      return
        #"{"anonymousId":"\#(secret())","userId":\#(id),"id":"\#(secret())","email":"\#(secret())@x.example","a":["#
        + #"{"b":"\#(secret())","n":\#(number())}]"# + end
    }

    private mutating func value(depth: Int) -> PropertyListValue {
      switch random.next() % (depth > 2 ? 4 : 7) {
      case 0: return .string(secret())
      case 1: return .data(Array(secret().utf8))
      case 2: return .string(#"{"deep":"{\"deeper\":\"\#(secret())\"}"}"#)
      case 3: return PropertyListInteger(number()).map(PropertyListValue.integer) ?? .string(secret())
      case 4: return .array([value(depth: depth + 1), value(depth: depth + 1)])
      case 5: return .dictionary(PropertyListDictionary(entries: [.init(key: word(), value: value(depth: depth + 1))]))
      default: return .data(Array(#"{"in":"\#(secret())"}"#.utf8))
      }
    }

    /// A text that nothing of ours has: letters, or with digits and signs.
    private mutating func secret() -> String {
      let length = 9 + Int(random.next() % (flip() ? 6 : 90))
      let letters = Array(flip() ? "qxzjvkwy" : "qxzjvkwy0123 -ß")
      let text = "q" + String((0..<length).map { _ in letters[Int(random.next() % UInt64(letters.count))] }) + "z"
      planted.append(text)
      return text
    }

    private mutating func number() -> String {
      let text = String(7_000_000_000 + random.next() % 900_000_000)
      planted.append(text)
      return text
    }

    private mutating func word() -> String {
      ["first", "second", "mail", "third"][Int(random.next() % 4)] + "\(random.next() % 9)"
    }
    private mutating func flip() -> Bool { random.next() & 0x40 == 0 }
  }
}

@Suite("What redaction looks for in text") struct SensitiveIndexTests {
  private static let app = LegacyApp.with([
    "rl_traits": #"{"email":"ada@private.example","name":"Ada Lovelace"}"#, "app.city": "Utopia",
  ])

  @Test func `nothing is made before something is looked for, however much was learned in how many steps`() throws {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(try Self.app.container())
    redaction.learn(parameter: LegacyApp.writeKey)
    redaction.learn(try Self.app.plan())
    #expect(redaction.index.withLock { $0 == nil })
    #expect(redaction.text("to Utopia") != "to Utopia")
    #expect(redaction.index.withLock { $0?.match(Array("Utopia".utf8), at: 0)?.length == 6 })
  }

  @Test func `whoever learns nothing new keeps what was made, and a value that is new is found`() throws {
    let container = try Self.app.container()
    let plan = try Self.app.plan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    redaction.learn(plan)
    let made = redaction.index
    redaction.learn(container)
    redaction.learn(plan)
    redaction.learn([] as [RunSummary])
    redaction.learn([:] as Decisions)
    #expect(redaction.index === made)
    #expect(redaction.text("to Erewhon") == "to Erewhon")
    let before = redaction
    redaction.learn(["user_id": .edit("Erewhon")])
    #expect(redaction.index !== made)
    #expect(redaction.text("to Erewhon") == "to ‹user-\(redaction.count)›")
    #expect(before.text("to Erewhon") == "to Erewhon")
  }

  @Test func `a name that is learned last counts as one that was learned first`() throws {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(try LegacyApp.with(["app.kind": "favourite"]).container())
    #expect(redaction.text("the favourite one") != "the favourite one")
    redaction.learn(try LegacyApp.with(["favourite": true]).container())
    #expect(redaction.text("the favourite one") == "the favourite one")
  }

  @Test func `when it was first asked makes no difference`() throws {
    let sentence = "Ada Lovelace of Utopia, ada@private.example, ADA@PRIVATE.EXAMPLE"
    var early = Redaction(recipes: [.rudderStackObjC])
    var late = Redaction(recipes: [.rudderStackObjC])
    early.learn(try Self.app.container())
    late.learn(try Self.app.container())
    _ = early.text(sentence)
    early.learn(try Self.app.plan())
    late.learn(try Self.app.plan())
    #expect(early.known == late.known && early.text(sentence) == late.text(sentence))
  }

  @Test func `of equal texts the value counts before another way to write one, in whatever order they come`() {
    func entry(_ number: Int, _ precedence: SensitiveIndex.Precedence) -> SensitiveIndex.Entry {
      SensitiveIndex.Entry(
        bytes: Array("ABCD-1".utf8), replacement: .mask(Mask(kind: .id, number: number)), edges: .any, isTelling: true,
        precedence: precedence)
    }
    let entries = [entry(2, .otherForm), entry(10, .otherForm), entry(7, .value), entry(1, .place)]
    for turn in entries.indices {
      let index = SensitiveIndex(Array(entries[turn...] + entries[..<turn]))
      #expect(index.match(Array("ABCD-1".utf8), at: 0)?.replacement == "‹id-7›")
    }
    let forms = [entry(2, .otherForm), entry(10, .otherForm)]
    for index in [SensitiveIndex(forms), SensitiveIndex(forms.reversed())] {
      #expect(index.match(Array("ABCD-1".utf8), at: 0)?.replacement == "‹id-10›")
    }
  }

  @Test func `texts that begin alike, end in zeros or are shorter than a word are found for what they are`() {
    let texts = ["a", "ab", "ab\0", "ab\0\0", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "b"]
    let entries = texts.enumerated().map { number, text in
      SensitiveIndex.Entry(
        bytes: Array(text.utf8), replacement: .mask(Mask(kind: .text, number: number)), edges: .any, isTelling: false,
        precedence: .value)
    }
    for index in [SensitiveIndex(entries), SensitiveIndex(entries.reversed())] {
      for (number, text) in texts.enumerated() {
        let found = index.match(Array((text + "|").utf8), at: 0)
        #expect(found?.length == text.utf8.count && found?.replacement == "‹text-\(number)›")
      }
    }
  }
}
