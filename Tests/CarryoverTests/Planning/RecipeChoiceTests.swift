@testable import Carryover

@Suite("Which recipe a container is for") struct RecipeChoiceTests {
  private func both() throws -> LegacyApp {
    var keys = LegacyApp.clean
    for entry in try BetaApp.clean().entries { keys[entry.key] = entry.value }
    return LegacyApp(standard: keys, file: LegacyApp.clean)
  }

  @Test func `each recipe has a name of its own, and is found by it`() {
    #expect(
      Recipe.builtIn.map(\.reference.id) == [
        "rudderstack-objc", "rudderstack-swift-v2", "convert-ios", "mixpanel-objc", "segment-objc",
        "amplitude-objc", "snowplow-objc", "posthog-before-3-20", "segment-to-rudderstack", "mixpanel-to-rudderstack",
        "amplitude-to-posthog", "statsig-to-file", "person",
      ])
    for recipe in Recipe.builtIn { #expect(Recipe(id: recipe.reference.id) == recipe) }
    #expect(Recipe(id: "rudderstack") == nil)
  }

  @Test func `every key a recipe knows has one of its prefixes or is its own mark, and no two recipes share a mark`() {
    for recipe in Recipe.builtIn {
      #expect(recipe.marks.isSubset(of: recipe.knownKeys), "\(recipe.marks.subtracting(recipe.knownKeys))")
    }
    #expect(Recipe.rudderStackObjC.marks.isDisjoint(with: Recipe.rudderStackSwiftV2.knownKeys))
    #expect(Recipe.rudderStackSwiftV2.marks.isDisjoint(with: Recipe.rudderStackObjC.knownKeys))
  }

  @Test func `the keys decide: the Objective-C SDK's, the beta's, both, or none (A20)`() throws {
    func chosen(_ app: LegacyApp) throws -> (String, [String]) {
      let detection = Recipe.detect(in: try app.container())
      return (detection.recipe.reference.id, detection.evidence.map(\.recipe.id))
    }
    #expect(try chosen(LegacyApp()) == ("rudderstack-objc", ["rudderstack-objc"]))
    #expect(try chosen(BetaApp.with([:])) == ("rudderstack-swift-v2", ["rudderstack-swift-v2"]))
    #expect(try chosen(both()) == ("rudderstack-swift-v2", ["rudderstack-objc", "rudderstack-swift-v2"]))
    #expect(try chosen(LegacyApp(standard: ["com.acme": 1], file: nil)) == ("rudderstack-objc", []))
    // What both SDKs write says nothing; a status of the beta alone does not outweigh the other's keys.
    #expect(try chosen(LegacyApp(standard: ["rl_session_id": 1], file: nil)) == ("rudderstack-objc", []))
    let status = LegacyApp.with(["rl_session_manual_track_status": true])
    #expect(try chosen(status) == ("rudderstack-objc", ["rudderstack-objc", "rudderstack-swift-v2"]))
  }

  @Test func `what a cleanup removed still decides`() throws {
    let app = LegacyApp(standard: ["rl_session_id": 1], file: nil)
    let removed = [KeyPlace(file: LegacyApp.standardPath, key: "rs_user_id"): PropertyListValue.string("u")]
    #expect(Recipe.detect(in: try app.container(), removed: removed).recipe.reference.id == "rudderstack-swift-v2")
  }

  @Test func `source.v1-and-v2: says whose keys are whose and which recipe counts; each offers the other's`() throws {
    var app = try both()
    for (recipe, other) in [
      (Recipe.rudderStackSwiftV2, "rudderstack-objc"), (.rudderStackObjC, "rudderstack-swift-v2"),
    ] {
      app.recipe = recipe
      let plan = try app.plan()
      let finding = try #require(plan.containerFindings.first { $0.code == .sourceV1AndV2 })
      let evidence = Recipe.detect(in: try app.container()).evidence
      #expect(evidence.map(\.recipe.id) == ["rudderstack-objc", "rudderstack-swift-v2"])
      #expect(evidence[0].keys.contains("rl_traits") && evidence[1].keys.contains("rs_traits"))
      #expect(finding.observation == .sourceV1AndV2(chosen: recipe.reference.id, evidence: evidence))
      #expect(finding.message.contains("This plan follows \(recipe.reference.id)."))
      #expect(finding.commandRemedy.contains("--recipe \(other)"))
      let offered = try #require(plan.field("traits")?.alternatives.first { $0.label == other })
      #expect(offered.value != plan.field("traits")?.proposed)
      #expect(plan.field("user_id")?.alternatives.isEmpty == true)
    }
    app.recipe = .rudderStackSwiftV2
    try app.field("anonymous_id").expect(alternatives: [.string(LegacyApp.anonymousID)])
    #expect(try BetaApp.with([:]).plan().codes.contains(.sourceV1AndV2) == false)
  }

