@Suite("Fields for each key that begins with a text") struct FamilyTests {
  private static let text = """
    \(acmeStart)
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    key-prefixes: [acme_]
    opt-out-keys: [acme_flag_optout]
    fields:
      - {key: flag_main, form: string, from: [{key: acme_main}]}
      - key: flag_${each}
        for-each: acme_flag_*
        form: string
        from:
          - {key: "acme_flag_${each}", when: [{key: "acme_off_${each}", present: false}], steps: [text]}
      - {key: id, form: string, from: [{key: acme_id}]}
    not-migrated:
      - {key: acme_flag_token, because: The new SDK fetches its own., secret: true}
    """

  private func read(_ text: String = FamilyTests.text) throws -> RecipeFile {
    let read = RecipeFile.read(Array(text.utf8), vendors: vendors)
    #expect(read.issues.filter { $0.code.severity > .note } == [])
    return try #require(read.file)
  }

  private func container(_ keys: PropertyListDictionary, more: PropertyListDictionary = [:]) throws -> Container {
    let stores = ["com.acme.shop": keys, "com.acme.shop.acme": more].filter { $0.value.count > 0 }
    return try Container(stores.reduce(into: [:]) { $0["Library/Preferences/\($1.key).plist"] = $1.value })
  }

  private let now = Moment(secondsSince1970: 1_763_640_300)

  private func plan(
    _ keys: PropertyListDictionary, more: PropertyListDictionary = [:], _ text: String = FamilyTests.text
  ) throws -> Plan {
    Planner(try read(text).recipe).plan(try container(keys, more: more), now: now)
  }

  @Test func `a plan has a field for each key, sorted, at the place of the rule; without a key, it has none`() throws {
    let plan = try plan(["acme_flag_b": 2, "acme_flag_a": "x", "acme_id": "u", "acme_flag_": "y", "other": 1])
    #expect(plan.fields.map(\.id) == ["flag_main", "flag_a", "flag_b", "id"])
    #expect(plan.field("flag_b")?.proposed == "2" && plan.field("flag_a")?.sourceLabel == "acme_flag_a")
    #expect(plan.definition.rulePlaces == [0, 1, 1, 2])
    #expect(plan.dropped.map(\.key) == ["acme_flag_"])
    #expect(try self.plan(["acme_id": "u"]).fields.map(\.id) == ["flag_main", "id"])
    let off = try self.plan(["acme_flag_a": "x", "acme_off_a": 1, "acme_flag_b": "y"])
    #expect(off.field("flag_a")?.status == .absent && off.field("flag_b")?.status == .ready)
    #expect(try self.plan(["acme_flag_a": "x"], more: ["flag_a": "z"]).field("flag_a")?.status == .conflict)
  }

  @Test func `keys that another rule names are no fields, and an opt-out and a secret stay what they are`() throws {
    let keys: PropertyListDictionary = ["acme_flag_token": "s", "acme_flag_optout": true, "acme_flag_a": "x"]
    let plan = try plan(keys)
    #expect(plan.fields.map(\.id) == ["flag_main", "flag_a", "id"])
    #expect(plan.blockers.map(\.code) == [.consentOptedOut])
    #expect(plan.dropped.first { $0.key == "acme_flag_token" }?.secret == true)
  }

  @Test func `two fields never write one key: the other is listed with the reason`() throws {
    let plan = try plan(["acme_main": "m", "acme_flag_main": "x", "acme_flag_a": "y"])
    #expect(plan.fields.map(\.id) == ["flag_main", "flag_a", "id"] && plan.field("flag_main")?.proposed == "m")
    #expect(plan.dropped.map(\.reason) == ["Another field writes the key flag_main."])
    #expect(plan.dropped.map(\.key) == ["acme_flag_main"])
  }

