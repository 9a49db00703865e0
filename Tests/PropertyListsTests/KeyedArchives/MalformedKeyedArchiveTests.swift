@Suite("Malformed keyed archives") struct MalformedKeyedArchiveTests {
  private func expect(_ builder: ArchiveBuilder, _ reason: String, object: Int?) throws {
    let error = try builder.error()
    #expect(error == KeyedArchiveError(reason, object: object))
    #expect(error?.description.hasSuffix(object.map { " (object \($0))." } ?? ".") == true)
  }

  private func wrong(_ member: String, _ expected: KeyedValue.Kind..., found: KeyedValue.Kind) -> String {
    KeyedArchiveError.wrong(member, expected, found).reason
  }

  private func missing(_ member: String) -> String { KeyedArchiveError.missing(member).reason }

  private func twice(_ member: String) -> String { KeyedArchiveError.twice(member, object: nil).reason }

  private func outside(_ reference: UInt64, count: Int) -> String {
    KeyedArchiveError.referenceOutside(reference, count: count, object: nil).reason
  }

  @Test func `A property list that is no keyed archive is not taken for one`() throws {
    for value: PropertyListValue in [[1], ["$archiver": "x", "$top": [:]], ["a": 1], ["$objects": [], "$top": [:]]] {
      let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: .binary))
      #expect(!document.isKeyedArchive)
      #expect(
        throws: KeyedArchiveError("The property list is not a keyed archive: it lacks $archiver, $objects or $top")
      ) { try KeyedArchive(document) }
    }
    #expect(try ArchiveBuilder().document().isKeyedArchive)
  }

  @Test func `The archive's own members are checked`() throws {
    var builder = ArchiveBuilder.object("NSNull", [:])
    builder.version = nil
    try expect(builder, missing("$version"), object: nil)
    builder.version = 100_001
    try expect(builder, "The keyed archive has the unsupported version 100001", object: nil)
    builder.version = "100000"
    try expect(builder, wrong("$version", .integer, found: .string), object: nil)
    builder.version = 100_000
    builder.archiver = 1
    try expect(builder, wrong("$archiver", .string, found: .integer), object: nil)
    let cases: [(PropertyListDictionary, String)] = [
      (["$objects": [:], "$top": [:]], wrong("$objects", .array, found: .dictionary)),
      (["$objects": [], "$top": []], wrong("$top", .dictionary, found: .array)),
      (["$objects": [], "$objects": [], "$top": [:]], twice("$objects")),
      (["$objects": [], "$top": [:], "$top": [:]], twice("$top")),
      (["$objects": [], "$top": ["root": .uid(0)]], outside(0, count: 0)),
    ]
    for (members, reason) in cases {
      let head: PropertyListDictionary = ["$archiver": "NSKeyedArchiver", "$version": 100_000]
      let root = PropertyListDictionary(entries: head.entries + members.entries)
      let bytes = try PropertyListDocument.encode(.dictionary(root), as: .binary)
      let document = try PropertyListDocument(bytes: bytes)
      #expect(throws: KeyedArchiveError(reason)) { try KeyedArchive(document) }
    }
  }

  @Test func `References and classes must lead to what they say`() throws {
    var builder = ArchiveBuilder.object("NSNull", [:])
    builder.top = ["root": .uid(3)]
    try expect(builder, outside(3, count: 3), object: nil)
    builder.top = ["root": .uid(UInt64(UInt32.max))]
    try expect(builder, outside(UInt64(UInt32.max), count: 3), object: nil)
    builder.top = ["root": .uid(2)]
    try expect(builder, "A reference leads to an object without a class", object: 2)
    for (object, what): (PropertyListValue, String) in [
      ([1], "an array"), (.uid(0), "a reference"), (.null, "null"), (.set([]), "a set"),
    ] {
      builder = ArchiveBuilder()
      builder.objects.append(object)
      try expect(builder, "A reference leads to \(what), which is not an object of an archive", object: 1)
    }
    builder = .object("NSNull", [:])
    for object: PropertyListValue in ["NSNull", [:], 5, ["$class": .uid(2)]] {
      builder.objects[2] = object
      try expect(builder, "Object 2 is named as a class, but is not one", object: 1)
    }
    let cases: [(PropertyListValue, String)] = [
      (["$classname": 1, "$classes": []], wrong("$classname", .string, found: .integer)),
      (["$classname": "A"], missing("$classes")),
      (["$classname": "A", "$classes": "A"], wrong("$classes", .array, found: .string)),
      (["$classname": "A", "$classes": ["A", .uid(0)]], wrong("$classes", .string, found: .reference)),
      (["$classname": "A", "$classname": "B", "$classes": ["A"]], twice("$classname")),
    ]
    for (definition, reason) in cases {
      builder.objects[2] = definition
      try expect(builder, reason, object: 2)
    }
    for (value, reason): (PropertyListValue, String) in [
      ("NSNull", wrong("$class", .reference, found: .string)), (.uid(7), outside(7, count: 3)),
      (.uid(1), "Object 1 is named as a class, but is not one"),
    ] {
      builder.objects[1] = ["$class": value]
      try expect(builder, reason, object: 1)
    }
    builder.objects[1] = ["$class": .uid(2), "$class": .uid(2)]
    try expect(builder, twice("$class"), object: 1)
  }

  @Test func `Every member of a property-list class must be there, once, and of its type`() throws {
    let cases: [(String, PropertyListDictionary, String)] = [
      ("NSString", [:], missing("NS.string")),
      ("NSString", ["NS.string": 1], wrong("NS.string", .string, found: .integer)),
      ("NSString", ["NS.string": .uid(0)], wrong("NS.string", .string, found: .null)),
      ("NSString", ["NS.string": .uid(1)], wrong("NS.string", .string, found: .cycle)),
      ("NSString", ["NS.bytes": "a"], wrong("NS.bytes", .data, found: .string)),
      ("NSString", ["NS.bytes": .data([0xFF])], "The bytes of a string are not valid UTF-8"),
      ("NSString", ["NS.string": "a", "NS.string": "b"], twice("NS.string")),
      ("NSData", [:], missing("NS.data")), ("NSData", ["NS.data": "a"], wrong("NS.data", .data, found: .string)),
      ("NSNumber", [:], missing("NS.number")),
      ("NSNumber", ["NS.number": "1"], wrong("NS.number", .integer, .real, .boolean, found: .string)),
      ("NSNumber", ["NS.intval": 1.5], wrong("NS.intval", .integer, found: .real)),
      ("NSNumber", ["NS.boolval": 1], wrong("NS.boolval", .boolean, found: .integer)),
      ("NSNumber", ["NS.dblval": 1], wrong("NS.dblval", .real, found: .integer)),
      ("NSDate", [:], missing("NS.time")), ("NSDate", ["NS.time": "x"], wrong("NS.time", .real, found: .string)),
      ("NSDate", ["NS.time": .integer(PropertyListInteger(UInt64.max))], wrong("NS.time", .real, found: .integer)),
      ("NSUUID", [:], missing("NS.uuidbytes")),
      ("NSUUID", ["NS.uuidbytes": .data([1])], "A UUID is not 16 bytes long, but 1"),
      ("NSUUID", ["NS.uuidbytes": "x"], wrong("NS.uuidbytes", .data, found: .string)),
      ("NSURL", [:], missing("NS.relative")),
      ("NSURL", ["NS.relative": 1], wrong("NS.relative", .string, found: .integer)),
      ("NSURL", ["NS.relative": "a", "NS.base": "b"], wrong("NS.base", .url, .null, found: .string)),
      ("NSURL", ["NS.relative": "a", "NS.base": .uid(1)], wrong("NS.base", .url, .null, found: .cycle)),
      ("NSArray", [:], missing("NS.objects")), ("NSSet", [:], missing("NS.objects")),
      ("NSArray", ["NS.objects": .uid(1)], wrong("NS.objects", .array, found: .reference)),
      ("NSArray", ["NS.objects": [1]], wrong("NS.objects", .reference, found: .integer)),
      ("NSArray", ["NS.objects": [.uid(9)]], outside(9, count: 3)),
      ("NSArray", ["NS.objects": [.uid(2)]], "A reference leads to an object without a class"),
      ("NSOrderedSet", ["NS.object.1": .uid(0)], missing("NS.object.0")),
      ("NSOrderedSet", ["NS.object.0": .uid(0), "NS.object.0": .uid(0)], twice("NS.object.0")),
      ("NSDictionary", ["NS.objects": []], missing("NS.keys")),
      ("NSDictionary", ["NS.keys": []], missing("NS.objects")),
      ("NSDictionary", ["NS.keys": 1, "NS.objects": []], wrong("NS.keys", .array, found: .integer)),
      (
        "NSDictionary", ["NS.keys": [.uid(0)], "NS.objects": []],
        "The keys and values of a dictionary differ in number: 1 and 0"
      ),
      ("NSDictionary", ["NS.keys": ["a"], "NS.objects": [.uid(0)]], wrong("NS.keys", .reference, found: .string)),
      ("NSDictionary", ["NS.keys": [.uid(0)], "NS.objects": ["a"]], wrong("NS.objects", .reference, found: .string)),
    ]
    for (name, members, reason) in cases {
      try expect(.object(name, members), reason, object: reason.hasSuffix("without a class") ? 2 : 1)
    }
    #expect(
      try ArchiveBuilder.object("NSNumber", ["NS.number": "1"]).error()?.description
        == "The member “NS.number” is or contains a string where an integer or a real or a boolean is needed (object 1)."
    )
  }

  @Test func `Nesting is read to depth 512 and refused beyond`() throws {
    for (count, isSound) in [(511, true), (512, true), (513, false), (5000, false)] {
      #expect(try Self.nested(count).error()?.reason == (isSound ? nil : "Objects nest deeper than 512 levels"))
    }
  }

  static func nested(_ count: Int) -> ArchiveBuilder {
    var builder = ArchiveBuilder()
    let classIndex = UInt64(count) + 1
    for index in 1...count {
      let inside: PropertyListValue = index == count ? [] : [.uid(UInt64(index) + 1)]
      builder.objects.append(["$class": .uid(classIndex), "NS.objects": inside])
    }
    builder.objects.append(ArchiveBuilder.definition("NSArray"))
    return builder
  }

  @Test func `Shared references that unfold without end are refused`() throws {
    var builder = ArchiveBuilder()
    for index in 1...60 {
      let next = UInt64(min(index + 1, 60))
      builder.objects.append(["$class": .uid(61), "NS.objects": index == 60 ? [] : [.uid(next), .uid(next)]])
    }
    builder.objects.append(ArchiveBuilder.definition("NSArray"))
    #expect(try builder.error()?.reason == "The archive unfolds to more than 65536 values")
  }

  @Test func `Shared strings, names and members that nobody asks for count as often as they are reached`() throws {
    let many = PropertyListValue.array(Array(repeating: .uid(3), count: 60_000))
    let text = PropertyListValue.string(String(repeating: "x", count: 10_000))
    let strings = ArchiveBuilder.object("NSArray", ["NS.objects": many], text)
    let limit = "Shared strings and data unfold to more than \(1 << 24) bytes"
    #expect(try strings.error()?.reason == limit)
    let name = String(repeating: "n", count: 10_000)
    var named = ArchiveBuilder.object("NSArray", ["NS.objects": many], ["$class": .uid(4), "\(name)": 1])
    named.objects.append(ArchiveBuilder.definition("Foo"))
    #expect(try named.error()?.reason == limit)
    named.objects[3] = ["$class": .uid(4)]
    named.objects[4] = ["$classname": "Foo", "$classes": [.string(name)]]
    #expect(try named.error()?.reason == limit)
    let unused = (0..<100).map { PropertyListDictionary.Entry(key: "unused \($0)", value: 1) }
    named.objects[3] = .dictionary(PropertyListDictionary(entries: unused + [.init(key: "$class", value: .uid(4))]))
    named.objects[4] = ArchiveBuilder.definition("NSNull")
    let error = try named.error()
    #expect(error?.reason.hasPrefix("The archive unfolds to more than ") == true)
  }

  @Test func `More objects are read than two bytes can number, up to half a million`() throws {
    var builder = ArchiveBuilder()
    let count = Extent.isFull ? 500_000 : 70_000
    let references = (0..<count).map { PropertyListValue.uid(UInt64($0) + 3) }
    builder.objects.append(["$class": .uid(2), "NS.objects": .array(references)])
    builder.objects.append(ArchiveBuilder.definition("NSArray"))
    for index in 0..<count { builder.objects.append(.integer(PropertyListInteger(index))) }
    guard case .array(let values) = try builder.archive().root else { return #expect(Bool(false), "no array") }
    #expect(values.count == count)
    #expect(values.last == .integer(PropertyListInteger(count - 1)))
  }
}

