@Suite("Foundation reads what is written") struct FoundationWritingTests {
  /// Counts up to 300, and those around the greatest number that a reference of two bytes can hold; in short, only those
  /// around numbers at which a file takes another form.
  private static let counts =
    Extent.isFull ? Array(1...300) + Array(65_534...65_538) : Array(1...20) + Array(250...262) + [300, 65_535, 65_536]

  private static func integers(_ count: Int) -> PropertyListValue {
    .array((0..<count).map { .integer(PropertyListInteger($0)) })
  }

  private static func objectCount(_ bytes: [UInt8]) -> Int {
    bytes.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func read<Value>(_ bytes: [UInt8], as type: Value.Type = Value.self) throws -> Value {
    try #require(try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? Value)
  }

  @Test func `new files, and files in the data of others, of every number of objects`() throws {
    for count in Self.counts {
      let bytes = try PropertyListDocument.encode(Self.integers(count - 1), as: .binary)
      #expect(Self.objectCount(bytes) == count)
      let outer: [String: Data] = try Self.read(
        try PropertyListDocument.encode(["nested": .data(bytes), "next": 1], as: .binary), as: [String: Any].self
      ).compactMapValues { $0 as? Data }
      #expect(try Self.read([UInt8](try #require(outer["nested"]))) == Array(0..<(count - 1)), "\(count) objects")
    }
  }

  @Test func `edited files of every number of objects: a value added, replaced, removed`() throws {
    for count in Self.counts where count >= 6 {
      let list = Self.integers(count - 5)
      func file(_ value: PropertyListValue?) throws -> PropertyListDocument {
        var dictionary: PropertyListDictionary = ["list": list]
        dictionary["text"] = value
        return try PropertyListDocument(bytes: try PropertyListDocument.encode(.dictionary(dictionary), as: .binary))
      }
      var edited = [try file(nil).editing([.set("text", "x")]), try file(["a", "b"]).editing([.set("text", "x")])]
      if count <= 300 {
        edited.append(try file("y").editing([.set("text", "z"), .remove("text"), .set("text", "x")]))
      }
      for bytes in edited {
        #expect(Self.objectCount(bytes) == count)
        let read: [String: Any] = try Self.read(bytes)
        #expect(read["text"] as? String == "x" && read["list"] as? [Int] == Array(0..<(count - 5)), "\(count) objects")
      }
      let removed = try PropertyListDocument(bytes: edited[0]).editing([.remove("text")])
      #expect(try Self.read(removed, as: [String: [Int]].self) == ["list": Array(0..<(count - 5))])
    }
  }

  @Test func `keyed archives of every number of objects`() throws {
    let classes: [AnyClass] = [NSArray.self, NSNumber.self]
    let least = Self.objectCount(try KeyedArchive.encode([]))
    for count in Self.counts where count >= least + 2 {
      // An element adds its number and its reference; one with a number that was there adds its reference only.
      var elements = Array(0..<((count - least) / 2))
      if (count - least) % 2 == 1 { elements.append(0) }
      let bytes = try KeyedArchive.encode(.array(elements.map { .integer(PropertyListInteger($0)) }))
      // The class of the elements' array changes nothing, but references may be shared with numbers.
      let objects = Self.objectCount(bytes)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(bytes)) as? [Int]
      #expect(objects == count && read == elements, "\(objects) objects")
    }
  }