  @Test func `a changed value of the other SDK makes the plan stale: consent and the recipe depend on it`() throws {
    let keys = Set(try LegacyApp().plan().basis.map(\.key))
    #expect(keys.isSuperset(of: ["rs_user_id", "rs_opt_status", "rl_opt_status", "rn_session_manual_track_status"]))
  }

  @Test func `source.purgeable: the file in tvOS's caches is noted, another place is not`() throws {
    let app = LegacyApp(filePath: "Library/Caches/rsDefaultsPersistence.plist")
    let plan = try app.plan()
    #expect(
      plan.findings.map(\.observation) == [
        .sourcePurgeable(store: "AppData/Library/Caches/rsDefaultsPersistence.plist")
      ])
    #expect(try !LegacyApp().plan().codes.contains(.sourcePurgeable))
  }
}

@Suite("Where a recipe reads and writes") struct RecipePlacesTests {
  private static let old: NameTemplate = ["Library/acme-", .parameter("token"), "-properties.plist"]
  private static let new: NameTemplate = ["Library/Application Support/acme/", .parameter("token"), ".plist"]

  private func recipe(target: RecipeTarget) -> Recipe {
    Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme 1 → 2"), target: target,
      sources: [.suite(["Acme"]), .plist([Self.old])],
      rules: [
        FieldRule(
          target: "id", group: .identity, form: .string, candidates: [Candidate(SourceKey("distinctId"), [.exactText])])
      ],
      leftBehind: [], legacyPrefixes: [], marks: ["distinctId"])
  }

  private func box(_ stores: [(String, PropertyListDictionary)]) throws -> (MemoryFileSystem, Container) {
    let files = MemoryFileSystem(user: 501)
    for (path, keys) in stores {
      files.put("/box/" + path, try PropertyListDocument.encode(.dictionary(keys), as: .binary), mode: 0o600)
    }
    return (files, Container(try stores.map { try Store($0, $1) }, kind: .xcappdata))
  }

  @Test func `a run reads one file with a parameter in its name and writes another, which a rollback removes`() throws {
    let (files, container) = try box([("AppData/Library/acme-t0k.en-properties.plist", ["distinctId": "u-42"])])
    let options = PlannerOptions(parameters: ["token": "t0k.en"])
    let plan = Planner(recipe(target: .plist(Self.new))).plan(container, now: LegacyApp.now, options: options)
    let target = "AppData/Library/Application Support/acme/t0k.en.plist"
    #expect(plan.target == TargetSummary(path: target, exists: false))
    #expect(plan.field("id")?.proposed == "u-42")
    _ = try files.migrator.apply(plan, decisions: [:], in: container)
    let written = try PropertyListDocument(bytes: try #require(files.bytes("/box/" + target)))
    #expect(written.dictionary == ["id": "u-42"])
    _ = try files.migrator.rollback(in: container)
    #expect(files.bytes("/box/" + target) == nil)
  }

  @Test func `a suite that is not the app's is read before a file`() throws {
    let (_, container) = try box([
      ("AppData/Library/acme-t-properties.plist", ["distinctId": "of the file"]),
      ("AppData/Library/Preferences/Acme.plist", ["distinctId": "of the suite"]),
    ])
    let recipe = recipe(target: .suite([.bundleID, ".acme.", .parameter("token")]))
    let plan = Planner(recipe).plan(container, now: LegacyApp.now, options: PlannerOptions(parameters: ["token": "t"]))
    #expect(plan.target?.path == "AppData/Library/Preferences/com.acme.shop.acme.t.plist")
    #expect(plan.field("id")?.proposed == "of the suite")
  }

  @Test func `without its parameter the target has no name, and a file that needs it is not read`() throws {
    let (_, container) = try box([("AppData/Library/acme-t-properties.plist", ["distinctId": "u-42"])])
    for parameters in [[:], ["token": "../t"], ["other": "t"]] {
      let plan = Planner(recipe(target: .plist(Self.new)))
        .plan(container, now: LegacyApp.now, options: PlannerOptions(parameters: parameters))
      #expect(plan.target == nil)
      #expect(plan.field("id")?.status == .absent)
    }
  }
}

