/// Builds the value of an XML property list without recursion.
///
/// Text is read unchanged: a carriage return stays one, as in Apple's reader, although XML would convert it to a line
/// feed. Attributes are ignored.
struct XMLReader {
  /// The result of reading, with the places for an edit if they were requested.
  struct Reading {
    let root: PropertyListValue
    let findings: [PropertyListFinding]
    let places: XMLRootPlaces?
  }

  var scanner: XMLScanner
  var text = XMLText()
  private let limits: PropertyListLimits
  private let nodeLimit: Int
  private var nodes = 0
  var findings: FindingCollector
  private var places: XMLRootPlaces?

  private struct Frame {
    let isDictionary: Bool
    let start: Int
    var key: String?
    var values: [PropertyListValue] = []
    var entries: [PropertyListDictionary.Entry] = []
    var keyPlaces: [Int] = []
  }

  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: PropertyListLimits, recordsPlaces: Bool = false
  ) throws(PropertyListError) -> Reading {
    let source = try XMLSource(bytes)
    if let transcoded = source.transcoded {
      return try transcoded.withUnsafeBufferPointer { buffer throws(PropertyListError) in
        try read(buffer, source, limits, recordsPlaces)
      }
    }
    return try read(UnsafeBufferPointer(rebasing: bytes[source.markSize...]), source, limits, recordsPlaces)
  }

  private static func read(
    _ utf8: UnsafeBufferPointer<UInt8>, _ source: XMLSource, _ limits: PropertyListLimits, _ recordsPlaces: Bool
  ) throws(PropertyListError) -> Reading {
    do throws(PropertyListError) {
      var reader = XMLReader(
        scanner: try XMLScanner(utf8), limits: limits, nodeLimit: limits.nodes(forFileOfSize: utf8.count),
        findings: FindingCollector(limit: limits.findings), places: recordsPlaces ? XMLRootPlaces() : nil)
      let root = try reader.readDocument()
      var lines = LineCounter(utf8)
      let findings = reader.findings.all.sorted { $0.position.offset < $1.position.offset }.map {
        var finding = $0
        finding.position = place($0.position.offset, &lines, source)
        return finding
      }
      return Reading(root: root, findings: findings, places: reader.places)
    } catch {
      guard let position = error.position else { throw error }
      var lines = LineCounter(utf8)
      throw PropertyListError(error.reason, at: place(position.offset, &lines, source))
    }
  }

  /// The position in the file of an offset in the UTF-8 text; offsets must be in ascending order.
  private static func place(_ offset: Int, _ lines: inout LineCounter, _ source: XMLSource) -> PropertyListPosition {
    var place = lines.position(at: offset)
    place.offset = source.fileOffset(of: offset, utf16Units: lines.utf16Units)
    return place
  }

  private mutating func readDocument() throws(PropertyListError) -> PropertyListValue {
    try scanner.skipProlog()
    var tag = try nextTag()
    var envelope: XMLScanner.Tag?
    if scanner.name(tag.name, is: "plist"), !tag.isEnd {
      envelope = tag
      guard !tag.isEmpty else { throw scanner.error(.rootMissing, tag.start) }
      tag = try nextTag()
    }
    if tag.isEnd { throw scanner.error(.rootMissing, tag.start) }
    let root = try readValue(tag)
    if let envelope {
      let end = try nextTag()
      guard end.isEnd else { throw scanner.error("The property list has more than one value", end.start) }
      guard scanner.same(end.name, envelope.name) else {
        throw scanner.error(.mismatchedEnd(expected: "plist", found: scanner.excerpt(end.name)), end.start)
      }
    }
    // An unfinished comment after the end counts as unused bytes, too.
    let documentEnd = scanner.position
    do { try scanner.skipBetweenTags() } catch { scanner.position = documentEnd }
    let left = scanner.end - scanner.position
    if left > 0 { report("\(left) \(left == 1 ? "byte belongs" : "bytes belong") to nothing", scanner.position) }
    return root
  }

  private mutating func nextTag() throws(PropertyListError) -> XMLScanner.Tag {
    try scanner.skipBetweenTags()
    guard scanner.position < scanner.end else {
      throw scanner.error(.unexpectedEnd(expected: "an element"), scanner.end)
    }
    guard scanner.base[scanner.position] == UInt8(ascii: "<") else {
      throw scanner.error(.unexpectedText, scanner.position)
    }
    return try scanner.readTag()
  }

  private mutating func readValue(_ first: XMLScanner.Tag) throws(PropertyListError) -> PropertyListValue {
    var outer: [Frame] = []
    guard var frame = try open(first, depth: 1) else { return try finished(first) }
    while true {
      let tag = try nextTag()
      if tag.isEnd {
        try checkEnd(tag, of: frame)
        if outer.isEmpty { places?.endTag = tag.start }
        let value = try close(&frame)
        guard !outer.isEmpty else { return value }
        frame = outer.removeLast()
        try add(value, to: &frame, isRoot: outer.isEmpty)
      } else if frame.isDictionary, scanner.name(tag.name, is: "key") {
        try readKey(tag, &frame, isRoot: outer.isEmpty)
      } else {
        guard !frame.isDictionary || frame.key != nil else { throw scanner.error(.keyMissing, tag.start) }
        if outer.isEmpty { places?.openValue(at: tag.start) }
        if let inner = try open(tag, depth: outer.count + 2) {
          outer.append(frame)
          frame = inner
        } else {
          try add(try finished(tag), to: &frame, isRoot: outer.isEmpty)
        }
      }
    }
  }

  private func checkEnd(_ tag: XMLScanner.Tag, of frame: Frame) throws(PropertyListError) {
    let expected: StaticString = frame.isDictionary ? "dict" : "array"
    guard scanner.name(tag.name, is: expected) else {
      throw scanner.error(
        .mismatchedEnd(expected: frame.isDictionary ? "dict" : "array", found: scanner.excerpt(tag.name)), tag.start)
    }
    if frame.key != nil { throw scanner.error(.valueMissing, tag.start) }
  }

  /// A frame for a container with content; nil for an empty one and for a scalar.
  private mutating func open(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListError) -> Frame? {
    nodes += 1
    guard nodes <= nodeLimit else { throw scanner.error(.tooManyNodes(limit: nodeLimit), tag.start) }
    let isDictionary = scanner.name(tag.name, is: "dict")
    guard isDictionary || scanner.name(tag.name, is: "array") else { return nil }
    guard depth <= limits.depth else { throw scanner.error(.tooDeep(limit: limits.depth), tag.start) }
    if depth == PropertyListLimits.depthOnIOS + 1, !tag.isEmpty {
      findings.refuse(deeperThanIOSAt: PropertyListPosition(offset: tag.start))
    }
    if depth == 1, isDictionary { places?.startTag = tag.start..<scanner.position }
    return tag.isEmpty ? nil : Frame(isDictionary: isDictionary, start: tag.start)
  }

  /// The value of a scalar or of an empty container whose start tag was just read.
  private mutating func finished(_ tag: XMLScanner.Tag) throws(PropertyListError) -> PropertyListValue {
    if scanner.name(tag.name, is: "dict") { return .dictionary(PropertyListDictionary()) }
    if scanner.name(tag.name, is: "array") { return .array([]) }
    return try readScalar(tag)
  }

  private mutating func close(_ frame: inout Frame) throws(PropertyListError) -> PropertyListValue {
    guard frame.isDictionary else { return .array(frame.values) }
    for position in frame.entries.lazy.map(\.key).repeatedPositions() {
      findings.add(
        duplicate: frame.entries[position].key, at: PropertyListPosition(offset: frame.keyPlaces[position]))
    }
    let uid = Self.uid(frame.entries)
    // Apple's reader takes the lower 32 bits, of a number of any type.
    if uid.map({ $0 > UInt64(UInt32.max) }) ?? Self.readsAsUID(frame.entries) {
      report("Apple's readers read this dictionary as a UID with another number", frame.start)
    }
    return uid.map { .uid($0) } ?? .dictionary(PropertyListDictionary(entries: frame.entries))
  }

  /// The keyed archiver's reference that a dictionary with this single pair represents.
  static func uid(_ entries: [PropertyListDictionary.Entry]) -> UInt64? {
    guard entries.count == 1, entries[0].key == "CF$UID", case .integer(let integer) = entries[0].value else {
      return nil
    }
    return integer.uint64
  }

  /// Whether Apple's reader takes a dictionary with these pairs for a keyed archiver's reference: CFPropertyList.c,
  /// `parseDictTag`.
  static func readsAsUID(_ entries: [PropertyListDictionary.Entry]) -> Bool {
    switch entries.last?.value {
    case .integer, .real: entries.allSatisfy { $0.key == "CF$UID" }
    default: false
    }
  }

  @inline(__always)
  private mutating func add(_ value: PropertyListValue, to frame: inout Frame, isRoot: Bool) throws(PropertyListError) {
    guard frame.isDictionary else {
      frame.values.append(value)
      return
    }
    guard let key = frame.key else { throw scanner.error(.keyMissing, scanner.position) }
    frame.entries.append(PropertyListDictionary.Entry(key: key, value: value))
    frame.key = nil
    if isRoot { places?.closeValue(at: scanner.position) }
  }

  private mutating func readKey(_ tag: XMLScanner.Tag, _ frame: inout Frame, isRoot: Bool) throws(PropertyListError) {
    if frame.key != nil { throw scanner.error(.valueMissing, tag.start) }
    nodes += 1
    let key = try readText(tag)
    frame.keyPlaces.append(tag.start)
    frame.key = key
    if isRoot { places?.openKey(at: tag.start) }
  }
}

