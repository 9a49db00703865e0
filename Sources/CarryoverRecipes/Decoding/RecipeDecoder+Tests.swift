import Carryover
import CarryoverSystem

extension RecipeDecoder {
  func tests(_ node: RecipeNode?) -> [RecipeTest] { (node?.items(log) ?? []).compactMap(test) }

  private func test(_ node: RecipeNode) -> RecipeTest? {
    guard var map = RecipeMap(node, of: "A test", log) else { return nil }
    let name = map.requireWords("name")
    let now = map.take("now").flatMap {
      parsed($0, orSay: "A moment is written as 2026-01-10T08:00:00Z.") { Moment(iso8601: $0) }
    }
    let bundleID = map.take("bundle-id").flatMap {
      parsed($0, orSay: "This is not a valid bundle id.") { Container.isValidBundleID($0) ? $0 : nil }
    }
    let targetSDK = map.take("target-sdk").flatMap {
      parsed($0, orSay: "Not a valid version. Write it as 1.2.0.") { SDKVersion($0) }
    }
    let given = map.take("parameters")
    let values = given.map { texts(of: $0) } ?? [:]
    for parameter in parameters {
      if let value = values[parameter.name], !parameter.accepts(value) {
        log.report(.wrongValue, given?.place ?? node.place, "This is not a valid \(parameter.title).")
      }
    }
    /// A key with the test's values in place of parameters.
    func filled(_ node: RecipeNode.Entry) -> String? {
      key(RecipeNode(content: .text(node.key), place: node.place)).map { text in
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        return parameters.reduce(text) { $0.replacing($1.place, with: values[$1.name] ?? $1.place) }
      }
    }
    func keyed<Value>(_ node: RecipeNode?, _ value: (RecipeNode) -> Value?) -> [StringByBytes: Value] {
      var found: [StringByBytes: Value] = [:]
      for entry in node.map({ entries($0) }) ?? [] {
        if let key = filled(entry), let value = value(entry.value) { found[key] = value }
      }
      return found
    }
    func dictionary(_ node: RecipeNode) -> PropertyListDictionary {
      PropertyListDictionary(
        entries: entries(node).compactMap { entry in
          guard let key = filled(entry), let value = propertyList(entry.value) else { return nil }
          return PropertyListDictionary.Entry(key: key, value: value)
        })
    }
    /// A file's text; its keys; `{plist: VALUE}` with another root; `{archive: VALUE}`; or `{sqlite: {TABLE: KEYS}}`.
    func file(_ node: RecipeNode) -> RecipeTest.GivenFile? {
      if case .text(let text) = node.content { return .text(text) }
      if case .map(let entries) = node.content, let only = entries.first, entries.count == 1 {
        if only.key == "plist" { return propertyList(only.value).map { .propertyList($0) } }
        if only.key == "archive" { return propertyList(only.value).map { .archive($0) } }
        if only.key == "sqlite" {
          let tables = self.entries(only.value).map { ($0.key, dictionary($0.value)) }
          return .database(Dictionary(tables, uniquingKeysWith: { $1 }))
        }
      }
      return .propertyList(.dictionary(dictionary(node)))
    }
    var files: [StringByBytes: RecipeTest.GivenFile] = [:]
    for entry in map.require("given").map({ entries($0) }) ?? [] {
      // With its values in it, the path is checked again: a value could lead out of the test's folder.
      guard givenPath(RecipeNode(content: .text(entry.key), place: entry.place)) != nil, let path = filled(entry),
        givenPath(RecipeNode(content: .text(path), place: entry.place)) != nil
      else { continue }
      files[path] = file(entry.value)
    }
    let decisions = keyed(map.take("decisions"), decision).reduce(into: Decisions()) { $0[$1.key.text] = $1.value }
    var expected = map.take("expect").flatMap { RecipeMap($0, of: "What is expected", log) }
    let fields = keyed(expected?.take("fields"), expectation)
    let findings = expected?.take("findings").map { Set($0.texts(log)) }
    let written = expected?.take("written").map { keyed($0, propertyList) }
    let notMigrated = expected?.take("not-migrated").map { keys in
      Set(
        bytesOf: (keys.items(log) ?? []).compactMap { node in
          node.text(log).flatMap { filled(RecipeNode.Entry(key: $0, place: node.place, value: node)) }
        })
    }
    expected?.end()
    map.end()
    guard let name else { return nil }
    return RecipeTest(
      name: name, place: node.place, now: now ?? Moment(secondsSince1970: 1_763_640_300),
      bundleID: bundleID ?? RecipeTest.usualBundleID, parameters: values, targetSDK: targetSDK, given: files,
      decisions: decisions, fields: fields, findings: findings, written: written,
      notMigrated: notMigrated)
  }

