@Suite("Moving Convert's visitor") struct ConvertMigrationTests {
  private static let text = """
    {"store":{"1-2-OLD":{"bucketing":{"e1":"v1"},"goalTriggered":{"g":true}},"1-3-OLD":{"bucketing":{"e3":"v3"}},\
    "1-2-bob":{"bucketing":{"e1":"v2"}}},"order":["1-2-OLD","1-2-bob","1-3-OLD"]}
    """

  private struct Phone {
    let box: ConvertBox
    let keychain = MemoryDataStore(label: "keychain")
    let mirror = MemoryDataStore(label: "mirror")

    init(keychain id: String? = "OLD", mirror other: String? = "OLD") throws {
      box = ConvertBox()
      try box.put(ConvertNames.decisions, ConvertMigrationTests.text)
      if let id { try keychain.set(Array(id.utf8), for: ConvertNames.visitorAccount) }
      if let other { try mirror.set(Array(other.utf8), for: ConvertNames.visitorMirror) }
    }

    func migration(_ disk: any FileSystem = POSIXFileSystem(), writes: Int = .max) -> ConvertMigration {
      let stores = [keychain, mirror].map { CountingStore(over: $0) }
      for store in stores {
        store.fail { operation, _ in operation == .write && stores.map(\.writes).reduce(0, +) >= writes }
      }
      return ConvertMigration(files: box.files(disk), keychain: stores[0], mirror: stores[1])
    }

    func sdk() throws -> (id: String?, variations: [JSONValue?]) {
      let id = IdentityLookup.convert(keychain: keychain, mirror: mirror) { "" }.current()?.id
      let decisions = try box.files().decisions()
      return (
        id,
        [("1-2", "e1"), ("1-3", "e3")].map { project, experience in
          id.flatMap { decisions.variation(of: experience, for: .init(project: project, visitor: $0)) }
        }
      )
    }

    func ids() throws -> [String?] {
      try [keychain.data(for: ConvertNames.visitorAccount), mirror.data(for: ConvertNames.visitorMirror)].map {
        $0.map { String(decoding: $0, as: UTF8.self) }
      }
    }

    func expectDone(_ comment: Comment) throws {
      #expect(try ids() == ["NEW", "NEW"], comment)
      let decisions = try box.files().decisions()
      let expected = try JSONText(ConvertMigrationTests.text.replacingOccurrences(of: "OLD", with: "NEW")).value
      #expect(ModelChange.between(expected, decisions.value) == [], comment)
    }
  }

  @Test func `a migration's progress and outcome can be followed (C9)`() async throws {
    let phone = try Phone()
    let migration = phone.migration()
    let stream = migration.events()
    let report = try migration.run(.kept(to: "NEW"))
    #expect(report.from == "OLD" && report.projects == 2 && report.writes == 4)
    var words: [String] = []
    for await event in stream { words.append(Self.word(event)) }
    #expect(words == ["began", "copied 2", "NEW in keychain", "removed 2", "NEW in mirror", "finished"])
    for await event in migration.events() { Issue.record("\(event) after the end") }
    try phone.expectDone("")
    let again = try phone.migration().run(.kept(to: "NEW"))
    #expect(again.writes == 0 && again.from == nil)
  }

  @Test func `a subscription ends when its reader is cancelled, and no other does (C12)`() async throws {
    let migration = try Phone().migration()
    let kept = migration.events()
    let read = migration.events()
    let reader = Task { for await _ in read {} }
    #expect(migration.subscriptions == 2)
    reader.cancel()
    await reader.value
    #expect(migration.subscriptions == 1)
    try migration.run(.kept(to: "NEW"))
    var words: [String] = []
    for await event in kept { words.append(Self.word(event)) }
    #expect(words.first == "began" && words.last == "finished")
  }

