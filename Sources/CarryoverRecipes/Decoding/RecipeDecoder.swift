import Carryover
import CarryoverSystem

extension RecipeDecoder {
  /// The places that the recipe does not read: `{file: PATH}` or `{suite: NAME, keys: [KEY]}`, with the reason. A `*`
  /// stands for any text, in a path without a slash.
  func elsewhere(_ node: RecipeNode?, beside sources: [SourceStore]) -> [Elsewhere] {
    (node?.items(log) ?? []).compactMap { item in
      guard var map = RecipeMap(item, of: "A place that the recipe does not read", log) else { return nil }
      defer { map.end() }
      if let file = map.take("file") {
        let path = unreadPath(file)
        let reason = map.requireSentence("because")
        guard let path, let reason else { return nil }
        if sources.contains(where: { $0.places.contains(path.words) }) {
          log.report(.sameFile, file.place, "The recipe reads \(DisplayText.quoted(path.words)).")
        }
        return Elsewhere(.files(path), because: reason)
      }
      let suite = map.require("suite").flatMap(suite)
      let listed = map.require("keys")?.items(log)
      let keys = listed?.compactMap(ofNoParameters.key) ?? []
      let reason = map.requireSentence("because")
      guard let suite, let reason else { return nil }
      if listed?.isEmpty == true { log.report(.missingKey, item.place, "Name the keys.") }
      return Elsewhere(.keys(keys.map { Glob($0) }, suite: suite), because: reason)
    }
  }

  /// The decoder for keys that no parameter is filled into.
  private var ofNoParameters: RecipeDecoder { RecipeDecoder(log: log, vendors: vendors) }

  /// A path of a file in the app's data container or in the folder of an app group.
  private func unreadPath(_ node: RecipeNode) -> NameTemplate? {
    guard let text = node.text(log) else { return nil }
    let group = "AppGroups/*/"
    let isInGroup = text.beginsWithBytes(of: group)
    let inside = isInGroup ? String(decoding: text.utf8.dropFirst(group.utf8.count), as: UTF8.self) : text
    guard let path = sourcePath(RecipeNode(content: .text(inside), place: node.place), orInCaches: !isInGroup) else {
      return nil
    }
    let parts = path.parts.flatMap { part -> [NameTemplate.Part] in
      guard case .text(let text) = part else { return [part] }
      let pieces = text.split(separator: "*", omittingEmptySubsequences: false)
      return pieces.enumerated().flatMap { index, piece in
        (index == 0 ? [] : [.any]) + (piece.isEmpty ? [] : [.text(String(piece))])
      }
    }
    return NameTemplate(isInGroup ? ["AppGroups/", .any] + Self.joined("/", parts) : parts)
  }

  private static func joined(_ text: String, _ parts: [NameTemplate.Part]) -> [NameTemplate.Part] {
    guard case .text(let first)? = parts.first else { return [.text(text)] + parts }
    return [.text(text + first)] + parts.dropFirst()
  }

  /// What stands for the rest of the key, in the keys of such a field alone.
  static let each = RecipeParameter("each", "rest of the key")

  var ofFamily: RecipeDecoder {
    var decoder = self
    decoder.parameters.append(Self.each)
    return decoder
  }

  /// The keys for each of which there is a field. Each field has to write a key of its own, and to read one.
  func keys(of node: RecipeNode, writing key: String?, in group: FieldGroup?, from candidates: [Candidate]) -> String? {
    guard let pattern = self.key(node) else { return nil }
    if group == .consent {
      log.report(.wrongValue, node.place, "A field of the group consent names its keys: for-each can leave some out.")
    }
    guard pattern.utf8.count(where: { $0 == UInt8(ascii: "*") }) == 1, pattern.hasSuffix("*"), pattern.utf8.count > 1
    else {
      return log.refuse(.wrongValue, node.place, "Write the beginning of the keys, then *: acme_flag_*.")
    }
    if let key, !key.contains(FieldRule.each) {
      log.report(.wrongValue, node.place, "Use \(FieldRule.each) in key, so that each field writes a key of its own.")
    }
    if let key, key.hasPrefix(FieldRule.each) {
      log.report(
        .wrongValue, node.place,
        "Begin key with a text of your own: otherwise the container chooses which keys are written.")
    }
    if !candidates.contains(where: { $0.source.key.contains(FieldRule.each) }) {
      log.report(.wrongValue, node.place, "Use \(FieldRule.each) in a key of from, so that each field reads its own.")
    }
    return pattern
  }