@Suite("Damaged keyed archives") struct KeyedMutationTests {
  static func everything() -> ArchiveBuilder {
    var builder = ArchiveBuilder.object(
      "NSMutableDictionary",
      [
        "NS.keys": ArchiveBuilder.references(3, 4, 5, 6, 7, 8, 9),
        "NS.objects": ArchiveBuilder.references(10, 11, 12, 13, 14, 15, 3),
      ])
    builder.objects += ["a", "b", "c", "d", "e", "f", "g"]
    builder.objects += [
      ["$class": .uid(16), "NS.objects": ArchiveBuilder.references(3, 0, 12)],
      ["$class": .uid(17), "NS.relative": .uid(4), "NS.base": .uid(0)], ["$class": .uid(18), "NS.time": 700_000_000.5],
      ["$class": .uid(19), "NS.uuidbytes": .data(Array(repeating: 7, count: 16))],
      ["$class": .uid(20), "Size": 5, "Path": .uid(3), "list": [1, .uid(12)]],
      ["$class": .uid(21), "NS.object.0": .uid(3), "NS.object.1": .uid(22)],
    ]
    builder.objects += ["NSArray", "NSURL", "NSDate", "NSUUID", "MBFile", "NSOrderedSet"].map(ArchiveBuilder.definition)
    builder.objects += [["$class": .uid(23), "NS.string": "text"], ArchiveBuilder.definition("NSMutableString")]
    return builder
  }