  @Test func `a stranger's key with hidden characters, a parameter or too many bytes is no field`() throws {
    let names = [
      "", "\u{200D}a", "a\u{0}", "a\nb", "\u{202E}a", "\u{1B}[2J", "${each}", "x${bundle-id}",
      String(repeating: "n", count: 201),
    ]
    let keys = PropertyListDictionary(
      entries: (names + ["é", "../b", "a b", "*", "🙂"]).map { .init(key: "acme_flag_" + $0, value: "v") })
    let plan = try plan(keys)
    #expect(Set(plan.fields.map(\.id)) == ["flag_main", "id", "flag_é", "flag_../b", "flag_a b", "flag_*", "flag_🙂"])
    #expect(Set(plan.dropped.map(\.key)) == Set(names.map { "acme_flag_" + $0 }))
    #expect(plan.changes([:]).count == 5)
  }

  @Test(.timeLimit(.minutes(1))) func `at most 1,000 keys have fields, and the others are listed`() throws {
    let keys = PropertyListDictionary(entries: (0..<1_003).map { .init(key: "acme_flag_\($0 + 10_000)", value: "v") })
    let plan = try plan(keys)
    #expect(plan.fields.count == 1_002 && plan.field("flag_10999") != nil && plan.field("flag_11000") == nil)
    #expect(plan.dropped.map(\.key) == ["acme_flag_11000", "acme_flag_11001", "acme_flag_11002"])
    #expect(Set(plan.dropped.map(\.reason)) == ["for-each migrates at most 1000 keys."])
  }

  @Test func `trials and cleanups know the fields`() throws {
    let file = try read()
    let keys: PropertyListDictionary = ["acme_flag_a": "x", "acme_flag_b": "y"]
    let trials = Planner(file.recipe).trials(try container(keys), now: now, options: PlannerOptions())
    #expect(trials.map { $0.map(\.outcome) } == [[.absent], [.used], [.used], [.absent]])
    let cleanup = Planner(file.recipe).cleanupPlan(
      try container(keys, more: ["flag_a": "x", "flag_b": "other"]), now: now)
    #expect(cleanup.removable.map(\.id.key) == ["acme_flag_a"])
  }

  @Test func `words and Swift have the rule`() throws {
    let recipe = try read().recipe
    #expect(recipe.lines.contains("For each key that begins with acme_flag_: ${each} is the rest of the key."))
    let swift = RecipeSource(file: try read(), declaration: "package static let acme").text(fileName: "a.recipe.yaml")
    #expect(swift.contains("forEach: \"acme_flag_*\"") && swift.contains("target: \"flag_${each}\""))
  }

  @Test func `a parameter can be in the beginning`() throws {
    let text = Self.text.replacing("for-each: acme_flag_*", with: "for-each: \"acme_${shop}_*\"")
      .replacing("key: \"acme_flag_${each}\"", with: "key: \"acme_${shop}_${each}\"")
      .replacing("detect: [acme_id]", with: "parameters: {shop: {title: shop}}\ndetect: [acme_id]")
    let recipe = try read(text).recipe
    #expect(recipe.parameters.allSatisfy(recipe.requires))
    let plan = Planner(recipe.filled(["shop": "x"])).plan(try container(["acme_x_a": "v", "acme_y_b": "v"]), now: now)
    #expect(plan.fields.map(\.id) == ["flag_main", "flag_a", "id"])
  }

  @Test(arguments: [
    ("for-each: acme_flag_*", "for-each: acme_flag", "R017"), ("for-each: acme_flag_*", "for-each: \"*\"", "R017"),
    ("for-each: acme_flag_*", "for-each: acme_*_flag_*", "R017"), ("for-each: acme_flag_*", "for-each: [a]", "R017"),
    ("for-each: acme_flag_*", "for-each: \"${each}*\"", "R103"), ("for-each: acme_flag_*", "x-none: 1", "R103"),
    ("key: flag_${each}", "key: flag", "R017"), ("key: flag_${each}", "key: \"${each}\"", "R017"),
    ("for-each: acme_flag_*", "group: consent\n    for-each: acme_flag_*", "R017"),
    (
      "from:\n      - {key: \"acme_flag_${each}\", when: [{key: \"acme_off_${each}\", present: false}], steps: [text]}",
      "from: []", "R017"
    ),
    ("key: \"acme_flag_${each}\"", "key: acme_flag_a", "R017"),
    ("key: id", "key: \"id_${each}\"", "R103"), ("for-each:", "foreach:", "R012"),
    (#"write: {suite: "${bundle-id}.acme"}"#, "write: {json-files: Library/Application Support/acme}", "R105"),
    ("detect: [acme_id]", "parameters: {each: {title: each}}\ndetect: [acme_id]", "R101"),
  ])
  func `what for-each cannot be is an issue with its code`(_ old: String, _ new: String, _ code: String) {
    let text = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.text)
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues
    #expect(issues.contains { $0.code.rawValue == code }, "\(issues)")
  }

