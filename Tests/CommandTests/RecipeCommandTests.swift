@Suite("carryover recipe and --recipe") struct RecipeCommandTests {
  private static let now = ["--now", "2025-11-20T12:05:00Z"]
  private static let key = ["--write-key", "WK"]

  private func container(_ folder: TemporaryFolder, withObjC: Bool = false) throws -> String {
    let traits = try NSKeyedArchiver.archivedData(withRootObject: ["plan": "pro"], requiringSecureCoding: false)
    var keys: [String: Any] = [
      "rs_user_id": "u-42", "rs_traits": traits, "rl_session_id": 1_763_640_000,
      "rl_session_manual_track_status": false, "rl_last_event_time_stamp": 1_763_640_123,
      "rs_application_version_key": "4.2.0", "rs_application_build_key": "420",
    ]
    if withObjC {
      keys["rl_anonymous_id"] = "9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40"
      keys["rl_traits"] = #"{"userId":"u-1","plan":"free"}"#
    }
    return try folder.app(keys)
  }

  private func target(_ path: String) throws -> [String: Any] {
    try Tool.keys(of: path + "/Library/Preferences/com.acme.shop.analytics.WK.plist")
  }

  @Test func `the beta SDK 2 from plan to cleanup and back, by its own recipe, without naming it (A20)`() throws {
    let folder = TemporaryFolder()
    let path = try container(folder)
    let common = ["--bundle-id", "com.acme.shop"]
    try Tool.carryover(["apply", path, "--yes"] + common + Self.key + Self.now).ended(2, saying: "anonymous_id")
    let arguments = ["--set", "anonymous_id=9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40", "--yes"]
    try Tool.carryover(["apply", path] + arguments + common + Self.key + Self.now).ended()
    let written = try target(path)
    #expect(written["anonymous_id"] as? String == "9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40")
    #expect(written["user_id"] as? String == "u-42" && written["traits"] as? String == #"{"plan":"pro"}"#)
    #expect(written["session_id"] as? String == "1763640000" && written["is_manual_session"] as? Bool == false)
    #expect(written["rudder.app_build"] as? Int == 420)

    try Tool.carryover(["apply", path, "--yes"] + common + Self.key + Self.now).ended()
    let runs = try Tool.runs(of: path)
    #expect(runs.count == 1)
    #expect((runs[0]["recipe"] as? [String: Any])?["id"] as? String == "rudderstack-swift-v2")

    try Tool.carryover(["cleanup", path, "--yes"] + common + Self.key + Self.now).ended()
    let plan = try Tool.carryover(["plan", path, "--json"] + common + Self.key + Self.now).json()
    #expect((plan["recipe"] as? [String: Any])?["id"] as? String == "rudderstack-swift-v2")
    try Tool.carryover(["cleanup", path, "--yes"] + common + Self.key + Self.now).ended()
    for _ in 0..<2 { try Tool.carryover(["rollback", path, "--yes"] + common).ended() }
    #expect(!FileManager.default.fileExists(atPath: path + "/Library/Preferences/com.acme.shop.analytics.WK.plist"))
  }

  @Test func `--recipe chooses where both SDKs have run, and a saved plan keeps the choice`() throws {
    let folder = TemporaryFolder()
    let path = try container(folder, withObjC: true)
    let common = ["--bundle-id", "com.acme.shop"] + Self.key + Self.now
    let saved = folder.path("plan.json")
    func userID(_ arguments: [String]) throws -> [String: Any] {
      let plan = try Tool.carryover(["plan", path, "--json"] + common + arguments).json("plan-1")
      let codes = (plan["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      #expect(codes.contains("source.v1-and-v2"))
      let fields = try #require(plan["fields"] as? [[String: Any]])
      let field = try #require(fields.first { $0["id"] as? String == "user_id" })
      return try #require(field["proposed"] as? [String: Any])
    }
    #expect(try userID([])["value"] as? String == "u-42")
    let decided = ["--recipe", "rudderstack-objc", "--skip", "is_manual_session"]
    #expect(try userID(decided + ["-o", saved])["value"] as? String == "u-1")
    try Tool.carryover(["apply", saved, "--yes", "--recipe", "rudderstack-swift-v2"]).ended(64, saying: "--recipe")
    try Tool.carryover(["apply", saved, "--yes"]).ended()
    #expect(try target(path)["user_id"] as? String == "u-1")
    // A cleanup follows the run, not the keys.
    let cleanup = try Tool.carryover(["cleanup", path, "--dry-run", "--json"] + common).json()
    #expect((cleanup["recipe"] as? [String: Any])?["id"] as? String == "rudderstack-objc")

    var text = try String(contentsOfFile: saved, encoding: .utf8)
    text = text.replacingOccurrences(of: #""id": "rudderstack-objc""#, with: #""id": "acme""#)
    try text.write(toFile: saved, atomically: true, encoding: .utf8)
    try Tool.carryover(["apply", saved, "--yes"]).ended(4, saying: "does not have")
  }

  @Test(arguments: ["acme", "", "\u{1B}[31m\n"])
  func `an unknown recipe is a usage error that names those there are`(_ name: String) throws {
    let folder = TemporaryFolder()
    let path = try container(folder)
    let planning = ["plan", path, "--bundle-id", "com.acme.shop", "--recipe", name]
    for arguments in [planning + Self.key, ["recipe", "explain", name]] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 64 && result.output == "")
      #expect(!result.error.contains("\u{1B}"))
    }
    let shown = try Tool.carryover("recipe", "explain", name)
    #expect(shown.error.contains("rudderstack-objc, rudderstack-swift-v2, convert-ios"), "\(shown.error)")
  }

  @Test func `recipes are listed and shown, for people and as JSON that suits its schema`() throws {
    let list = try Tool.carryover("recipe")
    for columns in [60, 80] {
      for arguments in [["recipe"], ["recipe", "explain", "convert-ios"]] {
        let printed = try Tool.run("env", ["COLUMNS=\(columns)", Tool.carryover.path] + arguments).output
        let lines = printed.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns } && !lines.contains { $0.hasSuffix("Library/Application") })
      }
    }
    #expect(list.status == 0 && list.error == "" && !list.output.contains("…"))
    let schema = try SchemaCheck("recipes-1")
    let all = try Tool.carryover("recipe", "list", "--json").json()
    #expect(try schema.problems(all) == [])
    #expect((all["recipes"] as? [[String: Any]])?.count == Recipe.builtIn.count)
    for recipe in Recipe.builtIn {
      #expect(list.output.contains(recipe.reference.id))
      #expect(list.output.contains("\(recipe.reference.title), version \(recipe.reference.version)"))
      for place in recipe.sources.flatMap(\.places) { #expect(list.output.contains(place)) }
      let shown = try Tool.carryover("recipe", "explain", recipe.reference.id)
      #expect(shown.status == 0 && shown.error == "")
      for rule in recipe.rules {
        #expect(shown.output.contains("  \(rule.target) ("))
        for candidate in rule.candidates { #expect(shown.output.contains("← \(candidate.source.label)")) }
      }
      for key in recipe.leftBehind { #expect(shown.output.contains("  \(key.key)")) }
      let json = try Tool.carryover("recipe", "explain", recipe.reference.id, "--json").json()
      #expect(try schema.problems(json) == [])
      let one = try #require((json["recipes"] as? [[String: Any]])?.first)
      #expect((one["rules"] as? [[String: Any]])?.count == recipe.rules.count)
    }
  }
}

@Suite("carryover recipe explain") struct RecipeExplainTests {
  private let acme: AcmeRecipe

  init() throws { acme = try AcmeRecipe() }

  @Test func `a recipe is explained whole or field by field`() throws {
    let whole = try Tool.carryover("recipe", "explain", acme.file)
    #expect(whole.status == 0 && whole.output.hasPrefix("acme-sdk\nAcme 1 → 2, version 1\n\nWhat it is for.\n"))
    for text in ["${token}: the token", "Fields: identity", "← rl_anonymous_id: as text", "Writes:"] {
      #expect(whole.output.contains(text), "\(text)")
    }
    let field = try Tool.carryover("recipe", "explain", acme.file, "who-x", "-P", "token=x").output
    #expect(field.contains("who-x") && !field.contains("rl_traits") && !field.contains("Writes"))
    #expect(try Tool.carryover("recipe", "explain", acme.file, "who-${token}", "-P", "token=x").output == field)
  }

  @Test func `in a container, each source says whether it is there, whether it is used, and why not`() throws {
    let result = try Tool.carryover(["recipe", "explain", acme.file, "--in", AcmeRecipe.sample] + AcmeRecipe.options)
      .ended()
    let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for line in [
      "who-x (a string)  · ready: 9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "Absent.",
      "✓ Used. In AppData/Library/Preferences/com.acme.shop.plist.", "n (an integer)  ? undecided",
      "✗ Found, but not converted. In AppData/Library/Preferences/com.acme.shop.plist.",
      "step “the integer it spells”: rl_anonymous_id is not the text of an integer.", "Findings: source.not-converted",
      "– Not used: an earlier source has a value. In AppData/Library/Preferences/com.acme.shop.plist.",
      "value: (secret)",
    ] { #expect(lines.contains(line), "\(line) in \(result.output)") }

    let json = try Tool.carryover(
      ["recipe", "explain", acme.file, "--in", AcmeRecipe.sample, "--json"] + AcmeRecipe.options
    ).json("recipes-1")
    let recipe = try #require((json["recipes"] as? [[String: Any]])?.first)
    let rules = try #require(recipe["rules"] as? [[String: Any]])
    let trials = rules.flatMap {
      ($0["sources"] as? [[String: Any]] ?? []).compactMap { $0["trial"] as? [String: Any] }
    }
    #expect(trials.map { $0["outcome"] as? String } == ["absent", "used", "not-converted", "used", "not-needed"])
    #expect(trials.last?["value"] is NSNull, "a secret")

    let builtIn = try Tool.carryover("recipe", "explain", "rudderstack-objc", "session_id", "--in", AcmeRecipe.sample)
    #expect(builtIn.status == 0 && builtIn.output.contains("1763640000 → \"1763640000\""), "without a write key")

    let masked = try Tool.carryover(
      ["recipe", "explain", acme.file, "--in", AcmeRecipe.sample, "--redact"] + AcmeRecipe.options)
    #expect(!masked.output.contains("9f1c2a7e") && masked.output.contains("✓ Used"))
    let document = try Tool.carryover(
      ["recipe", "explain", acme.file, "--in", AcmeRecipe.sample, "--redact", "--json"] + AcmeRecipe.options)
    #expect(!document.output.contains("9f1c2a7e") && document.output.contains("\"outcome\": \"used\""))
  }

  @Test func `an explanation writes nothing, and asks for what is missing`() throws {
    let sample = try SampleCopy("AcmeShop")
    let before = try sample.files()
    #expect(try Tool.carryover(["recipe", "explain", acme.file, "--in", sample.path] + AcmeRecipe.options).status == 0)
    #expect(try sample.files() == before)
    for (arguments, words) in [
      ([acme.file, "plna"], "Did you mean plan?"), ([acme.file, "--now", SampleCopy.now], "--in PATH"),
      ([acme.file, "-P", "x=1"], "-P x"),
      ([acme.file, "-P", "token=../x"], "valid token"),
      ([acme.file, "--in", sample.path, "--now", SampleCopy.now], "-P token"),
      ([acme.file, "who-${token}\u{1B}[31m"], "no field"), (["acme"], "no recipe"),
      (["rudderstack-objc", "--in", acme.folder.path("none"), "--write-key", "WK"], "none"),
    ] {
      let result = try Tool.carryover(["recipe", "explain"] + arguments)
      #expect(
        result.status != 0 && result.output.isEmpty && result.error.contains(words), "\(arguments): \(result.error)")
      #expect(!result.error.contains("\u{1B}"))
    }
  }

  @Test func `a hostile file cannot steer the terminal, or name a path outside`() throws {
    let path = try acme.hostile()
    AcmeRecipe.expectHarmless(try Tool.carryover("recipe", "explain", path))
    AcmeRecipe.expectHarmless(
      try Tool.carryover(["recipe", "explain", path, "--in", AcmeRecipe.sample] + AcmeRecipe.options))
    let outside = try acme.changed("suite: \"${bundle-id}\"", "plist: ../x.plist")
    let refused = try Tool.carryover("recipe", "explain", outside)
    #expect(refused.status == 1 && refused.error.contains("[R105]") && refused.output.isEmpty)
  }
}

@Suite("carryover recipe new") struct RecipeNewTests {
  private let folder = TemporaryFolder()
  private var file: String { folder.path("acme.recipe.yaml") }
  private static let samples = {
    let examples = packageRoot.appendingPathComponent("Examples").path
    return [examples, examples + "/Findings"].flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".xcappdata") }
        .map { folder + "/" + $0 }
    }.sorted()
  }()

  @Test func `a draft of every sample has no issue, passes its own test, and has none of the sample's values`() throws {
    #expect(Self.samples.count > 60)
    var count = 0
    for (number, sample) in Self.samples.enumerated() where Extent.isFull || number % 3 == 0 {
      let draft = folder.path("\(number).recipe.yaml")
      let made = try Tool.carryover(
        "recipe", "new", "acme-sdk", "--from", sample, "--write", "com.acme.shop.acme", "-o", draft)
      #expect(made.status == 0, "\(sample): \(made.error)")
      let text = try String(contentsOfFile: draft, encoding: .utf8)
      let values = Self.values(in: try ContainerOpener().open(sample))
      count += values.count
      #expect(values.filter { text.contains($0) || made.error.contains($0) } == [], "\(sample)")
    }
    #expect(count > (Extent.isFull ? 500 : 100))
    try Tool.carryover("recipe", "lint", folder.path("")).ended(printing: "0 errors")
    try Tool.carryover("recipe", "test", folder.path("")).ended()
  }

  /// The texts and numbers in a container that could tell something: four bytes or more, and not also a name.
  private static func values(in container: Container) -> [String] {
    var (found, names): (Set<String>, Set<String>) = ([], [])
    func collect(_ value: InspectedValue) {
      switch value.content {
      case .propertyList(.string(let text)), .json(.string(let text)): found.insert(text)
      case .propertyList(.integer(let integer)): found.insert(integer.description)
      case .propertyList(.real(let real)): found.insert(real.description)
      case .propertyList(.date(let date)): found.insert(date.description)
      case .propertyList(.data(let bytes)): found.insert(Base64.text(bytes))
      case .json(.number(let number)): found.insert(number.lexeme)
      default: break
      }
      for place in 0..<value.count {
        guard let child = value.child(at: place) else { continue }
        if let name = child.label.name { names.insert(name) }
        collect(child.value)
      }
    }
    for store in container.stores { InspectedValue(store).map(collect) }
    return found.subtracting(names).filter { $0.utf8.count >= 4 }.sorted()
  }

  @Test func `nothing planted is in a draft, whatever store it reads`() throws {
    let container = try CanaryContainer()
    for options in [[], ["--store", "rsDefaultsPersistence"], ["--store", "notes.json"], ["--keys", "*"]] {
      let made = try Tool.carryover(["recipe", "new", "acme-sdk", "--from", container.path] + options).ended()
      for canary in CanaryContainer.canaries {
        #expect(!made.output.contains(canary) && !made.error.contains(canary), "\(options): \(canary)")
      }
    }
    let target = "\(CanaryContainer.bundleID).analytics.\(CanaryContainer.writeKey)"
    let refused = try Tool.carryover("recipe", "new", "acme-sdk", "--from", container.path, "--store", target)
    #expect(refused.status == 64 && !refused.error.contains(CanaryContainer.writeKey), "\(refused.error)")
  }

  @Test func `a draft says which store it took, is not written over a file, and needs only a suite to write`() throws {
    let sample = SampleCopy.original("AcmeShop").path
    let new = ["recipe", "new", "acme-sdk", "--from", sample, "--keys", "rl_*", "-o", file]
    let made = try Tool.carryover(new).ended(saying: "The draft reads AppData/Library/Preferences/com.acme.shop.plist")
    #expect(made.error.contains("rsDefaultsPersistence.plist (12 keys)"))
    let draft = try String(contentsOfFile: file, encoding: .utf8)
    let first = draft.split(separator: "\n").prefix(2)
    #expect(first.allSatisfy { $0.hasPrefix("# ") && $0.hasSuffix("Documentation/Schemas/recipe-1.json") })
    try Tool.carryover(new).ended(1, saying: "already exists")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == draft)

    try Tool.carryover("recipe", "lint", file).ended(1, printing: "[R112]", "1 error,")
    try draft.replacingOccurrences(of: "NEW-SUITE", with: "acme").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Tool.carryover("recipe", "lint", file, "--fail-on", "warning").status == 0)
    #expect(try Tool.carryover("recipe", "test", file).status == 0)
    #expect(try Tool.carryover("plan", sample, "--recipe", file).output.contains("rl_anonymous_id"))
  }

  @Test func `what cannot be drafted is refused in a sentence, and nothing is written`() throws {
    let sample = SampleCopy.original("AcmeShop").path
    for (options, words) in [
      (["acme-sdk", "--from", sample, "--store", "none"], "has no store “none”"),
      (["acme-sdk", "--from", sample, "--keys", "none*"], "--keys"), (["person", "--from", sample], "built-in"),
      (["A", "--from", sample], "3 to 64 characters"),
      (["acme-sdk", "--from", sample, "--write", "a/b"], "without its folder"),
      (["acme-sdk", "--from", sample, "--write", "com.apple.x"], "system"),
    ] {
      let refused = try Tool.carryover(["recipe", "new"] + options + ["-o", file])
      #expect(refused.status == 64 && refused.error.contains(words), "\(options): \(refused.error)")
    }
    let absent = try Tool.carryover("recipe", "new", "acme-sdk", "--from", folder.path("none"), "-o", file)
    #expect(absent.status == 1 && absent.error.contains("nothing at"), "\(absent.error)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
