@Suite("Editing without touching the rest") struct EditingTests {
  private let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- kept -->
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>first</key>
      <integer>0x10</integer>
      <!-- about the date -->
      <key>date</key>
      <date>2025-11-21T08:15:30.250Z</date>
      <key>t&#101;xt</key>  <string>a &#38; b</string>
      <key>real</key>
      <real>1.50</real>
    </dict>
    </plist>

    """

  private func edit(_ text: String, _ edits: [PropertyListEdit]) throws -> String {
    let bytes = try PropertyListDocument(bytes: Array(text.utf8)).editing(edits)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `XML: a new value replaces its own bytes only`() throws {
    let edited = try edit(xml, [.set("text", "new <value>")])
    #expect(edited == xml.replacing("<string>a &#38; b</string>", with: "<string>new &lt;value&gt;</string>"))
  }

  @Test func `XML: a new pair goes to the end in the file's own indentation`() throws {
    let edited = try edit(xml, [.set("new", ["inner": [1]])])
    let added = """
        <real>1.50</real>
        <key>new</key>
        <dict>
          <key>inner</key>
          <array>
            <integer>1</integer>
          </array>
        </dict>
      </dict>
      """
    #expect(edited == xml.replacing("  <real>1.50</real>\n</dict>", with: added))
  }

  @Test func `XML: a removed pair takes its line along, comments stay`() throws {
    let edited = try edit(xml, [.remove("date"), .remove("first"), .remove("real")])
    let expected = xml.replacing("\n  <key>date</key>\n  <date>2025-11-21T08:15:30.250Z</date>", with: "")
      .replacing("\n  <key>first</key>\n  <integer>0x10</integer>", with: "")
      .replacing("\n  <key>real</key>\n  <real>1.50</real>", with: "")
    #expect(edited == expected)
  }

  @Test func `XML: empty dictionaries, one-line files, CRLF and other encodings`() throws {
    #expect(
      try edit("<plist>\n<dict/>\n</plist>", [.set("a", 1)])
        == "<plist>\n<dict>\n\t<key>a</key>\n\t<integer>1</integer>\n</dict>\n</plist>")
    #expect(
      try edit("<plist><dict></dict></plist>", [.set("a", 1)])
        == "<plist><dict><key>a</key><integer>1</integer></dict></plist>")
    #expect(
      try edit("<plist><dict><key>a</key><true/></dict></plist>", [.set("b", [[]])])
        == "<plist><dict><key>a</key><true/><key>b</key><array><array/></array></dict></plist>")
    #expect(
      try edit("<plist>\r\n<dict>\r\n<key>a</key>\r\n<true/>\r\n</dict>\r\n</plist>", [.set("b", "x")])
        == "<plist>\r\n<dict>\r\n<key>a</key>\r\n<true/>\r\n<key>b</key>\r\n<string>x</string>\r\n</dict>\r\n</plist>")
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><dict><key>a</key><string>".utf8) + [0xE9]
      + Array("</string></dict>".utf8)
    let edited = try PropertyListDocument(bytes: latin).editing([.set("b", "ü€")])
    let added: [UInt8] = Array("<key>b</key><string>".utf8) + [0xFC] + Array("&#8364;</string></dict>".utf8)
    #expect(edited == Array(latin[..<(latin.count - 7)]) + added)
    #expect(try PropertyListDocument(bytes: edited).root == ["a": "é", "b": "ü€"])
    let wide =
      [0xFE, 0xFF]
      + "<dict><key>a</key><true/></dict>".utf16.flatMap { (unit: UInt16) -> [UInt8] in
        [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      }
    let wideEdited = try PropertyListDocument(bytes: wide).editing([.set("b", "😀")])
    #expect(try PropertyListDocument(bytes: wideEdited).root == ["a": true, "b": "😀"])
    #expect(wideEdited.starts(with: wide.dropLast(14)))
  }

  @Test(arguments: PropertyListFormat.allCases)
  func `An edit that changes nothing gives the same bytes`(format: PropertyListFormat) throws {
    let bytes =
      format == .xml
      ? Array(xml.utf8) : try PropertyListDocument.encode(["first": 16, "text": "a & b", "real": 1.5], as: .binary)
    let document = try PropertyListDocument(bytes: bytes)
    #expect(try document.editing([]) == bytes)
    #expect(try document.editing([.set("first", 16), .set("text", "a & b"), .remove("absent")]) == bytes)
    #expect(try document.editing([.set("x", 1), .remove("x"), .set("first", 17), .set("first", 16)]) == bytes)
    #expect(try document.editing([.set("first", true)]) != bytes)
  }

  @Test func `Binary: untouched objects keep bytes and sharing, removed values leave the file`() throws {
    // A dictionary whose values share an array; an integer of needless width, a wide string of plain characters, a 32-bit
    // real, a 128-bit integer, a set and a null.
    let objects: [[UInt8]] = [
      [0xD5, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9], BinaryBuilder.ascii("a"), BinaryBuilder.ascii("b"),
      BinaryBuilder.ascii("c"),
      BinaryBuilder.ascii("d"), BinaryBuilder.ascii("e"), [0xA1, 10], [0x13, 0, 0, 0, 0, 0, 0, 0, 5],
      [0x22, 0x3F, 0xC0, 0, 0], [0xC2, 11, 12], [0x62, 0, 0x78, 0, 0x79], [0x00],
      [0x14, 1] + Array(repeating: 0, count: 15), BinaryBuilder.ascii("unreachable"),
    ]
    let bytes = BinaryBuilder(objects).bytes
    let document = try PropertyListDocument(bytes: bytes)
    let edited = try document.editing([.set("new", ["secret"]), .remove("d")])
    let again = try PropertyListDocument(bytes: edited)
    #expect(
      again.root == document.dictionary.map { .dictionary($0.applying([.remove("d"), .set("new", ["secret"])])) })
    for object in [1, 2, 3, 5, 6, 7, 9, 10, 11, 12] { #expect(edited.firstRange(of: objects[object]) != nil) }
    for object in [4, 8, 13] { #expect(edited.firstRange(of: objects[object]) == nil) }
    #expect(edited.ranges(of: objects[10]).count == 1)
    let back = try again.editing([.remove("new")])
    #expect(back.firstRange(of: Array("secret".utf8)) == nil)
    #expect(try again.editing([.remove("new")]) == back)
  }

  @Test func `Binary: references and offsets grow when they must`() throws {
    let document = try PropertyListDocument(bytes: BinaryBuilder([[0xD1, 1, 2], [0x51, 0x6B], [0xA1, 1]]).bytes)
    let edits = (0..<300).map { PropertyListEdit.set("key \($0)", .string(String(repeating: "x", count: $0))) }
    let again = try PropertyListDocument(bytes: try document.editing(edits))
    #expect(again.root == document.dictionary.map { .dictionary($0.applying(edits)) })
    let shrunk = try PropertyListDocument(bytes: try again.editing((0..<300).map { .remove("key \($0)") }))
    #expect(shrunk.root == document.root)
  }

  @Test(arguments: PropertyListFormat.allCases)
  func `Setting or removing a duplicate key leaves one or none`(format: PropertyListFormat) throws {
    let root = PropertyListValue.dictionary(["a": 1, "b": 2, "a": 3])
    let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(root, as: format))
    #expect(try PropertyListDocument(bytes: document.editing([.set("a", 1)])).root == ["a": 1, "b": 2])
    #expect(try PropertyListDocument(bytes: document.editing([.remove("a")])).root == ["b": 2])
    #expect(try PropertyListDocument(bytes: document.editing([.remove("a"), .set("a", 9)])).root == ["b": 2, "a": 9])
  }

  @Test(arguments: PropertyListFormat.allCases)
  func `What the format cannot hold is refused`(format: PropertyListFormat) throws {
    let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(["a": 1], as: format))
    #expect(throws: PropertyListError(.uidOutOfRange(1 << 40))) { try document.editing([.set("a", .uid(1 << 40))]) }
    #expect(throws: PropertyListError(.tooDeep(limit: 512))) { try document.editing([.set("a", Samples.nested(512))]) }
    let deep = try PropertyListDocument(bytes: try document.editing([.set("a", Samples.nested(511))]))
    #expect(deep.dictionary?["a"] == Samples.nested(511))
    let array = try PropertyListDocument(bytes: try PropertyListDocument.encode([1], as: format))
    #expect(throws: PropertyListError(.rootNotDictionary(.array))) { try array.editing([.set("a", 1)]) }
    if format == .xml {
      #expect(throws: PropertyListError(.dictionaryReadsAsUID)) {
        try document.editing([.remove("a"), .set("CF$UID", 1)])
      }
      #expect(throws: PropertyListError("Null cannot be written as an XML property list")) {
        try document.editing([.set("a", .null)])
      }
    }
  }

  @Test(arguments: PropertyListFormat.allCases)
  func `Random edits give what the same edits give in memory`(format: PropertyListFormat) throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<150 {
      let root = generator.dictionary(pairs: generator.roll(12))
      let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(.dictionary(root), as: format))
      guard let dictionary = document.dictionary else { continue }
      var edits: [PropertyListEdit] = []
      for _ in 0..<generator.roll(6) {
        let known = dictionary.keys.randomElement(using: &generator) ?? "absent"
        let key = generator.roll(3) == 0 ? "new \(generator.roll(3))" : known
        edits.append(generator.roll(3) == 0 ? .remove(key) : .set(key, generator.value(levels: 1)))
      }
      let expected = dictionary.applying(edits)
      let bytes = try document.editing(edits)
      #expect(try PropertyListDocument(bytes: bytes).root == .dictionary(expected))
      #expect(try document.editing(edits) == bytes)
      #expect((expected == dictionary) == (bytes == document.bytes))
    }
  }
}
