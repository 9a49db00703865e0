package import Carryover
import CarryoverSystem
package import PropertyLists

/// Lays out recipe files: keys in the order of the schema, two spaces for each level, and quotes only where text needs
/// them. Comments stay at what they are about, and one blank line stays where there were some. What is on one line and
/// what is over several lines stays so.
package struct RecipeFormatter {
  private let schema: JSONValue

  /// - Parameter schema: the JSON Schema of recipe files.
  package init(schema: JSONValue) { self.schema = schema }

  /// A recipe file, laid out.
  /// - Returns: nil if the result would not be the same recipe with the same comments, or is beyond the limits of a file.
  package func recipe(_ bytes: [UInt8], vendors: [any Vendor]) -> [UInt8]? {
    guard let formatted = text(bytes) else { return nil }
    let (before, after) = (RecipeFile.read(bytes, vendors: vendors), RecipeFile.read(formatted, vendors: vendors))
    guard let old = before.file, let new = after.file, old.recipe == new.recipe,
      before.issues.map(\.code).sorted(by: { $0.rawValue < $1.rawValue })
        == after.issues.map(\.code).sorted(by: { $0.rawValue < $1.rawValue })
    else { return nil }
    return formatted
  }

  /// A text in the YAML of recipes, laid out.
  /// - Returns: nil if the text has errors, or if the result would not have the same values and comments.
  package func text(_ bytes: [UInt8]) -> [UInt8]? {
    guard let values = Self.values(bytes) else { return nil }
    guard var layout = try? LayoutReader(bytes) else { return nil }
    let comments = layout.remarks.comments
    // JSON has no comments. A text that looks like JSON and has some stays as it is.
    guard !layout.isJSON || comments.isEmpty else { return nil }
    var root = layout.root()
    // Comments that a blank line separates from the first key are about the file.
    let top = root.top
    let header = Array(top.prefix((top.lastIndex(of: "") ?? -1) + 1))
    root.top.removeFirst(header.count)
    root = ordered(root, [schema])
    root.top.insert(contentsOf: header, at: 0)
    let lines = layout.isJSON ? Self.json(root) : Self.lines(root, indent: 0)
    let text = Array(lines.drop(while: \.isEmpty).map { $0 + "\n" }.joined().utf8)
    guard Self.values(text) == values, (try? LayoutReader(text))?.remarks.comments == comments else { return nil }
    return text
  }

  /// The values of a text; nil if it has errors. Two texts have the same ones if they differ only in the order of keys,
  /// layout and comments.
  private static func values(_ bytes: [UInt8]) -> RecipeNode? {
    let (root, issues) = RecipeReader.read(bytes)
    guard !issues.contains(where: { $0.code.severity == .error }) else { return nil }
    return root?.withoutPlaces
  }

  // MARK: - Order

  /// A value with the keys of its maps in the order of a schema. Keys that the schema does not name come last, in their
  /// own order.
  private func ordered(_ node: LaidOutNode, _ schemas: [JSONValue]) -> LaidOutNode {
    guard case .members(var members, let isMap, let isFlow) = node.content else { return node }
    let schemas = schemas.flatMap(resolved)
    let properties = schemas.compactMap { $0["properties"]?.members }
      .first { properties in members.contains { member in properties.contains { $0.name == member.key } } }
    let places = Dictionary(
      (properties ?? []).enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    if isMap {
      members = members.enumerated().sorted {
        (places[$0.element.key] ?? .max, $0.offset) < (places[$1.element.key] ?? .max, $1.offset)
      }.map(\.element)
    }
    for index in members.indices {
      let key = members[index].key
      let inner =
        isMap
        ? [properties?.first { $0.name == key }?.value ?? schemas.lazy.compactMap { $0["additionalProperties"] }.first]
        : schemas.map { $0["items"] }
      members[index].value = ordered(members[index].value, inner.compactMap(\.self))
    }
    return LaidOutNode(content: .members(members, isMap: isMap, isFlow: isFlow), below: node.below)
  }

  /// A schema behind its reference, and the schemas that it is any of.
  private func resolved(_ part: JSONValue) -> [JSONValue] {
    var part = part
    if case .string(let path)? = part["$ref"], let name = path.split(separator: "/").last,
      let definition = schema["$defs"]?[String(name)]
    {
      part = definition
    }
    guard let choices = part["anyOf"]?.elements else { return [part] }
    // A choice refers to a definition that has no choices itself.
    return choices.map { choice in
      guard case .string(let path)? = choice["$ref"], let name = path.split(separator: "/").last else { return choice }
      return schema["$defs"]?[String(name)] ?? choice
    }
  }

  // MARK: - Lines

  /// The widest line of a key with a list or a map in brackets, which is below the key where it is too wide.
  private static let width = 120

  /// - Parameter indent: the columns in front of the lines, which are not part of them.
  private static func lines(_ node: LaidOutNode, indent: Int) -> [String] {
    guard case .members(let members, let isMap, isFlow: false) = node.content else { return [onOneLine(node)] }
    return members.flatMap { member in
      isMap ? remarks(member.above) + entry(member, indent: indent) : item(member, indent: indent)
    } + remarks(node.below)
  }

  private static func entry(_ member: LaidOutNode.Member, indent: Int) -> [String] {
    let beside = member.beside.map { "  " + $0 } ?? ""
    switch member.value.content {
    case .block(let block): return ["\(member.written): \(block.header)\(beside)"] + indented(block.lines)
    case .members(_, _, isFlow: false):
      return ["\(member.written):\(beside)"] + indented(lines(member.value, indent: indent + 2))
    case .members where member.beside == nil:
      let line = "\(member.written): \(onOneLine(member.value))"
      return indent + line.unicodeScalars.count <= width
        ? [line] : ["\(member.written):"] + indented([onOneLine(member.value)])
    default: return ["\(member.written): \(onOneLine(member.value))\(beside)"]
    }
  }

  private static func item(_ member: LaidOutNode.Member, indent: Int) -> [String] {
    let beside = member.beside.map { "  " + $0 } ?? ""
    switch member.value.content {
    case .block(let block): return remarks(member.above) + ["- \(block.header)\(beside)"] + indented(block.lines)
    case .members(_, _, isFlow: false):
      let inner = lines(member.value, indent: indent + 2)
      // Comments of the first member are above the dash.
      let above = inner.prefix { $0.isEmpty || $0.hasPrefix("#") }
      return remarks(member.above + above) + ["- " + (inner.dropFirst(above.count).first ?? "")]
        + indented(inner.dropFirst(above.count + 1))
    default: return remarks(member.above) + ["- \(onOneLine(member.value))\(beside)"]
    }
  }

  private static func indented(_ lines: some Sequence<String>) -> [String] { lines.map { $0.isEmpty ? "" : "  " + $0 } }

  /// Comments, with one blank line in place of several.
  private static func remarks(_ texts: [String]) -> [String] {
    texts.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty || !texts[$0.offset - 1].isEmpty }.map(\.element)
  }

  private static func onOneLine(_ node: LaidOutNode) -> String {
    switch node.content {
    case .scalar(let text): text
    case .block(let block): block.header
    case .members(let members, isMap: true, _):
      "{\(members.map { "\($0.written): \(onOneLine($0.value))" }.joined(separator: ", "))}"
    case .members(let members, isMap: false, _): "[\(members.map { onOneLine($0.value) }.joined(separator: ", "))]"
    }
  }

  /// A value of a JSON file. What contains no other collection is on one line if it fits.
  private static func json(_ node: LaidOutNode) -> [String] {
    let line = onOneLine(node)
    guard case .members(let members, let isMap, _) = node.content, !members.isEmpty else { return [line] }
    let isSimple = members.allSatisfy { member in
      if case .members(let inner, _, _) = member.value.content { inner.isEmpty } else { true }
    }
    if isSimple, line.unicodeScalars.count <= width { return [line] }
    let inner = members.enumerated().flatMap { index, member -> [String] in
      var lines = json(member.value)
      if isMap { lines[0] = "\(member.written): \(lines[0])" }
      if index + 1 < members.count { lines[lines.count - 1] += "," }
      return lines
    }
    return [isMap ? "{" : "["] + indented(inner) + [isMap ? "}" : "]"]
  }
}

extension RecipeNode {
  /// The value without its place in the file, and with the keys of its maps sorted.
  fileprivate var withoutPlaces: RecipeNode {
    let nowhere = TextPlace(line: 0, column: 0)
    let content: Content =
      switch content {
      case .list(let items): .list(items.map(\.withoutPlaces))
      case .map(let entries):
        .map(
          entries.sorted { $0.key < $1.key }
            .map { Entry(key: $0.key, place: nowhere, value: $0.value.withoutPlaces) })
      default: content
      }
    return RecipeNode(content: content, place: nowhere)
  }
}
