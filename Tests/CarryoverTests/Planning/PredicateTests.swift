@Suite("Predicates of recipes") struct PredicateTests {
  private static let nan = PropertyListValue.real(PropertyListReal(.nan))
  private static let infinite = PropertyListValue.real(PropertyListReal(.infinity))
  private static let unsigned = PropertyListValue.integer(PropertyListInteger(UInt64.max))
  private static let date = PropertyListValue.date(PropertyListDate(secondsSince2001: 0))

  private static func archive(_ dictionary: PropertyListValue) -> PropertyListValue {
    (try? Transform.keyedArchive(dictionary, now: Moment(secondsSince1970: 0))) ?? .null
  }

  private static let cases: [(Carryover.Predicate, [PropertyListValue], [PropertyListValue])] = [
    (
      .nonEmpty, ["a", " ", "\0", 0, false, nan, date, .data([0]), ["": 1], [""], .set([1])],
      ["", .data([]), [], [:], .set([]), .null]
    ),
    (.oneOf(["a", 1, true]), ["a", 1, true], ["A", "", 2, false, "1", 1.0, .null, ["a"], .data([0x61])]),
    (
      .atMostBytes(3), ["", "abc", "é", .data([1, 2, 3])], ["abcd", "éé", .data([1, 2, 3, 4]), 1, true, .null, ["a"]]
    ),
    (
      .range(1...3), [1, 3, 2.5, 1.0, 3.0],
      [0, 4, 0.999, 3.001, nan, infinite, unsigned, -1e300, "2", true, date, .null]
    ),
    (.range(Int64.min...Int64.max), [1, 0.5, -9.2e18], [nan, infinite, unsigned, 9.3e18, -9.3e18]),
    (.kind(.integer), [1, unsigned], [1.0, true, "1", .null]),
    (
      .form(.uuid), ["9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B642", "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"],
      [
        "", "9F1C2A7E6B0D4C358E215D7F03A9B642", "9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B64",
        "G0000000-0000-0000-0000-000000000000",
        "9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B6４", 1,
      ]
    ),
    (.form(.decimal), ["0", "-1", "12.50", "007"], ["", "-", ".5", "5.", "1.2.3", "+1", "1e3", "٣", "0x1", "1 ", 1]),
    (.form(.hex), ["0", "deadBEEF"], ["", "g", "0x1", "é", .data([1])]),
    (
      .form(.email), ["a@b.c", "ä.b+c@mail.example.org"],
      ["", "@", "a@b", "a@.b", "a@b.", "a@@b.c", "a b@c.d", "a@b..c", "@b.c", "a@b.c\n", "a@b.c@d.e", 1]
    ),
    (.form(.json), ["{}", "[1]", "null", #""a""#], ["", "{", "a", "{} x", .data([0x7B, 0x7D]), 1]),
    (.glob(Glob("u-*")), ["u-", "u-1"], ["", "u", "xu-1", "U-1", 1, .data([0x75, 0x2D])]),
    (
      .archive(without: [.data, .uuid]), [archive(["a": 1]), archive(["a": [1.5, "b"], "c": date])],
      [archive(["a": .data([1])]), archive(["a": [["b": .data([])]]]), .data([1]), .data([]), ["a": 1], "a"]
    ),
    (.glob(Glob("a*bc*d")), ["abcd", "axbcbcd"], ["abd", "acbd", "abc", "abcde"]),
    (.glob(Glob("ab*ba")), ["abba", "ab-ba"], ["aba", "ab", "abab"]),
    (.glob(Glob("e*")), ["e", "ex", "e\u{301}"], ["\u{E9}"]), (.glob(Glob("")), [""], ["a"]),
  ]

  @Test(arguments: cases.indices)
  func `each accepts what it says and nothing else`(_ index: Int) {
    let (predicate, met, unmet) = Self.cases[index]
    for value in met { #expect(predicate.isMet(by: value), "\(predicate.words): \(value)") }
    for value in unmet { #expect(!predicate.isMet(by: value), "\(predicate.words): \(value)") }
    #expect(!predicate.isMet(by: nil))
    #expect(met.allSatisfy { predicate.kinds.contains($0.kind) })
  }

  @Test func `only presence is about a missing value`() {
    #expect(Predicate.present(true).isMet(by: "") && !Predicate.present(true).isMet(by: nil))
    #expect(Predicate.present(false).isMet(by: nil) && !Predicate.present(false).isMet(by: .null))
  }

  @Test func `a type says that a predicate is always met only if it is`() {
    #expect(Predicate.nonEmpty.isAlwaysMet(by: [.integer, .boolean]))
    #expect(!Predicate.nonEmpty.isAlwaysMet(by: [.integer, .null]))
    #expect(Predicate.kind(.data).isAlwaysMet(by: [.data]) && !Predicate.kind(.data).isAlwaysMet(by: [.data, .string]))
    #expect(!Predicate.range(0...1).isAlwaysMet(by: [.integer]))
  }

  @Test(.timeLimit(.minutes(1))) func `values made to take long are judged at once`() {
    let long = String(repeating: "a", count: 300_000)
    let part = String(repeating: "a", count: 1000) + "b"
    #expect(!Predicate.glob(Glob("*\(part)*\(part)*")).isMet(by: .string(long)))
    #expect(Predicate.glob(Glob("*\(part)*")).isMet(by: .string(long + "b")))
    #expect(Predicate.glob(Glob(String(repeating: "*", count: 4000))).isMet(by: .string(long)))
    #expect(!Predicate.form(.json).isMet(by: .string(String(repeating: "[", count: 200_000))))
    #expect(!Predicate.form(.email).isMet(by: .string(String(repeating: "a@", count: 100_000))))
    #expect(!Predicate.form(.decimal).isMet(by: .string(String(repeating: ".", count: 100_000))))
    #expect(Predicate.form(.hex).isMet(by: .string(long)) && !Predicate.form(.uuid).isMet(by: .string(long)))
  }

  @Test(arguments: ["ab", "aba", "aab", "abab", ""])
  func `a pattern finds its parts in order, wherever they are`(part: String) {
    // Every text of a few letters, against the search of the standard library.
    var texts = [""]
    for _ in 0..<7 { texts += texts.flatMap { [$0 + "a", $0 + "b"] } }
    for text in Set(texts) {
      #expect(Glob("*\(part)*").matches(text) == (part.isEmpty || text.contains(part)), "\(part) in \(text)")
      let tail = text.firstRange(of: part).map { String(text[$0.upperBound...]) }
      #expect(
        Glob("*\(part)*\(part)*").matches(text) == (part.isEmpty || tail?.contains(part) == true), "\(part) in \(text)")
    }
  }
}