  @Test func `a recipe that writes a file which it reads cannot have for-each, or it would read its own keys`() {
    let text = Self.text.replacing(#"write: {suite: "${bundle-id}.acme"}"#, with: #"write: {suite: "${bundle-id}"}"#)
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues.filter { $0.code.severity == .error }
    #expect(issues.map(\.code) == [.family] && issues.first?.place.line == 14, "\(issues)")
  }

  @Test func `far more for-each, steps or conditions than anyone writes are refused`() {
    let field = "  - {key: \"f#_${each}\", for-each: a#_*, form: string, from: [{key: \"a#_${each}\"}]}\n"
    let fields = (0..<33).map { field.replacing("#", with: "\($0)") }.joined()
    let steps =
      "  - {key: s, form: string, from: [{key: s, steps: [" + String(repeating: "uppercase, lowercase, ", count: 65)
      + "text]}]}\n"
    let tests =
      "  - {key: t, form: string, from: [{key: t}], require: [" + String(repeating: "{glob: \"*a*\"}, ", count: 33)
      + "non-empty]}\n"
    for (more, what) in [(fields, "32 for-each"), (steps, "128 steps"), (tests, "32 requirements")] {
      let text = Self.text.replacing("    not-migrated:", with: "not-migrated:").replacing(
        "fields:\n", with: "fields:\n" + more)
      let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues.filter { $0.code == .tooLarge }
      #expect(issues.count == 1 && issues[0].message.contains(what), "\(what): \(issues)")
    }
  }
}

@Suite("Places that a recipe does not read") struct ElsewhereTests {
  private static let text = """
    \(acmeStart)
    legacy-sdk: Acme's SDK
    parameters:
      token: {title: token, form: hex}
    read:
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: ["acme-${token}-id"]
    opt-out-keys: []
    fields:
      - {key: id, group: identity, form: string, from: [{key: "acme-${token}-id"}]}
    elsewhere:
      - {file: Library/acme_*.db, because: The recipe reads no database.}
      - {file: AppGroups/*/Library/acme.id, because: The recipe reads no app group.}
      - {suite: "${bundle-id}", keys: ["acme-*-id"], because: The recipe reads keys with a token.}
    """

  private func plan(_ keys: PropertyListDictionary = [:], signs: [String] = []) throws -> (plan: Plan, recipe: Recipe) {
    let read = RecipeFile.read(Array(Self.text.utf8), vendors: vendors)
    #expect(read.issues.filter { $0.code.severity == .error } == [])
    var recipe = try #require(read.file).recipe.filled(["token": "ff"])
    recipe.origin = .file(path: "", isTrusted: true)
    var container = try Container(["Data/Library/Preferences/com.acme.shop.plist": keys], dataFolder: "Data")
    container.signs = signs
    return (Planner(recipe).plan(container, now: Moment(millisecondsSince1970: 1_763_640_000_000)), recipe)
  }

  private func names(_ plan: Plan) -> [[String]] { plan.unreadPlaces.map(\.names) }

