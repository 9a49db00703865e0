package import Carryover
import CarryoverSystem
import PropertyLists

/// Rewrites what the tests of a recipe file expect, so that they expect what plans say.
///
/// Only the lines of an `expect` change. A change counts only if the changed file reads as the same recipe with the same
/// tests, and the test passes.
package struct ExpectationUpdate {
  /// Other lines for a test.
  package struct Change: Sendable {
    /// The replaced lines, counted from zero; empty for lines that are added.
    package let range: Range<Int>
    package let old: [String]
    package let new: [String]
  }

  /// The reason that a test cannot be changed, as sentences.
  package struct Refusal: Error, Hashable {
    package let sentence: String
  }

  private let file: RecipeFile
  private let vendors: [any Vendor]
  private let text: String
  private let lines: [[UInt8]]
  /// Between the text of a line and its line feed.
  private let ending: [UInt8]

  /// - Parameters:
  ///   - bytes: the content of a file without errors.
  ///   - file: what it says.
  package init(_ bytes: [UInt8], _ file: RecipeFile, vendors: [any Vendor]) {
    self.file = file
    self.vendors = vendors
    text = String(decoding: bytes, as: UTF8.self)
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
    ending = lines.first?.last == UInt8(ascii: "\r") ? [UInt8(ascii: "\r")] : []
  }

  /// The change that makes a test expect a plan; nil if it does so already.
  /// - Throws: the reason that there is none.
  package func change(test index: Int, to plan: Plan) throws(Refusal) -> Change? {
    let test = file.tests[index]
    guard test.expectsNothing || !test.problems(of: plan).isEmpty else { return nil }
    if let failed = test.unexpectedFailure(in: plan) {
      throw Refusal(
        sentence: """
          The recipe makes no value for \(DisplayText.quoted(failed.field.id)) (\(failed.code)). Correct the recipe or \
          the test. If this is what you mean, write “fields: {\(failed.field.id): undecided}” under expect by hand.
          """)
    }
    let node = file.root[["tests", "\(index)"]]
    guard case .map(let entries) = node.content, let first = entries.first else { throw Refusal.layout }
    let indent = first.place.column - 1
    let before = lines[first.place.line - 1].prefix(indent)
    guard before.allSatisfy({ $0 == Self.space || $0 == UInt8(ascii: "-") }) else { throw Refusal.layout }
    let expect = entries.first { $0.key == "expect" }
    let range: Range<Int>
    if let expect {
      let start = expect.place.line - 1
      guard expect.place.column == first.place.column else { throw Refusal.layout }
      range = start..<end(after: start + 1, deeperThan: indent)
      let next = (range.upperBound..<lines.count).prefix { isEmpty($0) || isComment($0) }.map { $0 }
      guard !range.contains(where: hasComment), !next.contains(where: { isComment($0) && self.indent($0) > indent })
      else { throw Refusal(sentence: "Its expect has a comment. Edit it by hand.") }
    } else {
      let end = end(after: first.place.line, deeperThan: indent - 1)
      range = end..<end
    }
    let wanted = try Expectation(test: test, recipe: file.recipe, plan: plan, text: text).node(insteadOf: expect?.value)
    let added = YAMLWriter.text(.init(.map([.init("expect", wanted)]))).split(separator: "\n")
    let margin = String(repeating: " ", count: indent)
    // If expect is the test's first key, the list's dash is in front of it.
    let start = range.isEmpty ? margin : String(decoding: lines[range.lowerBound].prefix(indent), as: UTF8.self)
    let new = added.enumerated().map { ($0 == 0 ? start : margin) + $1 }
    let change = Change(
      range: range, old: range.map { String(decoding: lines[$0].prefix { $0 != 0x0D }, as: UTF8.self) }, new: new)
    try check(change, of: index, plan)
    return change
  }

  /// The file's content with changes.
  package func bytes(with changes: [Change]) -> [UInt8] {
    var changed = lines
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      changed.replaceSubrange(change.range, with: change.new.map { Array($0.utf8) + ending })
    }
    return Array(changed.joined(separator: [UInt8(ascii: "\n")]))
  }

  private func check(_ change: Change, of index: Int, _ plan: Plan) throws(Refusal) {
    guard let read = RecipeFile.read(bytes(with: [change]), vendors: vendors).file, read.recipe == file.recipe,
      read.sources == file.sources, read.tests.count == file.tests.count,
      read.equivalent.map(\.name) == file.equivalent.map(\.name),
      zip(read.tests, file.tests).enumerated().allSatisfy({ number, pair in
        number == index ? pair.0.isSame(as: pair.1) : pair.0.saysSame(as: pair.1)
      }),
      !read.tests[index].expectsNothing, read.tests[index].problems(of: plan).isEmpty
    else { throw Refusal.layout }
  }

  /// The line after the last one that is indented further, with nothing but empty lines and comments between.
  private func end(after start: Int, deeperThan indent: Int) -> Int {
    var end = start
    for number in start..<lines.count where !isEmpty(number) && !isComment(number) {
      guard self.indent(number) > indent else { break }
      end = number + 1
    }
    return end
  }

  private func indent(_ number: Int) -> Int { lines[number].prefix { $0 == Self.space }.count }
  private func isEmpty(_ number: Int) -> Bool { lines[number].allSatisfy { $0 == Self.space || $0 == 0x0D } }
  private func isComment(_ number: Int) -> Bool { lines[number].first { $0 != Self.space } == Self.hash }

  /// Whether a line has what can be a comment.
  private func hasComment(_ number: Int) -> Bool {
    let line = lines[number]
    return line.indices.contains { line[$0] == Self.hash && ($0 == 0 || line[$0 - 1] == Self.space) }
  }

  private static let space = UInt8(ascii: " ")
  private static let hash = UInt8(ascii: "#")
}

