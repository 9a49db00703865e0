@Suite("Documentation") struct DocumentationTests {
  @Test func `every relative link and picture in the Markdown files leads to something`() throws {
    let links = try Repository.markdown().flatMap { page in page.links.map { (page, $0) } }
    #expect(links.count > 30)
    for (page, link) in links { #expect(try Repository.resolves(link, from: page), "\(page.path): \(link)") }
  }

  @Test func `every finding that a page names exists`() throws {
    let groups = Set(FindingGroup.allCases.map(\.name))
    let named = try Repository.markdown().filter { $0.path.hasPrefix("Documentation/") || $0.path == "README.md" }
      .flatMap { page in page.code.filter { groups.contains(String($0.prefix { $0 != "." })) }.map { (page, $0) } }
      .filter { $0.1.wholeMatch(of: /[a-z]+\.[a-z0-9]+(-[a-z0-9]+)+/) != nil }
    #expect(named.count > 10)
    for (page, code) in named { #expect(FindingCode(rawValue: code) != nil, "\(page.path): \(code)") }
  }

  @Test func `every document that a command prints has a schema, an example of its form, and a row`() throws {
    let folder = packageRoot.appending(path: "Documentation/Schemas")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("-1.json") }
      .map { String($0.dropLast("-1.json".count)) }
    #expect(names.count > 20)
    let command = try Repository.page("Documentation/Command.md")
    // These are files, and a line of one.
    for name in Set(names).subtracting(["recipe", "review", "audit-row"]) {
      let schema = try Repository.json(Data(contentsOf: folder.appending(path: "\(name)-1.json")))
      let properties = try #require(schema["properties"] as? [String: Any])
      let constant = try #require((properties["schema"] as? [String: Any])?["const"] as? String)
      #expect(constant == "carryover.\(name)/1")
      let isListed = command.code.contains(constant)
      #expect(isListed, "Command.md does not list \(constant)")
      let example = try Repository.json(Data(contentsOf: folder.appending(path: "Examples/\(name)-1.json")))
      #expect(example["schema"] as? String == constant)
      let required = try #require(schema["required"] as? [String])
      #expect(Set(example.keys).isSuperset(of: required), "\(name)")
    }
  }

  @Test func `every type, module and file that ARCHITECTURE.md names is there`() throws {
    let named = try Repository.page("ARCHITECTURE.md").names
    #expect(named.count > 50)
    #expect(named.subtracting(try Repository.names()).sorted() == [])
  }
}

private enum Repository {
  static func markdown() throws -> [Page] { try files(withExtension: "md").map(page) }

  static func page(_ path: String) throws -> Page {
    Page(path: path, text: try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8))
  }

  static func json(_ data: Data) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Whether a link leads to a file or folder and, where it names a heading, to one that is there.
  static func resolves(_ link: String, from page: Page) throws -> Bool {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var target = page
    if !parts[0].isEmpty {
      let url = packageRoot.appending(path: page.path).deletingLastPathComponent().appending(path: parts[0])
        .standardizedFileURL
      guard FileManager.default.fileExists(atPath: url.path), url.path.hasPrefix(packageRoot.standardizedFileURL.path)
      else {
        return false
      }
      guard parts.count == 2 else { return true }
      target = Page(path: parts[0], text: try String(contentsOf: url, encoding: .utf8))
    }
    return parts.count < 2 || target.anchors.contains(parts[1])
  }

  /// The types that Swift files declare, and the names of files and folders; those of modules also without "Carryover".
  static func names() throws -> Set<String> {
    var names = Set(try FileManager.default.contentsOfDirectory(atPath: packageRoot.path))
    for path in try ["Sources", "Tests", "Fuzz"].flatMap({ try files(withExtension: "swift", under: $0) }) {
      for part in path.dropLast(".swift".count).split(separator: "/") {
        names.formUnion([String(part), String(part.trimmingPrefix("Carryover"))])
      }
      let text = try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
      let words = text.utf8.split {
        !($0 >= 0x30 && $0 <= 0x39 || $0 >= 0x41 && $0 <= 0x5A || $0 >= 0x61 && $0 <= 0x7A)
      }
      for (keyword, name) in zip(words, words.dropFirst()) where name.first.map({ $0 <= 0x5A }) == true {
        if ["struct", "class", "enum", "protocol"].contains(String(keyword)) { names.insert(String(name) ?? "") }
      }
    }
    return names
  }

  /// Paths relative to the root; folders that are built, or that begin with a dot, are left out.
  private static func files(withExtension name: String, under folder: String = "") throws -> [String] {
    var found: [String] = []
    var folders = [folder]
    while let folder = folders.popLast() {
      let place = folder.isEmpty ? packageRoot : packageRoot.appending(path: folder)
      for entry in try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: [.isDirectoryKey])
      {
        let path = folder.isEmpty ? entry.lastPathComponent : folder + "/" + entry.lastPathComponent
        if entry.lastPathComponent.hasPrefix(".") { continue }
        if try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
          folders.append(path)
        } else if entry.pathExtension == name {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }
}

private struct Page {
  var path: String
  var text: String

  private var prose: [Substring] {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.trimmingPrefix(while: \.isWhitespace).hasPrefix("```") {
        isCode.toggle()
        return false
      }
      return !isCode
    }
  }

  var links: [String] {
    prose.flatMap { line in
      line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        + line.matches(of: /^\[[^\]]+\]:\s+(\S+)/).map { String($0.output.1) }
    }
    .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
  }

  /// The names in code that begin with a capital, and those of links to sources.
  var names: Set<String> {
    Set(
      prose.flatMap { line in
        line.matches(of: /`([A-Z]\w+)(?:\.\w+)?`/).map { String($0.output.1) }
          + line.matches(of: /\[([A-Z]\w+)(?:\.swift)?\]\(Sources/).map { String($0.output.1) }
      })
  }

  /// The names that links to headings use: lower case, spaces as hyphens, no other signs.
  var anchors: Set<String> {
    Set(
      prose.filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased()
          .compactMap { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : $0 == " " ? "-" : nil }
          .reduce(into: "") { $0.append($1) }
      })
  }

  /// What stands in code in its sentences.
  var code: [String] { prose.flatMap { line in line.matches(of: /`([^`]+)`/).map { String($0.output.1) } } }
}

/// Judges JSON by the keywords of JSON Schema that the published schemas use. One it does not know is an error, so that
/// nothing passes for not having been looked at.
struct SchemaCheck {
  private let root: [String: Any]
  private static let annotations: Set = ["$schema", "$id", "$defs", "title", "description", "then", "else"]

  init(_ name: String) throws {
    let url = packageRoot.appendingPathComponent("Documentation/Schemas/\(name).json")
    guard let root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] else {
      throw Tool.Missing("an object in \(url.path)")
    }
    self.root = root
  }

  /// A schema without `additionalProperties` allows members that it does not list, so that programs accept those of later
  /// versions. Our own output must not have any.
  func problems(_ document: Any) throws -> [String] {
    try unlisted(document, root, "") + problems(document, root, "")
  }

  /// A document inside another one has a schema of its own, and a condition may list members too.
  private func unlisted(_ value: Any, _ schema: [String: Any], _ place: String) throws -> [String] {
    if let name = schema["$ref"] as? String { return try unlisted(value, definition(name), place) }
    if let items = schema["items"] as? [String: Any] {
      return try (value as? [Any] ?? []).enumerated().flatMap { try unlisted($1, items, place + "/\($0)") }
    }
    guard let known = schema["properties"] as? [String: Any],
      place.isEmpty || known["schema"] == nil && schema["if"] == nil
    else { return [] }
    return try (value as? [String: Any] ?? [:]).sorted { $0.key < $1.key }.flatMap { name, member in
      if let inner = known[name] as? [String: Any] { return try unlisted(member, inner, place + "/" + name) }
      let isListed = known[name] != nil || schema["additionalProperties"] != nil
      return isListed ? [] : [place + "/\(name): not in the schema"]
    }
  }

  private func problems(_ value: Any, _ schema: [String: Any], _ place: String) throws -> [String] {
    var problems: [String] = []
    for (keyword, argument) in schema where !Self.annotations.contains(keyword) {
      let suits = try self.suits(keyword, argument, value, schema, place, &problems)
      if !suits { problems.append("\(place): \(keyword)") }
    }
    return problems
  }

  private func suits(
    _ keyword: String, _ argument: Any, _ value: Any, _ rest: [String: Any], _ place: String,
    _ problems: inout [String]
  ) throws -> Bool {
    switch (keyword, argument) {
    case ("$ref", let name as String): problems += try self.problems(value, definition(name), place)
    case ("type", let type as String): return Self.types(value).contains(type)
    case ("type", let types as [String]): return !Self.types(value).isDisjoint(with: types)
    case ("const", _): return Self.same(value, argument)
    case ("enum", let choices as [Any]): return choices.contains { Self.same($0, value) }
    case ("required", let names as [String]):
      if let object = value as? [String: Any] { return names.allSatisfy { object[$0] != nil } }
    case ("properties", let properties as [String: [String: Any]]):
      for (name, member) in value as? [String: Any] ?? [:] {
        if let schema = properties[name] { problems += try self.problems(member, schema, place + "/" + name) }
      }
    case ("additionalProperties", let schema as [String: Any]):
      let known = rest["properties"] as? [String: Any] ?? [:]
      for (name, member) in value as? [String: Any] ?? [:] where known[name] == nil {
        problems += try self.problems(member, schema, place + "/" + name)
      }
    case ("additionalProperties", false as Bool):
      let known = Set((rest["properties"] as? [String: Any] ?? [:]).keys)
      let patterns = (rest["patternProperties"] as? [String: Any] ?? [:]).keys
      for name in (value as? [String: Any] ?? [:]).keys where !known.contains(name) {
        guard patterns.contains(where: { name.range(of: $0, options: .regularExpression) != nil }) else { return false }
      }
    // Names that match are allowed whatever their values are; the schemas say nothing more of them.
    case ("patternProperties", let schemas as [String: Bool]): return schemas.values.allSatisfy(\.self)
    case ("items", let schema as [String: Any]):
      for (index, item) in (value as? [Any] ?? []).enumerated() {
        problems += try self.problems(item, schema, place + "/\(index)")
      }
    case ("pattern", let pattern as String):
      if let text = value as? String { return text.range(of: pattern, options: .regularExpression) != nil }
    case ("minLength", let length as Int): return (value as? String).map { $0.count >= length } ?? true
    case ("minimum", let least as Int): return (value as? NSNumber).map { $0.intValue >= least } ?? true
    case ("anyOf", let schemas as [[String: Any]]):
      return try schemas.contains { try self.problems(value, $0, place).isEmpty }
    case ("oneOf", let schemas as [[String: Any]]):
      return try schemas.filter { try self.problems(value, $0, place).isEmpty }.count == 1
    case ("not", let schema as [String: Any]): return try !self.problems(value, schema, place).isEmpty
    case ("if", let condition as [String: Any]):
      let branch = try self.problems(value, condition, place).isEmpty ? "then" : "else"
      if let schema = rest[branch] as? [String: Any] { problems += try self.problems(value, schema, place) }
    default: throw Tool.Missing("the keyword \(keyword) at \(place)")
    }
    return true
  }

  private func definition(_ reference: String) throws -> [String: Any] {
    let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
    guard let found = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else { throw Tool.Missing(reference) }
    return found
  }

  private static func types(_ value: Any) -> Set<String> {
    switch value {
    case is NSNull: ["null"]
    case let number as NSNumber where String(cString: number.objCType) == "c": ["boolean"]
    case let number as NSNumber:
      number.doubleValue == number.doubleValue.rounded() ? ["integer", "number"] : ["number"]
    case is String: ["string"]
    case is [Any]: ["array"]
    default: ["object"]
    }
  }

  private static func same(_ left: Any, _ right: Any) -> Bool {
    guard types(left) == types(right) else { return false }
    if let left = left as? String { return left == right as? String }
    return (left as? NSObject) == (right as? NSObject)
  }
}
