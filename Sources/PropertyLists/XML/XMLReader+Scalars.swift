/// The elements that contain no others.
extension XMLReader {
  /// Reads the value of an element whose start tag was just read.
  mutating func readScalar(_ tag: XMLScanner.Tag) throws(PropertyListError) -> PropertyListValue {
    let start = scanner.position
    if scanner.name(tag.name, is: "string") { return .string(try readText(tag)) }
    if scanner.name(tag.name, is: "integer") {
      let raw = try text.readRaw(&scanner, of: tag)
      guard let integer = XMLScalars.integer(raw) else { throw scanner.error(.xmlInvalidInteger(excerpt(raw)), start) }
      if raw.last.map(FormatRecognition.isSpace) == true { report(.refused(.space), start) }
      if !integer.fitsIn64Bits { report(.refused(.integerBeyond64Bits(integer)), start) }
      return .integer(integer)
    }
    if scanner.name(tag.name, is: "true") || scanner.name(tag.name, is: "false") {
      let raw = try text.readRaw(&scanner, of: tag)
      guard raw.allSatisfy(FormatRecognition.isSpace) else { throw scanner.error(.xmlUnexpectedText, start) }
      if !raw.isEmpty { report(.refused(.space), start) }
      return .boolean(scanner.name(tag.name, is: "true"))
    }
    if scanner.name(tag.name, is: "real") {
      let text = try readText(tag)
      let scalar = Array(text.utf8).withUnsafeBufferPointer { XMLScalars.real($0) }
      guard let scalar else { throw scanner.error(.xmlInvalidReal(String(text.prefix(40))), start) }
      if scalar.hasSpace { report(.refused(.space), start) }
      if scalar.isOutOfRange { report(.realOutOfRange(String(text.prefix(40))), start) }
      return .real(PropertyListReal(scalar.value))
    }
    if scanner.name(tag.name, is: "date") {
      let raw = try text.readRaw(&scanner, of: tag)
      guard let scalar = XMLDate(raw) else { throw scanner.error(.xmlInvalidDate(excerpt(raw)), start) }
      if scalar.hasSpace { report(.refused(.space), start) }
      if scalar.hasFraction { report(.refused(.fraction), start) }
      if scalar.isImpossible {
        report(.impossibleDate, start)
      } else if !scalar.date.isInCalendarRange {
        report(.dateOutOfRange(scalar.date), start)
      }
      return .date(scalar.date)
    }
    if scanner.name(tag.name, is: "data") {
      let raw = try text.readRaw(&scanner, of: tag)
      if tag.isEmpty { report(.refused(.emptyData), start) }
      if let data = XMLScalars.data(raw) { return .data(data) }
      guard let data = XMLScalars.irregularData(raw) else { throw scanner.error(.xmlInvalidData, start) }
      report(.irregularBase64, start)
      return .data(data)
    }
    throw scanner.error(
      scanner.name(tag.name, is: "key") ? .xmlKeyOutsideDictionary : .xmlUnknownElement(scanner.excerpt(tag.name)),
      tag.start)
  }

  /// The text of a string, a key or a real, with its findings.
  @inline(__always)
  mutating func readText(_ tag: XMLScanner.Tag) throws(PropertyListError) -> String {
    let start = scanner.position
    let (string, hasMark) = try text.read(&scanner, of: tag) { (bytes) throws(PropertyListError) in
      (String(decoding: bytes, as: UTF8.self), bytes.starts(with: XMLWriter.byteOrderMark))
    }
    if let (byte, offset) = text.controlCharacter { report(.controlCharacter(byte), offset) }
    if let comment = text.comment { report(.refused(.comment), comment) }
    if hasMark { report(.byteOrderMark, start) }
    return string
  }

  private func excerpt(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(String(decoding: bytes.prefix(256), as: UTF8.self).prefix(40))
  }

  @inline(__always)
  mutating func report(_ kind: PropertyListFinding.Kind, _ offset: Int) {
    findings.add(kind, at: PropertyListPosition(offset: offset))
  }
}
