struct XMLWriter {
  struct Style {
    /// The line break; empty to write everything on one line.
    var newline = "\n"
    var unit = "\t"
    /// The text before the indentation of every line.
    var margin = ""
    /// The greatest scalar that the encoding can represent; greater ones are written as references.
    var greatestScalar: UInt32 = 0x10FFFF
  }

  private(set) var bytes: [UInt8] = []
  private let style: Style
  private let lineStart: [UInt8]
  private let unit: [UInt8]

  init(_ style: Style = Style()) {
    self.style = style
    lineStart = Array((style.newline + (style.newline.isEmpty ? "" : style.margin)).utf8)
    unit = Array((style.newline.isEmpty ? "" : style.unit).utf8)
  }

  static func encode(_ root: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var writer = XMLWriter()
    writer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    writer.append("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\"")
    writer.append(" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n")
    try writer.write(root, depth: 1)
    writer.append("\n</plist>\n")
    return writer.bytes
  }

  /// Writes a value; `depth` is its own depth in the document. Without recursion: its frames would be large.
  mutating func write(_ value: PropertyListValue, depth: Int) throws(PropertyListError) {
    guard let root = try open(value, depth) else { return }
    var frames = [root]
    while let frame = frames.last {
      let level = frames.count
      guard frame.next < frame.values.count else {
        frames.removeLast()
        breakLine(level - 1)
        append(frame.keys == nil ? "</array>" : "</dict>")
        continue
      }
      frames[level - 1].next += 1
      breakLine(level)
      if let keys = frame.keys {
        try write(key: keys[frame.next])
        breakLine(level)
      }
      if let inner = try open(frame.values[frame.next], depth + level, level: level) { frames.append(inner) }
    }
  }

  private struct Frame {
    var keys: [String]?
    var values: [PropertyListValue]
    var next = 0
  }

  /// Writes a scalar or an empty container, or the start tag of a container; returns the frame of the latter.
  private mutating func open(
    _ value: PropertyListValue, _ depth: Int, level: Int = 0
  ) throws(PropertyListError) -> Frame? {
    let frame: Frame
    switch value {
    case .dictionary(let dictionary): frame = Frame(keys: dictionary.keys, values: dictionary.entries.map(\.value))
    case .array(let values): frame = Frame(values: values)
    case .uid(let uid):
      guard uid <= UInt64(UInt32.max) else { throw PropertyListError(.uidOutOfRange(uid)) }
      frame = Frame(keys: ["CF$UID"], values: [.integer(PropertyListInteger(uid))])
    default:
      try write(scalar: value, level: level)
      return nil
    }
    guard depth <= PropertyListLimits.greatestDepth else {
      throw PropertyListError(.tooDeep(limit: PropertyListLimits.greatestDepth))
    }
    if case .dictionary(let dictionary) = value, XMLReader.readsAsUID(dictionary.entries) {
      throw PropertyListError(.dictionaryReadsAsUID)
    }
    append(frame.keys == nil ? "<array" : "<dict")
    append(frame.values.isEmpty ? "/>" : ">")
    return frame.values.isEmpty ? nil : frame
  }

  mutating func write(key: String) throws(PropertyListError) {
    append("<key>")
    try append(text: key)
    append("</key>")
  }

  mutating func breakLine(_ level: Int) {
    bytes.append(contentsOf: lineStart)
    if !unit.isEmpty {
      for _ in 0..<level { bytes.append(contentsOf: unit) }
    }
  }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func write(scalar value: PropertyListValue, level: Int) throws(PropertyListError) {
    switch value {
    case .string(let text):
      append("<string>")
      try append(text: text)
      append("</string>")
    case .integer(let integer):
      guard integer.fitsIn64Bits else {
        throw PropertyListError("The integer \(integer) has more than 64 bits, which readers refuse")
      }
      append("<integer>")
      bytes.append(contentsOf: integer.description.utf8)
      append("</integer>")
    case .real(let real):
      append("<real>")
      bytes.append(contentsOf: Self.text(real.value).utf8)
      append("</real>")
    case .boolean(let boolean): append(boolean ? "<true/>" : "<false/>")
    case .date(let date):
      guard let text = date.xmlText else {
        throw PropertyListError("The date \(date) is not a whole second, as XML needs it")
      }
      append("<date>")
      bytes.append(contentsOf: text.utf8)
      append("</date>")
    case .data(let data): append(data: data, level: level)
    case .set, .null, .uid, .array, .dictionary:
      let what = value.kind.withArticle
      throw PropertyListError(
        "\(what.prefix(1).uppercased() + what.dropFirst()) cannot be written as an XML property list")
    }
  }

  /// The shortest text that gives the same Double; the names are those Apple's writer uses.
  private static func text(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    guard value.isInfinite else { return value.description }
    return value < 0 ? "-infinity" : "+infinity"
  }

  /// U+FEFF in UTF-8. Apple's reader drops it at the start of a text, even as a reference.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private mutating func append(text: String) throws(PropertyListError) {
    if text.utf8.starts(with: Self.byteOrderMark) { throw PropertyListError(.characterNotRepresentable(0xFEFF)) }
    var text = text
    let failure = text.withUTF8 { append(utf8: $0) }
    if let failure { throw PropertyListError(.characterNotRepresentable(failure)) }
  }

  /// Escapes `&`, `<` and `>`. A carriage return becomes a reference, because some readers convert it to a line feed.
  /// Returns a scalar that XML cannot contain.
  private mutating func append(utf8 text: UnsafeBufferPointer<UInt8>) -> UInt32? {
    var start = 0
    var position = 0
    func run() -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: text[start..<position]) }
    while position < text.count {
      let byte = text[position]
      let replacement: StaticString
      switch byte {
      case UInt8(ascii: "&"): replacement = "&amp;"
      case UInt8(ascii: "<"): replacement = "&lt;"
      case UInt8(ascii: ">"): replacement = "&gt;"
      case 0x0D: replacement = "&#13;"
      case 0x09, 0x0A, 0x20...0x7F:
        position += 1
        continue
      case 0x00..<0x20: return UInt32(byte)
      default:
        let (scalar, length) = PropertyLists.scalar(in: text, at: position)
        if scalar == 0xFFFE || scalar == 0xFFFF { return scalar }
        if scalar > style.greatestScalar {
          bytes.append(contentsOf: run())
          bytes.append(contentsOf: "&#\(scalar);".utf8)
          start = position + length
        }
        position += length
        continue
      }
      bytes.append(contentsOf: run())
      append(replacement)
      position += 1
      start = position
    }
    bytes.append(contentsOf: run())
    return nil
  }

  /// Base64 in lines of 76 characters, which are 57 bytes, at the level of the element.
  private mutating func append(data: [UInt8], level: Int) {
    append("<data>")
    for start in stride(from: 0, to: data.count, by: 57) {
      if !lineStart.isEmpty { breakLine(level) }
      Base64.append(data[start..<min(start + 57, data.count)], to: &bytes)
    }
    if !data.isEmpty, !lineStart.isEmpty { breakLine(level) }
    append("</data>")
  }
}