  /// Reports a list that is far longer than anyone writes: a stranger's recipe must not take a plan minutes.
  func checkCount(_ nodes: [RecipeNode], atMost most: Int, _ what: String) {
    guard nodes.count > most else { return }
    log.report(.tooLarge, nodes[most].place, "A list has at most \(most) \(what).")
  }

  /// Which keys and files belong together, most trusted first:
  /// `{of: NAME, keys: [KEY, BEGINNING*], files: [PATH], may-be-older: true, unread-by-migrator: true,
  /// moved-by-migrator: before-the-others, new-sdk-has-it-too: true}`.
  func generations(_ node: RecipeNode?, of sources: [SourceStore]) -> [Generation] {
    (node?.items(log) ?? []).compactMap { item in
      guard var map = RecipeMap(item, of: "A generation", log) else { return nil }
      let name = map.requireWords("of")
      let keys = keys(map.take("keys"))
      let files = map.take("files")?.items(log)?.compactMap { source($0, among: sources) }
      let mayBeOlder = map.flag("may-be-older")
      let isUnread = map.flag("unread-by-migrator")
      let move = map.choice("moved-by-migrator", of: Generation.Move.allCases.map { ($0.rawValue, $0) })
      let isNewSDKs = map.flag("new-sdk-has-it-too")
      map.end()
      guard let name else { return nil }
      if keys.isEmpty, files?.isEmpty != false {
        log.report(.missingKey, item.place, "Name the keys or the files of the generation.")
      }
      return Generation(
        name, keys: keys, files: files ?? [], mayBeOlder: mayBeOlder, isUnreadByMigrator: isUnread, move: move,
        isNewSDKs: isNewSDKs)
    }
  }

  /// A file to read, by its suite's name or its path.
  private func source(_ node: RecipeNode, among sources: [SourceStore]) -> SourceStore? {
    guard let name = node.text(log), let template = template(name, node.place) else { return nil }
    if let source = sources.first(where: { $0.templates.contains(template) }) { return source }
    return log.refuse(.unknownName, node.place, "The recipe does not read \(DisplayText.quoted(name)).")
  }

  /// Reports sources of the user's identity and traits whose generation is not declared.
  func checkGenerations(_ recipe: Recipe, _ place: TextPlace, isDeclared declared: TextPlace) {
    guard !recipe.generations.isEmpty else {
      if let rule = recipe.ruleOfSeveralGenerations {
        log.report(
          .severalGenerations, place,
          "The field \(DisplayText.quoted(rule.target)) has sources under several keys. Add generations: which keys "
            + "were written together.")
      }
      return
    }
    for rule in recipe.rules where rule.group.isOfUser {
      for candidate in rule.candidates where recipe.declaredGeneration(of: candidate.source.key) == nil {
        log.report(
          .noGeneration, declared,
          "No generation has the key \(DisplayText.quoted(candidate.source.key)) of the field "
            + "\(DisplayText.quoted(rule.target)).")
      }
    }
  }

  /// Keys or a file that are not migrated: `{key: KEY}`, `{key: PREFIX*}` or `{file: PATH}`, with the reason.
  func leftBehind(_ node: RecipeNode) -> LeftBehind? {
    guard var map = RecipeMap(node, of: "A value that is not migrated", log) else { return nil }
    defer { map.end() }
    if let file = map.take("file") {
      let reason = map.requireSentence("because")
      guard let path = sourcePath(file), let reason, let text = file.text(log) else { return nil }
      return LeftBehind(text, file: path, because: reason)
    }
    let named = map.require("key")
    let key = named.flatMap(key)
    let reason = map.requireSentence("because")
    let secret = map.flag("secret")
    let moment = map.words("moment")
    guard let named, let key, let reason else { return nil }
    let rule = LeftBehind(key, because: reason, secret: secret, moment: moment)
    guard rule.prefix?.isEmpty != true else {
      return log.refuse(.wrongValue, named.place, "Write the beginning of the keys before the *.")
    }
    if !secret { warn(secret: key, node.place) }
    return rule
  }