extension XMLReader {
  /// Reads the value of an element whose start tag was just read.
  mutating func readScalar(_ tag: XMLScanner.Tag) throws(PropertyListError) -> PropertyListValue {
    let start = scanner.position
    if scanner.name(tag.name, is: "string") { return .string(try readText(tag)) }
    if scanner.name(tag.name, is: "integer") {
      let raw = try text.readRaw(&scanner, of: tag)
      guard let integer = XMLScalars.integer(raw) else {
        throw scanner.error("The text of an integer is not an integer of at most 128 bits", start)
      }
      if raw.last.map(\.isSpace) == true { refuseSpace(start) }
      if !integer.fitsIn64Bits { refuse("The integer \(integer) has more than 64 bits", start) }
      return .integer(integer)
    }
    if scanner.name(tag.name, is: "true") || scanner.name(tag.name, is: "false") {
      let raw = try text.readRaw(&scanner, of: tag)
      guard raw.allSatisfy(\.isSpace) else { throw scanner.error(.unexpectedText, start) }
      if !raw.isEmpty { refuseSpace(start) }
      return .boolean(scanner.name(tag.name, is: "true"))
    }
    if scanner.name(tag.name, is: "real") {
      let text = try readText(tag)
      let scalar = Array(text.utf8).withUnsafeBufferPointer { XMLScalars.real($0) }
      guard let scalar else { throw scanner.error("The text of a real is not a number", start) }
      if scalar.hasSpace { refuseSpace(start) }
      if scalar.isOutOfRange { report("A real is beyond the range of a Double", start) }
      return .real(PropertyListReal(scalar.value))
    }
    if scanner.name(tag.name, is: "date") {
      let raw = try text.readRaw(&scanner, of: tag)
      let trimmed = XMLScalars.trimmed(raw)
      guard let scalar = DateText(trimmed) else {
        throw scanner.error("The text of a date is not of the form 2025-11-21T08:15:30Z", start)
      }
      if trimmed.count < raw.count { refuseSpace(start) }
      if scalar.hasFraction { refuse("A date has a fraction of a second", start) }
      if scalar.isImpossible {
        report("A date is not a day of the calendar; it was read as Apple's readers do", start)
      } else {
        findings.check(scalar.date, at: PropertyListPosition(offset: start))
      }
      return .date(scalar.date)
    }
    if scanner.name(tag.name, is: "data") {
      let raw = try text.readRaw(&scanner, of: tag)
      if tag.isEmpty { refuse("Empty data is written as <data/>", start) }
      guard let (data, isRegular) = Base64.decode(raw) else {
        throw scanner.error("The data is not valid base64", start)
      }
      if !isRegular { report("The base64 of data is irregular; it was read as Apple's readers do", start) }
      return .data(data)
    }
    throw scanner.error(
      scanner.name(tag.name, is: "key")
        ? "A <key> is outside a dictionary" : "<\(scanner.excerpt(tag.name))> is not an element of property lists",
      tag.start)
  }

