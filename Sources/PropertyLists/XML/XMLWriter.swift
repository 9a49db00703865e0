/// Writes XML property lists, and single values for an edit.
struct XMLWriter {
  /// How lines are broken and indented.
  struct Style {
    /// The line break; empty to write everything on one line.
    var newline = "\n"
    /// One level of indentation.
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

  /// A whole file.
  static func encode(_ root: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var writer = XMLWriter()
    writer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    writer.append("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\"")
    writer.append(" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n")
    try writer.write(root, depth: 1)
    writer.append("\n</plist>\n")
    return writer.bytes
  }

  private struct Frame {
    let entries: [PropertyListDictionary.Entry]
    let values: [PropertyListValue]
    let isDictionary: Bool
    var next = 0

    var count: Int { isDictionary ? entries.count : values.count }
  }

  /// Writes a value; `depth` is its own depth in the document.
  mutating func write(_ value: PropertyListValue, depth: Int) throws(PropertyListError) {
    guard var frame = try open(value, depth) else { return }
    var outer: [Frame] = []
    while true {
      guard frame.next < frame.count else {
        breakLine(outer.count)
        append(frame.isDictionary ? "</dict>" : "</array>")
        guard !outer.isEmpty else { return }
        frame = outer.removeLast()
        continue
      }
      let index = frame.next
      frame.next += 1
      breakLine(outer.count + 1)
      if frame.isDictionary {
        try write(key: frame.entries[index].key)
        breakLine(outer.count + 1)
      }
      let child = frame.isDictionary ? frame.entries[index].value : frame.values[index]
      if let inner = try open(child, depth + outer.count + 1, level: outer.count + 1) {
        outer.append(frame)
        frame = inner
      }
    }
  }

  mutating func write(key: String) throws(PropertyListError) {
    append("<key>")
    try append(text: key)
    append("</key>")
  }

  /// Writes a line break and the indentation of a level.
  mutating func breakLine(_ level: Int) {
    bytes.append(contentsOf: lineStart)
    if !unit.isEmpty {
      for _ in 0..<level { bytes.append(contentsOf: unit) }
    }
  }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a scalar or an empty container, or the start tag of a container; returns the frame of the latter.
  private mutating func open(
    _ value: PropertyListValue, _ depth: Int, level: Int = 0
  ) throws(PropertyListError) -> Frame? {
    switch value {
    case .dictionary(let dictionary):
      try check(depth)
      if XMLReader.readsAsUID(dictionary.entries) { throw PropertyListError(.dictionaryReadsAsUID) }
      append(dictionary.isEmpty ? "<dict/>" : "<dict>")
      return dictionary.isEmpty ? nil : Frame(entries: dictionary.entries, values: [], isDictionary: true)
    case .array(let values):
      try check(depth)
      append(values.isEmpty ? "<array/>" : "<array>")
      return values.isEmpty ? nil : Frame(entries: [], values: values, isDictionary: false)
    case .uid(let uid):
      guard uid <= UInt64(UInt32.max) else { throw PropertyListError(.uidOutOfRange(uid)) }
      try check(depth)
      append("<dict>")
      let entry = PropertyListDictionary.Entry(key: "CF$UID", value: .integer(PropertyListInteger(uid)))
      return Frame(entries: [entry], values: [], isDictionary: true)
    default:
      try write(scalar: value, level: level)
      return nil
    }
  }

  private func check(_ depth: Int) throws(PropertyListError) {
    guard depth <= PropertyListLimits.greatestDepth else {
      throw PropertyListError(.tooDeep(limit: PropertyListLimits.greatestDepth))
    }
  }

  private mutating func write(scalar value: PropertyListValue, level: Int) throws(PropertyListError) {
    switch value {
    case .string(let text):
      append("<string>")
      try append(text: text)
      append("</string>")
    case .integer(let integer):
      guard integer.fitsIn64Bits else { throw PropertyListError(.integerNotRepresentable(integer)) }
      append("<integer>")
      bytes.append(contentsOf: integer.description.utf8)
      append("</integer>")
    case .real(let real):
      append("<real>")
      bytes.append(contentsOf: Self.text(real.value).utf8)
      append("</real>")
    case .boolean(let boolean): append(boolean ? "<true/>" : "<false/>")
    case .date(let date):
      guard let text = date.xmlText else { throw PropertyListError(.dateNotRepresentable(date)) }
      append("<date>")
      bytes.append(contentsOf: text.utf8)
      append("</date>")
    case .data(let data): append(data: data, level: level)
    case .set, .null, .uid, .array, .dictionary:
      throw PropertyListError(.kindNotRepresentable(value.kind, .xml))
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
        let (scalar, length) = Self.scalar(text, at: position)
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

  /// The scalar of two to four bytes at a position of valid UTF-8.
  private static func scalar(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (UInt32, length: Int) {
    let first = text[position]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for byte in text[min(position + 1, text.count)..<min(position + length, text.count)] {
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
  }

  /// Base64 in lines of 76 characters at the level of the element.
  private mutating func append(data: [UInt8], level: Int) {
    append("<data>")
    let alphabet = XMLScalars.base64Alphabet
    var position = 0
    while position < data.count {
      if position % 57 == 0, !lineStart.isEmpty { breakLine(level) }
      let left = data.count - position
      let bits =
        UInt32(data[position]) << 16 | (left > 1 ? UInt32(data[position + 1]) << 8 : 0)
        | (left > 2 ? UInt32(data[position + 2]) : 0)
      bytes.append(alphabet[Int(bits >> 18)])
      bytes.append(alphabet[Int(bits >> 12 & 63)])
      bytes.append(left > 1 ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "="))
      bytes.append(left > 2 ? alphabet[Int(bits & 63)] : UInt8(ascii: "="))
      position += 3
    }
    if !data.isEmpty, !lineStart.isEmpty { breakLine(level) }
    append("</data>")
  }
}