  private func altered(_ value: PropertyListValue, _ generator: inout SeededGenerator) -> PropertyListValue {
    switch value {
    case .array(var values) where !values.isEmpty && generator.roll(12) > 0:
      let place = generator.roll(values.count)
      values[place] = altered(values[place], &generator)
      return .array(values)
    case .dictionary(let dictionary) where dictionary.count > 0 && generator.roll(12) > 0:
      var entries = dictionary.entries
      let place = generator.roll(entries.count)
      switch generator.roll(8) {
      case 0: entries.remove(at: place)
      case 1: entries.append(entries[place])
      case 2: entries[place].key = entries[generator.roll(entries.count)].key
      default: entries[place].value = altered(entries[place].value, &generator)
      }
      return .dictionary(PropertyListDictionary(entries: entries))
    default:
      let others: [PropertyListValue] = [
        .uid(UInt64(generator.roll(26))), .uid(UInt64(UInt32.max)), "$null", "NSDictionary", 0, -1, 1.5, true,
        .data([1]), [], [:], .null, .set([.uid(1)]), [.uid(1), .uid(1)],
        .date(PropertyListDate(secondsSince2001: .nan)),
        ["$class": .uid(2)], ["$classname": "NSSet", "$classes": ["NSSet"]],
      ]
      return others[generator.roll(others.count)]
    }
  }

