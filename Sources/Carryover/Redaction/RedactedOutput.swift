import CarryoverSystem
package import PropertyLists

extension Redaction {
  /// A value for display. A hidden value becomes text with its mask: `‹user-1›`, or `‹user-1 integer›` if it is not a
  /// string. Containers and JSON in text keep their structure.
  package func value(_ value: PropertyListValue) -> PropertyListValue { self.value(value, depth: 1) }

  private func value(_ value: PropertyListValue, depth: Int) -> PropertyListValue {
    switch value {
    case .boolean, .null: return value
    case .string(let text): return .string(string(text))
    case .data(let bytes):
      let mask = masked(value) ?? Mask(kind: .data)
      return json(inData: bytes).map { .data(Array($0.utf8)) } ?? .string(styled(mask.text(type: "data")))
    case .array where depth >= Self.deepestJSON, .set where depth >= Self.deepestJSON,
      .dictionary where depth >= Self.deepestJSON:
      return .string(styled(Mask(kind: .data).text(type: value.kind.rawValue)))
    case .array(let elements): return .array(elements.map { self.value($0, depth: depth + 1) })
    case .set(let elements): return .set(elements.map { self.value($0, depth: depth + 1) })
    case .dictionary(let dictionary):
      return .dictionary(
        PropertyListDictionary(
          entries: dictionary.entries.map { .init(key: text($0.key), value: self.value($0.value, depth: depth + 1)) }))
    default: return masked(value).map { .string(styled($0.text(type: value.kind.rawValue))) } ?? value
    }
  }

  private func json(inData bytes: [UInt8]) -> String? {
    guard case .json? = PackedValue(bytes, .masking) else { return nil }
    return string(String(decoding: bytes, as: UTF8.self))
  }

  package func string(_ text: String) -> String { string(text, depth: 0) }

  private func string(_ text: String, depth: Int) -> String {
    let spelling = Spelling(text)
    if text.isEmpty || known[spelling] == nil && isOwnMask(text) { return text }
    if let person = person(text) { return styled(person) }
    if depth < Self.mostPackings, let json = Self.json(text) { return self.json(json, depth: depth + 1).text() }
    return mask(spelling, kind: TextPattern.kind(of: text) ?? .text).map { styled($0.text()) } ?? text
  }

  package func json(_ json: JSONValue) -> JSONValue { self.json(json, depth: 1) }

  private func json(_ json: JSONValue, depth: Int) -> JSONValue {
    switch json {
    case .object(let members): .object(members.map { JSONMember(text($0.name), self.json($0.value, depth: depth)) })
    case .array(let elements): .array(elements.map { self.json($0, depth: depth) })
    case .string(let text): .string(string(text, depth: depth))
    case .number(let number):
      masked(json.propertyListValue).map { .string(styled($0.text(type: "number"))) } ?? .number(number)
    case .boolean, .null: json
    }
  }

  func masked(_ value: PropertyListValue) -> Mask? {
    guard let spelling = Spelling(value), let kind = Mask.Kind(value.kind) else { return nil }
    return mask(spelling, kind: kind)
  }

  /// A sentence, a path or a name for display. Learned values in it are masked, and so is everything that looks like an
  /// e-mail address, a UUID or a telephone number.
  package func text(_ text: String) -> String { self.text(text, sparesCounts: false) }

  /// One of our own sentences for display, in which facts are masked already. What is learned is masked as in any text,
  /// except for counts: “7 keys” says nothing of a user whose id is 7.
  package func sentence(_ text: String) -> String { self.text(text, sparesCounts: true) }

