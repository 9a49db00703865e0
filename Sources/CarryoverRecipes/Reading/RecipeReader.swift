import CarryoverSystem
import PropertyLists

/// Reads the strict subset of YAML that recipes are written in, and JSON, within ``RecipeLimits``. What YAML's versions
/// read in different ways is refused: anchors, aliases, tags, merge keys, directives, empty values, and texts over
/// several lines without `|` or `>`.
package struct RecipeReader {
  private let events: YAMLEvents
  /// Whether the file is JSON, where a list or a map may have several lines.
  private let isJSON: Bool
  private let lines: [ArraySlice<UInt8>]
  private var nodes = 0
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
    case .oldValue: report(.oldYAML, place, "Older YAML tools do not read this as text. Quote it.")
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

/// The value of an unquoted YAML text.
enum PlainText: Equatable {
  case text
  /// A decimal integer without a plus sign or leading zeros.
  case integer
  /// A decimal number as JSON writes it.
  case decimal
  case boolean(Bool)
  case null
  /// A number or a boolean of YAML 1.2 that JSON writes in another way: `+1`, `007`, `.5`, `0x1f`, `.inf`, `TRUE`.
  case ambiguous
  /// Text in YAML 1.2, but not in YAML 1.1: `yes`, `1:30`, `1_000`, `2025-11-20`.
  case oldValue

  init(_ text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "True", "TRUE", "False", "FALSE": self = .ambiguous
    default:
      let lower = text.lowercased()
      let isWord = ["y", "n", "yes", "no", "on", "off"].contains(lower)
      self = Self.number(lower.utf8) ?? (isWord || Self.isOld(lower.utf8) ? .oldValue : .text)
    }
  }

  /// A number of YAML 1.2's core schema, in lower case; nil for other text.
  private static func number(_ text: String.UTF8View) -> PlainText? {
    var rest = text[...]
    func take(_ byte: Character) -> Bool {
      guard rest.first == byte.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    func digits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    let hasPlus = take("+")
    if !hasPlus { _ = take("-") }
    if [".inf", ".nan"].contains(where: { rest.elementsEqual($0.utf8) }) { return .ambiguous }
    for (prefix, digits) in [("0x", "0123456789abcdef"), ("0o", "01234567")] where rest.starts(with: prefix.utf8) {
      let spelled = rest.dropFirst(2)
      return !spelled.isEmpty && spelled.allSatisfy(digits.utf8.contains) ? .ambiguous : nil
    }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    var isJSON = !hasPlus && (whole == 1 || whole > 1 && !startsWithZero)
    var isInteger = true
    var fraction = 0
    if take(".") {
      isInteger = false
      fraction = digits()
      isJSON = isJSON && fraction > 0
    }
    guard whole + fraction > 0 else { return nil }
    if take("e") {
      isInteger = false
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return isJSON ? isInteger ? .integer : .decimal : .ambiguous
  }

  /// Whether YAML 1.1 reads a text that is not a number as a number, a time or a date.
  private static func isOld(_ text: String.UTF8View) -> Bool {
    let unsigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
    guard let first = unsigned.first, isDigit(first) else { return false }
    if unsigned.starts(with: "0b".utf8) { return unsigned.dropFirst(2).allSatisfy { "01_".utf8.contains($0) } }
    if unsigned.starts(with: "0x".utf8) { return unsigned.contains(UInt8(ascii: "_")) }
    let parts = unsigned.split(separator: UInt8(ascii: "-"), maxSplits: 2)
    if parts.count == 3, parts[0].count == 4, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit) { return true }
    return unsigned.allSatisfy { isDigit($0) || "_:.e+-".utf8.contains($0) }
      && (unsigned.contains(UInt8(ascii: "_")) || unsigned.contains(UInt8(ascii: ":")))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// The limits of a recipe file. They bound the time and the memory that a stranger's file can cost.
package enum RecipeLimits {
  package static let bytes = 256 * 1024
  package static let lineBytes = 4096
  package static let depth = 24
  package static let nodes = 10_000
}

/// The first reason that bytes are not the text of a recipe file; nil if they are. Only LF and CR LF end a line, and
/// invisible characters are refused: every editor counts the same lines, and shows what Carryover reads.
func defect(ofText bytes: [UInt8]) -> LintIssue? {
  var place = TextPlace(line: 1, column: 1)
  guard bytes.count <= RecipeLimits.bytes else {
    return LintIssue(.tooLarge, place, "The file has more than \(RecipeLimits.bytes / 1024) KiB.")
  }
  var rest = bytes.makeIterator()
  var parser = Unicode.UTF8.ForwardParser()
  var lineBytes = 0
  var afterReturn = false
  while true {
    let scalar: Unicode.Scalar
    switch parser.parseScalar(from: &rest) {
    case .valid(let encoded):
      scalar = Unicode.UTF8.decode(encoded)
      lineBytes += encoded.count
    case .emptyInput: return afterReturn ? LintIssue(.notText, place, loneReturn) : nil
    case .error: return LintIssue(.notText, place, "This is not UTF-8. Save the file as UTF-8.")
    }
    if scalar == "\n" {
      place = TextPlace(line: place.line + 1, column: 1)
      lineBytes = 0
      afterReturn = false
      continue
    }
    if afterReturn { return LintIssue(.notText, place, loneReturn) }
    afterReturn = scalar == "\r"
    if scalar == "\t" {
      return LintIssue(.tab, place, #"This is a tab. Indent with spaces; in quoted text, write "\t"."#)
    }
    if !afterReturn, !DisplayText.hasShape(scalar) {
      let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
      return LintIssue(.notText, place, #"\#(name) is invisible. In quoted text, write it as "\u…"."#)
    }
    guard lineBytes <= RecipeLimits.lineBytes else {
      return LintIssue(.tooLarge, place, "The line has more than \(RecipeLimits.lineBytes) bytes.")
    }
    place.column += 1
  }
}

private let loneReturn = "A carriage return without a line feed does not end a line. Save the file with Unix line ends."

/// A part of a recipe file: as it was read, with its place, or to be written, with comments.
package struct RecipeNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case text(String)
    /// A decimal integer of any size, as it is spelled.
    case integer(String)
    /// A number with a fraction or an exponent, as it is spelled.
    case decimal(String)
    case boolean(Bool)
    case list([RecipeNode])
    case map([Entry])
  }

  package struct Entry: Hashable, Sendable {
    package var key: String
    package var place: TextPlace
    package var value: RecipeNode
  }

  package var content: Content
  package var place: TextPlace
  /// The lines to write above the key or the list item that has this value.
  package var comments: [String] = []

  /// The value at the end of keys and indexes; where the path leads nowhere, the last value on it.
  package subscript(path: [String]) -> RecipeNode {
    guard let step = path.first else { return self }
    let next: RecipeNode? =
      switch content {
      case .map(let entries): entries.first { $0.key == step }?.value
      case .list(let items): Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
      case .text, .integer, .decimal, .boolean: nil
      }
    return next?[Array(path.dropFirst())] ?? self
  }
}

/// A place in a text file. Lines and columns are counted from one; a column is a Unicode scalar.
package struct TextPlace: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of what is not read from a file.
  static let nowhere = TextPlace(line: 0, column: 0)

  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}
