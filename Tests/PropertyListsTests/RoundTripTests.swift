@Suite("Writing and reading back") struct RoundTripTests {
  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `Every type and width comes back equal`(format: PropertyListFormat) throws {
    let values = format == .binary ? Samples.both + Samples.binaryOnly : Samples.both
    for value in values {
      let bytes = try PropertyListDocument.encode(value, as: format)
      let document = try PropertyListDocument(bytes: bytes)
      #expect(document.root == value)
      #expect(document.root.hashValue == value.hashValue)
      #expect(document.format == format)
    }
    let all = PropertyListValue.dictionary(
      PropertyListDictionary(entries: values.enumerated().map { .init(key: "key \($0.offset)", value: $0.element) }))
    let bytes = try PropertyListDocument.encode(all, as: format)
    #expect(try PropertyListDocument(bytes: bytes).root == all)
    #expect(try PropertyListDocument.encode(all, as: format) == bytes)
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `The order of keys and duplicate keys stay`(format: PropertyListFormat) throws {
    let value = PropertyListValue.dictionary(["z": 1, "a": 2, "z": 3, "m": ["y": 1, "b": 2]])
    let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format))
    #expect(document.root == value)
    #expect(document.findings.map(\.reason) == ["The key “z” occurs more than once; every pair was kept"])
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `Depth 512 is read and written, 513 refused`(format: PropertyListFormat) throws {
    let bytes = try PropertyListDocument.encode(Samples.nested(512), as: format)
    #expect(try PropertyListDocument(bytes: bytes).root == Samples.nested(512))
    #expect(throws: PropertyListError(.tooDeep(limit: 512))) {
      try PropertyListDocument.encode(Samples.nested(513), as: format)
    }
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `More than 128 levels, where iOS stops, give a finding`(format: PropertyListFormat) throws {
    for depth in [127, 128, 129, 300] {
      var value: PropertyListValue = [1]
      for _ in 1..<depth { value = [value] }
      let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format))
      #expect(
        document.findings.map(\.reason)
          == (depth > 128
            ? ["Containers nest deeper than iOS allows (128 levels), so Apple's readers refuse the file"] : []))
    }
  }
}

@Suite("Damaged files") struct MutationTests {
  private func seeds(_ format: PropertyListFormat) throws -> [[UInt8]] {
    var generator = SeededGenerator(seed: 7)
    var seeds = try (0..<12).map { _ in
      try PropertyListDocument.encode(.dictionary(generator.dictionary(pairs: 5, levels: 2)), as: format)
    }
    if format == .binary {
      seeds.append(try PropertyListDocument.encode(.array(Samples.binaryOnly), as: .binary))
      seeds.append(BinaryBuilder([[0xA2, 1, 1], [0xA2, 2, 2], [0xA2, 3, 3], [0x62, 0xD8, 0, 0, 0x41]]).bytes)
    } else {
      let text =
        "<!DOCTYPE plist><plist><dict><!-- c --><key>a&#65;</key><string><![CDATA[x]]>&amp;</string></dict></plist>"
      seeds.append(Array(text.utf8))
      seeds.append(
        [0xFF, 0xFE] + text.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] })
    }
    return seeds.filter { $0.count < 6000 }
  }

  @Test func `Thousands of damaged files of each format give a value, which can be written, or an error`() throws {
    for format in PropertyListFormat.allCases {
      let seeds = try seeds(format)
      #expect(seeds.count > 5)
      var generator = SeededGenerator(seed: format == .binary ? 1 : 2)
      var accepted = 0
      let count = Extent.isFull ? 12_000 : 3_000
      for round in 0..<count {
        let bytes = generator.mutate(seeds[round % seeds.count])
        guard let document = try? PropertyListDocument(bytes: bytes) else { continue }
        accepted += 1
        check(document)
      }
      // Both outcomes must be common, or the test says nothing.
      #expect(accepted > count / 12 && accepted < count / 12 * 11)
    }
  }

  private func check(_ document: PropertyListDocument) {
    if let bytes = try? PropertyListDocument.encode(document.root, as: document.format) {
      let again = try? PropertyListDocument(bytes: bytes)
      #expect(again?.root == document.root)
    }
    guard let dictionary = document.dictionary, let first = dictionary.keys.first else { return }
    for edits in [[PropertyListEdit.set("new", "value")], [.remove(first)], [.set(first, [1, 2])]] {
      guard let bytes = try? document.editing(edits) else { continue }
      let again = try? PropertyListDocument(bytes: bytes)
      #expect(again?.root == .dictionary(dictionary.applying(edits)))
    }
  }
}