  private func text(_ text: String, sparesCounts: Bool) -> String {
    let sought = index.withLock { index in
      let made = index ?? makeIndex()
      index = made
      return made
    }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let found = match(bytes, at: index, sought), found.length > 0,
        !(sparesCounts && Self.isCount(bytes, index..<(index + found.length)))
      {
        shown += styled(found.replacement).utf8
        index += found.length
      } else if let length = Mask.length(in: bytes, at: index) {
        shown += bytes[index..<(index + length)]
        index += length
      } else {
        shown.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  private func match(_ bytes: [UInt8], at start: Int, _ index: SensitiveIndex) -> (replacement: String, length: Int)? {
    let found = index.match(bytes, at: start)
    guard let pattern = TextPattern.match(bytes, at: start), pattern.length > found?.length ?? 0 else { return found }
    let text = String(decoding: bytes[start..<(start + pattern.length)], as: UTF8.self)
    return ((mask(Spelling(text), kind: pattern.kind) ?? Mask(kind: pattern.kind)).text(), pattern.length)
  }

  /// Whether bytes of a text are a short number of something: a word follows, and no name is in front.
  private static func isCount(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count <= 6, bytes[range].allSatisfy(Characters.isDigit), range.upperBound + 1 < bytes.count,
      range.lowerBound == 0 || [" ", "("].contains(Character(Unicode.Scalar(bytes[range.lowerBound - 1])))
    else { return false }
    return bytes[range.upperBound] == UInt8(ascii: " ") && Characters.isLetter(bytes[range.upperBound + 1])
  }

  func isOwnMask(_ text: String) -> Bool {
    Mask.isMask(text)
      || isASCII && text.first == "<" && text.last == ">" && Mask.isMask("‹\(text.dropFirst().dropLast())›")
  }

  private func styled(_ mask: String) -> String {
    guard isASCII else { return mask }
    return String(mask.map { $0 == "‹" ? "<" : $0 == "›" ? ">" : $0 })
  }

  /// A Carryover JSON document for display. Values of stores (see `CodedValue`) keep their type and get a mask and the
  /// member `redacted`. All other text that is not a word of the schema is masked like a sentence. The document states
  /// that it is redacted.
  package func document(_ document: JSONValue) -> JSONValue {
    guard case .object(let members) = shown(document), let first = members.first else { return shown(document) }
    let rest = members.dropFirst().filter { $0.name != "redacted" }
    return .object([first, JSONMember("redacted", .boolean(true))] + rest)
  }

  /// A member of such a document, if it is printed in parts.
  package func member(_ member: JSONMember) -> JSONMember {
    if Self.schemaWords.contains(member.name), case .string = member.value { return member }
    guard Self.sentences.contains(member.name) else { return JSONMember(member.name, shown(member.value)) }
    switch member.value {
    case .string(let text): return JSONMember(member.name, .string(sentence(text)))
    case .array(let elements) where elements.allSatisfy({ $0.stringValue != nil }):
      return JSONMember(member.name, .array(elements.map { .string(sentence($0.stringValue ?? "")) }))
    default: return JSONMember(member.name, shown(member.value))
    }
  }

  package func shown(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let members):
      if let coded = coded(json) { return coded }
      let shown = members.map(member)
      // The readings of a value would reveal it.
      let isMasked = shown.contains { $0.name == "value" && $0.value["redacted"] != nil }
      return .object(isMasked ? shown.filter { !Self.readings.contains($0.name) } : shown)
    case .array(let elements): return .array(elements.map(shown))
    case .string(let text): return .string(self.text(text))
    case .number, .boolean, .null: return json
    }
  }

  /// A value with its type, masked; nil for other JSON. Other members beside it stay, such as its name.
  private func coded(_ json: JSONValue) -> JSONValue? {
    guard let members = json.members, let type = json["type"]?.stringValue, json["key"] == nil,
      json["value"] != nil || json["sha256"] != nil
    else { return nil }
    if json["redacted"] != nil { return json }
    guard let masked = masked(json, type) else {
      return .object(members.map { $0.name == "name" ? JSONMember($0.name, shown($0.value)) : $0 })
    }
    let rest = members.filter { !Self.codedMembers.contains($0.name) && !Self.readings.contains($0.name) }
    return .object((masked.members ?? []) + rest.map { JSONMember($0.name, shown($0.value)) })
  }