  /// The text of a string, a key or a real, with its findings.
  @inline(__always)
  mutating func readText(_ tag: XMLScanner.Tag) throws(PropertyListError) -> String {
    let start = scanner.position
    let (string, hasMark) = try text.read(&scanner, of: tag) { (bytes) throws(PropertyListError) in
      (String(decoding: bytes, as: UTF8.self), bytes.starts(with: XMLWriter.byteOrderMark))
    }
    if let (byte, offset) = text.controlCharacter {
      report("The text has the control character U+\(hexadecimal(UInt32(byte)))", offset)
    }
    if let comment = text.comment { refuse("A comment is inside a text", comment) }
    if hasMark { report("A text begins with U+FEFF, which Apple's readers drop", start) }
    return string
  }

  private mutating func report(_ reason: @autoclosure () -> String, _ offset: Int) {
    findings.add(reason(), at: PropertyListPosition(offset: offset))
  }

  private mutating func refuse(_ reason: @autoclosure () -> String, _ offset: Int) {
    findings.refuse(reason(), at: PropertyListPosition(offset: offset))
  }

  private mutating func refuseSpace(_ offset: Int) {
    refuse("White space is after a number, beside a date, or in a boolean", offset)
  }
}

/// The positions of the root dictionary's parts in the text, for an edit by byte range.
struct XMLRootPlaces {
  struct Pair {
    /// The `<` of the key's start tag.
    var key: Int
    var value: Range<Int>
  }

  private(set) var pairs: [Pair] = []
  /// The start tag of the root dictionary; for `<dict/>`, all of it.
  var startTag: Range<Int> = 0..<0
  /// The `<` of the root dictionary's end tag; nil for `<dict/>`.
  var endTag: Int?

  /// The positions in a text in which the read one begins at an offset.
  func moved(by offset: Int) -> XMLRootPlaces {
    var moved = self
    moved.pairs = pairs.map { pair in
      Pair(key: pair.key + offset, value: pair.value.lowerBound + offset..<pair.value.upperBound + offset)
    }
    moved.startTag = startTag.lowerBound + offset..<startTag.upperBound + offset
    moved.endTag = endTag.map { $0 + offset }
    return moved
  }

  mutating func openKey(at offset: Int) { pairs.append(Pair(key: offset, value: offset..<offset)) }

  mutating func openValue(at offset: Int) {
    guard !pairs.isEmpty else { return }
    pairs[pairs.count - 1].value = offset..<offset
  }

  mutating func closeValue(at offset: Int) {
    guard let start = pairs.last?.value.lowerBound, start <= offset else { return }
    pairs[pairs.count - 1].value = start..<offset
  }
}
