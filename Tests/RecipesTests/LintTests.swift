@Suite("What lint finds in a recipe") struct LintTests {
  static let sound = """
    \(acmeHead)
    read:
      - suite: Acme
      - plist: [Library/acme.plist]
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    fields:
      - key: id
        group: identity
        form: string
        from: [{key: acme_id, steps: [text]}]
    not-migrated:
      - {key: acme_queue, because: Events are not migrated.}
    opt-out-keys: []
    sources-read: [Acme's sources.]
    tests:
      - name: an id of another type
        given:
          Library/Preferences/Acme.plist: {acme_id: [1]}
        expect: {fields: {id: undecided}}
    """

  static func issues(_ text: String) -> [LintIssue] { RecipeFile.read(Array(text.utf8), vendors: vendors).issues }

  @Test func `a sound recipe has no issue, and says what its file says`() throws {
    let read = RecipeFile.read(Array(Self.sound.utf8), vendors: vendors)
    #expect(read.issues == [])
    let recipe = try #require(read.file?.recipe)
    #expect(recipe.reference == RecipeReference(id: "acme-sdk", version: 1, title: "Acme 1 → 2"))
    #expect(recipe.sources == [.suite(["Acme"]), .plist([["Library/acme.plist"]])])
    #expect(recipe.target == .suite([.bundleID, ".acme"]) && recipe.marks == ["acme_id"])
    #expect(recipe.rules.map(\.candidates) == [[Candidate(SourceKey("acme_id"), [.exactText])]])
  }

  @Test func `a recipe says where the write key is`() throws {
    let text = Self.sound
      .replacing("version: 1", with: "version: 1\nparameters: {write-key: {from: {key: acme_config, member: a.b}}}")
      .replacing("${bundle-id}.acme", with: "${bundle-id}.${write-key}")
    let read = RecipeFile.read(Array(text.utf8), vendors: vendors)
    let recipe = try #require(read.file?.recipe, "\(read.issues)")
    #expect(recipe.parameterPlaces == [ParameterPlace("write-key", key: "acme_config", members: ["a", "b"])])
    #expect(recipe.parameters.isEmpty)
    let refused = Self.issues(text.replacing("member: a.b", with: "member: a..b"))
    #expect(refused.contains { $0.message.contains("dots between") })
  }

  @Test(
    "each change is found with its code and line, and what it offers is near",
    arguments: [
      ("carryover: recipe/1", "carryover: recipes", "R010", 1, "carryover: recipe/1"),
      ("carryover: recipe/1", "carryover: recipe/2", "R011", 1, "newer"),
      ("title: Acme 1 → 2", "titel: Acme 1 → 2", "R012", 4, "title"),
      ("version: 1", "version: one", "R017", 3, "whole number"),
      ("version: 1\n", "", "R018", 1, "version"),
      ("id: acme-sdk", "id: Acme", "R101", 2, "a to z"),
      ("suite: Acme", #"suite: "Acme.${token}""#, "R103", 6, "bundle-id"),
      ("version: 1", "version: 1\nmigrator: {name: Acme's, mark: \"${tokn}\"}", "R103", 4, "tokn"),
      ("version: 1", "version: 1\nmigrator: {name: Acme's, moves: [\"${tokn}\"]}", "R103", 4, "tokn"),
      ("Library/acme.plist", "../acme.plist", "R105", 7, "Library/"),
      ("Library/acme.plist", "Library/../../acme.plist", "R105", 7, ".."),
      ("Library/acme.plist", "Library/../\u{301}acme.plist", "R105", 7, ".."),
      ("Library/acme.plist", "/etc/passwd", "R105", 7, "Library/"),
      ("Library/acme.plist", "Library/Caches/acme.plist", "R106", 7, "Caches"),
      ("suite: Acme", "suite: Library/Acme", "R105", 6, "folder"),
      ("- plist: [Library/acme.plist]", "- suite: Acme", "R107", 7, "line 6"),
      ("version: 1", "version: 0", "R017", 3, "1 or more"),
      ("form: string", "form: string\n    describes: ids", "R214", 11, "id"),
      ("detect: [acme_id]", "detect: []", "R110", 9, "key"),
      ("steps: [text]", "steps: [whole]", "R201", 14, "string"),
      ("steps: [text]", "steps: [boolean, past-seconds-to-milliseconds]", "R202", 14, "boolean"),
      ("steps: [text]", "steps: [txt]", "R212", 14, "text"),
      ("form: string", "form: strng", "R212", 13, "string"),
      ("group: identity", "group: identiy", "R212", 12, "identity"),
      ("steps: [text]", "steps: [{model: {name: a, version: 2, steps: []}}]", "R213", 14, "version"),
      ("version: 1", "version: 1\nparameters: {shop: {title: shop}}", "R104", 4, "${shop}"),
      ("version: 1", "version: 1\nparameters: {write-key: {from: {key: k}}}", "R104", 4, "${write-key}"),
      ("version: 1", "version: 1\nparameters: {write-key: {}}", "R018", 4, "from"),
      ("{key: acme_id, steps: [text]}", "{key: acme_id}, {key: acme_id, steps: [text]}", "R206", 14, "line 14"),
      ("opt-out-keys: []", "x-none: 1", "R306", 1, "opt-out-keys"),
      ("{key: acme_queue,", "{key: acmeAuthToken,", "R305", 16, "secret"),
      ("key: acme_id, steps", "key: acme_password, steps", "R305", 14, "secret"),
      ("version: 1", "version: 1\nlint: [{code: R103, because: x}]", "R212", 4, "warning"),
      ("version: 1", "version: 1\nlint: [{code: R305}]", "R018", 4, "because"),
      (#""${bundle-id}.acme""#, "NEW-SUITE", "R112", 8, "suite"),
      (#""${bundle-id}.acme""#, "com.apple.springboard", "R302", 8, "system"),
      (#""${bundle-id}.acme""#, ".GlobalPreferences", "R302", 8, "system"),
      ("- suite: Acme", "- {file: Library/acme.id, as: acme_other}", "R108", 6, "acme_other"),
      ("- suite: Acme", "- json: Library/acme.json", "R108", 6, "vendor"),
      ("steps: [text]", "steps: [text, text]", "R203", 14, "does not change"),
      ("form: string", "form: integer", "R201", 14, "integer"),
      ("steps: [text]", "steps: [number-text, text]", "R203", 14, "string"),
      ("sources-read: [Acme's sources.]", "x-none: 1", "R502", 1, "sources-read"),
      ("fields: {id: undecided}", "fields: {id: ready}", "R403", 20, "damaged"),
      ("\ntests:", "\nx-tests:", "R402", 1, "tests"),
      ("Events are not migrated.", "Events", "R501", 16, "full stop"),
      ("title: Acme 1 → 2", "title: \(String(repeating: "Acme ", count: 15))", "R501", 4, "72"),
      ("Events are not migrated.", #""Events \u202e are not migrated.""#, "R304", 16, "character"),
      ("title: Acme 1 → 2", #"title: "Acme\u0007""#, "R304", 4, "character"),
    ])
  func changes(_ old: String, _ new: String, _ code: String, _ line: Int, _ words: String) throws {
    let text = Self.sound.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: new)
    #expect(text != Self.sound)
    let issues = Self.issues(text)
    let issue = try #require(issues.first { $0.code.rawValue == code }, "\(issues)")
    #expect(issue.place.line == line && issue.message.contains(words), "\(issue)")
    #expect((RecipeFile.read(Array(text.utf8), vendors: vendors).file == nil) == (issue.code.severity == .error))
  }

  @Test func `a warning is allowed with a reason, in the whole file`() {
    let text = Self.sound.replacing("acme_queue", with: "acmeToken")
    #expect(Self.issues(text).map(\.code) == [.unmaskedSecret])
    let allowed = text.replacing("version: 1\n", with: "version: 1\nlint: [{code: R305, because: It is not.}]\n")
    #expect(Self.issues(allowed) == [])
  }

  @Test func `a mark of a built-in recipe's is a note, whatever its parameter, unless it is only by name`() throws {
    func codes(_ change: (String, String)) -> [LintCode] {
      let text = Self.sound.replacing(change.0, with: change.1)
      #expect(text != Self.sound)
      return RecipeFile.read(Array(text.utf8), vendors: vendors, beside: Recipe.builtIn).issues.map(\.code)
    }
    let mark = try #require(Recipe.snowplowObjC.marks.first?.text)
    #expect(codes(("detect: [acme_id]", "detect: [acme_id, \(mark)]")) == [.sharedMark])
    #expect(codes(("detect: [acme_id]", "detect: [\(mark)]\nonly-by-name: true")) == [])
    #expect(codes(("id: acme-sdk", "id: acme-two")) == [])
    let token = #"parameters: {app: {title: app}}\ndetect: ["mixpanel-${app}MPUserId"]"#
    #expect(codes(("detect: [acme_id]", token.replacing("\\n", with: "\n"))).contains(.sharedMark))
  }

  @Test func `two fields for one key are found, and checks of a vendor that the file does not name`() {
    let doubled = Self.sound.split(separator: "not-migrated:", maxSplits: 1)
      .joined(separator: "  - {key: id, form: string, checks: [user-id], from: [{key: b}]}\nnot-migrated:")
    #expect(Self.issues(doubled).map(\.code) == [.namedTwice, .unknownName])
  }

  @Test(arguments: LintCode.allCases)
  func `every code is explained in whole sentences`(_ code: LintCode) {
    let words = code.words
    #expect(words.title.first?.isUppercase == false || words.title.hasPrefix("YAML"))
    #expect(!words.title.hasSuffix("."))
    for text in [words.happens, words.whatToDo] {
      #expect(text.hasSuffix(".") || text.hasSuffix("recipe/1"), "\(text)")
    }
  }
}

@Suite("Recipes with hostile values") struct RecipeFuzzTests {
  /// Values of every type: empty, huge, deep, not a number, with NUL.
  private static let values: [PropertyListValue] = PropertyListValue.Kind.allCases.flatMap {
    kind -> [PropertyListValue] in
    switch kind {
    case .string:
      [
        "", "\u{0}", .string(String(repeating: "9", count: 1 << 16)), "NaN", "-0", "1e400", "{", "[]", "null", "true",
        #"{"alias":"","age":1e400,"email":"\u0000"}"#,
        .string(String(repeating: "[", count: 5000)), #"{"userId":null,"anonymousId":{},"id":[]}"#,
        .string(#"{"userId":"# + String(repeating: "[", count: 5000)), "{\"userId\":1e400,\"plan\":\"\\u0000\"}",
      ]
    case .integer:
      ["0", "-1", "9223372036854775808", "-9223372036854775809", "340282366920938463463374607431768211455"].compactMap {
        PropertyListInteger($0).map(PropertyListValue.integer)
      }
    case .real:
      [0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e18, -1.5].map {
        .real(PropertyListReal($0))
      }
    case .boolean: [true, false]
    case .date:
      ["2001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].compactMap {
        PropertyListDate(iso8601: $0).map(PropertyListValue.date)
      }
    case .data: [.data([]), .data([0]), .data(Array("bplist00".utf8)), .data([UInt8](repeating: 0xFF, count: 1 << 16))]
    case .array: [.array([]), deep, .array([PropertyListValue](repeating: "", count: 1000))]
    case .dictionary:
      [
        .dictionary(PropertyListDictionary(entries: [])),
        .dictionary(PropertyListDictionary(entries: [.init(key: "\u{0}", value: deep), .init(key: "", value: .null)])),
      ]
    case .uid: [.uid(0), .uid(.max)]
    case .set: [.set([]), .set([deep])]
    case .null: [.null]
    }
  }

  private static let deep = (0..<500).reduce(PropertyListValue.array([])) { value, _ in .array([value]) }

  @Test(arguments: BuiltIn.all)
  func `no value of any key crashes a plan, and no value that failed a step is written`(_ builtIn: BuiltIn) throws {
    try check(builtIn.recipe.filled(["token": "ff", "namespace": "shop"]))
  }

  @Test func `the same is true of the steps that no built-in recipe has`() throws {
    let path = packageRoot.appendingPathComponent("Tests/Fixtures/Recipes/steps.recipe.yaml")
    try check(try #require(RecipeFile.read(Array(try Data(contentsOf: path)), vendors: vendors).file).recipe)
  }

  private func check(_ recipe: Recipe) throws {
    #expect(Set(Self.values.map(\.kind)) == Set(PropertyListValue.Kind.allCases))
    var recipe = recipe
    // The values are as a reader gives them: some types have no form in a file.
    let table = KeyValueTable("fuzz", key: "key", value: "value")
    recipe.sources = [.table(["Library/fuzz.sqlite"], table)]
    let keys = recipe.knownKeys.union(bytesOf: recipe.optOutKeys).sorted().map(\.text)
    let options = PlannerOptions(parameters: ["write-key": "WK"])
    var count = 0
    for (place, key) in (keys + ["*"]).enumerated() {
      // In short, all keys at once have each of the values, and one key alone every third.
      for (number, value) in Self.values.enumerated() where Extent.isFull || key == "*" || (number + place) % 3 == 0 {
        let entries = (key == "*" ? keys : [key]).map { PropertyListDictionary.Entry(key: $0, value: value) }
        let tables: PropertyListDictionary = [table.label: .dictionary(PropertyListDictionary(entries: entries))]
        let container = Container([Store(path: "Library/fuzz.sqlite", content: .database(tables), bytes: [])])
        let plan = Planner(recipe).plan(container, now: Moment(secondsSince1970: 1_763_640_300), options: options)
        let written = Set(plan.changes([:]).map(\.key))
        count += written.count
        for (rule, field) in zip(recipe.rules, plan.fields) where written.contains(field.id) {
          let comment = "\(key): \(value.kind) → \(field.id)"
          let proposed = try #require(field.proposed, "\(comment)")
          #expect(
            field.form.mismatch(proposed) == nil
              && field.steps.allSatisfy { $0.result != nil || $0.omittedBytes != nil }, "\(comment)")
          guard let origin = field.origin, origin.source.member == nil else { continue }
          let candidate = try #require(rule.candidates.first { $0.source == origin.source })
          #expect(throws: Never.self, "\(comment)") {
            try candidate.transforms.reduce(value) { try $1($0, now: plan.now) }
          }
        }
      }
    }
    #expect(count > 0, "some of the values are migrated")
  }
}