extension ExpectationUpdate.Refusal {
  fileprivate static let layout = Self(
    sentence: "Its expect cannot be replaced on its own. Write the test over several lines, or edit it by hand.")
}

extension RecipeTest {
  /// The first field whose legacy value the recipe cannot use, although the test does not say so.
  fileprivate func unexpectedFailure(in plan: Plan) -> (field: Field, code: FindingCode)? {
    plan.fields.lazy.compactMap { field -> (field: Field, code: FindingCode)? in
      let codes = field.findings.map(\.code).filter { [.sourceNotConverted, .sourceWrongType].contains($0) }
      guard let code = codes.first, field.proposed == nil, fields[field.id]?.status != field.status,
        findings?.contains(code.rawValue) != true
      else { return nil }
      return (field, code)
    }.first
  }

  /// Whether another test is the same apart from its place.
  fileprivate func saysSame(as other: RecipeTest) -> Bool {
    var moved = other
    moved.place = place
    return self == moved
  }

  /// Whether another test is the same apart from its place and what it expects.
  fileprivate func isSame(as other: RecipeTest) -> Bool {
    var changed = other
    (changed.fields, changed.findings, changed.written, changed.notMigrated) = (fields, findings, written, notMigrated)
    return saysSame(as: changed)
  }
}

/// What a test expects, in the notation of a file.
private struct Expectation {
  let test: RecipeTest
  let recipe: Recipe
  let plan: Plan
  /// The file's text.
  let text: String

