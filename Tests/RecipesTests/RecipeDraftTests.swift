@Suite("Drafts of recipes") struct RecipeDraftTests {
  private static let path = "Library/Preferences/com.acme.shop.plist"

  private static func store(_ entries: [(String, PropertyListValue)], at path: String = path) throws -> Store {
    try Store(path, PropertyListDictionary(entries: entries.map { .init(key: $0.0, value: $0.1) }))
  }

  private static func container(_ stores: Store..., kind: ContainerKind = .folder) -> Container {
    Container(kind: kind, root: "/x", dataFolder: "", bundleID: "com.acme.shop", stores: stores, stateDirectory: "/x/s")
  }

  private static func draft(
    _ container: Container, _ stores: [String] = [], keys: [String] = [], to target: String? = "com.acme.shop.new"
  ) throws -> RecipeDraft {
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(container)
    let patterns = keys.map { Glob($0) }
    let tables = Recipe.builtIn.flatMap(\.files).compactMap(\.table)
    let choice = try DraftChoice(in: container, named: stores, matching: patterns, tables: tables, redaction)
    return try RecipeDraft(
      id: "acme-sdk", from: choice, of: container, matching: patterns, to: target,
      builtIn: Recipe.builtIn, redaction)
  }

  private static func recipe(
    _ draft: RecipeDraft, _ location: SourceLocation = #_sourceLocation
  ) throws -> RecipeFile {
    let (file, issues) = RecipeFile.read(Array(draft.text.utf8), vendors: vendors)
    #expect(!issues.contains { $0.code.severity > .note }, "\(draft.text)", sourceLocation: location)
    #expect(!draft.text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    return try #require(file, sourceLocation: location)
  }

  @Test func `keys with the same characters and other bytes are a field each`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let store = try Self.store([(composed, "new"), (decomposed, "old"), ("x" + composed, 1), ("x" + decomposed, 2)])
    let file = try Self.recipe(Self.draft(Self.container(store)))
    let targets = file.recipe.rules.map { Array($0.target.utf8) }
    #expect(Set(targets) == Set([composed, decomposed, "x" + composed, "x" + decomposed].map { Array($0.utf8) }))
    #expect(targets.count == 4 && file.recipe.marks.count == 4)
  }

  @Test func `a value becomes a field by its type, or is not migrated, and its stand-in has the type`() throws {
    let data = try PropertyListDocument.encode(["a": 1], as: .binary)
    let values: [(String, PropertyListValue, String?)] = [
      ("a1", "Ada", "string"), ("a2", "{\"id\":\"u-1001\"}", "json-object-string"), ("a3", 173, "integer"),
      ("a4", .integer(PropertyListInteger(UInt64.max)), "string"), ("a5", true, "boolean"), ("a6", .data([1]), "data"),
      ("a7", .data(Array("{\"id\":5}".utf8)), "json-object-data"), ("a8", .data(data), "data"),
      ("a9", ["id": "u-1001"], "json-object-string"), ("b1", 2.25, nil), ("b2", ["x"], nil),
      ("b3", .date(PropertyListDate(secondsSince2001: 5e8)), nil), ("auth_token", "s3cret", nil),
    ]
    let recipe = try Self.recipe(Self.draft(Self.container(Self.store(values.map { ($0.0, $0.1) })))).recipe
    for (key, _, form) in values {
      let rule = recipe.rules.first { $0.target == key }
      #expect(rule?.form.rawValue == form, "\(key)")
      #expect(recipe.leftBehind.contains { $0.key == key } == (form == nil), "\(key)")
    }
    #expect(recipe.rules.first { $0.target == "a9" }?.candidates.first?.transforms == [.jsonText])
    #expect(recipe.rules.first { $0.target == "a4" }?.candidates.first?.transforms == [.exactText])
    #expect(recipe.leftBehind.filter(\.secret).map(\.key) == ["auth_token"])
    #expect(recipe.sources == [.suite(.app)] && recipe.target == .suite([.bundleID, ".new"]))
  }

  @Test func `keys with any characters give a draft that its reader accepts, or are said not to be in it`() throws {
    var (usable, remarks): (Set<String>, [String]) = ([], [])
    for keys in [YAMLWriterTests.hostile.prefix(60), YAMLWriterTests.hostile.dropFirst(60)] {
      let draft = try Self.draft(Self.container(Self.store(keys.map { ($0, "value") })))
      usable.formUnion(try Self.recipe(draft).recipe.rules.map(\.target))
      for remark in draft.remarks { #expect(draft.text.contains("# \(remark)\n")) }
      remarks += draft.remarks
    }
    #expect(usable == Set(YAMLWriterTests.hostile.filter { !$0.isEmpty && !$0.contains("${") && $0.utf8.count <= 200 }))
    let refused = ["1 key", "3 keys"].map { "Not in the draft: \($0) that a recipe cannot name." }
    #expect(remarks == refused)
  }

  @Test func `a draft is bounded, whatever the number and size of keys and values, and says what it lacks`() throws {
    let json =
      "{" + (0..<500).map { "\"\(String(repeating: "é", count: 10))\($0)\":[[[[[\"v\"]]]]]" }.joined(separator: ",")
      + "}"
    let wide = PropertyListValue.dictionary(
      PropertyListDictionary(
        entries: (0..<500).map { .init(key: "member_name_of_30_letters_\($0)", value: .string("\($0)")) }))
    let entries = (0..<200).map {
      (String(repeating: "\u{202E}", count: 31) + "\($0 + 100)", $0 % 2 == 0 ? wide : .string(json))
    }
    let draft = try Self.draft(Self.container(Self.store(entries)))
    #expect(try Self.recipe(draft).recipe.rules.count == 100 && draft.text.utf8.count <= RecipeLimits.bytes)
    #expect(draft.remarks == ["Not in the draft: 100 more keys; a draft has at most 100, so choose with --keys."])

    let many = try Self.draft(Self.container(Self.store((0..<20_000).map { ("key\($0)", 1) })))
    #expect(try Self.recipe(many).recipe.rules.count == 100 && many.remarks.count == 1)
    #expect(many.remarks[0].contains("19900"))
  }

  @Test func `keys and paths with personal data are not in the draft`() throws {
    let entries: [(String, PropertyListValue)] = [
      ("inbox:ada@acme.example", 1), ("user_id", "u-1001"), ("profile.u-1001", "Ada"), ("theme", "dark"),
      ("9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", true), ("a\ncarryover: ada@acme.example", 1),
    ]
    let draft = try Self.draft(Self.container(Self.store(entries)))
    #expect(Set(try Self.recipe(draft).recipe.rules.map(\.target)) == ["user_id", "theme"])
    let all = draft.text + draft.remarks.joined()
    for text in ["ada@", "u-1001", "9f1c2a7e", "Ada", "dark"] { #expect(!all.contains(text), "\(text)") }
    #expect(draft.remarks[0].hasPrefix("Not in the draft: 4 keys with personal data, such as "))
    #expect(!draft.remarks[0].contains("\n"))
    let named = try Self.container(
      Self.store(entries), Self.store([("key", 1)], at: "Library/Application Support/u-1001/a.plist"))
    #expect(throws: DraftError.self) { try Self.draft(named, ["a.plist"]) }
    #expect(throws: DraftError.noKeys(paths: [], omitted: [])) { try Self.draft(named, keys: ["key"]) }
  }

  @Test func `the numbers of a draft are none of the container's, and leave no gap where it has one`() throws {
    let entries: [(String, PropertyListValue)] = (1...5).map {
      ("key\($0)", .integer(PropertyListInteger(Int64($0 * 3))))
    }
    let draft = try Self.draft(Self.container(Self.store(entries)))
    let test = try #require(try Self.recipe(draft).tests.first)
    let expected = (1...5).map { ("key\($0)", PropertyListValue.integer(PropertyListInteger(Int64(1000 + $0)))) }
    #expect(test.written == Dictionary(firstOf: expected))
  }

  @Test func `the app's own suite is read without a name, else the store with most keys that match`() throws {
    let container = try Self.container(
      Self.store([("AppleLanguages", ["en"]), ("acme_a", 1)]),
      Self.store([("acme_a", 1), ("acme_b", 2)], at: "Library/acme.plist"),
      Self.store([("$archiver", "NSKeyedArchiver")], at: "Library/Preferences/other.plist"),
      Self.store([("acme_a", 1), ("acme_b", 2), ("acme_c", 3)], at: "Group/acme.plist"))
    #expect(try Self.recipe(Self.draft(container)).recipe.marks == ["acme_a"])
    #expect(try Self.draft(container).remarks.contains("Not in the draft: 1 key of the system."))
    let matching = try Self.draft(container, keys: ["acme_*"])
    #expect(try Self.recipe(matching).recipe.sources == [.plist([["Library/acme.plist"]])])
    #expect(matching.remarks[0].hasPrefix("The draft reads Library/acme.plist (2 keys). "))
    let both = try Self.draft(container, ["com.acme.shop", "Library/acme.plist"])
    #expect(try Self.recipe(both).recipe.sources == [.suite(.app), .plist([["Library/acme.plist"]])])
    #expect(try Self.recipe(both).recipe.rules.map(\.target) == ["acme_a", "acme_b"])
    for names in [["none"], ["Group/acme.plist"]] {
      #expect(throws: DraftError.self) { try Self.draft(container, names) }
    }
    #expect(throws: DraftError.self) { try Self.draft(container, keys: ["none*"]) }
  }

  @Test func `a path with any characters is in a draft, or is refused in a sentence`() throws {
    let names = YAMLWriterTests.hostile.filter {
      !$0.isEmpty && !$0.contains("/") && !$0.contains("\0") && $0.utf8.count <= 250
    }
    for name in names + [String(repeating: "\u{1}", count: 250)] {
      let path = "Library/Application Support/\(name).plist"
      let container = Self.container(try Self.store([("a", 1)], at: path))
      guard !name.contains("${"), name != ".", name.utf8.first != 1 else {
        #expect(throws: DraftError.noPlace(path: path)) { try Self.draft(container, [path]) }
        continue
      }
      #expect(try Self.recipe(Self.draft(container)).recipe.sources == [.plist([[.text(path)]])])
    }
  }

  @Test func `JSON files and the tables of databases are read in their own ways`() throws {
    let rows: PropertyListDictionary = ["device_id": "d-1", "user_id": "u-1001"]
    let json = try Store(
      path: "Documents/com.acme.shop/state.json", content: .json(JSONText(#"{"id":"u-1001","n":[1],"at":{"x":1.5}}"#)))
    let single = try Store(path: "Documents/one.json", content: .json(JSONText(#"{"token_count":7}"#)))
    let database = Store(
      path: "Library/com.amplitude.database", content: .database(["store": .dictionary(rows), "other": .null]))
    let container = Self.container(json, single, database)
    let members = try Self.draft(container, ["state.json"])
    let rules = try Self.recipe(members).recipe.rules
    #expect(
      rules.flatMap(\.candidates).map(\.source) == [SourceKey("state", member: "at"), SourceKey("state", member: "id")])
    #expect(
      try Self.recipe(members).recipe.sources == [.file([["Documents/", .bundleID, "/state.json"]], as: "state")])
    #expect(members.remarks == ["Not in the draft: 1 member of JSON that cannot be a field."])
    let table = try Self.recipe(Self.draft(container, ["com.amplitude.database"]))
    #expect(
      table.recipe.sources == [
        .table(["Library/com.amplitude.database"], KeyValueTable("store", key: "key", value: "value"))
      ])
    #expect(table.tests.first?.fields == [:] && table.tests.first?.written?.count == 2)
  }

  @Test func `without a suite to write, the only issue is that the author has to name it`() throws {
    let draft = try Self.draft(Self.container(Self.store([("a", 1)])), to: nil)
    let issues = RecipeFile.read(Array(draft.text.utf8), vendors: vendors).issues
    #expect(issues.map(\.code) == [.placeholder])
    let lines = draft.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(issues.first.map { lines[$0.place.line - 1] } == "write: {suite: NEW-SUITE}")
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "ab", false), ("*", "", true), ("a*", "ab", true), ("*b", "ab", true),
    ("a*a", "a", false),
    ("a*a", "aa", true), ("*b*", "abc", true), ("a*b*c", "a-bb-c", true), ("a*b*c", "a-c", false), ("", "a", false),
    ("**", "x", true), ("*é", "aé", true),
  ])
  func `an asterisk stands for any text`(_ pattern: String, _ key: String, _ matches: Bool) {
    #expect(Glob(pattern).matches(key) == matches)
  }
}