  /// The recipe's parameters, and where its sources state their values and the write key.
  mutating func takeParameters(_ node: RecipeNode?) {
    guard let node, let entries = node.entries(log, orSay: "Parameters are a map: names with their descriptions.")
    else { return }
    guard entries.count <= Self.mostParameters else {
      return log.report(.tooLarge, node.place, "A recipe has at most \(Self.mostParameters) parameters.")
    }
    parameters = entries.compactMap { entry in
      guard var map = RecipeMap(entry.value, of: "A parameter", log) else { return nil }
      let isWriteKey = entry.key == RecipeParameter.writeKey.name
      if let from = isWriteKey ? map.require("from") : map.take("from"), let place = place(of: entry.key, from) {
        parameterPlaces.append(place)
      }
      if isWriteKey {
        map.end()
        return nil
      }
      let title = map.requireWords("title")
      let form = map.choice("form", of: RecipeParameter.Form.allCases.map { ($0.rawValue, $0) }) ?? .name
      map.end()
      guard Self.isIdentifier(entry.key, 1...32), !Self.given.contains(entry.key), entry.key != Self.each.name else {
        return log.refuse(
          .badID, entry.place, "A parameter's name has 1 to 32 characters: a to z, 0 to 9 and -; it is not a given one."
        )
      }
      return title.map { RecipeParameter(entry.key, $0, form: form) }
    }
  }

  /// Where the sources state a parameter's value: `{key: KEY}` or `{key: KEY, member: NAME.NAME}`.
  private func place(of parameter: String, _ node: RecipeNode) -> ParameterPlace? {
    guard var map = RecipeMap(node, of: "The place of a parameter", log) else { return nil }
    let key = map.require("key").flatMap(ofNoParameters.key)
    let member = map.take("member")
    let names = member?.text(log)?.split(separator: ".", omittingEmptySubsequences: false).map(String.init) ?? []
    map.end()
    if let member, names.contains(where: \.isEmpty) {
      return log.refuse(.wrongValue, member.place, "Write the members' names with dots between them: source.key.")
    }
    return key.map { ParameterPlace(parameter, key: $0, members: names) }
  }

  func key(_ node: RecipeNode) -> String? {
    guard let text = node.text(log) else { return nil }
    let known = parameters.map(\.name)
    return pieces(of: text, node.place, known) == nil ? nil : text
  }

  func keys(_ node: RecipeNode?) -> [String] { (node?.items(log) ?? []).compactMap(key) }

  /// A name of a file with its parameters: `${bundle-id}.analytics.${write-key}`.
  func template(_ text: String, _ place: TextPlace) -> NameTemplate? {
    pieces(of: text, place, Self.given + parameters.map(\.name)).map(NameTemplate.init)
  }

  private static let mostParameters = 8

  /// The parameters that every container or command gives.
  private static let given = [NameTemplate.bundleID, RecipeParameter.writeKey.name]