  @Test func `edited keyed archives`() throws {
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
    var counts: Set<Int> = []
    for size in 1...130 {
      let pairs = (0..<size).map {
        PropertyListDictionary.Entry(key: "k\($0)", value: .integer(PropertyListInteger($0 % 57)))
      }
      let bytes = try KeyedArchive.encode(.dictionary(PropertyListDictionary(entries: pairs)))
      let archive = try KeyedDictionary(PropertyListDocument(bytes: bytes))
      let expected = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.key, $0 % 57) })
      for edits: [PropertyListEdit] in [
        [.set("new", 1_000)], [.set("k0", 2_000)], [.remove("k0")],
        [.set("k0", 3_000), .set("a", 4_000), .set("b", 1)],
      ] {
        let edited = try archive.editing(edits)
        counts.insert(Self.objectCount(edited))
        var changed = expected
        for edit in edits {
          if case .set(let key, .integer(let value)) = edit { changed[key] = value.int64.map(Int.init) }
          if case .remove(let key) = edit { changed[key] = nil }
        }
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(edited)) as? [String: Int]
        #expect(read == changed)
      }
    }
    #expect(counts.contains(256))
  }

  @Test func `a file whose references are too short for its 256 objects is read, reported and repaired`() throws {
    let numbers = (0..<253).map { UInt8($0) }
    let builder = BinaryBuilder(
      [[0xD1, 1, 2], BinaryBuilder.ascii("list"), [0xAF, 0x10, 253] + numbers.map { $0 + 3 }]
        + numbers.map { [0x10, $0] })
    #expect(FoundationText.readIfValid(builder.bytes) == nil)
    let document = try PropertyListDocument(bytes: builder.bytes)
    #expect(document.root == ["list": Self.integers(253)])
    #expect(
      document.findings.map(\.reason) == [
        "References of 1 byte are too short for 256 objects, so Apple's readers refuse the file"
      ])
    #expect(document.refusal?.description.contains("256 objects, so Apple's readers refuse the file") == true)
    for edits: [PropertyListEdit] in [
      [.set("a", 0)], [.set("list", Self.integers(253)), .set("new", "x")], [.set("list", "x")],
      [.set("list", .array(Array(Self.integers(254).children.reversed()))), .set("list", Self.integers(255))],
    ] {
      let edited = try PropertyListDocument(bytes: try document.editing(edits))
      #expect(edited.findings.isEmpty)
      #expect(FoundationText.readIfValid(edited.bytes) == FoundationText.text(edited))
    }
  }

  @Test func `random values in both formats`() throws {
    var generator = SeededGenerator(seed: 41)
    for index in 0..<(Extent.isFull ? 2_000 : 500) {
      for format in PropertyListFormat.allCases {
        let value = generator.foundationValue(as: format)
        let bytes = try PropertyListDocument.encode(value, as: format)
        #expect(FoundationText.readIfValid(bytes) == FoundationText.text(value, format), "\(format) \(index)")
      }
    }
  }

  @Test func `random edits of both formats`() throws {
    var generator = SeededGenerator(seed: 43)
    for index in 0..<(Extent.isFull ? 400 : 100) {
      for format in PropertyListFormat.allCases {
        let value = generator.foundationValue(as: format)
        let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format))
        guard let dictionary = document.dictionary else { continue }
        let known = dictionary.keys.randomElement(using: &generator) ?? "absent"
        var edits: [PropertyListEdit] = [.set("new \(index)", generator.foundationValue(as: format))]
        edits.append(index % 3 == 0 ? .remove(known) : .set(known, generator.foundationValue(as: format)))
        let bytes = try document.editing(edits)
        let expected = PropertyListValue.dictionary(dictionary.applying(edits))
        #expect(FoundationText.readIfValid(bytes) == FoundationText.text(expected, format), "\(format) \(index)")
      }
    }
  }

  @Test func `dates of any year in XML`() throws {
    let days = [-63_114_076_800, 63_113_904_000, -63_113_904_001, 252_423_993_600, 1 << 53, -(1 << 53), 0, -1]
    var generator = SeededGenerator(seed: 47)
    let others = (0..<500).map { _ in Int64(bitPattern: generator.next()) >> (generator.next() % 50 + 11) }
    for seconds in days + others.map(Int.init) {
      let value = PropertyListValue.date(PropertyListDate(secondsSince2001: Double(seconds)))
      let bytes = try PropertyListDocument.encode(value, as: .xml)
      #expect(FoundationText.readIfValid(bytes) == FoundationText.text(value, .xml))
      #expect(try PropertyListDocument(bytes: bytes).root == value)
    }
    let past = try PropertyListDocument.encode(.date(PropertyListDate(secondsSince2001: -63_114_076_800)), as: .xml)
    #expect(past.firstRange(of: Array("<date>0000-12-30T00:00:00Z</date>".utf8)) != nil)
  }
}

extension SeededGenerator {
  /// A dictionary with values of every type that Foundation has, and keys that it tells apart.
  fileprivate mutating func foundationValue(as format: PropertyListFormat) -> PropertyListValue {
    var entries = dictionary(pairs: roll(8), levels: 4).rebuilt().entries
    let seconds = Double(Int64(bitPattern: next()) >> Int64(11 + roll(50)))
    entries.append(.init(key: "date \(roll(9))", value: .date(PropertyListDate(secondsSince2001: seconds))))
    entries.append(.init(key: "integer", value: .integer(PropertyListInteger(next()))))
    entries.append(.init(key: "negative", value: .integer(PropertyListInteger(Int64(bitPattern: next()) >> 3))))
    entries.append(.init(key: "real", value: .real(PropertyListReal(Double(bitPattern: next())))))
    entries.append(.init(key: "\u{65E5}\(roll(9))\u{1F600}", value: .array([.array([]), .dictionary([:])])))
    var text = String.UnicodeScalarView()
    for _ in 0..<roll(12) {
      let scalar = Unicode.Scalar(UInt32(roll(roll(2) == 0 ? 0x250 : 0x11_0000))) ?? "x"
      // XML cannot express these.
      let isXML = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE && scalar != "\u{FEFF}"
      text.append(format == .binary || isXML ? scalar : "\r")
    }
    entries.append(.init(key: "text", value: .string(String(text))))
    if format == .binary {
      let single = Float(bitPattern: UInt32(next() >> 32))
      entries.append(.init(key: "single", value: .real(PropertyListReal(single: single))))
      entries.append(.init(key: "moment", value: .date(PropertyListDate(secondsSince2001: Double(bitPattern: next())))))
    }
    return .dictionary(PropertyListDictionary(entries: entries))
  }
}