  @Test func `a failure is told too, with its cause (C9)`() async throws {
    let phone = try Phone()
    try phone.box.put(ConvertNames.decisions, "{")
    let migration = phone.migration()
    let stream = migration.events()
    #expect(throws: ConvertError.self) { try migration.run(.kept(to: "NEW")) }
    var last: ConvertEvent?
    for await event in stream { last = event }
    guard case .failed(.corrupt) = last else { return #expect(Bool(false), "\(last as Any)") }
    #expect(try phone.ids() == ["OLD", "OLD"])
    #expect(phone.box.text(ConvertNames.decisions) == "{")
  }

  @Test(
    "cut off at any write of a file or an id, the SDK's id has its decisions, and the next start finishes it (C3)",
    arguments: [("OLD", "OLD"), ("OLD", nil), (nil, "OLD"), ("OLD", "ELSE")] as [(String?, String?)], [true, false])
  func everyWrite(_ ids: (String?, String?), isFile: Bool) throws {
    var failed = 0
    for writes in 0... {
      let phone = try Phone(keychain: ids.0, mirror: ids.1)
      let disk: any FileSystem = isFile ? FailingFileSystem(after: writes) : POSIXFileSystem()
      let done = (try? phone.migration(disk, writes: isFile ? .max : writes).run(.kept(to: "NEW"))) != nil
      let sdk = try phone.sdk()
      #expect(!isFile || sdk.id == "OLD" || sdk.id == "NEW")
      #expect(sdk.variations == ["v1", "v3"], "after \(writes) writes, as \(sdk.id ?? "nobody")")
      try phone.migration().run(.kept(to: "NEW"))
      try phone.expectDone("after \(writes) writes")
      if done { break }
      failed += 1
    }
    #expect(failed >= (isFile ? 8 : 2))
  }

  @Test func `what is decided for the new id during a migration stays, and no old one is lost (C3)`() throws {
    let phone = try Phone()
    #expect(throws: ConvertError.self) { try phone.migration(FailingFileSystem(after: 7)).run(.kept(to: "NEW")) }
    #expect(try phone.ids() == ["NEW", "OLD"])
    let first = try phone.box.files().updateDecisions {
      $0.reach(goal: "late", .init(project: "1-2", visitor: "NEW"))
    }
    #expect(first)
    try phone.migration().run(.kept(to: "NEW"))
    var settled = try phone.box.files().decisions()
    let goals = [
      settled.reach(goal: "late", .init(project: "1-2", visitor: "NEW")),
      settled.reach(goal: "g", .init(project: "1-2", visitor: "NEW")),
    ]
    #expect(goals == [false, false])
    #expect(settled.visitors == ["NEW", "bob"])
  }

  @Test func `what another process has moved meanwhile is not reported (C10)`() throws {
    // An earlier run was cut off behind the keychain.
    let phone = try Phone(keychain: "NEW", mirror: "OLD")
    let others = phone.box.files()
    let disk = FailingFileSystem(before: { operation, _ in
      guard operation == .lock else { return }
      try? others.updateDecisions { _ = $0.move(from: "OLD", to: "NEW") }
    })
    let report = try phone.migration(disk).run(.kept(to: "NEW"))
    #expect(report.projects == 0 && report.writes == 1 && report.from == "OLD")
    try phone.expectDone("")
  }

  @Test func `ids that the app gives itself are moved in the decisions, and no store is touched (C1)`() throws {
    let phone = try Phone(keychain: "K", mirror: nil)
    let report = try phone.migration(writes: 0).run(.given(from: "OLD", to: "NEW"))
    #expect(report.projects == 2 && report.writes == 1)
    #expect(try phone.ids() == ["K", nil])
    #expect(try phone.box.files().decisions().visitors == ["NEW", "bob"])
    #expect(try phone.migration().run(.given(from: "OLD", to: "NEW")).writes == 0)
  }

  @Test func `nobody becomes the empty id, and where there is no id yet the new one goes to both stores (C1)`() throws {
    let phone = try Phone(keychain: nil, mirror: nil)
    #expect(throws: ConvertError.self) { try phone.migration().run(.kept(to: "")) }
    let report = try phone.migration().run(.kept(to: "NEW"))
    #expect(report.from == nil && report.writes == 2)
    #expect(try phone.ids() == ["NEW", "NEW"])
    #expect(phone.box.text(ConvertNames.decisions) == Self.text)
  }

  private static func word(_ event: ConvertEvent) -> String {
    switch event {
    case .began: "began"
    case .decisionsCopied(let projects): "copied \(projects)"
    case .decisionsRemoved(let projects): "removed \(projects)"
    case .decisionsMoved(let projects): "moved \(projects)"
    case .idWritten(let id, let store): "\(id) in \(store)"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

@Suite("Convert's decisions") struct ConvertDecisionsTests {
  private let ada = ConvertDecisions.Subject(project: "100-200", visitor: "ada")

  private static let text =
    #"{"v":1.0,"store":{"100-200-ada":{"bucketing":{"e1":"v1"},"goalTriggered":{"g1":true},"segments":{"country":"UK"},"#
    + #""x":1e2},"100-300-ada":{"bucketing":{"e9":"v9"}},"100-200-bob":{}},"order":["100-200-ada","100-200-bob"]}"#

  private func decisions(_ text: String = Self.text) throws -> ConvertDecisions {
    try ConvertDecisions(JSONText(text).value)
  }

  @Test func `a variation that was decided is read before one is calculated, and is the same later (C3)`() throws {
    let box = ConvertBox()
    var decisions = try decisions()
    var calculated = 0
    for _ in 0..<2 {
      let kept = decisions.variation(of: "e1", for: ada) {
        calculated += 1
        return "other"
      }
      #expect(kept == "v1" && calculated == 0)
    }
    #expect(decisions.variation(of: "e2", for: ada) { "first" } == "first")
    try box.files().updateDecisions { $0 = decisions }
    var later = try box.files().decisions()
    #expect(later.variation(of: "e2", for: ada) { "second" } == "first")
  }

  @Test func `a goal counts once, also after the next start (C4)`() throws {
    let box = ConvertBox()
    var decisions = try decisions()
    let known = decisions.reach(goal: "g1", ada)
    let first = decisions.reach(goal: "g2", ada)
    let second = decisions.reach(goal: "g2", ada)
    #expect([known, first, second] == [false, true, false])
    try box.files().updateDecisions { $0 = decisions }
    var later = try box.files().decisions()
    let again = later.reach(goal: "g2", ada)
    #expect(!again)
  }

  @Test func `segments are kept beside new ones, and everything unknown as it is written (C4)`() throws {
    var decisions = try decisions()
    decisions.put(ada, inSegment: "visitorType", "new")
    #expect(decisions.segments(of: ada) == [JSONMember("country", "UK"), JSONMember("visitorType", "new")])
    let text = decisions.value.text()
    #expect(text.hasPrefix(#"{"v":1.0,"store":{"100-200-ada":{"bucketing":{"e1":"v1"}"#), "\(text)")
    #expect(text.contains(#""x":1e2"#))
  }

  @Test func `a file that is read and written says the same, in the same text (C3)`() throws {
    let complete = Self.text.replacingOccurrences(of: #""100-200-bob"]"#, with: #""100-200-bob","100-300-ada"]"#)
    #expect(try decisions(complete).value.text() == complete)
    // What the order lacks is the newest.
    #expect(try decisions().value.text() == complete)
  }

  @Test func `another id gets variations, goals and segments of every project; its own decisions stay (C4)`() throws {
    var decisions = try decisions()
    decisions.put(.init(project: "100-200", visitor: "new"), inSegment: "country", "FR")
    #expect(decisions.move(from: "ada", to: "new") == 2)
    #expect(decisions.visitors == ["bob", "new"] || decisions.visitors == ["new", "bob"])
    let moved = ConvertDecisions.Subject(project: "100-200", visitor: "new")
    #expect(decisions.variation(of: "e1", for: moved) == "v1")
    #expect(decisions.segments(of: moved) == [JSONMember("country", "FR")])
    #expect(decisions.variation(of: "e9", for: .init(project: "100-300", visitor: "new")) == "v9")
    let repeated = decisions.reach(goal: "g1", moved)
    #expect(!repeated)
    #expect(decisions.move(from: "ada", to: "new") == 0)
  }

  @Test func `an id may hold hyphens, and letters that only look alike are different ids (C4)`() throws {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    var decisions = try decisions(#"{"store":{"1-2-\#(composed)":{"bucketing":{"e":"c"}},"1-2-a-b-c":{}}}"#)
    #expect(decisions.visitors == [composed, "a-b-c"])
    #expect(decisions[.init(project: "1-2", visitor: decomposed)] == nil)
    #expect(decisions.move(from: decomposed, to: "x") == 0)
    #expect(decisions.move(from: composed, to: decomposed) == 1)
    #expect(decisions.visitors.contains { $0.utf8.elementsEqual(decomposed.utf8) })
  }

  @Test func `a visitor of a project can be named only if decisions are found by that name again (C4)`() throws {
    let names = [("100", "200", "ada"), ("100", "200", "a-b-c"), ("100", "200", "-")]
    for (account, project, visitor) in names {
      let subject = try #require(ConvertDecisions.Subject(account: account, project: project, visitor: visitor))
      var decisions = ConvertDecisions()
      decisions.put(subject, inSegment: "country", "UK")
      let read = try ConvertDecisions(decisions.value)
      #expect(read.subjects == [subject] && read.visitors == [visitor])
      #expect(subject.project == "100-200")
    }
    let others = [
      ("", "200", "ada"), ("100", "", "ada"), ("100", "200", ""), ("100-a", "200", "b"), ("100", "2-0", "ada"),
      ("-", "200", "ada"), ("100", "-", "ada"),
    ]
    for (account, project, visitor) in others {
      #expect(ConvertDecisions.Subject(account: account, project: project, visitor: visitor) == nil)
    }
  }

  @Test func `where the configuration has no account or project, decisions stand under --<visitor> (C3)`() throws {
    var decisions = try decisions(#"{"store":{"--ada":{"bucketing":{"e":"v"}},"7--bo-b":{},"-8-eve":{},"1-2-":{}}}"#)
    #expect(decisions.visitors == ["ada", "bo-b", "eve"])
    #expect(decisions.variation(of: "e", for: .init(project: "-", visitor: "ada")) == "v")
    #expect(decisions.move(from: "ada", to: "new") == 1)
    #expect(decisions[.init(project: "-", visitor: "new")] != nil)
  }

  @Test func `the oldest are dropped over ten thousand, never for a move; a full file is quick (C4)`() throws {
    let members = (0..<ConvertDecisions.limit).map { JSONMember("1-2-v\($0)", .object([])) }
    var decisions = try ConvertDecisions(.object([JSONMember("store", .object(members))]))
    #expect(decisions.copy(from: "v5", to: "new") == 1)
    #expect(decisions.subjects.count == ConvertDecisions.limit + 1)
    decisions.remove(visitor: "v5")
    #expect(decisions.subjects.count == ConvertDecisions.limit && decisions.subjects.first?.visitor == "v0")
    #expect(decisions.subjects[5].visitor == "new")
    let first = decisions.reach(goal: "g", .init(project: "1-2", visitor: "late"))
    #expect(first && decisions.subjects.first?.visitor == "v1" && decisions.subjects.last?.visitor == "late")
    #expect(decisions.subjects.count == ConvertDecisions.limit)
  }

  @Test func `of many that come to a full file the newest ten thousand stay, in order, unchanged (C4)`() throws {
    let limit = ConvertDecisions.limit
    let members = (0..<limit).map { JSONMember("1-2-v\($0)", .object([])) }
    let order = JSONValue.array([7] + members.map { .string($0.name) })
    var decisions = try ConvertDecisions(
      .object([JSONMember("store", .object(members)), JSONMember("order", order), JSONMember("v", 1)]))
    for number in limit..<(limit + 6000) {
      let subject = ConvertDecisions.Subject(project: "1-2", visitor: "v\(number)")
      let isFirst = decisions.reach(goal: "g", subject)
      #expect(isFirst)
      if number % 1000 == 0 {
        #expect(decisions.subjects.count == limit && decisions.subjects.last == subject)
        #expect(decisions.subjects.first?.visitor == "v\(number - limit + 1)")
        #expect(decisions.variation(of: "e", for: .init(project: "1-2", visitor: "v\(number - limit)")) == nil)
      }
    }
    let expected = (6000..<(limit + 6000)).map { "1-2-v\($0)" }
    #expect(decisions.value["store"]?.members?.map(\.name) == expected)
    #expect(decisions.value["order"] == .array([7] + expected.map(JSONValue.string)))
    #expect(decisions.value["v"] == 1 && decisions.visitors.count == limit)
    #expect(try ConvertDecisions(decisions.value) == decisions)
  }

  @Test func `a name that a file holds twice goes as a whole when it is the oldest (C4)`() throws {
    let members = (0..<ConvertDecisions.limit).map { JSONMember("1-2-v\($0)", .object([])) }
    var decisions = try ConvertDecisions(
      .object([JSONMember("store", .object(members + [JSONMember("1-2-v0", .object([]))]))]))
    _ = decisions.reach(goal: "g", .init(project: "1-2", visitor: "late"))
    #expect(decisions.value["store"]?.members?.contains { $0.name == "1-2-v0" } == false)
    #expect(decisions.subjects.count == ConvertDecisions.limit)
  }

  @Test(arguments: [
    "[]", "1", #"{"store":[]}"#, #"{"order":{}}"#, #"{"store":{"a":1}}"#, #"{"store":{"1-2-a":{"bucketing":[]}}}"#,
    #"{"store":{"1-2-a":{"goalTriggered":true}}}"#,
  ])
  func `what is JSON and no decisions is refused (C7)`(_ text: String) throws {
    #expect(throws: ConvertError.self) { try decisions(text) }
  }
}
