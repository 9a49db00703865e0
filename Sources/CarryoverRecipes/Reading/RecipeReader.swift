import PropertyLists

/// Reads the strict subset of YAML that recipes are written in, and JSON.
///
/// A file has one value only, whoever reads it: what YAML's versions read in different ways is refused. There are no
/// anchors, aliases, tags, merge keys, directives, empty values or texts over several lines without `|` or `>`. The
/// text is limited in size (``RecipeLimits``).
package struct RecipeReader {
  private let events: YAMLEvents
  /// Whether the file is JSON, where a list or a map may have several lines.
  private let isJSON: Bool
  private let lines: [ArraySlice<UInt8>]
  private var nodes = 0
  /// How many lists and maps in brackets are open.
  private var brackets = 0
  private var issues: [LintIssue] = []

  /// The contents of a file, with what is wrong in it, in order. The root is nil if reading stopped at an issue.
  package static func read(_ bytes: [UInt8]) -> (root: RecipeNode?, issues: [LintIssue]) {
    if let defect = defect(ofText: bytes) { return (nil, [defect]) }
    do throws(LintIssue) {
      var reader = RecipeReader(
        events: try YAMLEvents(bytes), isJSON: bytes.first { $0 > 0x20 } == UInt8(ascii: "{"),
        lines: bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false))
      let root: RecipeNode?
      do throws(LintIssue) {
        root = try reader.document()
      } catch {
        root = nil
        reader.issues.append(error)
      }
      return (root, reader.issues.sorted { $0.place < $1.place })
    } catch {
      return (nil, [error])
    }
  }

  private mutating func document() throws(LintIssue) -> RecipeNode {
    let first = try events.next()
    if case .end = first.kind { throw LintIssue(.notYAML, first.start, "The file is empty.") }
    let root = try node(first, depth: 1)
    // Another document is refused here.
    _ = try events.next()
    return root
  }

  private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws(LintIssue) -> RecipeNode {
    nodes += 1
    guard nodes <= RecipeLimits.nodes else {
      throw LintIssue(.tooLarge, event.start, "The file has more than \(RecipeLimits.nodes) values.")
    }
    guard depth <= RecipeLimits.depth else {
      throw LintIssue(.tooLarge, event.start, "This is nested deeper than \(RecipeLimits.depth) levels.")
    }
    switch event.kind {
    case .scalar(let text, let isPlain, let isBlock):
      if isBlock { checkHeader(event.start) } else { checkLines(event, text, isPlain: isPlain) }
      return RecipeNode(content: isPlain ? plain(text, event.start) : .text(text), place: event.start)
    case .listStart(let isFlow):
      var items: [RecipeNode] = []
      brackets += isFlow ? 1 : 0
      defer { brackets -= isFlow ? 1 : 0 }
      while true {
        let next = try events.next()
        if case .collectionEnd = next.kind {
          checkFlow(isFlow, event.start, next.end)
          return RecipeNode(content: .list(items), place: event.start)
        }
        items.append(try node(next, depth: depth + 1))
      }
    case .mapStart(let isFlow):
      var entries: [RecipeNode.Entry] = []
      brackets += isFlow ? 1 : 0
      defer { brackets -= isFlow ? 1 : 0 }
      var known: [StringByBytes: TextPlace] = [:]
      while true {
        let next = try events.next()
        if case .collectionEnd = next.kind {
          checkFlow(isFlow, event.start, next.end)
          return RecipeNode(content: .map(entries), place: event.start)
        }
        let key = try key(next)
        if let first = known.updateValue(next.start, forKey: StringByBytes(key)) {
          report(.duplicateKey, next.start, "This key is already in line \(first.line). A map has each key once.")
        }
        let value = try node(try events.next(), depth: depth + 1)
        entries.append(RecipeNode.Entry(key: key, place: next.start, value: value))
      }
    case .collectionEnd, .end: throw LintIssue(.notYAML, event.start, "A value is missing here.")
    }
  }

  private mutating func key(_ event: YAMLEvents.Event) throws(LintIssue) -> String {
    guard case .scalar(let text, let isPlain, let isBlock) = event.kind, !isBlock else {
      throw LintIssue(.notYAML, event.start, "A key must be text on one line.")
    }
    checkLines(event, text, isPlain: isPlain)
    guard isPlain else { return text }
    if text == "<<" {
      throw LintIssue(.reference, event.start, "A recipe has no merge keys (<<). Write the keys again.")
    }
    if case .text = plain(text, event.start) { return text }
    report(.ambiguous, event.start, "YAML reads this key as another type than text. Quote it.")
    return text
  }

  /// An unquoted text's value, by YAML 1.2's core schema as far as no YAML tool reads it in another way.
  private mutating func plain(_ text: String, _ place: TextPlace) -> RecipeNode.Content {
    switch PlainText(text) {
    case .text: break
    case .integer: return .integer(text)
    case .decimal: return .decimal(text)
    case .boolean(let flag): return .boolean(flag)
    case .null: report(.null, place, "The value is empty. Write a value, remove the key, or quote the text.")
    case .ambiguous:
      report(.ambiguous, place, "Not every YAML tool reads this as the same value. Write it as JSON does, or quote it.")
    case .oldValue:
      report(.oldYAML, place, "Older YAML tools do not read this as text. Quote it.")
    }
    return .text(text)
  }

  private mutating func checkLines(_ event: YAMLEvents.Event, _ text: String, isPlain: Bool) {
    if event.start.line != event.end.line { report(.layout, event.start, "Text over several lines needs | or >.") }
    if isPlain, brackets > 0, text.utf8.contains(UInt8(ascii: "?")) {
      report(.ambiguous, event.start, "Not every YAML tool reads a question mark in brackets as text. Quote the text.")
    }
  }

  /// Text over several lines begins after `|`, `|-`, `>` or `>-`, with nothing but a comment beside it.
  private mutating func checkHeader(_ place: TextPlace) {
    let line = String(decoding: lines[place.line - 1], as: UTF8.self).unicodeScalars
    var rest = line.dropFirst(place.column).drop { $0 == "\r" }
    if rest.first == "-" { rest = rest.dropFirst() }
    let comment = rest.drop { $0 == " " || $0 == "\r" }
    guard comment.isEmpty || comment.first == "#" && comment.startIndex != rest.startIndex else {
      report(.layout, place, "Text over several lines begins with |, |-, > or >-.")
      return
    }
  }

  private mutating func checkFlow(_ isFlow: Bool, _ start: TextPlace, _ end: TextPlace) {
    guard isFlow, !isJSON, start.line != end.line else { return }
    report(.layout, start, "A list or a map in brackets must be on one line, except in a JSON file.")
  }

  private mutating func report(_ code: LintCode, _ place: TextPlace, _ message: String) {
    issues.append(LintIssue(code, place, message))
  }
}