  private func check(_ document: PropertyListDocument) -> Bool {
    do throws(KeyedArchiveError) {
      let archive = try KeyedArchive(document)
      for member in archive.top {
        let value = member.value
        #expect(value == value && value.hashValue == value.hashValue)
        #expect((try? JSONText(value.shownJSON.text()))?.value == value.shownJSON)
        let plain = value.propertyList()
        if let plain = plain.value { #expect((try? PropertyListDocument.encode(plain, as: .binary)) != nil) }
        #expect(plain.leftOut.count == plain.leftOutCount)
        #expect(value.json().leftOutCount >= plain.leftOutCount)
      }
      return true
    } catch {
      #expect(error.description.hasSuffix("."))
      return false
    }
  }

  @Test func `The undamaged archive is read`() throws {
    let archive = try Self.everything().archive()
    #expect(archive.root?["g"] == .string("a"))
    #expect(archive.root?["f"] == .orderedSet([.string("a"), .string("text")]))
    #expect(archive.root?.propertyList().leftOut.map(\.pathText) == ["e"])
  }

  @Test func `Thousands of archives with other values in places give a value or an error`() throws {
    let sound = Self.everything().value
    var generator = SeededGenerator(seed: 41)
    var accepted = 0
    let count = Extent.isFull ? 12_000 : 3_000
    for _ in 0..<count {
      var value = sound
      for _ in 0...generator.roll(3) { value = altered(value, &generator) }
      guard let bytes = try? PropertyListDocument.encode(value, as: .binary) else { continue }
      if check(try PropertyListDocument(bytes: bytes)) { accepted += 1 }
    }
    // Both outcomes must be common, or the test says nothing.
    #expect(accepted > count / 12 && accepted < count / 12 * 11)
  }

  @Test func `Thousands of archives with damaged bytes give a value or an error`() throws {
    var accepted = 0
    var read = 0
    let count = Extent.isFull ? 6_000 : 1_500
    for format in PropertyListFormat.allCases {
      let sound = try PropertyListDocument.encode(Self.everything().value, as: format)
      var generator = SeededGenerator(seed: 43)
      for _ in 0..<count {
        guard let document = try? PropertyListDocument(bytes: generator.mutate(sound)) else { continue }
        read += 1
        if check(document) { accepted += 1 }
      }
    }
    let refused = read - accepted
    #expect(accepted > count / 12 && refused > count / 60)
  }
}

@Suite("Keyed archives on small stacks") struct KeyedStackTests {
  @Test func `Depth 512 is read, compared, converted and shown on a thread with a small stack`() {
    onSmallStack(Self.work)
  }

