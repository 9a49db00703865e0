@testable import Carryover

@Suite("Comparing stores") struct StoreComparisonTests {
  private static let path = "Library/Preferences/com.acme.shop.plist"

  private func compare(
    _ before: PropertyListDictionary, _ after: PropertyListDictionary,
    _ options: StoreComparison.Options = StoreComparison.Options()
  ) throws -> StoreComparison {
    StoreComparison(try Container([Self.path: before]), try Container([Self.path: after]), options)
  }

  /// `~ traits.plan`, a line for each value that differs.
  private func lines(_ comparison: StoreComparison) -> [String] {
    let signs: [ValueDifference.Change: String] = [.added: "+", .removed: "-", .changed: "~", .form: "="]
    return comparison.stores.filter(\.isListed).flatMap { store in
      store.keys.isEmpty
        ? ["\(signs[store.change] ?? "?")"] : store.values().map { "\(signs[$1.change] ?? "?") \($0.labelText)" }
    }
  }

  private func lines(
    _ before: PropertyListDictionary, _ after: PropertyListDictionary,
    _ options: StoreComparison.Options = StoreComparison.Options()
  ) throws -> [String] { lines(try compare(before, after, options)) }

  @Test func `keys are added, removed and changed, and what is packed is compared by member`() throws {
    let found = try lines(
      [
        "gone": 1, "traits": #"{"plan": "free", "n": [1, 2]}"#,
        "data": .data(try PackedValues.bytes(["a": #"{"b": 1}"#])),
        "same": "x",
      ],
      [
        "same": "x", "traits": #"{"n":[1,2.5],"plan":"pro"}"#,
        "data": .data(try PackedValues.bytes(["a": #"{"b": 2}"#], as: .xml)), "new": true,
      ])
    #expect(found == ["- gone", "~ traits.n[1]", "~ traits.plan", "~ data.a.b", "+ new"])
  }

  @Test func `order, format and spelling do not count unless the comparison is exact`() throws {
    let (old, new): (PropertyListDictionary, PropertyListDictionary) = (
      ["a": 1, "b": #"{"x": 1, "y": "é"}"#, "c": .data(try PackedValues.bytes(["k": 1]))],
      ["b": #"{"y":"\u00e9","x":1.0}"#, "c": .data(try PackedValues.bytes(["k": 1], as: .xml)), "a": 1]
    )
    #expect(try compare(old, new).isEmpty)
    #expect(Set(try lines(old, new, .init(isExact: true))) == ["= b.x", "= c"])
    #expect(try lines(["a": 1, "b": 2], ["b": 2, "a": 1], .init(isExact: true)) == ["="])
    let (binary, xml) = (try Store("a.plist", ["a": 1]), try Store("a.plist", ["a": 1], as: .xml))
    #expect(StoreComparison(Container([binary]), Container([xml])).isEmpty)
    #expect(lines(StoreComparison(Container([binary]), Container([xml]), .init(isExact: true))) == ["="])
  }

  @Test(arguments: [
    ("1", "1.0", true), ("1.50", "15e-1", true), ("0", "-0.0", true), ("9007199254740993", "9007199254740992", false),
    ("1e400", "1e401", false), ("1e400", "10e399", true), ("1", "true", false), (#""1""#, "1", false),
  ])
  func `numbers of JSON are compared by their exact value`(old: String, new: String, isEqual: Bool) throws {
    #expect(try compare(["a": .string("[\(old)]")], ["a": .string("[\(new)]")]).isEmpty == isEqual)
  }

  @Test func `types count, and so do the zero's sign and halves of surrogate pairs`() throws {
    for (old, new) in [
      (1, 1.0), (1, true), ("1", 1), (.data([0x31]), "1"),
      (.real(PropertyListReal(0.0)), .real(PropertyListReal(-0.0))),
      (#"["\ud800"]"#, #"["\ud801"]"#), ("[1]", .data(Array("[1]".utf8))),
    ] as [(PropertyListValue, PropertyListValue)] {
      #expect(try lines(["a": old], ["a": new]) == ["~ a"])
    }
  }

  @Test func `a table that was not read on one side is left out, and what was not read is listed`() {
    func database(_ names: [String], unread: [String] = [], tooLong: Int = 0) -> Container {
      var store = Store(path: "shop.sqlite", content: .database([:]), size: 8192)
      store.tables = DatabaseTables(
        tables: names.map { name in
          var table = DatabaseTable(name: name, columns: [], rows: ["1": ["v": 1]], count: .exactly(1))
          table.tooLong = tooLong
          return table
        }, unread: unread)
      return Container([store])
    }
    let (both, first) = (database(["a", "b"]), database(["a"], unread: ["b"]))
    #expect(lines(StoreComparison(both, first)) == [] && lines(StoreComparison(first, both)) == [])
    #expect(lines(StoreComparison(both, database(["a"]))) == ["- b"])
    #expect(StoreComparison(both, both).gaps.isEmpty)
    let partial = StoreComparison(database(["a"], tooLong: 1), database(["a"], tooLong: 1))
    #expect(partial.obstacles.map(\.isPartial) == [true])
    let gaps = partial.gaps
    #expect(gaps.map(\.path) == ["shop.sqlite"] && gaps.first?.reason.contains("1 value is too long") == true)
  }

  @Test func `names that Unicode calls equal are two keys`() throws {
    #expect(try lines(["é": 1, "e\u{301}": 2], ["é": 1, "e\u{301}": 3]) == ["~ \"e\u{301}\""])
    #expect(Set(try lines(["é": 1], ["e\u{301}": 1])) == ["- \"é\"", "+ \"e\u{301}\""])
  }

  @Test(
    arguments: [
      ([1, 2, 3], [1, 9, 3], ["~ a[1]"]), ([1, 2, 3], [1, 3], ["- a[1]"]), ([1, 3], [1, 2, 3], ["+ a[1]"]),
      // A queue that lost its first elements, and got others at its end.
      ([1, 2, 3, 4, 5], [3, 4, 5, 6], ["- a[0]", "- a[1]", "+ a[3]"]),
      ([1, 2, 3, 4], [2, 3, 4, 5], ["- a[0]", "+ a[3]"]),
      // The newest first.
      ([4, 3, 2, 1], [5, 4, 3, 2], ["+ a[0]", "- a[3]"]),
      ([1, 2], [3, 4], ["~ a[0]", "~ a[1]"]), ([], [1], ["+ a[0]"]),
    ] as [([Int64], [Int64], [String])])
  func `elements are compared by place, after equal ends, and queues are recognised`(
    old: [Int64], new: [Int64], expected: [String]
  ) throws {
    func value(_ numbers: [Int64]) -> PropertyListValue { .array(numbers.map { .integer(PropertyListInteger($0)) }) }
    #expect(Set(try lines(["a": value(old)], ["a": value(new)])) == Set(expected))
  }

  @Test func `keys of Apple's frameworks are counted, and ignored paths are`() throws {
    let (old, new): (PropertyListDictionary, PropertyListDictionary) = (
      ["AppleLanguages": ["en"], "NSFW": 1, "AppleUserID": 1, "t": #"{"a": 1, "b": {"c": 1}}"#],
      ["AppleLanguages": ["de"], "NSFW": 2, "AppleUserID": 2, "t": #"{"a": 2, "b": {"c": 2}}"#]
    )
    let comparison = try compare(old, new, .init(ignored: [Glob("t.b"), Glob("NS*")]))
    #expect(Set(lines(comparison)) == ["~ AppleUserID", "~ t.a"])
    #expect(comparison.systemKeys == 1 && comparison.ignored == 2)
    let unlisted = try lines(old, new, .init(ignored: [Glob("*")]))
    #expect(unlisted == [])
    #expect(try lines(["AppleLanguages": 1], [:], .init(listsSystemKeys: true)) == ["- AppleLanguages"])
    #expect(try compare(["AppleLanguages": 1], ["AppleLanguages": 2]).isEmpty)
    let apples = try compare(["AppleLanguages": 1], ["AppleLanguages": 2], .init(ignored: [Glob("*")]))
    #expect(apples.systemKeys == 1 && apples.ignored == 0)
    let named = try compare(old, new, .init(ignored: [Glob("com.acme.shop.plist: *")]))
    #expect(named.isEmpty && named.ignored == 4)
  }

  private func database(_ rows: ClosedRange<Int>, of count: Int) -> Container {
    var store = Store(path: "Documents/shop.sqlite", content: .database([:]), size: 8192)
    let rows = rows.map { PropertyListDictionary.Entry(key: String($0), value: .dictionary(["v": "x"])) }
    store.tables = DatabaseTables(tables: [
      DatabaseTable(
        name: "log", columns: [.init(name: "v", type: "", isKey: false)], rows: PropertyListDictionary(entries: rows),
        count: .exactly(count))
    ])
    return Container([store])
  }

  @Test func `rows are compared with a table that was read in part as far as can be told, and the rest is said`() {
    let (whole, more) = (database(1...2, of: 2), database(1...3, of: 9))
    #expect(lines(StoreComparison(whole, more)) == ["+ log.3"])
    #expect(lines(StoreComparison(more, whole)) == ["- log.3"])
    // Of rows that were read on one side alone, nothing is known if neither side is complete.
    let unknown = StoreComparison(more, database(2...4, of: 9))
    #expect(unknown.isEmpty && unknown.obstacles.map(\.isPartial) == [true])
    #expect(unknown.obstacles.first?.reason.contains("“log” (first 3 of 9 rows)") == true)
    #expect(StoreComparison(whole, whole).obstacles.isEmpty)
  }

  @Test func `stores are matched in the app's data, whatever the container is`() throws {
    let folder = try Container(["Library/Preferences/a.plist": ["k": 1], "Library/Preferences/b.plist": [:]])
    let package = try Container(
      ["AppData/Library/Preferences/a.plist": ["k": 2], "AppData/Library/Preferences/c.plist": ["n": 1]],
      kind: .xcappdata)
    let comparison = StoreComparison(folder, package)
    #expect(
      comparison.stores.map(\.path) == [
        "AppData/Library/Preferences/a.plist", "AppData/Library/Preferences/c.plist", "Library/Preferences/b.plist",
      ])
    #expect(comparison.stores.map(\.change) == [.changed, .added, .removed] && comparison.count == 3)
    #expect(comparison.differences == 3)
    var file = try Container(["x.plist": ["k": 1]], kind: .propertyList)
    file.name = "x.plist"
    var other = try Container(["y.plist": ["k": 2]], kind: .propertyList)
    other.name = "y.plist"
    #expect(lines(StoreComparison(file, other)) == ["~ k"])
  }

  @Test func `stores that cannot be read are compared by their bytes, if these are known`() throws {
    func store(_ bytes: [UInt8]?) -> Container {
      Container([Store(path: "a.plist", content: .unreadable("Damaged."), bytes: bytes)])
    }
    #expect(
      StoreComparison(store([1]), store([1])).isEmpty && StoreComparison(store([1]), store([1])).obstacles.isEmpty)
    #expect(lines(StoreComparison(store([1]), store([2]))) == ["~"])
    let unknown = StoreComparison(store(nil), store([1]))
    #expect(unknown.isEmpty && unknown.obstacles.map(\.path) == ["a.plist"] && unknown.equal == 0)
  }

  @Test func `values as deep as readers allow, and one of 50 MB, are compared`() throws {
    func nested(_ leaf: PropertyListValue) -> PropertyListDictionary {
      ["a": (0..<500).reduce(leaf) { value, level in level % 2 == 0 ? [value] : ["k": value] }]
    }
    let deep = try compare(nested(1), nested(2))
    #expect(deep.differences == 1 && deep.stores.first?.values().first?.path.labels.count == 501 && !deep.isCut)
    let long = [UInt8](repeating: 0x20, count: 50 << 20)
    let large = try compare(["a": .data([0] + long + [1])], ["a": .data([0] + long + [2])])
    #expect(lines(large) == ["~ a"])
  }

  @Test func `back references in archives are equal wherever the objects are in the file`() throws {
    let one = try PackedValues.archive("Node", ["a": .uid(3)], ["$class": .uid(2), "self": .uid(3)])
    let other = try PackedValues.archive("Node", ["a": .uid(4)], "unused", ["$class": .uid(2), "self": .uid(4)])
    #expect(try lines(["k": .data(one)], ["k": .data(other)]) == [])
    #expect(try lines(["k": [.data(one)]], ["k": ["new", .data(other)]]) == ["+ k[0]"])
  }

  @Test func `what unfolds without end is compared as it is stored`() throws {
    let rows: PropertyListValue = .array((0..<200).map { .integer(PropertyListInteger(Int64($0))) })
    var options = StoreComparison.Options()
    options.most = 100
    let comparison = try compare(
      ["a": rows, "b": 1, "c": 1], ["a": .array(rows.children.reversed()), "b": 2, "c": 1], options)
    #expect(comparison.isCut && Set(lines(comparison)) == ["~ a", "~ b"])
  }

  @Test(.timeLimit(.minutes(1))) func `the time grows with the size`() throws {
    func keys(_ count: Int, _ value: Int64) -> PropertyListDictionary {
      PropertyListDictionary(
        entries: (0..<count).map { .init(key: "key\($0)", value: .integer(PropertyListInteger($0 == 7 ? value : 1))) })
    }
    let (old, new) = (keys(100_000, 1), keys(100_000, 2))
    #expect(try lines(old, PropertyListDictionary(entries: new.entries.reversed())) == ["~ key7"])
  }
}