@Suite("Small stacks") struct SmallStackTests {
  @Test func `Depth 512 is read, compared, edited and written on a thread with a small stack`() {
    onSmallStack(Self.work)
  }

  private static func work() throws -> String {
    for format in PropertyListFormat.allCases {
      let value = PropertyListValue.dictionary(["a": Samples.nested(511)])
      let bytes = try PropertyListDocument.encode(value, as: format)
      let document = try PropertyListDocument(bytes: bytes)
      guard document.root == value, document.root.hashValue == value.hashValue else { return "differs" }
      let edited = try PropertyListDocument(bytes: try document.editing([.set("b", Samples.nested(500))]))
      guard edited.dictionary?["b"] == Samples.nested(500) else { return "edit differs" }
    }
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let json = try JSONText(text)
    guard json.value.text() == text, json.value == json.value, json.value.text(pretty: true).count > 1024 else {
      return "JSON differs"
    }
    return "done"
  }
}

/// Does work on a thread with a stack of 512 KiB, and expects it to end with "done". The frames of an unoptimised build
/// are up to eight times as large as those of a release.
func onSmallStack(_ work: @escaping @Sendable () throws -> String) {
  // Read once the thread has signalled.
  nonisolated(unsafe) var outcome = ""
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { outcome = try work() } catch { outcome = "\(error)" }
    done.signal()
  }
  #if DEBUG
    thread.stackSize = 4 << 20
  #else
    thread.stackSize = 512 << 10
  #endif
  thread.start()
  guard done.wait(timeout: .now() + 120) == .success else { return #expect(Bool(false), "The thread did not finish.") }
  #expect(outcome == "done")
}

enum Samples {
  static let integers: [PropertyListInteger] = [
    0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -128, -65_536,
    PropertyListInteger(Int64.max), PropertyListInteger(Int64.min), PropertyListInteger(UInt64.max),
    PropertyListInteger(UInt64(1) << 63),
  ]

  static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 1.0 / 3.0, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
    -.infinity, 763_640_123.456,
  ]

  static let strings = [
    "", "a", "hello", "a string of more than fifteen characters", "é", "e\u{301}", "日本語", "😀 emoji", "a & b < c > d",
    "tab\tand\nnewline\rreturn", "\"quotes\" 'apostrophes'", "]]>", " leading and trailing ", "\u{FFFD}",
    String(repeating: "x", count: 300), String(repeating: "é", count: 70_000),
  ]

  static let dates: [Double] = [0, -1, 1, 763_640_123, -63_113_904_000, 252_423_993_599, -978_307_200]

  static let both: [PropertyListValue] =
    integers.map { .integer($0) } + reals.map { .real(PropertyListReal($0)) } + strings.map { .string($0) }
    + dates.map { .date(PropertyListDate(secondsSince2001: $0)) }
    + [
      true, false, .data([]), .data([0]), .data(Array(0...255)), .data(Array(repeating: 7, count: 70_000)), .array([]),
      .dictionary([:]), .uid(0), .uid(255), .uid(256), .uid(UInt64(UInt32.max)),
      ["nested": ["deep": [1, [2, [3.5]]]]],
      .real(PropertyListReal(.nan)),
    ]

  /// What only the binary format can hold.
  static let binaryOnly: [PropertyListValue] = [
    .real(PropertyListReal(single: 0.1)), .real(PropertyListReal(single: .nan)), .null, .set([]),
    .set([1, "two", [3]]),
    .integer(PropertyListInteger("170141183460469231731687303715884105727") ?? 0),
    .integer(PropertyListInteger("-170141183460469231731687303715884105728") ?? 0),
    .date(PropertyListDate(secondsSince2001: .nan)), .date(PropertyListDate(secondsSince2001: 1e300)),
    .date(PropertyListDate(secondsSince2001: 0.25)), "control \u{1} character",
  ]

  static func nested(_ depth: Int) -> PropertyListValue {
    var value: PropertyListValue = depth % 2 == 0 ? .array([]) : .dictionary([:])
    for level in 1..<depth { value = level % 3 == 0 ? ["key": value] : [value] }
    return value
  }
}