  /// The parts that the test has, as the plan says them; all parts if it has none.
  /// - Throws: the reason that the notation or the file cannot have a value.
  func node(insteadOf old: RecipeNode?) throws(ExpectationUpdate.Refusal) -> YAMLNode {
    let known = ["fields", "findings", "not-migrated", "written"]
    let isFull = test.expectsNothing
    var parts = known
    if !isFull, case .map(let entries)? = old?.content { parts = entries.map(\.key) }
    guard parts.allSatisfy(known.contains) else { throw .layout }
    let listed = RecipeTest.notMigrated(by: plan)
    let notMigrated = zip(recipe.leftBehind, plan.definition.leftBehind).flatMap { rule, filled in
      // Of a prefix, the plan lists the keys.
      listed.map(\.text).filter(filled.matches).sortedByBytes().map { key in
        YAMLNode(.text(key.hasSameBytes(as: filled.key) ? spelled(rule.key, key) : key))
      }
    }
    var entries: [YAMLNode.Entry] = []
    for part in parts {
      switch part {
      case "fields":
        let fields = try fields(isFull)
        if !isFull || !fields.isEmpty { entries.append(.init(part, YAMLNode(.map(fields)))) }
      case "findings":
        let codes = RecipeTest.findings(of: plan).sorted().map { YAMLNode(.text($0)) }
        entries.append(.init(part, YAMLNode(.list(codes))))
      case "not-migrated" where !isFull || !notMigrated.isEmpty:
        entries.append(.init(part, YAMLNode(.list(notMigrated))))
      case "written" where !test.isHeldUp(plan): entries.append(.init(part, YAMLNode(.map(try written()))))
      default: break
      }
    }
    return YAMLNode(.map(entries))
  }

  /// The rule of each field of the plan, with parameters. A rule for several keys has the field's own key.
  private var rules: [FieldRule] {
    zip(plan.definition.rulePlaces, plan.definition.rules).compactMap { place, rule in
      guard recipe.rules.indices.contains(place) else { return nil }
      return recipe.rules[place].forEach == nil ? recipe.rules[place] : rule
    }
  }

  private func fields(_ isFull: Bool) throws(ExpectationUpdate.Refusal) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    for (rule, field) in zip(rules, plan.fields)
    where isFull ? field.status != .absent : test.fields[field.id] != nil {
      var node = YAMLNode(.text(RecipeTest.word(field.status)))
      if isFull || test.fields[field.id]?.value != nil, let value = field.proposed,
        let shown = YAMLNode(propertyList: try allowed(value, rule))
      {
        node = YAMLNode(.map([.init("status", node), .init("value", shown)]))
      }
      entries.append(.init(spelled(rule.target, field.id), node))
    }
    return entries
  }

  private func written() throws(ExpectationUpdate.Refusal) -> [YAMLNode.Entry] {
    let changes = Dictionary(firstOf: plan.changes(test.decisions).map { ($0.key, $0.after) })
    var entries: [YAMLNode.Entry] = []
    for (rule, field) in zip(rules, plan.fields) {
      guard let change = changes[field.id] else { continue }
      guard let value = change, let node = YAMLNode(propertyList: try allowed(value, rule)) else {
        throw ExpectationUpdate.Refusal(
          sentence: "The value of \(DisplayText.quoted(field.id)) cannot be written in a recipe file.")
      }
      entries.append(.init(spelled(rule.target, field.id), node))
    }
    return entries
  }

  /// A value, unless it looks like a secret and is not in the file.
  private func allowed(
    _ value: PropertyListValue, _ rule: FieldRule
  ) throws(ExpectationUpdate.Refusal) -> PropertyListValue {
    let names = [rule.target] + rule.candidates.flatMap { [$0.source.key, $0.source.member ?? ""] }
    guard names.contains(where: { looksSecret($0, recipe.parameters) }), !isInFile(value) else { return value }
    throw ExpectationUpdate.Refusal(
      sentence: "The value of \(DisplayText.quoted(rule.target)) looks like a secret. Write it by hand.")
  }

  private func isInFile(_ value: PropertyListValue) -> Bool {
    switch value {
    case .string(let string): text.contains(string)
    case .boolean: true
    case .integer(let integer): text.contains(integer.description)
    default: false
    }
  }

  /// A key as the file writes it where the test gives the parameters' values, else as the plan has it.
  private func spelled(_ template: String, _ filled: String) -> String {
    recipe.parameters.allSatisfy { test.parameters[$0.name] != nil } ? template : filled
  }
}
