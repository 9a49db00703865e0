import PropertyLists
import Testing

@Suite("Writing and reading back")
struct RoundTripTests {
  @Test("Every type and width comes back equal", arguments: [PropertyListFormat.binary, .xml])
  func everyType(format: PropertyListFormat) throws {
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

  @Test("The order of keys and duplicate keys stay", arguments: [PropertyListFormat.binary, .xml])
  func orderAndDuplicates(format: PropertyListFormat) throws {
    let value = PropertyListValue.dictionary(["z": 1, "a": 2, "z": 3, "m": ["y": 1, "b": 2]])
    let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format))
    #expect(document.root == value)
    #expect(document.findings.map(\.kind) == [.duplicateKey("z")])
  }

  @Test("Depth 512 is read and written, 513 refused", arguments: [PropertyListFormat.binary, .xml])
  func depth(format: PropertyListFormat) throws {
    let bytes = try PropertyListDocument.encode(Samples.nested(512), as: format)
    #expect(try PropertyListDocument(bytes: bytes).root == Samples.nested(512))
    #expect(throws: PropertyListError(.tooDeep(limit: 512))) {
      try PropertyListDocument.encode(Samples.nested(513), as: format)
    }
  }

  @Test("More than 128 levels, where iOS stops, give a finding", arguments: [PropertyListFormat.binary, .xml])
  func depthOnIOS(format: PropertyListFormat) throws {
    for depth in [127, 128, 129, 300] {
      var value: PropertyListValue = [1]
      for _ in 1..<depth { value = [value] }
      let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format))
      #expect(document.findings.map(\.kind) == (depth > 128 ? [.refused(.deep(limit: 128))] : []))
    }
  }
}