  @Test func `data in such a place is named, the verdict cannot tell, and nothing to migrate is not said`() throws {
    for (signs, found) in [
      (
        ["Data/Library/acme_one.db", "Data/Library/acme_two.db"],
        ["Data/Library/acme_one.db", "Data/Library/acme_two.db"]
      ),
      (["Data/AppGroups/group.com.acme/Library/acme.id"], ["Data/AppGroups/group.com.acme/Library/acme.id"]),
      (["Data/Shared/AppGroup/0F1C/Library/acme.id"], ["Data/Shared/AppGroup/0F1C/Library/acme.id"]),
    ] {
      let (plan, recipe) = try plan(signs: signs)
      #expect(names(plan) == [found])
      #expect(plan.containerFindings.map(\.code) == [.sourceElsewhere])
      #expect(plan.containerFindings.allSatisfy { $0.message.contains(found[0]) })
      #expect(recipe.verdict(on: plan).certainty == .cannotTell, "\(recipe.verdict(on: plan).text)")
    }
    let (plan, recipe) = try plan()
    #expect(names(plan) == [] && plan.containerFindings.map(\.code) == [.sourceNotFound])
    #expect(plan.containerFindings[0].message.contains("a place that this recipe does not read"))
    #expect(!recipe.verdict(on: plan).text.isEmpty)
  }

  @Test func `keys in such a place are named with their file`() throws {
    let (plan, recipe) = try plan(["acme-aa-id": "u-1001"])
    #expect(plan.containerFindings.first?.message.contains("acme-aa-id in com.acme.shop.plist.") == true)
    #expect(recipe.verdict(on: plan).text.contains("acme-aa-id in com.acme.shop.plist is not read"))
  }

  @Test func `only names that fit count, and a key that the recipe reads is not elsewhere`() throws {
    #expect(
      try names(plan(signs: ["Data/Library/acme_.db", "Data/Library/a/acme_1.db", "Library/acme_1.db"]).plan) == [])
    #expect(try names(plan(["acme-ff-id": "u-1001"]).plan) == [])
    #expect(try names(plan(["acme-ff-id": "u-1001", "acme-shop-id": "u-2002"]).plan) == [["acme-shop-id"]])
  }

  @Test func `beside values that are read, the verdict is not certain`() throws {
    let (plan, recipe) = try plan(["acme-ff-id": "u-1001"], signs: ["Data/Library/acme_1.db"])
    #expect(plan.field("id")?.status == .ready)
    let verdict = recipe.verdict(on: plan)
    #expect(
      verdict.certainty == .likely && verdict.reasonText.contains("acme_1.db is not read"), "\(verdict.reasonText)")
  }

  @Test(
    "lint refuses places without a reason, without keys, outside the container, and those that are read",
    arguments: [
      ("{file: Library/a}", "R018"), ("{suite: Acme, because: It is not read.}", "R018"),
      ("{suite: Acme, keys: [], because: It is not read.}", "R018"),
      ("{suite: Acme, keys: [\"a-${token}\"], because: It is not read.}", "R103"),
      ("{file: ../a, because: It is not read.}", "R105"),
      ("{file: AppGroups/group.a/Library/a, because: It is not read.}", "R105"),
      ("{file: \"Library/Preferences/${bundle-id}.plist\", because: It is not read.}", "R107"),
    ])
  func lint(_ entry: String, _ code: String) {
    let text = Self.text.replacing("{file: Library/acme_*.db, because: The recipe reads no database.}", with: entry)
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues.filter { $0.code.severity == .error }
    #expect(issues.map(\.code.rawValue) == [code] && issues.map(\.place.line) == [17], "\(issues)")
  }

  @Test func `each key counts as a file does, because it is compared with every key of the suite`() {
    let keys = (0..<127).map { "a\($0)_*" }.joined(separator: ", ")
    let text = Self.text.replacing(#"keys: ["acme-*-id"]"#, with: "keys: [\(keys)]")
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues.filter { $0.code.severity == .error }
    #expect(issues.map(\.code) == [.tooLarge], "\(issues)")
  }

  @Test func `the words of a recipe name each place with its reason`() throws {
    let recipe = try #require(RecipeFile.read(Array(Self.text.utf8), vendors: vendors).file).recipe
    #expect(
      recipe.lines.contains([
        "Reports data in these places without reading them:", "Library/acme_*.db: The recipe reads no database.",
        "AppGroups/*/Library/acme.id: The recipe reads no app group.",
        "acme-*-id in <bundle id>: The recipe reads keys with a token.",
      ]))
  }
}
