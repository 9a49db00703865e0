@Suite("The recipe convert-ios") struct ConvertRecipeTests {
  private static let folder = "AppData/Library/Application Support/"
  private static let sdk = folder + "com.convertexperiments.sdk/"
  private let visitor: PropertyListValue = "550E8400-E29B-41D4-A716-446655440000"

  private struct App {
    var mirror: PropertyListValue?
    var decisions: String? =
      #"{"store":{"1-2-550E8400-E29B-41D4-A716-446655440000":{"bucketing":{"e":"v"}}},"order":["1-2-550E8400-E29B-41D4-A716-446655440000"]}"#
    var queue: String?
    var documented: String?
    var configuration: String?
    var configurationText = "{}"
    var isUploading = false

    func container() throws -> Container {
      var keys: PropertyListDictionary = ["launchCount": 17]
      if let mirror { keys[ConvertNames.visitorMirror] = mirror }
      var stores = [try Store("AppData/Library/Preferences/com.acme.shop.plist", keys)]
      func add(_ path: String, _ text: String?) {
        guard let text else { return }
        let content: StoreContent
        do {
          content = .json(try JSONText(text))
        } catch {
          content = .unreadable("\(error)")
        }
        stores.append(Store(path: path, content: content))
      }
      add(ConvertRecipeTests.folder + "convert-decision-store.json", decisions)
      add(ConvertRecipeTests.sdk + "convert-decision-store.json", documented)
      add(ConvertRecipeTests.sdk + "event-queue.json", queue)
      add(ConvertRecipeTests.sdk + (configuration ?? ""), configuration.map { _ in configurationText })
      var container = Container(stores, kind: .xcappdata, in: "/tmp/Acme.xcappdata")
      if isUploading { container.signs = [ConvertRecipeTests.sdk + "event-queue.uploading"] }
      return container
    }

    func plan() throws -> Plan { Planner(.convertIOS).plan(try container(), now: LegacyApp.now) }
    func mirrorField() throws -> Field { try #require(try plan().field(ConvertNames.visitorMirror)) }
  }

  private static func queue(_ visitors: String...) -> String {
    let entries = visitors.map { #"{"visitorId":"\#($0)","events":[]}"# }.joined(separator: ",")
    return #"[{"visitors":[\#(entries)]}]"#
  }

  @Test(arguments: [nil, "550E8400-E29B-41D4-A716-446655440000"])
  func `a lost mirror is filled with the one id that decisions and queue agree on (C1)`(_ queued: String?) throws {
    let app = App(queue: queued.map { Self.queue($0) })
    let field = try app.mirrorField()
    #expect(field.proposed == visitor && field.status == .ready && field.findings.isEmpty)
    let plan = try app.plan()
    #expect(plan.target?.path == "AppData/Library/Preferences/com.acme.shop.plist")
    #expect(plan.findings.isEmpty && plan.blockers.isEmpty, "\(plan.findings)")
    #expect(Recipe.convertIOS.verdict(on: plan).text == "Every value found can be migrated.")
  }

  @Test(
    "a mirror that stands is left as it is; an empty one counts as lost, and where nobody has an id there is none (C1)")
  func stands() throws {
    #expect(try App(mirror: visitor).mirrorField().status == .unchanged)
    #expect(try App(mirror: "", decisions: nil).mirrorField().proposed != visitor)
    #expect(try App(mirror: "").mirrorField().proposed == visitor)
    #expect(try App(decisions: nil).mirrorField().status == .absent)
    #expect(try App(mirror: "ANY", decisions: nil).mirrorField().status == .unchanged)
  }

  @Test func `convert.ids-differ: asks, proposes no id, and offers those of the files`() throws {
    for app in [
      App(mirror: "OTHER", queue: Self.queue("550E8400-E29B-41D4-A716-446655440000")),
      App(queue: Self.queue("0C7B2E51-9D34-4A8F-B6E0-71F5A2C3D984")),
      App(mirror: "", queue: Self.queue("0C7B2E51-9D34-4A8F-B6E0-71F5A2C3D984")),
    ] {
      let field = try app.mirrorField()
      #expect(field.findings.map(\.code) == [.convertIDsDiffer] && field.status == .needsDecision, "\(field)")
      #expect(field.proposed == nil && field.alternatives.contains { $0.value == visitor })
    }
    // Users that the app names itself stand beside the visitor.
    #expect(try App(mirror: visitor, queue: Self.queue("user-1")).mirrorField().status == .unchanged)
  }

  @Test func `convert.queue-corrupt and convert.decisions-corrupt: no JSON, and JSON of another form (C7)`() throws {
    for text in ["{", "{}", "[1]", "", #"[{"visitors":1}]"#] {
      let findings = try App(mirror: visitor, queue: text).plan().findings
      #expect(findings.map(\.code) == [.convertQueueCorrupt], "\(text)")
      #expect(findings.first?.message.contains("event-queue.json") == true)
    }
    for text in ["{", "[]", #"{"store":1}"#] {
      let plan = try App(decisions: text).plan()
      #expect(plan.findings.map(\.code) == [.convertDecisionsCorrupt], "\(text)")
      #expect(plan.field(ConvertNames.visitorMirror)?.proposed == nil)
    }
  }

  @Test func `convert.decisions-corrupt: decisions that the SDK cannot decode are thrown away (C7)`() throws {
    let key = "1-2-550E8400-E29B-41D4-A716-446655440000"
    func codes(_ entry: String, order: String? = nil) throws -> [FindingCode] {
      let order = order ?? #"["\#(key)"]"#
      let rest = order.isEmpty ? "" : #","order":"# + order
      let text = #"{"store":{"\#(key)":\#(entry)}\#(rest)}"#
      return try App(mirror: visitor, decisions: text).plan().findings.map(\.code)
    }
    for entry in [
      "{}", #"{"bucketing":{"e":"v"},"goalTriggered":{"g":true},"locations":{},"segments":{"customSegments":["a"]}}"#,
      #"{"bucketing":null,"segments":{"country":"US","unknown":1},"unknown":[1]}"#,
    ] {
      #expect(try codes(entry) == [], "\(entry)")
      #expect(try codes(entry, order: "") == [.convertDecisionsCorrupt])
      #expect(try codes(entry, order: "[1]") == [.convertDecisionsCorrupt])
    }
    for entry in [
      #"{"bucketing":{"e":1}}"#, #"{"goalTriggered":{"g":1}}"#, #"{"segments":{"country":1}}"#,
      #"{"segments":{"customSegments":"a"}}"#, #"{"locations":{"l":null}}"#,
    ] {
      #expect(try codes(entry) == [.convertDecisionsCorrupt], "\(entry)")
    }
    let plan = try App(decisions: #"{"store":{"\#(key)":{}}}"#).plan()
    let verdict = Recipe.convertIOS.verdict(on: plan)
    #expect(verdict.losses.contains { $0.causeText.contains("damaged") }, "\(verdict.text)")
  }

  @Test func `decisions are found where the SDK's source and its documentation put them (C8)`() throws {
    let decisions =
      #"{"store":{"1-2-7A1B4C3D-2E5F-4061-8273-94A5B6C7D8E9":{"bucketing":{"e":"v"}}},"order":["1-2-7A1B4C3D-2E5F-4061-8273-94A5B6C7D8E9"]}"#
    let documented = Self.sdk + "convert-decision-store.json"
    let alone = App(mirror: "", decisions: nil, documented: decisions)
    #expect(Recipe.detect(in: try App(decisions: nil, documented: decisions).container()).recipe == .convertIOS)
    #expect(try alone.mirrorField().proposed == "7A1B4C3D-2E5F-4061-8273-94A5B6C7D8E9")
    #expect(try alone.plan().basis.contains { $0.store == documented })
    let remark = try #require(alone.container().convertRemarks.first { $0["is"] == "decisions" })
    #expect(remark.path == documented && remark["entries"] == 1 && remark["visitors"] == 1)
    #expect(remark.sentence.contains("documentation"))
    let both = App(mirror: "", documented: decisions)
    let remarks = try both.container().convertRemarks.filter { $0["is"] == "decisions" }
    #expect(remarks.map(\.path) == [documented, Self.folder + "convert-decision-store.json"])
    #expect(remarks.map { $0.sentence.contains("documentation") } == [true, false])
    #expect(try both.mirrorField().findings.map(\.code) == [.convertIDsDiffer])
    let damaged = try App(mirror: visitor, documented: "[").plan()
    #expect(damaged.findings.map(\.code) == [.convertDecisionsCorrupt])
  }

  @Test(arguments: [
    "ada@acme.example", "42", "550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-44665544000",
  ])
  func `an id that the app passes to the SDK is not proposed as the device's, anywhere (C1)`(_ id: String) throws {
    let decisions = #"{"store":{"100-200-\#(id)":{"bucketing":{}}},"order":["100-200-\#(id)"]}"#
    for app in [
      App(decisions: decisions), App(decisions: nil, queue: Self.queue(id)), App(decisions: nil, documented: decisions),
    ] {
      let field = try app.mirrorField()
      #expect(field.proposed == nil && field.status == .absent && field.findings.isEmpty, "\(field)")
      #expect(try app.plan().changes([:]).isEmpty)
    }
    // The device's own id beside it is the one that is lost.
    let field = try App(queue: Self.queue(id)).mirrorField()
    #expect(field.proposed == visitor && field.status == .ready)
  }

  @Test(
    "an id in a file that the SDK does not read asks; decisions in both places are said, and nothing is certain (C11)")
  func unreadPlace() throws {
    let documented = #"{"store":{"1-2-7A1B4C3D-2E5F-4061-8273-94A5B6C7D8E9":{"bucketing":{}}},"order":[]}"#
    let alone = try App(decisions: nil, documented: documented).plan()
    let field = try #require(alone.field(ConvertNames.visitorMirror))
    #expect(field.status == .needsDecision && field.findings.map(\.code) == [.convertIDElsewhere], "\(field)")
    #expect(alone.containerFindings.map(\.code) == [.convertDecisionsElsewhere])
    let both = try App(mirror: visitor, documented: documented).plan()
    #expect(both.field(ConvertNames.visitorMirror)?.status == .unchanged)
    #expect(both.findings.map(\.code) == [.convertDecisionsElsewhere])
    #expect(Recipe.convertIOS.verdict(on: both).certainty == .likely)
    // The SDK reads another visitor's decisions than those of its id.
    let other = try App(mirror: "7A1B4C3D-2E5F-4061-8273-94A5B6C7D8E9", documented: documented).mirrorField()
    #expect(other.findings.map(\.code) == [.convertIDsDiffer])
  }

  @Test func `convert.config-corrupt: a cached configuration that is no JSON; any JSON will do (C5)`() throws {
    for text in ["{", "", #"{"a":1"#] {
      let findings = try App(
        mirror: visitor, configuration: "config-key.json", configurationText: text
      ).plan().findings
      #expect(findings.map(\.code) == [.convertConfigCorrupt], "\(text)")
      #expect(findings.first?.message.contains("config-key.json") == true)
    }
    for text in ["{}", "[]", "1"] {
      let app = App(mirror: visitor, configuration: "config-key.json", configurationText: text)
      #expect(try app.plan().findings.isEmpty)
    }
  }

  @Test func `convert.config-key-collision: names with an underscore, and no others (C5)`() throws {
    for (name, codes) in [
      ("config-1_2.json", [.convertConfigKeyCollision]), ("config-1-2.json", []), ("other_2.json", []),
    ] as [(String, [FindingCode])] {
      #expect(try App(mirror: visitor, configuration: name).plan().findings.map(\.code) == codes, "\(name)")
    }
  }

  @Test func `the recipe is chosen by Convert's keys and files alone; a cleanup removes nothing (C8)`() throws {
    for app in [App(mirror: "V", decisions: nil), App(), App(decisions: nil, queue: "{")] {
      #expect(Recipe.detect(in: try app.container()).recipe == .convertIOS)
    }
    #expect(Recipe.detect(in: try App(decisions: nil).container()).recipe == .rudderStackObjC)
    var both = LegacyApp()
    both.otherStores = try App().container().stores.filter { $0.path.hasSuffix(".json") }
    let detection = Recipe.detect(in: try both.container())
    #expect(detection.recipe == .rudderStackObjC)
    #expect(detection.evidence.map(\.recipe.id) == ["rudderstack-objc"])
    #expect(try !both.plan().findings.contains { $0.code == .sourceV1AndV2 })
    let cleanup = Planner(.convertIOS).cleanupPlan(try App(mirror: visitor).container(), now: LegacyApp.now)
    #expect(cleanup.entries.isEmpty)
  }

  @Test func `What the files hold is said of each, with how many events and visitors, and how it stands`() throws {
    var app = App(
      mirror: visitor, queue: Self.queue("A", "B"), configuration: "config-a_b.json", isUploading: true)
    let remarks = try app.container().convertRemarks
    #expect(remarks.map { $0["is"] } == ["configuration", "queue", "uploading", "decisions", "mirror"])
    #expect(remarks.map { $0["state"] } == ["usable", "uploading", "uploading", "usable", "usable"])
    #expect(remarks[0].sentence.contains("does not tell whose key"))
    #expect(remarks[1]["events"] == 0 && remarks[1]["visitors"] == 2)
    #expect(remarks[3].sentence.hasSuffix("of 1 visitor."))
    app = App(decisions: "[]", queue: "{", configuration: "config-ab.json")
    let damaged = try app.container().convertRemarks
    #expect(damaged.map { $0["is"] } == ["configuration", "queue", "decisions"])
    #expect(damaged.map { $0["state"] } == ["usable", "damaged", "damaged"])
    #expect(!damaged[0].sentence.contains("whose key"))
    #expect(try LegacyApp.with(["rl_user": "x"]).container().convertRemarks.isEmpty)
  }
}

extension StoreRemark {
  fileprivate subscript(name: String) -> JSONValue? { JSONValue.object(members)[name] }
}

@Suite("What a plan for Convert's data rests on") struct ConvertBasisTests {
  private static let preferences = "Library/Preferences/com.acme.shop.plist"
  private static let support = "Library/Application Support/"
  private static let decisions = support + "convert-decision-store.json"
  private static let queue = support + "com.convertexperiments.sdk/event-queue.json"
  private static let configuration = support + "com.convertexperiments.sdk/config-acme.json"
  private static let sign = support + "com.convertexperiments.sdk/event-queue.uploading"

  private let fileSystem = MemoryFileSystem()

  init() throws {
    put(Self.preferences, try PropertyListDocument.encode(["launchCount": 17], as: .binary))
    put(
      Self.decisions,
      Array(
        #"{"store":{"1-2-550E8400-E29B-41D4-A716-446655440000":{}},"order":["1-2-550E8400-E29B-41D4-A716-446655440000"]}"#
          .utf8))
    put(Self.queue, Array(#"[{"visitors":[{"visitorId":"550E8400-E29B-41D4-A716-446655440000","events":[]}]}]"#.utf8))
    put(Self.configuration, Array("{}".utf8))
  }

  private func put(_ path: String, _ bytes: [UInt8]) { fileSystem.put("/box/" + path, bytes) }

  private func container() throws -> Container {
    var stores: [Store] = []
    for path in [Self.configuration, Self.queue, Self.decisions, Self.preferences] {
      guard let bytes = fileSystem.bytes("/box/" + path) else { continue }
      let content: StoreContent
      do {
        content =
          path == Self.preferences
          ? .document(try PropertyListDocument(bytes: bytes)) : .json(try JSONText(bytes: bytes))
      } catch {
        content = .unreadable("\(error)")
      }
      stores.append(Store(path: path, content: content, size: bytes.count, bytes: bytes))
    }
    var container = Container(stores)
    if fileSystem.bytes("/box/" + Self.sign) != nil { container.signs = [Self.sign] }
    return container
  }

  private func plan() throws -> Plan { Planner(.convertIOS).plan(try container(), now: SampleBox.moment) }

  private func apply(after change: () throws -> Void) throws -> RunReport {
    let (plan, container) = (try plan(), try container())
    try change()
    return try fileSystem.migrator.apply(plan, decisions: [:], in: container)
  }

  private func expectStale(_ file: String, after change: () throws -> Void) throws {
    let before = fileSystem.bytes("/box/" + Self.preferences)
    do {
      _ = try apply(after: change)
      Issue.record("The change of \(file) was not found.")
    } catch let error as RunError {
      guard case .stalePlan(let basis, _) = error else { throw error }
      #expect(basis.map(\.store) == [file])
      #expect(error.finding?.message.contains("\(file.split(separator: "/").last ?? "") changed") == true)
    }
    #expect(fileSystem.bytes("/box/" + Self.preferences) == before)
  }

  @Test(arguments: [decisions, queue, configuration])
  func `A file of another content, of the same size too`(_ file: String) throws {
    try expectStale(file) {
      var bytes = try #require(fileSystem.bytes("/box/" + file))
      bytes.reverse()
      put(file, bytes)
    }
  }

  @Test(arguments: [decisions, queue, configuration])
  func `A file that went`(_ file: String) throws { try expectStale(file) { try fileSystem.remove("/box/" + file) } }

  @Test(arguments: [queue, sign])
  func `A file that came, and the sign that the queue is being sent`(_ file: String) throws {
    if file == Self.queue { try fileSystem.remove("/box/" + file) }
    try expectStale(file) { put(file, [1]) }
  }

  @Test func `A damaged file is told from another damaged one, and rests where it is the same`() throws {
    put(Self.queue, Array("[{".utf8))
    try expectStale(Self.queue) { put(Self.queue, Array("[[".utf8)) }
    #expect(try apply {}.outcomes.map(\.outcome) == [.migrated])
  }
}
