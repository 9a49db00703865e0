import CCarryoverYAML

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

  /// Prepares to read a text.
  /// - Throws: `LintIssue` if there is not enough memory.
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
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        return Event(kind: .collectionEnd, start: start, end: end)
      default:
        throw LintIssue(.reference, start, "A recipe has no aliases (*). Write the value again.")
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

/// The library that reads YAML.
package enum YAMLSupport {
  /// Its version.
  package static var version: String { String(cString: yaml_get_version_string()) }
}