  private static func work() throws -> String {
    let arrays = MalformedKeyedArchiveTests.nested(512)
    var objects = arrays
    objects.objects = arrays.objects.map { object in
      guard case .dictionary(let members) = object, case .array(let inside)? = members["NS.objects"] else {
        return ArchiveBuilder.definition("Node")
      }
      return ["$class": members["$class"] ?? .null, "inside": inside.first ?? .uid(0)]
    }
    objects.objects[0] = "$null"
    // Every key of a dictionary is the next dictionary.
    var keys = arrays
    keys.objects = arrays.objects.map { object in
      guard case .dictionary(let members) = object, let inside = members["NS.objects"] else {
        return ArchiveBuilder.definition("NSDictionary")
      }
      return ["$class": members["$class"] ?? .null, "NS.keys": inside, "NS.objects": inside]
    }
    keys.objects[0] = "$null"
    // As values and keys alike it would unfold to 2^512; as keys alone it is as deep as it is long.
    for place in keys.objects.indices {
      guard case .dictionary(var members) = keys.objects[place], case .array(let inside)? = members["NS.objects"] else {
        continue
      }
      members["NS.objects"] = .array(inside.map { _ in .uid(0) })
      keys.objects[place] = .dictionary(members)
    }
    for builder in [arrays, objects, keys] {
      guard let value = try builder.archive().root else { return "no root" }
      guard value == (try builder.archive().root), value.hashValue == value.hashValue else { return "differs" }
      guard value.shownJSON.text().utf8.count > 1023 else { return "not shown" }
      let plain = value.propertyList()
      guard plain.value != nil || builder.objects.count == objects.objects.count else { return "not converted" }
      _ = value.json().value?.text()
    }
    return "done"
  }
}
