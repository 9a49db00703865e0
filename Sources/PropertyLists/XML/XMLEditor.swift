/// Changes the root dictionary of an XML property list by byte range. Of a dictionary in it, only the pairs that differ
/// are written.
struct XMLEditor {
  private let text: UnsafeBufferPointer<UInt8>
  private let limits: PropertyListLimits
  /// Those of the dictionary that is edited.
  private var places: XMLRootPlaces
  private var depth = 1
  private let encoding: XMLSource.Encoding
  private var changes: [ByteChange] = []

  /// The file after the plan; `dictionary` is the root as it was read from these bytes.
  static func edit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ dictionary: PropertyListDictionary, _ plan: EditPlan,
    _ limits: PropertyListLimits
  ) throws(PropertyListError) -> [UInt8] {
    if XMLReader.readsAsUID(plan.result(of: dictionary.entries)) { throw PropertyListError(.dictionaryReadsAsUID) }
    let source = try XMLSource(bytes)
    let reading = try XMLReader.read(bytes, limits: limits, recordsPlaces: true)
    guard let places = reading.places, places.pairs.count == plan.fates.count else {
      throw PropertyListError(.rootNotDictionary(reading.root.kind))
    }
    func edited(_ text: UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> [UInt8] {
      var editor = XMLEditor(text: text, limits: limits, places: places, encoding: source.encoding)
      try editor.edit(dictionary, plan)
      return PropertyLists.edited(text, editor.changes.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
    let result: [UInt8]
    if let transcoded = source.transcoded {
      result = try transcoded.withUnsafeBufferPointer { buffer throws(PropertyListError) in try edited(buffer) }
    } else {
      result = try edited(UnsafeBufferPointer(rebasing: bytes[source.markSize...]))
    }
    return source.fileBytes(of: result)
  }

  private mutating func edit(_ dictionary: PropertyListDictionary, _ plan: EditPlan) throws(PropertyListError) {
    let style = style()
    for (entry, (pair, fate)) in zip(dictionary.entries, zip(places.pairs, plan.fates)) {
      switch fate {
      case .keep: break
      case .replace(let value):
        if try editInside(entry.value, at: pair.value, to: value) { continue }
        var writer = XMLWriter(style)
        try writer.write(value, depth: depth + 1)
        changes.append((pair.value, writer.bytes))
      case .drop:
        // With the white space before it, so that no empty line remains.
        changes.append((startOfSpace(before: pair.key)..<pair.value.upperBound, []))
      }
    }
    if !plan.appended.isEmpty { try append(plan.appended, style) }
  }

  /// Edits a dictionary in the one that is edited.
  /// - Returns: whether that was done; otherwise the value has to be written as a whole.
  private mutating func editInside(
    _ old: PropertyListValue, at range: Range<Int>, to new: PropertyListValue
  ) throws(PropertyListError) -> Bool {
    guard depth < Self.deepest, case .dictionary(let old) = old, case .dictionary(let new) = new,
      let plan = EditPlan(from: old, to: new)
    else { return false }
    if XMLReader.readsAsUID(new.entries) { throw PropertyListError(.dictionaryReadsAsUID) }
    let part = UnsafeBufferPointer(rebasing: text[range])
    guard let places = try XMLReader.read(part, limits: limits, recordsPlaces: true).places,
      places.pairs.count == plan.fates.count
    else { return false }
    let outer = self.places
    (self.places, depth) = (places.moved(by: range.lowerBound), depth + 1)
    defer { (self.places, depth) = (outer, depth - 1) }
    try edit(old, plan)
    return true
  }

  /// Each level is read again, so that a deeper one is written as a whole.
  private static let deepest = 16

  private mutating func append(
    _ entries: [PropertyListDictionary.Entry], _ style: XMLWriter.Style
  ) throws(PropertyListError) {
    var writer = XMLWriter(style)
    for entry in entries {
      writer.breakLine(0)
      try writer.write(key: entry.key)
      writer.breakLine(0)
      try writer.write(entry.value, depth: depth + 1)
    }
    if let end = places.endTag {
      let place = startOfSpace(before: end)
      var added = writer.bytes
      // `<dict></dict>` has no line for the end tag yet.
      if place == end, places.pairs.isEmpty { added += lineBreak(before: places.startTag.lowerBound) }
      changes.append((place..<place, added))
    } else {
      // `<dict/>` becomes `<dict>…</dict>`, with its attributes.
      var tag = Array(text[places.startTag])
      if let slash = tag.lastIndex(of: UInt8(ascii: "/")) { tag.remove(at: slash) }
      let end = lineBreak(before: places.startTag.lowerBound) + Array("</dict>".utf8)
      changes.append((places.startTag, tag + writer.bytes + end))
    }
  }

  private func style() -> XMLWriter.Style {
    var style = XMLWriter.Style(greatestScalar: encoding.greatestScalar)
    let outer = lineBreak(before: places.startTag.lowerBound)
    let inner = places.pairs.first.map { lineBreak(before: $0.key) }
    if let inner, inner.count > outer.count, inner.starts(with: outer) {
      style.unit = String(decoding: inner.dropFirst(outer.count), as: UTF8.self)
    }
    let line = inner ?? outer
    let newline = line.prefix { $0 == 0x0A || $0 == 0x0D }
    style.newline = String(decoding: newline, as: UTF8.self)
    style.margin = String(decoding: line.dropFirst(newline.count), as: UTF8.self) + (inner == nil ? style.unit : "")
    return style
  }

  /// The last line break and the indentation right before an offset; empty if the element does not begin its line.
  private func lineBreak(before offset: Int) -> [UInt8] {
    let space = text[startOfSpace(before: offset)..<offset]
    guard let last = space.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [] }
    let isPair = last > space.startIndex && text[last] == 0x0A && text[last - 1] == 0x0D
    return Array(space[(isPair ? last - 1 : last)...])
  }

  private func startOfSpace(before offset: Int) -> Int {
    var start = offset
    while start > 0, text[start - 1].isSpace { start -= 1 }
    return start
  }
}