  private func entries(_ node: RecipeNode) -> [RecipeNode.Entry] {
    node.entries(log, orSay: "A map is needed here: keys with values.") ?? []
  }

  private func texts(of node: RecipeNode) -> [String: String] {
    entries(node).reduce(into: [:]) { $0[$1.key] = $1.value.text(log) }
  }

  private func parsed<Value>(_ node: RecipeNode, orSay sentence: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = node.text(log) else { return nil }
    if let value = parse(text) { return value }
    return log.refuse(.wrongValue, node.place, sentence)
  }

  /// `accept`, `skip`, `keep`, or `{edit: VALUE}`.
  private func decision(_ node: RecipeNode) -> Decision? {
    if case .map(let entries) = node.content, let entry = entries.first, entries.count == 1, entry.key == "edit" {
      return propertyList(entry.value).map(Decision.edit)
    }
    return named(node, "decision", [("accept", .accept), ("skip", .skip), ("keep", .keep)])
  }

  /// A status, or a map with the status and the proposal.
  private func expectation(_ node: RecipeNode) -> RecipeTest.FieldExpectation? {
    if case .text = node.content {
      return named(node, "status", RecipeTest.statuses).map { RecipeTest.FieldExpectation(status: $0) }
    }
    guard var map = RecipeMap(node, of: "What is expected of a field", log) else { return nil }
    let status = map.require("status").flatMap { named($0, "status", RecipeTest.statuses) }
    let value = map.take("value").flatMap(propertyList)
    map.end()
    return status.map { RecipeTest.FieldExpectation(status: $0, value: value) }
  }

  /// A value of a property list. Types that YAML lacks are maps with one key: `{data: BASE64}`, `{date: MOMENT}`,
  /// `{real: NUMBER}`, `{archive: VALUE}`.
  func propertyList(_ node: RecipeNode) -> PropertyListValue? {
    switch node.content {
    case .text(let text): return .string(text)
    case .boolean(let flag): return .boolean(flag)
    case .integer(let digits):
      if let integer = PropertyListInteger(digits) { return .integer(integer) }
    case .decimal(let digits):
      if let number = Double(digits) { return .real(PropertyListReal(number)) }
    case .list(let items): return .array(items.compactMap(propertyList))
    case .map(let entries):
      if let entry = entries.first, entries.count == 1, let value = typed(entry) { return value }
      return .dictionary(
        PropertyListDictionary(
          entries: entries.compactMap { entry in
            propertyList(entry.value).map { PropertyListDictionary.Entry(key: entry.key, value: $0) }
          }))
    }
    return log.refuse(.wrongValue, node.place, "This number does not fit into a property list.")
  }

  private func typed(_ entry: RecipeNode.Entry) -> PropertyListValue? {
    switch (entry.key, entry.value.content) {
    case ("data", .text(let text)): Base64.bytes(text).map(PropertyListValue.data)
    case ("date", .text(let text)): PropertyListDate(iso8601: text).map(PropertyListValue.date)
    case ("real", .integer(let digits)), ("real", .decimal(let digits)):
      Double(digits).map { .real(PropertyListReal($0)) }
    case ("archive", _):
      propertyList(entry.value).flatMap { value in (try? KeyedArchive.encode(value)).map(PropertyListValue.data) }
    default: nil
    }
  }
}
