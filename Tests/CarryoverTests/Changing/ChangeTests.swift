@testable import Carryover

@Suite("Changing a store") struct ChangeTests {
  private static let path = "Library/Preferences/com.acme.shop.plist"

  /// A container with one store on a disk in memory.
  private struct Box {
    let disk = MemoryFileSystem()
    let path: String
    let container: Container

    init(_ bytes: [UInt8], path: String = ChangeTests.path) throws {
      self.path = path
      disk.put("/box/" + path, bytes)
      let isJSON = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
      let content: StoreContent =
        isJSON ? .json(try JSONText(bytes: bytes)) : .document(try PropertyListDocument(bytes: bytes))
      container = Container([Store(path: path, content: content)])
    }

    init(_ keys: PropertyListDictionary, as format: PropertyListFormat = .binary) throws {
      try self.init(PropertyListDocument.encode(.dictionary(keys), as: format))
    }

    init(json: String) throws { try self.init(Array(json.utf8), path: "Library/Application Support/sdk/store") }

    var bytes: [UInt8]? { disk.bytes("/box/" + path) }
    var text: String { String(decoding: bytes ?? [], as: UTF8.self) }
    var keys: PropertyListDictionary { get throws { try PropertyListDocument(bytes: bytes ?? []).dictionary ?? [:] } }

    func plan(_ changes: (String, NewValue)...) throws(ChangeError) -> ChangePlan { try plan(changes) }

    func plan(_ changes: [(String, NewValue)]) throws(ChangeError) -> ChangePlan {
      var made: [ValueChange] = []
      for (key, new) in changes { made.append(ValueChange(try container.place(store: path, key: key), new)) }
      return try ChangePlan(made, in: container)
    }

    @discardableResult
    func make(_ changes: (String, NewValue)...) throws -> RunReport {
      try disk.migrator.change(try plan(changes), in: container)
    }
  }

  private static let json =
    "{ \"flags\" : {\"ratio\":1.0,\n\t\"beta\": false , \"big\":18446744073709551616,\"path\":\"a\\/b\"},\"list\":[ 1.50, 2e3,\n 3]}"

  struct Edit {
    let key: String
    let new: NewValue
    let before: String
    let after: String

    init(_ key: String, _ new: NewValue, _ before: String, _ after: String) {
      (self.key, self.new, self.before, self.after) = (key, new, before, after)
    }
  }

  static let edits = [
    Edit("flags.beta", .typed("true", nil), "\"beta\": false", "\"beta\": true"),
    Edit("flags.ratio", .typed("1.00", nil), "\"ratio\":1.0", "\"ratio\":1.00"),
    Edit("flags.ratio", .removed, "\"ratio\":1.0,\n\t\"beta\"", "\"beta\""),
    Edit(
      "flags.new", .typed("x\"y", nil), "\"path\":\"a\\/b\"", "\"path\":\"a\\/b\",\n\t\"new\":\"x\\\"y\""),
    Edit("list[1]", .typed("7", nil), "2e3", "7"), Edit("list[0]", .removed, "1.50, 2e3", "2e3"),
    Edit("list[2]", .removed, ",\n 3", ""), Edit("list[3]", .typed("null", .null), "\n 3", "\n 3, null"),
    Edit("list", .typed("on", .text), "[ 1.50, 2e3,\n 3]", "\"on\""),
    Edit("list", .value([1, ["a": true]]), "[ 1.50, 2e3,\n 3]", "[1,{\"a\":true}]"),
  ]

