package import Carryover

/// A recipe file with the issues resolved that need no decision. Only the bytes of an issue change: comments and layout
/// stay.
package struct RecipeFix: Sendable {
  /// A change of a line.
  package struct Change: Hashable, Sendable {
    package let issue: LintIssue
    package let old: String
    /// The line afterwards; nil if it is gone.
    package let new: String?
  }

  /// The content afterwards; the content before if nothing changed.
  package private(set) var bytes: [UInt8]
  /// The changes, by place.
  package private(set) var changes: [Change] = []

  /// How many issues are resolved at once: each change is checked by reading the whole file.
  private static let most = 100

  /// Resolves what can be. Nothing changes if the result still has errors.
  /// - Parameters:
  ///   - original: the content of a file.
  ///   - known: as for `RecipeFile.read`.
  package init(_ original: [UInt8], vendors: [any Vendor], beside known: [Recipe] = []) {
    func read(_ bytes: [UInt8]) -> (file: RecipeFile?, issues: [LintIssue]) {
      RecipeFile.read(bytes, vendors: vendors, beside: known)
    }
    bytes = original
    var current = read(original)
    // From the end, so that the places of the others stay.
    for issue in current.issues.filter({ $0.fix != nil }).prefix(Self.most).reversed() {
      guard let edit = LintEdit(issue, in: bytes) else { continue }
      let fixed = edit.bytes
      let next = read(fixed)
      guard Self.weight(next.issues) < Self.weight(current.issues) else { continue }
      changes.insert(Change(issue: issue, old: edit.old, new: edit.new), at: 0)
      (bytes, current) = (fixed, next)
    }
    guard current.file == nil else { return }
    bytes = original
    changes = []
  }

  /// Errors, then warnings: a change must not trade one for the other.
  private static func weight(_ issues: [LintIssue]) -> (Int, Int) {
    (issues.count { $0.code.severity == .error }, issues.count { $0.code.severity > .note })
  }
}

/// What an issue's fix does to its line.
struct LintEdit {
  private let lines: [[UInt8]]
  private let line: Int
  private let after: [UInt8]?

  /// Nil if the issue has no fix, or if its place does not have the text.
  init?(_ issue: LintIssue, in bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
    line = issue.place.line - 1
    guard let fix = issue.fix, lines.indices.contains(line) else { return nil }
    let row = lines[line]
    guard let start = Self.offset(ofColumn: issue.place.column, in: row) else { return nil }
    switch fix {
    case .replace(let old, let new):
      guard let token = Self.token(old, at: start, in: row) else { return nil }
      after = Array(row[..<token.text.lowerBound]) + Array(new.utf8) + Array(row[token.text.upperBound...])
    case .removeItem(let old):
      guard let token = Self.token(old, at: start, in: row)?.whole else { return nil }
      guard let removed = Self.removing(token, from: row) else { return nil }
      after = removed
    }
  }

  /// The file's content afterwards.
  var bytes: [UInt8] {
    var changed = lines
    if let after, !after.isEmpty { changed[line] = after } else { changed.remove(at: line) }
    return Array(changed.joined(separator: [UInt8(ascii: "\n")]))
  }

  var old: String { Self.text(lines[line]) }
  /// The line afterwards; nil if it is gone.
  var new: String? { after.flatMap { $0.isEmpty ? nil : Self.text($0) } }

  private static func text(_ line: [UInt8]) -> String { String(decoding: line.prefix { $0 != 0x0D }, as: UTF8.self) }

  /// The offset of a column, counted in Unicode scalars from one.
  private static func offset(ofColumn column: Int, in line: [UInt8]) -> Int? {
    let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
    guard column >= 1, column - 1 <= scalars.count else { return nil }
    return String(String.UnicodeScalarView(scalars.prefix(column - 1))).utf8.count
  }

  /// The place of a text, and the same with its quotation marks.
  private static func token(
    _ text: String, at start: Int, in line: [UInt8]
  ) -> (text: Range<Int>, whole: Range<Int>)? {
    let isQuoted = start < line.count && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(line[start])
    let first = start + (isQuoted ? 1 : 0)
    let end = first + text.utf8.count
    guard end + (isQuoted ? 1 : 0) <= line.count, line[first..<end].elementsEqual(text.utf8) else { return nil }
    guard isQuoted else { return (first..<end, first..<end) }
    return line[end] == line[start] ? (first..<end, start..<end + 1) : nil
  }

  /// A line without an item of a list in brackets; empty for an item that has the line for itself. Nil in other layouts,
  /// such as beside a comment.
  private static func removing(_ item: Range<Int>, from line: [UInt8]) -> [UInt8]? {
    let space = UInt8(ascii: " ")
    let before = line[..<item.lowerBound].lastIndex { $0 != space }
    let behind = line[item.upperBound...].firstIndex { $0 != space && $0 != 0x0D }
    guard let before else { return nil }
    guard let behind else {
      let isAlone = line[before] == UInt8(ascii: "-") && line[..<before].allSatisfy { $0 == space }
      return isAlone ? [] : nil
    }
    if line[behind] == UInt8(ascii: ",") {
      let next = line[(behind + 1)...].firstIndex { $0 != space } ?? line.endIndex
      return Array(line[..<item.lowerBound] + line[next...])
    }
    guard line[behind] == UInt8(ascii: "]"), line[before] == UInt8(ascii: ",") else { return nil }
    return Array(line[..<before] + line[behind...])
  }
}
