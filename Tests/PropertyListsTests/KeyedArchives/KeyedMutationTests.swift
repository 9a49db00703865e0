import PropertyLists
import Testing

@Suite("Damaged keyed archives")
struct KeyedMutationTests {
  /// An archive with every class that is known, one that is not, and a shared object.
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
    case .array(var values) where !values.isEmpty && generator.number(below: 12) > 0:
      let place = generator.number(below: values.count)
      values[place] = altered(values[place], &generator)
      return .array(values)
    case .dictionary(let dictionary) where dictionary.count > 0 && generator.number(below: 12) > 0:
      var entries = dictionary.entries
      let place = generator.number(below: entries.count)
      switch generator.number(below: 8) {
      case 0: entries.remove(at: place)
      case 1: entries.append(entries[place])
      case 2: entries[place].key = entries[generator.number(below: entries.count)].key
      default: entries[place].value = altered(entries[place].value, &generator)
      }
      return .dictionary(PropertyListDictionary(entries: entries))
    default:
      let others: [PropertyListValue] = [
        .uid(UInt64(generator.number(below: 26))), .uid(UInt64(UInt32.max)), "$null", "NSDictionary", 0, -1, 1.5, true,
        .data([1]), [], [:], .null, .set([.uid(1)]), [.uid(1), .uid(1)],
        .date(PropertyListDate(secondsSince2001: .nan)),
        ["$class": .uid(2)], ["$classname": "NSSet", "$classes": ["NSSet"]],
      ]
      return others[generator.number(below: others.count)]
    }
  }

  private func check(_ document: PropertyListDocument) -> Bool {
    do throws(KeyedArchiveError) {
      let archive = try KeyedArchive(document)
      for member in archive.top {
        let value = member.value
        #expect(value == value && value.hashValue == value.hashValue)
        let shown = value.shownJSON.text()
        #expect((try? JSONText(shown))?.value == value.shownJSON)
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

  @Test("The undamaged archive is read")
  func sound() throws {
    let archive = try Self.everything().archive()
    #expect(archive.root?["g"] == .string("a"))
    #expect(archive.root?["f"] == .orderedSet([.string("a"), .string("text")]))
    #expect(archive.root?.propertyList().leftOut.map(\.pathText) == ["e"])
  }

  @Test("12,000 archives with other values in places give a value or an error")
  func structure() throws {
    let sound = Self.everything().value
    var generator = SeededGenerator(seed: 41)
    var accepted = 0
    for _ in 0..<12_000 {
      var value = sound
      for _ in 0...generator.number(below: 3) { value = altered(value, &generator) }
      guard let bytes = try? PropertyListDocument.encode(value, as: .binary) else { continue }
      if check(try PropertyListDocument(bytes: bytes)) { accepted += 1 }
    }
    // Both outcomes must be common, or the test says nothing.
    #expect(accepted > 1000 && accepted < 11_000)
  }

  @Test("12,000 archives with damaged bytes give a value or an error")
  func bytes() throws {
    var accepted = 0
    var read = 0
    for format in PropertyListFormat.allCases {
      let sound = try PropertyListDocument.encode(Self.everything().value, as: format)
      var generator = SeededGenerator(seed: 43)
      for _ in 0..<6000 {
        guard let document = try? PropertyListDocument(bytes: generator.mutate(sound)) else { continue }
        read += 1
        if check(document) { accepted += 1 }
      }
    }
    let refused = read - accepted
    #expect(accepted > 500 && refused > 100)
  }
}