  @Test(arguments: edits)
  func `changes only the bytes of a member of JSON text`(edit: Edit) throws {
    let (key, new) = (edit.key, edit.new)
    let expected = Self.json.replacingOccurrences(of: edit.before, with: edit.after)
    #expect(expected != Self.json)
    let stored = try Box(["config": .string(Self.json), "other": 1])
    try stored.make(("config." + key, new))
    #expect(try stored.keys == ["config": .string(expected), "other": 1])
    let file = try Box(json: Self.json)
    try file.make((key, new))
    #expect(file.text == expected)
    let data = try Box(["config": .data(Array(Self.json.utf8))])
    try data.make(("config." + key, new))
    #expect(try data.keys == ["config": .data(Array(expected.utf8))])
    // JSON text in a string of JSON text.
    let outer = "{\"a\": 1.0, \"inner\": \(JSONValue.string(Self.json).text()) }"
    let nested = try Box(["config": .string(outer)])
    try nested.make(("config.inner." + key, new))
    #expect(
      try nested.keys == ["config": .string("{\"a\": 1.0, \"inner\": \(JSONValue.string(expected).text()) }")])
  }

  @Test func `changes only the lines of a nested key in XML`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <!-- of the app -->
        <key>settings</key>
        <dict>
          <!-- kept -->
          <key>ratio</key> <real>1.500</real>
          <key>inner</key>
          <dict>
            <key>a</key><integer>0x10</integer>
            <key>b</key><true/>
          </dict>
        </dict>
        <key>last</key><string>x</string>
      </dict>
      </plist>
      """
    let edits = [
      Edit("settings.inner.b", .typed("false", nil), "<true/>", "<false/>"),
      Edit("settings.inner.a", .removed, "\n      <key>a</key><integer>0x10</integer>", ""),
      Edit(
        "settings.inner.c", .typed("new", nil), "<true/>\n", "<true/>\n      <key>c</key>\n      <string>new</string>\n"
      ),
    ]
    for edit in edits {
      let box = try Box(Array(text.utf8))
      try box.make((edit.key, edit.new))
      #expect(box.text == text.replacingOccurrences(of: edit.before, with: edit.after))
    }
  }

  @Test func `keeps the type of a value, and makes a new one text`() throws {
    let box = try Box([
      "text": "a", "integer": 1, "real": 1.5, "single": .real(PropertyListReal(0.5, width: .single)), "flag": true,
      "date": .date(PropertyListDate(secondsSince2001: 0)), "data": .data([1]), "list": [1, "a"],
    ])
    try box.make(
      ("text", .typed("42", nil)), ("integer", .typed("-7", nil)), ("real", .typed("2", nil)),
      ("single", .typed("0.25", nil)), ("flag", .typed("no", nil)), ("date", .typed("2026-01-31T12:00:00Z", nil)),
      ("data", .typed("00FF", nil)), ("new", .typed("true", nil)), ("typed", .typed("true", .boolean)),
      ("list[0]", .typed("2", nil)), ("list[2]", .typed("x", nil)), ("integer2", .typed("3", .integer)),
      ("integer2", .typed("4", nil)))
    #expect(
      try box.keys == [
        "text": "42", "integer": -7, "real": 2.0, "single": .real(PropertyListReal(0.25, width: .single)),
        "flag": false,
        "date": .date(PropertyListDate(secondsSince2001: 791_553_600)), "data": .data([0, 255]), "list": [2, "a", "x"],
        "integer2": 4, "new": "true", "typed": true,
      ])
  }

  static let unsuitable = [
    Edit("integer", .typed("1.5", nil), "", "Not an integer."),
    Edit("flag", .typed("maybe", nil), "", "Enter true or false."),
    Edit("data", .typed("xyz", nil), "", "pairs of hexadecimal digits"),
    Edit("date", .typed("today", nil), "", "Enter a date such as"),
    Edit("real", .typed("inf", nil), "", "Not a number."),
    Edit("list", .typed("a", nil), "", "an array. Change a value in it"),
    Edit("new", .typed("", .null), "", "Only JSON has null."), Edit("new", .value(.uid(1)), "", "have no uid"),
    Edit("json.a", .typed("x", .date), "", "JSON has no dates"),
    Edit("json.b", .typed("1e999", nil), "", "The number is too large"),
  ]

  @Test(arguments: unsuitable)
  func `refuses a value that does not suit`(edit: Edit) throws {
    let box = try Box([
      "integer": 1, "flag": true, "data": .data([0x80]), "date": .date(PropertyListDate(secondsSince2001: 0)),
      "real": 1.5,
      "list": [1], "json": "{\"a\":1,\"b\":2}",
    ])
    let error = thrown { () throws(ChangeError) in try box.plan((edit.key, edit.new)) }
    guard case .invalid(_, let found)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(found.contains(edit.after))
    #expect(error?.isUsage == true)
  }

  @Test func `a key as it stands comes first, then the way through names, elements and packed values`() throws {
    let box = try Box([
      "com.acme.flag": 1, "a": ["b": "{\"c.d\":[{\"e\":1}]}"], "a.b": 2, "x[0]": 3, "list": [4], "": 5,
      "two": ["words": 6], "q\"uote": 7,
    ])
    let reads = { (key: String) throws(ChangeError) -> [InspectedChild.Label] in
      try box.container.place(store: box.path, key: key).labels
    }
    #expect(try reads("com.acme.flag") == [.name("com.acme.flag")])
    #expect(try reads(#"com\.acme\.flag"#) == [.name("com.acme.flag")])
    #expect(try reads(#""com.acme.flag""#) == [.name("com.acme.flag")])
    #expect(try reads(#"a.b.c\.d[0].e"#) == [.name("a"), .name("b"), .name("c.d"), .index(0), .name("e")])
    #expect(try reads("list[0]") == [.name("list"), .index(0)])
    #expect(try reads("x[0]") == [.name("x[0]")])
    #expect(try reads(#""""#) == [.name("")])
    #expect(try reads(#"q"uote"#) == [.name("q\"uote")])
    #expect(try reads(#"new\u{1B}[0].n\nx"#) == [.name("new\u{1B}"), .index(0), .name("n\nx")])
    let readings: [[InspectedChild.Label]] = [[.name("a.b")], [.name("a"), .name("b")]]
    #expect(throws: ChangeError.ambiguousKey("a.b", readings)) { try reads("a.b") }
    #expect(ChangeError.ambiguousKey("a.b", readings).description.contains(#"Write '"a.b"' or '"a".b'."#))
    #expect(try reads(#""a".b"#) == [.name("a"), .name("b")])
    for malformed in [
      ".", "a.", ".a", "a..b", "a[", "a[x]", "a[-1]", "a[01]", "a[0", "a]b.c[", "\"a", "a\\", "a[0]b", "\\u{D800}",
      "a[99999999999999999999]", String(repeating: "a.", count: 64) + "a",
    ] {
      #expect(throws: ChangeError.malformedKey(malformed)) { try reads(malformed) }
    }
  }

  @Test func `a suggested key leads to a value, even if names contain dots`() throws {
    let box = try Box([
      "some.key": 1, "both.key": 2, "both": ["key": 3], "address": ["street.name": 4, "lines": ["one"]], "a'b": 5,
    ])
    for (typed, meant) in [
      ("some.kye", "some.key"), ("both.kee", #"'"both".key'"#), ("adress.lines[0]", "'address.lines[0]'"),
      ("address.street.nam", #"'address."street.name"'"#), ("address.linse", "address.lines"), ("a'c", #"'a'\''b'"#),
      ("address.lines.one", nil), ("nothing.like.it", nil),
    ] as [(String, String?)] {
      let error = try #require(
        thrown { () throws(ChangeError) in try box.container.value(store: box.path, key: typed) })
      guard let meant else {
        #expect(!error.description.contains("Did you mean"), "\(error.description)")
        continue
      }
      #expect(error.description.contains(" Did you mean \(meant)?"), "\(error.description)")
      guard case .noValue(_, let nearest?, _) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(throws: Never.self) { _ = try box.container.value(store: box.path, key: nearest) }
    }
  }

  @Test func `a store is compared with those of the container, and never looked for on the disk`() throws {
    let box = try Box(["a": 1])
    box.disk.put("/etc/secret.plist", try SampleBox.bytes([("a", 1)]))
    box.disk.putLink("/box/Library/Preferences/link.plist")
    for name in [
      "/etc/secret.plist", "../../etc/secret.plist", "Library/../Library/Preferences/com.acme.shop.plist", "", "/",
      "link.plist", "shop.plist", "/box/" + box.path, "com.acme.shop.plist\0", "COM.ACME.SHOP.PLIST", ".",
    ] {
      guard case .noStore? = thrown({ () throws(ChangeError) in try box.container.place(store: name, key: "a") }) else {
        return #expect(Bool(false), "\(name)")
      }
    }
    for name in ["Preferences/com.acme.shop.plist", "com.acme.shop", "Preferences/com.acme.shop"] {
      #expect(try box.container.place(store: name, key: "a").store == box.path)
    }
    let several = try Container(["one/s.plist": ["a": 1], "two/s.plist": ["a": 1]])
    #expect(throws: ChangeError.severalStores("s.plist", ["one/s.plist", "two/s.plist"])) {
      try several.onlyStore(named: "s.plist")
    }
  }

  @Test func `what cannot be written back exactly is refused, with the reason`() throws {
    func reason(_ box: Box, _ key: String, _ new: NewValue = .removed) throws -> String {
      let error = thrown { () throws(ChangeError) in try box.plan((key, new)) }
      guard case .refused(_, let reason)? = error else { return "not refused: \(String(describing: error))" }
      return reason
    }
    let twice = PropertyListDictionary(entries: [.init(key: "k", value: 1), .init(key: "k", value: 2)])
    #expect(try reason(Box(["outer": .dictionary(twice)]), "outer.k").contains("more than once"))
    #expect(try reason(Box(["json": "{\"a\":1,\"a\":2}"]), "json.a").contains("json.a cannot") == false)
    #expect(try reason(Box(["json": "{\"a\":1,\"a\":2}"]), "json.a").contains("a occurs more than once"))
    #expect(
      try reason(Box(["json": "{\"h\":\"\\ud800\",\"in\":\"{\\\"a\\\":1}\"}"]), "json.in.a").contains("surrogate"))
    let ofSet = try reason(Box(["set": .set([1, 2])]), "set[0]")
    #expect(ofSet.contains("has a set"))
    #expect(try reason(Box(json: "[1,2]"), "[0]").contains("not a dictionary"))
    var database = Container([Store(path: "db", content: .database(["t": ["k": "v"]]))])
    let path = InspectedPath(store: "db", labels: [.name("t"), .name("k")])
    #expect(throws: ChangeError.refused(InspectedPath(store: "db"), reason: "SQLite databases are read-only here.")) {
      try ChangePlan([ValueChange(path, .removed)], in: database)
    }
    database.stores = []
    #expect(throws: ChangeError.noStore("db", nearest: nil)) {
      try ChangePlan([ValueChange(path, .removed)], in: database)
    }
  }

  @Test func `members of a keyed archive change among parts of other classes, which stay`() throws {
    let root: NSDictionary = ["url": NSURL(string: "https://acme.example/x") as Any, "plan": "pro", "in": ["n": 1]]
    let data = Array(try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false))
    let box = try Box(["traits": .data(data), "x": 1])
    try box.make(
      ("traits.plan", .typed("free", nil)), ("traits.in.n", .typed("2", nil)), ("traits.new", .typed("yes", .boolean)))
    guard case .data(let bytes)? = try box.keys["traits"] else { return #expect(Bool(false)) }
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self, NSURL.self]
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(bytes)) as? [String: Any]
    #expect((read?["url"] as? NSURL)?.absoluteString == "https://acme.example/x")
    #expect(read?["plan"] as? String == "free" && read?["new"] as? Bool == true)
    #expect((read?["in"] as? [String: Any])?["n"] as? Int == 2)
    for key in ["traits.url", "traits.url.x"] {
      guard case .refused? = thrown({ () throws(ChangeError) in try box.plan((key, .typed("x", .text))) }) else {
        return #expect(Bool(false), "\(key)")
      }
    }
  }

  @Test func `a mutable collection of a keyed archive, which would become immutable, is only removed`() throws {
    let archive = try PropertyListDocument(bytes: KeyedArchive.encode(["list": [1], "plan": "pro"]))
    var root = try #require(archive.dictionary)
    guard case .array(let objects)? = root["$objects"] else { return #expect(Bool(false)) }
    root["$objects"] = .array(
      objects.map { object in
        guard case .dictionary(let described) = object, described["$classname"] == "NSArray" else { return object }
        return ["$classes": ["NSMutableArray", "NSArray", "NSObject"], "$classname": "NSMutableArray"]
      })
    let box = try Box(["traits": .data(try PropertyListDocument.encode(.dictionary(root), as: .binary))])
    for (key, new) in [("traits.list[0]", .typed("2", nil)), ("traits.list", .value([2]))] as [(String, NewValue)] {
      guard case .refused(_, let reason)? = thrown({ () throws(ChangeError) in try box.plan((key, new)) }) else {
        return #expect(Bool(false), "\(key)")
      }
      #expect(reason.contains("NSMutableArray"))
    }
    try box.make(("traits.plan", .typed("free", nil)))
    let kept = try #require(try box.keys["traits"])
    guard case .data(let bytes) = kept else { return #expect(Bool(false)) }
    #expect(String(decoding: bytes, as: UTF8.self).contains("NSMutableArray"))
    #expect(try box.plan(("traits.list", .removed)).changes.map(\.after) == [nil])
  }

  @Test func `a value that a change leaves as it is must still be there when the others are written`() throws {
    let box = try Box(["x": 1, "y": 1])
    let plan = try box.plan(("x", .typed("1", nil)), ("y", .typed("2", nil)))
    #expect(plan.stores.first?.keys.map(\.key) == ["y"])
    box.disk.put("/box/" + box.path, try SampleBox.bytes([("x", 5), ("y", 1)]))
    let error = try #require(throws: RunError.self) { try box.disk.migrator.change(plan, in: box.container) }
    #expect(error == .stalePlan([PlanBasis(store: box.path, key: "x", value: 1)], of: .edit))
    #expect(try box.keys == ["x": 5, "y": 1])
  }

  @Test func `a document's values are those that the changes before them leave`() throws {
    let box = try Box(["list": ["a", "b", "c"], "json": "{\"a\":1}"])
    let plan = try box.plan(
      ("list[0]", .removed), ("list[1]", .typed("x", nil)), ("json.a", .typed("2", nil)), ("json.a", .typed("3", nil)))
    let document = Array(ChangeDocument.json(plan, hides: { _ in false }).text().utf8)
    let again = try ChangePlan(ChangeDocument.changes(document, in: box.container), in: box.container)
    #expect(again.stores.map(\.keys) == plan.stores.map(\.keys))
    for list in [["a", "b", "d"], ["a"]] as [PropertyListValue] {
      let other = try Box(["list": list, "json": "{\"a\":1}"])
      let read = try ChangeDocument.changes(document, in: other.container)
      let path = InspectedPath(store: box.path, labels: [.name("list"), .index(1)])
      #expect(throws: ChangeError.stale(path)) { try ChangePlan(read, in: other.container) }
    }
  }

  @Test func `the changes of one value are one, unless elements move or a value in it or around it changes`() throws {
    let box = try Box(["a": 1, "b": 1, "list": ["x", "y"], "json": "{\"k\":1}"])
    func values(_ changes: (String, NewValue)...) throws -> [[PropertyListValue?]] {
      try box.plan(changes).changes.map { [$0.before, $0.after] }
    }
    #expect(
      try values(("a", .typed("2", nil)), ("b", .typed("2", nil)), ("a", .typed("3", nil))) == [[1, 3], [1, 2]])
    #expect(try values(("a", .typed("2", nil)), ("a", .typed("1", nil))) == [[1, 1]])
    #expect(try values(("a", .typed("2", nil)), ("a", .removed)) == [[1, nil]])
    #expect(try values(("new", .typed("2", nil)), ("new", .removed)) == [])
    #expect(try values(("a", .removed), ("a", .typed("x", nil))) == [[1, nil], [nil, "x"]])
    #expect(
      try values(("list[0]", .typed("q", nil)), ("list[0]", .removed), ("list[0]", .typed("r", nil)))
        == [["x", "q"], ["q", nil], ["y", "r"]])
    #expect(
      try values(("json.k", .typed("2", nil)), ("json", .value("{\"k\":5}")), ("json.k", .typed("3", nil))).count == 3)
  }

  @Test func `another value since the preview stops it; another key does not, and stays`() throws {
    let box = try Box(["flag": true, "count": 1, "json": "{\"a\":1}"])
    let plan = try box.plan(("json.a", .typed("2", nil)))
    box.disk.put("/box/" + box.path, try SampleBox.bytes([("count", 5), ("json", "{\"a\":1}"), ("more", "x")]))
    _ = try box.disk.migrator.change(plan, in: box.container)
    #expect(try box.keys == ["count": 5, "json": "{\"a\":2}", "more": "x"])
    let tree = box.disk.tree("/")
    let error = try #require(throws: RunError.self) { try box.disk.migrator.change(plan, in: box.container) }
    #expect(error == .stalePlan([PlanBasis(store: box.path, key: "json", value: "{\"a\":1}")], of: .edit))
    #expect(
      error.description.contains(
        "changed after the change was previewed. Nothing was changed. Preview the change again."))
    #expect(box.disk.tree("/").filter { !$0.key.hasSuffix("lock") } == tree.filter { !$0.key.hasSuffix("lock") })
  }

  @Test func `one run, which the history shows and which is rolled back as a whole or by key`() throws {
    let box = try Box(["flag": true, "count": 1, "gone": "x"])
    let before = box.bytes
    let report = try box.make(("flag", .typed("false", nil)), ("count", .typed("2", nil)), ("gone", .removed))
    #expect(report.kind == .edit && report.files == [box.path])
    #expect(report.outcomes.map(\.outcome) == [.migrated, .migrated, .dropped])
    let migrator = box.disk.migrator
    let run = try #require(try migrator.runs(in: box.container).first)
    #expect(run.kind == .edit && run.recipe == nil && run.recipes.isEmpty && run.standing == .holds)
    #expect(run.fields.map(\.before) == [true, 1, "x"] && run.fields.map(\.after) == [false, 2, nil])
    #expect(try migrator.check(box.container).problems == [])
    let plan = try migrator.rollbackPlan(in: box.container)
    _ = try migrator.rollback(plan, only: [KeyPlace(file: box.path, key: "count")], in: box.container)
    #expect(try box.keys == ["flag": false, "count": 1])
    #expect(try migrator.runs(in: box.container).map(\.standing) == [.holds, .partlyTakenBack])
    _ = try migrator.rollback(in: box.container)
    #expect(try box.keys == ["flag": true, "count": 1, "gone": "x"])
    #expect(try migrator.runs(in: box.container).map(\.recipe) == [nil, nil, nil])
    let other = try Box(["flag": true, "count": 1, "gone": "x"])
    try other.make(("flag", .typed("false", nil)))
    _ = try other.disk.migrator.rollback(in: other.container)
    #expect(other.bytes == before)
  }

  @Test func `a file whose name begins with a combining mark is written and rolled back`() throws {
    let bytes = try PropertyListDocument.encode(.dictionary(["name": "one"]), as: .xml)
    let box = try Box(bytes, path: "Library/Preferences/\u{301}shop.plist")
    try box.make(("name", .typed("two", nil)))
    #expect(try box.keys["name"] == "two")
    _ = try box.disk.migrator.rollback(in: box.container)
    #expect(box.bytes == bytes)
  }

  @Test func `values that are so already write nothing`() throws {
    let box = try Box(["flag": true])
    box.disk.arm()
    let report = try box.make(("flag", .typed("yes", nil)))
    #expect(report.runID == nil && report.kind == .edit)
    #expect(box.disk.log.filter(\.operation.writes).isEmpty)
  }

  @Test func `a live container, an archive and a file with two names are refused as for an apply`() throws {
    let box = try Box(["flag": true])
    let plan = try box.plan(("flag", .removed))
    var container = box.container
    container.liveness = .simulator(device: "D")
    #expect(throws: RunError.self) { try box.disk.migrator.change(plan, in: container) }
    _ = try box.disk.migrator.change(plan, in: container, allowing: [.liveRunningStore])
    container.wrapper = ContainerWrapper(.archive, path: "/a.zip")
    #expect(throws: RunError.wrapped(ContainerWrapper(.archive, path: "/a.zip"))) {
      try box.disk.migrator.change(plan, in: container)
    }
    let linked = try Box(["flag": true])
    linked.disk.put("/box/" + linked.path, try #require(linked.bytes), links: 2)
    #expect(throws: RunError.hardLinked(path: linked.path, links: 2)) {
      try linked.disk.migrator.change(try linked.plan(("flag", .removed)), in: linked.container)
    }
  }

  @Test func `a document of changes reads as it was printed, and says what is wrong with another`() throws {
    let box = try Box([
      "flag": true, "json": "{\"a\":1,\"b\":null}", "date": .date(PropertyListDate(secondsSince2001: 0)),
    ])
    let plan = try box.plan(
      ("flag", .typed("no", nil)), ("json.b", .typed("x", .text)), ("json.a", .removed), ("new", .value([1, "a"])))
    let document = ChangeDocument.json(plan, hides: { _ in false })
    let read = try ChangeDocument.changes(Array(document.text().utf8), in: box.container)
    let again = try ChangePlan(read, in: box.container)
    #expect(again.stores.map(\.keys) == plan.stores.map(\.keys))
    #expect(again.changes.map(\.after) == plan.changes.map(\.after))
    func changes(_ members: String) throws(ChangeError) -> [ValueChange] {
      let text = "{\"schema\":\"carryover.changes/1\",\"changes\":[{\"store\":\"com.acme.shop.plist\",\(members)}]}"
      return try ChangeDocument.changes(Array(text.utf8), in: box.container)
    }
    #expect(try changes(#""key":"flag","after":false"#).map(\.new) == [.value(false)])
    #expect(try changes(#""key":"n","after":1.5"#).map(\.new) == [.value(1.5)])
    #expect(try changes(#""key":"n","after":null"#).map(\.new) == [.removed])
    #expect(try changes(#""key":"n","before":null,"after":"x""#).map(\.new) == [.value("x")])
    let written: [(String, PropertyListValue)] = [
      (#"{"type":"number","value":"18"}"#, 18), (#"{"type":"number","value":1.5}"#, 1.5),
      (#"{"type":"integer","value":18}"#, 18), (#"{"type":"boolean","value":true}"#, true),
      (#"{"type":"array","value":[{"type":"real","value":2}]}"#, .array([.real(PropertyListReal(2))])),
    ]
    for (text, value) in written {
      #expect(try changes(#""key":"n","after":"# + text).map(\.new) == [.value(value)], "\(text)")
    }
    let flag = InspectedPath(store: box.path, labels: [.name("flag")])
    for before in ["null", "false", #"{"type":"integer","value":"1"}"#] {
      let read = try changes("\"key\":\"flag\",\"before\":\(before),\"after\":1")
      #expect(throws: ChangeError.stale(flag)) { try ChangePlan(read, in: box.container) }
    }
    for (members, word) in [
      (#""key":"flag""#, "changes[0].after: the member is missing"),
      (#""key":"flag","after":[]"#, "changes[0].after: a list needs a type"),
      (#""key":"flag","after":{"type":"colour","value":"red"}"#, "changes[0].after: type “colour” is unknown"),
      (#""key":"flag","after":{"value":"red"}"#, "the value has no type"),
      (#""key":"flag","after":{"type":"integer","value":1.5}"#, "does not fit its type, integer"),
      (#""key":"flag","after":{"type":"number","value":"1e999"}"#, "does not fit its type, number"),
      (#""key":"flag","before":[],"after":1"#, "changes[0].before: "), (#""after":1"#, "changes[0].key: "),
      (#""key":"flag","befor":false,"after":1"#, "changes[0].befor: unknown member"),
      (#""key":"flag","after":1,"secret":true"#, "--secrets"), (#""key":"a..b","after":1"#, "is not a key"),
    ] {
      let error = try #require(thrown { () throws(ChangeError) in try changes(members) })
      #expect(error.description.contains(word) && error.isUsage, "\(error)")
    }
    for text in [
      "", "[]", "{}", "{\"schema\":\"carryover.changes/2\",\"changes\":[]}",
      "{\"schema\":\"carryover.changes/1\",\"redacted\":true,\"changes\":[]}", "{\"schema\":\"carryover.changes/1\"}",
    ] {
      guard
        case .document? = thrown({ () throws(ChangeError) in
          try ChangeDocument.changes(Array(text.utf8), in: box.container)
        })
      else { return #expect(Bool(false), "\(text)") }
    }
  }
}