extension PropertyListDictionary {
  /// Of the pairs with one key the last, at every level, with the values that are no collections as `leaf` makes them.
  func rebuilt(_ leaf: (PropertyListValue) -> PropertyListValue = { $0 }) -> PropertyListDictionary {
    func rebuilt(_ value: PropertyListValue) -> PropertyListValue {
      switch value {
      case .array(let values): .array(values.map(rebuilt))
      case .dictionary(let dictionary): .dictionary(dictionary.rebuilt(leaf))
      default: leaf(value)
      }
    }
    return entries.reduce(into: PropertyListDictionary()) { $0[$1.key] = rebuilt($1.value) }
  }
}

extension SeededGenerator {
  mutating func value(levels: Int = 3) -> PropertyListValue {
    switch roll(levels > 0 ? 14 : 9) {
    case 0: return .string(Samples.strings[roll(14)])
    case 1: return .integer(Samples.integers[roll(Samples.integers.count)])
    case 2: return .real(PropertyListReal(Samples.reals[roll(Samples.reals.count)]))
    case 3: return .boolean(next() % 2 == 0)
    case 4: return .date(PropertyListDate(secondsSince2001: Double(roll(1_000_000_000))))
    case 5: return .data((0..<roll(70)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    case 6: return .uid(UInt64(roll(1 << 32)))
    case 7, 8: return .string("text \(roll(50))")
    case 9, 10: return .array((0..<roll(5)).map { _ in value(levels: levels - 1) })
    default: return .dictionary(dictionary(pairs: roll(6), levels: levels - 1))
    }
  }

  mutating func dictionary(pairs: Int, levels: Int = 2) -> PropertyListDictionary {
    var entries: [PropertyListDictionary.Entry] = []
    for index in 0..<pairs {
      let key = roll(4) == 0 ? "key & <\(roll(4))>" : "key \(index) é"
      entries.append(.init(key: key, value: value(levels: levels)))
    }
    return PropertyListDictionary(entries: entries)
  }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...roll(4) {
      guard !bytes.isEmpty else { break }
      let place = roll(bytes.count)
      switch roll(8) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1: bytes[place] ^= 1 << UInt8(roll(8))
      case 2: bytes[place] = [0, 1, 0x0F, 0x7F, 0x80, 0xFF, 0x3C, 0x26][roll(8)]
      case 3: bytes.remove(at: place)
      case 4: bytes.insert(bytes[roll(bytes.count)], at: place)
      case 5: bytes.removeSubrange(place..<min(bytes.count, place + roll(9)))
      case 6:
        let slice = Array(bytes[place..<min(bytes.count, place + roll(20))])
        bytes.insert(contentsOf: slice, at: roll(bytes.count))
      default:
        // The trailer and the object table are where most can go wrong.
        let tail = min(bytes.count, 48)
        bytes[bytes.count - 1 - roll(tail)] = UInt8(truncatingIfNeeded: next() % 48)
      }
    }
    return bytes
  }
}