@Suite("What a plan makes of each source of a field") struct CandidateTrialTests {
  private func trials(_ app: LegacyApp) throws -> [String: [CandidateTrial]] {
    let options = PlannerOptions(writeKey: LegacyApp.writeKey)
    let trials = Planner(app.recipe).trials(try app.container(), now: LegacyApp.now, options: options)
    #expect(trials.map(\.count) == app.recipe.rules.map(\.candidates.count))
    return Dictionary(uniqueKeysWithValues: zip(app.recipe.rules.map(\.target), trials))
  }

  @Test func `the first source with a value is used, later ones are not needed, and others are absent`() throws {
    let trials = try trials(LegacyApp())
    let ids = try #require(trials["anonymous_id"])
    #expect(ids.map(\.outcome) == [.used, .notNeeded])
    #expect(ids.map(\.store) == [LegacyApp.standardPath, LegacyApp.standardPath])
    #expect(ids[0].value == .string(LegacyApp.anonymousID) && ids[0].result == ids[0].value)
    #expect(trials["last_activity_time"]?.map(\.outcome) == [.absent, .used])
    #expect(trials["last_activity_time"]?.last?.result == "1763640123000")
    #expect(trials["last_activity_time"]?.first?.words == "Absent.")
    let without = try self.trials(.traits(#"{"plan":"pro"}"#))["user_id"]?.first
    #expect(without?.outcome == .absent && without?.value == nil)
    #expect(without?.words == "Absent: there is no such key, or no such member in it.")
  }

  @Test func `a step without a result is named with its reason, and ends the search`() throws {
    let trials = try trials(.with(["rl_session_id": 1.5, "rl_anonymous_id": ["a"], "rl_traits": "{"]))
    let session = try #require(trials["session_id"]?.first)
    #expect(session.outcome == .notConverted && session.value == 1.5 && session.result == nil)
    #expect(session.failure?.step == "a whole number")
    #expect(session.failure?.sentence == "rl_session_id is not a whole number.")
    #expect(trials["anonymous_id"]?.map(\.outcome) == [.notConverted, .notNeeded])
    let user = try #require(trials["user_id"]?.first)
    #expect(user.outcome == .notConverted && user.value == "{")
    #expect(user.failure?.step == "member userId of the JSON text")
  }

  @Test func `an outdated value is not used, and says so`() throws {
    var keys = LegacyApp.clean
    for (key, value) in [
      "rn_application_version_key": "4.1.0", "rn_application_build_key": "410",
      "rn_last_event_time_stamp": 1_763_000_000,
    ] as [String: PropertyListValue] { keys[key] = value }
    let times = try #require(try trials(LegacyApp(standard: keys, file: nil))["last_activity_time"])
    let used = try LegacyApp(standard: keys, file: nil).plan().field("last_activity_time")?.origin?.source
    #expect(times.first { $0.source == used }?.outcome == .used)
    #expect(times.allSatisfy { $0.outcome != .absent } && Set(times.map(\.outcome)).count == 2)
  }

  @Test func `what is used is what the plan uses, for every recipe, whatever the values are`() throws {
    let values: [PropertyListValue] = [
      "", "u-1", 42, 1.5, true, .data([1, 2]), ["a": 1], ["x"], .date(PropertyListDate(secondsSince2001: 0)), "{",
      #"{"userId":null}"#, .real(PropertyListReal(.nan)),
    ]
    for recipe in Recipe.builtIn where recipe.parameters.isEmpty {
      for value in values {
        let keys = recipe.rules.flatMap(\.candidates).map(\.source.key)
        let entries = Set(keys).sorted().map { PropertyListDictionary.Entry(key: $0, value: value) }
        var app = LegacyApp(standard: PropertyListDictionary(entries: entries), file: nil)
        app.recipe = recipe
        let plan = try app.plan()
        let trials = try trials(app)
        for (rule, field) in zip(recipe.rules, plan.fields) {
          let used = (trials[rule.target] ?? []).filter { [.used, .notConverted].contains($0.outcome) }
          #expect(
            used.count <= 1 && used.first?.source == field.origin?.source, "\(recipe.reference.id) \(rule.target)")
          #expect(used.first.map { $0.store == field.origin?.store } ?? true)
        }
      }
    }
  }

  @Test func `with masks, the sentence quotes no value`() throws {
    let app = LegacyApp.traits(#"{"userId": Ada}"#)
    let trial = try #require(try trials(app)["user_id"]?.first)
    #expect(trial.failure?.sentence.contains("Ada") == true)
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(try app.container())
    #expect(redaction.trial(trial).failure?.sentence.contains("Ada") == false)
  }
}

@Suite("Explanations of findings") struct ExplanationTests {
  private static let shared: Set = ["Nothing has to be done.", "Do nothing."]

  @Test(arguments: FindingCode.allCases)
  func `every part of every explanation is there, and all but the title are whole sentences`(_ code: FindingCode) {
    let explanation = code.explanation
    #expect(!explanation.title.isEmpty)
    #expect(!explanation.title.hasSuffix("."))
    for part in Self.parts(of: explanation) {
      #expect(part.count > 15, "\(part)")
      #expect(part.first?.isUppercase == true && part.hasSuffix("."), "\(part)")
      #expect(!part.contains("  ") && !part.contains("\n") && !part.contains("`"), "\(part)")
    }
  }

  @Test func `no two codes share a sentence or a title, and none has a sentence twice`() {
    var owners: [String: FindingCode] = [:]
    for code in FindingCode.allCases {
      let sentences = Self.parts(of: code.explanation).flatMap(Self.sentences).filter { !Self.shared.contains($0) }
      #expect(sentences.count >= 6, "\(code.rawValue)")
      for sentence in sentences + [code.explanation.title] {
        #expect(owners[sentence] == nil, "\(code.rawValue) and \(owners[sentence]?.rawValue ?? ""): \(sentence)")
        owners[sentence] = code
      }
    }
  }

  @Test(arguments: FindingCode.allCases)
  func `each part names whom it is about`(_ code: FindingCode) {
    let explanation = code.explanation
    #expect(explanation.legacyReads.contains("legacy SDK"))
    #expect(explanation.guideSays.hasPrefix("The guide "))
    #expect(explanation.helperWrites.contains("migrator"))
    #expect(explanation.weWrite.hasPrefix("Carryover "))
  }

  @Test func `a code that asks says so, and one that blocks says that nothing is written or applied`() {
    for code in FindingCode.allCases {
      let text = code.explanation.weWrite
      let asks = text.contains(" asks") || text.contains("It asks")
      #expect(asks == code.asks, "\(code.rawValue): \(text)")
      if code.blocks { #expect(text.contains("nothing"), "\(code.rawValue): \(text)") }
    }
  }

  @Test func `each code is in the group that it begins with, and the groups hold all codes in order`() {
    #expect(FindingGroup.allCases.flatMap(\.codes) == FindingCode.allCases)
    #expect(Set(FindingGroup.allCases.map(\.title)).count == FindingGroup.allCases.count)
  }

  @Test(
    "a text that is no code has neighbours: with a slip, without its group, in upper case, a part of it",
    arguments: [
      ("identity.user-id-not-sting", FindingCode.userIDNotString), ("user-id-not-string", .userIDNotString),
      ("SESSION.EXPIRED", .sessionExpired), ("opted", .consentOptedOut), ("target.confict", .targetConflict),
      ("idenity.user", .userIDEmpty),
    ])
  func nearest(_ text: String, _ code: FindingCode) {
    #expect(Nearest.names(to: text, among: codes).first == code.rawValue)
    #expect(Nearest.names(to: text, among: codes).count == 3)
  }

  @Test func `any text has neighbours, however long, and no more than were asked for`() {
    for text in ["", "\u{0}", "日本", String(repeating: "x", count: 100_000)] {
      #expect(Set(Nearest.names(to: text, among: codes, limit: 5)).count == 5)
    }
    #expect(Nearest.names(to: "session", among: codes, limit: 0).isEmpty)
    #expect(Nearest.names(to: "session", among: codes, limit: -1).isEmpty)
    #expect(Set(Nearest.names(to: "", among: codes, limit: .max)) == Set(codes))
  }

  private let codes = FindingCode.allCases.map(\.rawValue)

  private static func parts(of explanation: Explanation) -> [String] {
    [
      explanation.happens, explanation.legacyReads, explanation.guideSays, explanation.helperWrites,
      explanation.weWrite, explanation.whatToDo,
    ] + (explanation.inTheApp.map { [$0] } ?? [])
  }

  private static func sentences(of text: String) -> [String] { (text + " ").split(separator: ". ").map { $0 + "." } }
}