  private func masked(_ json: JSONValue, _ type: String) -> JSONValue? {
    // A short value can be guessed from its checksum.
    if json["value"] == nil { return Self.mask(type, Mask(kind: .secret).text()) }
    if let value = CodedValue.value(json) {
      let masked = coded(value, depth: 1)
      if masked == CodedValue.json(value) { return nil }
      return masked
    }
    // A number that property lists cannot represent exactly is text, as are types that only JSON and archives have.
    guard type != "boolean", let text = json["value"]?.stringValue else { return nil }
    let masked = string(text)
    if masked == text { return nil }
    return Self.mask(type, masked)
  }

  private func coded(_ value: PropertyListValue, depth: Int) -> JSONValue {
    let type = JSONMember("type", .string(value.kind.rawValue))
    switch value {
    case .array(let elements), .set(let elements):
      guard depth < Self.deepestJSON else { return Self.mask(value.kind.rawValue, Mask(kind: .data).text()) }
      return .object([type, JSONMember("value", .array(elements.map { coded($0, depth: depth + 1) }))])
    case .dictionary(let dictionary):
      guard depth < Self.deepestJSON else { return Self.mask(value.kind.rawValue, Mask(kind: .data).text()) }
      let members = dictionary.entries.map { JSONMember(text($0.key), coded($0.value, depth: depth + 1)) }
      return .object([type, JSONMember("value", .object(members))])
    case .string(let text):
      let shown = string(text)
      return shown == text ? CodedValue.json(value) : Self.mask("string", shown)
    case .boolean, .null: return CodedValue.json(value)
    case .data(let bytes):
      guard let text = json(inData: bytes) else {
        return Self.mask("data", (masked(value) ?? Mask(kind: .data)).text())
      }
      let shown = PropertyListValue.data(Array(text.utf8))
      guard shown != value else { return CodedValue.json(value) }
      return .object((CodedValue.json(shown).members ?? []) + [JSONMember("redacted", .boolean(true))])
    default: return masked(value).map { Self.mask(value.kind.rawValue, $0.text()) } ?? CodedValue.json(value)
    }
  }

  private static func mask(_ type: String, _ text: String) -> JSONValue {
    ["type": .string(type), "value": .string(text), "redacted": true]
  }

  private static let codedMembers: Set = ["type", "value", "binary", "sha256", "size"]
  /// Members that contain other readings of a value.
  private static let readings: Set = ["moments", "bases"]

  /// Members that contain our own sentences.
  private static let sentences: Set = ["sentence", "message", "remedy", "cause", "what", "cautions", "advice"]

  /// Members whose text is a word of the schema, a moment or a version, or advice that quotes no container.
  private static let schemaWords: Set = [
    "schema", "kind", "type", "status", "severity", "code", "decision", "outcome", "standing", "verdict", "ending",
    "format", "form", "bundleID", "bundleIDFrom", "tool", "title", "now", "milliseconds", "moment", "targetSDK",
    "change", "certainty", "situation", "inTheApp",
  ]

  /// A finding whose sentences quote masks. Its code and severity do not change.
  package func finding(_ finding: Finding) -> Finding { finding.masked(by: factMask) }

  /// A plan whose findings quote masks. Its values are real, so that it can still be decided and applied. Mask each
  /// value with `value(_:)` for display.
  package func findings(of plan: Plan) -> Plan {
    var plan = plan
    plan.containerFindings = plan.containerFindings.map(finding)
    plan.fields = plan.fields.map { findings(of: $0) }
    plan.parts = plan.parts.map { findings(of: $0) }
    plan.others = plan.others.map { findings(of: $0) }
    return plan
  }

  package func findings(of field: Field) -> Field {
    var field = field
    field.findings = field.findings.map(finding)
    return field
  }

  /// What became of a source, with a sentence that quotes masks. Its values are real.
  package func trial(_ trial: CandidateTrial) -> CandidateTrial {
    var trial = trial
    if let reason = trial.failure?.reason { trial.failure?.reason = reason.masked(by: factMask) }
    return trial
  }

  package func nextLaunch(_ launch: NextLaunch) -> NextLaunch { launch.masked(by: factMask) }

  private var factMask: FactMask {
    FactMask(string: { string($0) }, value: { value($0) }, text: { text($0) }, error: { error($0) })
  }

