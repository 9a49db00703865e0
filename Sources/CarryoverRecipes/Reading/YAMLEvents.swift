import CCarryoverYAML
import PropertyLists

/// The events of a YAML text, by libyaml. Anchors, aliases, tags, directives and further documents are refused.
final class YAMLEvents {
  struct Event {
    enum Kind {
      case scalar(String, isPlain: Bool, isBlock: Bool)
      case listStart(isFlow: Bool)
      case mapStart(isFlow: Bool)
      case collectionEnd
      case end
    }
    var kind: Kind
    var start: TextPlace
    var end: TextPlace
  }

  // libyaml keeps pointers to its own structures, so they must not move.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let pairs: SurrogatePairs
  private var hasDocument = false

  init(_ bytes: [UInt8]) throws(LintIssue) {
    pairs = SurrogatePairs(bytes)
    input = .allocate(capacity: pairs.text.count)
    _ = input.initialize(from: pairs.text)
    guard yaml_parser_initialize(parser) == 1 else {
      input.deallocate()
      parser.deallocate()
      throw LintIssue(.tooLarge, TextPlace(line: 1, column: 1), "There is not enough memory to read the file.")
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// The next event; `.end` after the document.
  func next() throws(LintIssue) -> Event {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
      defer { yaml_event_delete(&event) }
      let start = place(event.start_mark)
      let end = place(event.end_mark)
      switch event.type {
      case YAML_STREAM_START_EVENT: continue
      case YAML_DOCUMENT_START_EVENT:
        let document = event.data.document_start
        guard document.version_directive == nil, document.tag_directives.start == document.tag_directives.end else {
          throw LintIssue(.severalDocuments, start, "A recipe has no directives. Remove the line that begins with %.")
        }
        guard !hasDocument else {
          throw LintIssue(.severalDocuments, start, "Another document begins here. A file has one recipe.")
        }
        hasDocument = true
      case YAML_DOCUMENT_END_EVENT: continue
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return Event(kind: .end, start: start, end: end)
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        try refuse(scalar.anchor, scalar.tag, at: start)
        let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        let isBlock = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE
        let kind = Event.Kind.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, isBlock: isBlock)
        return Event(kind: kind, start: start, end: end)
      case YAML_SEQUENCE_START_EVENT:
        let list = event.data.sequence_start
        try refuse(list.anchor, list.tag, at: start)
        return Event(kind: .listStart(isFlow: list.style == YAML_FLOW_SEQUENCE_STYLE), start: start, end: end)
      case YAML_MAPPING_START_EVENT:
        let map = event.data.mapping_start
        try refuse(map.anchor, map.tag, at: start)
        return Event(kind: .mapStart(isFlow: map.style == YAML_FLOW_MAPPING_STYLE), start: start, end: end)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(kind: .collectionEnd, start: start, end: end)
      default: throw LintIssue(.reference, start, "A recipe has no aliases (*). Write the value again.")
      }
    }
  }

  private func refuse(
    _ anchor: UnsafeMutablePointer<UInt8>?, _ tag: UnsafeMutablePointer<UInt8>?, at place: TextPlace
  ) throws(LintIssue) {
    if anchor != nil { throw LintIssue(.reference, place, "A recipe has no anchors (&). Remove it.") }
    if tag != nil { throw LintIssue(.reference, place, "A recipe has no tags (!). Remove it, or quote the text.") }
  }

  /// The parser's error. Its sentence is libyaml's, which users know from other tools.
  private var failure: LintIssue {
    let place = self.place(parser.pointee.problem_mark)
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "the text cannot be parsed"
    let context = parser.pointee.context.map { String(cString: $0) } ?? ""
    if context.contains("quoted scalar") {
      return problem.contains("end of stream") || problem.contains("document indicator")
        ? LintIssue(
          .unclosedQuote, self.place(parser.pointee.context_mark), "The quoted text that begins here has no end.")
        : LintIssue(.badEscape, place, "This escape is not valid: \(problem).")
    }
    return LintIssue(.notYAML, place, "This is not valid YAML: \(problem).")
  }

  private func place(_ mark: yaml_mark_t) -> TextPlace {
    let line = Int(clamping: mark.line)
    return TextPlace(line: line + 1, column: pairs.column(Int(clamping: mark.column), line: line) + 1)
  }
}

package enum YAMLSupport {
  package static var version: String { String(cString: yaml_get_version_string()) }
}

/// A JSON text whose escaped pairs of surrogates are replaced by YAML's escapes, `\ud83d\ude00` by `\U0001F600`: JSON
/// writers escape characters beyond U+FFFF in this way, and YAML refuses surrogates. Other texts stay as they are.
struct SurrogatePairs {
  /// The text, in which a replaced pair is two columns shorter.
  private(set) var text: [UInt8]
  /// For each line with replaced pairs, the columns after them, counted from zero.
  private var columns: [Int: [Int]] = [:]

  init(_ bytes: [UInt8]) {
    text = bytes
    // Only a strict reading of JSON makes sure that every backslash is an escape.
    guard bytes.contains(UInt8(ascii: "\\")), (try? JSONText(bytes: bytes)) != nil else { return }
    text = []
    text.reserveCapacity(bytes.count)
    var (line, column, position) = (0, 0, 0)
    while position < bytes.count {
      let rest = bytes[position...]
      if let high = Self.unit(rest), high & 0xFC00 == 0xD800, let low = Self.unit(rest.dropFirst(6)),
        low & 0xFC00 == 0xDC00
      {
        let digits = String(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF, radix: 16)
        text += Array("\\U".utf8) + Array(repeating: UInt8(ascii: "0"), count: 8 - digits.count) + Array(digits.utf8)
        column += 10
        columns[line, default: []].append(column)
        position += 12
        continue
      }
      let length = rest.first == UInt8(ascii: "\\") ? 2 : 1
      for byte in rest.prefix(length) {
        text.append(byte)
        if byte == UInt8(ascii: "\n") {
          (line, column) = (line + 1, 0)
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
      position += length
    }
  }

  /// The column of the original text for one of the new text, both counted from zero.
  func column(_ column: Int, line: Int) -> Int { column + 2 * (columns[line]?.count { $0 <= column } ?? 0) }

  /// The UTF-16 unit of an escape `\u1234` at the start of some bytes.
  private static func unit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard bytes.starts(with: "\\u".utf8) else { return nil }
    let digits = bytes.dropFirst(2).prefix(4)
    return digits.count == 4 ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