  /// A text as literal parts and known parameters; nil, with an issue, for an unknown one.
  private func pieces(of text: String, _ place: TextPlace, _ known: [String]) -> [NameTemplate.Part]? {
    // Most texts have no parameter, and looking for one takes time.
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text.isEmpty ? [] : [.text(text)] }
    var parts: [NameTemplate.Part] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        return log.refuse(.unknownParameter, place, "A parameter ends with }: ${write-key}.")
      }
      if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
      let name = String(rest[start.upperBound..<end])
      guard known.contains(name) else {
        return log.refuse(
          .unknownParameter, place,
          "There is no parameter \(DisplayText.quoted(name)) here. \(log.suggest(name, known))")
      }
      parts.append(.parameter(name))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  func scalars(_ node: RecipeNode) -> [PropertyListValue] { filled((node.items(log) ?? []).compactMap(scalar), node) }

  /// The values of a map: a list of `{from: VALUE, to: VALUE}`. A YAML key would be text, whatever it looks like.
  func replacements(_ node: RecipeNode) -> [Transform.Replacement<PropertyListValue>] {
    var entries: [Transform.Replacement<PropertyListValue>] = []
    var seen: Set<PropertyListValue> = []
    for item in node.items(log) ?? [] {
      guard var map = RecipeMap(item, of: "An entry of a map", log) else { continue }
      let (from, to) = (map.require("from").flatMap(scalar), map.require("to").flatMap(scalar))
      map.end()
      guard let from, let to else { continue }
      if !seen.insert(from).inserted {
        log.report(.wrongValue, item.place, "The map has an entry for this value already.")
      }
      if let first = entries.first, first.to.kind != to.kind {
        log.report(.wrongValue, item.place, "All results of a map have one type: text, an integer, or true and false.")
      }
      entries.append(Transform.Replacement(from, to: to))
    }
    return filled(entries, node)
  }

  /// The new names of members: `{OLD: NEW}`.
  func names(_ node: RecipeNode) -> [Transform.Replacement<String>] {
    let entries = node.entries(log, orSay: "A map is needed here: each member with its new name.")
    guard let entries else { return [] }
    let names = entries.compactMap { entry in entry.value.text(log).map { Transform.Replacement(entry.key, to: $0) } }
    var seen: Set<StringByBytes> = []
    for (entry, name) in zip(entries, names) where !seen.insert(StringByBytes(name.to)).inserted {
      log.report(.wrongValue, entry.place, "Two members have this new name.")
    }
    return filled(names, node)
  }

  /// A list, which is an issue if it is empty.
  func filled<Value>(_ values: [Value], _ node: RecipeNode) -> [Value] {
    if values.isEmpty { log.report(.wrongValue, node.place, "Name at least one value.") }
    return values
  }

  private func scalar(_ node: RecipeNode) -> PropertyListValue? {
    guard let value = propertyList(node) else { return nil }
    if ![.string, .boolean, .integer].contains(value.kind) {
      log.report(.wrongValue, node.place, "Each value must be text, an integer, true or false.")
    }
    return value
  }

  /// The warnings that the file allows: `lint: [{code: R106, because: REASON}]`.
  func allowed(_ node: RecipeNode?) -> Set<LintCode> {
    let codes = (node?.items(log) ?? []).compactMap { item -> LintCode? in
      guard var map = RecipeMap(item, of: "An allowed warning", log) else { return nil }
      let code = map.require("code").flatMap { node in
        named(node, "warning", LintCode.allCases.filter { $0.severity != .error }.map { ($0.rawValue, $0) })
      }
      _ = map.requireSentence("because")
      map.end()
      return code
    }
    return Set(codes)
  }

  func warn(_ recipe: Recipe, parameters: RecipeNode?) {
    guard let parameters else { return }
    let names = (recipe.sources.flatMap(\.templates) + recipe.leftBehind.compactMap(\.file)).flatMap(\.parameters)
    for parameter in recipe.parameters
    where !recipe.requires(parameter) && !names.contains(parameter.name) {
      log.report(.unusedParameter, parameters.place, "No key or file name contains ${\(parameter.name)}.")
    }
    let writeKey = RecipeParameter.writeKey.name
    if recipe.parameterPlaces.contains(where: { $0.parameter == writeKey }),
      !recipe.target.parameters.contains(writeKey)
    {
      log.report(.unusedParameter, parameters.place, "The file to write is not named after ${\(writeKey)}.")
    }
    if !recipe.parameterPlaces.isEmpty, !recipe.sources.contains(where: \.hasKeys) {
      log.report(
        .wrongValue, parameters.place, "Only keys of a suite or a property list can state a parameter's value.")
    }
  }

  /// Reports sources that an earlier one without conditions hides, and secrets.
  func warn(_ candidates: [(node: RecipeNode, candidate: Candidate)]) {
    var places: [SourceKey: TextPlace] = [:]
    for (node, candidate) in candidates {
      if let first = places[candidate.source] {
        log.report(.unusedSource, node.place, "The source in line \(first.line) reads the same value and comes first.")
      } else if candidate.conditions.isEmpty {
        places[candidate.source] = node.place
      }
      warn(secret: candidate.source.member ?? candidate.source.key, node.place)
    }
  }

  func warn(secret key: String, _ place: TextPlace) {
    guard looksSecret(key, parameters) else { return }
    log.report(
      .unmaskedSecret, place, "The value of \(DisplayText.quoted(key)) looks like a secret, and is not masked.")
  }
}

func looksSecret(_ key: String, _ parameters: [RecipeParameter]) -> Bool {
  let name = parameters.reduce(key) { $0.replacing($1.place, with: "") }.lowercased()
  return ["password", "secret", "token", "jwt"].contains(where: name.contains)
}