  package func mismatch(_ mismatch: FormMismatch) -> FormMismatch {
    guard case .notJSONObject(let error?) = mismatch else { return mismatch }
    return .notJSONObject(self.error(error))
  }

  private func error(_ error: JSONError) -> JSONError {
    guard let token = error.token else { return error }
    return JSONError(token: string(token), at: error.position)
  }

  /// A container for display: the values of its stores are masks, and its paths and notices are masked. Values other
  /// than containers, booleans and null become text with the mask, which names their type.
  package func container(_ container: Container) -> Container {
    var shown = container
    shown.name = text(container.name)
    shown.notices = container.notices.map(text)
    shown.unread?.data = container.unread?.data.map { .init(path: text($0.path), form: $0.form) } ?? []
    shown.unread?.others = container.unread?.others.map(text) ?? []
    shown.unsentEvents = container.unsentEvents.map { UnsentEvents(path: text($0.path), count: $0.count) }
    shown.signs = container.signs.map(text)
    shown.stores = container.stores.map { store in
      var masked = Store(path: text(store.path), content: content(store.content), size: store.size)
      masked.modified = store.modified
      masked.tables = store.tables.map { tables in
        var shown = namingRows(of: tables)
        for index in shown.tables.indices {
          guard case .dictionary(let rows) = value(.dictionary(shown.tables[index].rows)) else { continue }
          shown.tables[index].rows = rows
        }
        return shown
      }
      return masked
    }
    return shown
  }

  /// The tables with rows whose names show no value that is masked. The values themselves are real.
  package func namingRows(of tables: DatabaseTables) -> DatabaseTables {
    var shown = tables
    for index in shown.tables.indices where shown.tables[index].isNamedByKey {
      let key = Set(bytesOf: shown.tables[index].columns.filter(\.isKey).map(\.name))
      let rows = shown.tables[index].rows.entries.map { row -> PropertyListDictionary.Entry in
        guard case .dictionary(let columns) = row.value else { return row }
        let values = columns.entries.filter { key.contains(StringByBytes($0.key)) }.map { column in
          let shown = nameable(column.value)
          return shown == column.value ? RowName.part(shown, isSecret: isSecret(key: column.key)) : shown
        }
        return .init(key: RowName.text(values), value: row.value)
      }
      shown.tables[index].rows = PropertyListDictionary(entries: rows)
    }
    return shown
  }

  /// In a table of keys and values, the names of keys say no more than those of other stores.
  private func nameable(_ value: PropertyListValue) -> PropertyListValue {
    if case .string(let text) = value, names.contains(text), known[Spelling(text)]?.isStrong != true { return value }
    return self.value(value)
  }

  private func content(_ content: StoreContent) -> StoreContent {
    switch content {
    case .unreadable(let reason): return .unreadable(text(reason))
    case .json(let json): return (try? JSONText(self.json(json.value).text())).map(StoreContent.json) ?? .masked
    case .database(let tables):
      guard case .dictionary(let masked) = value(.dictionary(tables)) else { return .masked }
      return .database(masked)
    case .document(let document):
      guard let bytes = try? PropertyListDocument.encode(value(document.root), as: document.format),
        let masked = try? PropertyListDocument(bytes: bytes)
      else { return .masked }
      return .document(masked)
    }
  }

  /// The type of the value behind a mask; nil if the text is not a mask.
  package func maskedType(_ text: String) -> String? {
    guard text.utf8.count <= Mask.longestText, isOwnMask(text) else { return nil }
    let inside = text.dropFirst().dropLast()
    let word = inside.split(separator: " ").last.map { $0.prefix { $0 != "-" } } ?? inside
    return Mask.types.contains(String(word)) ? String(word) : "string"
  }
}

extension StoreContent {
  fileprivate static let masked = StoreContent.unreadable("What is in it cannot be masked.")
}

extension Mask.Kind {
  init?(_ type: PropertyListValue.Kind) {
    switch type {
    case .string: self = .text
    case .integer, .real, .uid: self = .number
    case .date: self = .date
    case .data: self = .data
    case .boolean, .null, .array, .set, .dictionary: return nil
    }
  }
}
