import PropertyLists

/// A value that a recipe's keys and file names contain and that differs between apps, such as a project token. A key
/// names it as `${token}`.
package struct RecipeParameter: Hashable, Sendable {
  package enum Form: String, CaseIterable, Hashable, Sendable {
    /// Those of a part of a file name: see `Container.isValidParameter(_:)`.
    case name
    case hexadecimal = "hex"
  }

  /// The name in keys and on the command line: `token`.
  package var name: String
  /// The name in sentences: "project token".
  package var title: String
  package var form: Form

  package init(_ name: String, _ title: String, form: Form = .name) {
    self.name = name
    self.title = title
    self.form = form
  }

  package func accepts(_ value: String) -> Bool {
    switch form {
    case .name: Container.isValidParameter(value) && !value.hasSameBytes(as: Self.unknownWriteKey)
    case .hexadecimal:
      (1...64).contains(value.utf8.count)
        && value.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
  }

  package var place: String { "${\(name)}" }

  /// The one that no recipe declares: part of the name of many targets. Without a value there is a plan, but no target.
  package static let writeKey = RecipeParameter("write-key", "write key")

  /// Stands for a write key that is masked or unknown, in commands and code to paste. It is never one.
  package static let unknownWriteKey = "WRITE_KEY"

  /// The same parameter of one of several recipes, named as its fields are: `amplitude-objc/write-key`.
  package func of(_ recipe: String) -> RecipeParameter {
    RecipeParameter(FieldOwner.name(name, of: recipe), "\(title) of \(recipe)", form: form)
  }

  /// The recipe's id at the beginning of a value's name; nil if the value is for every recipe.
  package static func owner(of name: String) -> String? {
    name.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(name[..<$0]) }
  }

  /// The values for one recipe, by the names without a recipe. Those that are named as its own come before those for
  /// every recipe.
  package static func values(_ values: [String: String], of recipe: String) -> [String: String] {
    let prefix = FieldOwner.name("", of: recipe)
    var own: [String: String] = values.filter { !$0.key.utf8.contains(UInt8(ascii: "/")) }
    for (name, value) in values where name.beginsWithBytes(of: prefix) {
      own[String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)] = value
    }
    return own
  }
}

/// Where the legacy SDK's own files state the value of a parameter: under a key, or in a member of the object there.
package struct ParameterPlace: Hashable, Sendable {
  /// The parameter's name.
  package var parameter: String
  package var key: String
  /// The names of the members, the outermost first; empty if the key's whole value is meant.
  package var members: [String]

  package init(_ parameter: String, key: String, members: [String] = []) {
    self.parameter = parameter
    self.key = key
    self.members = members
  }

  /// The key, or the member of the JSON text or dictionary there, in sentences.
  package var words: String { members.isEmpty ? key : "\(members.joined(separator: ".")) in \(key)" }

  func text(in value: PropertyListValue) -> String? {
    var value = value
    var names = members[...]
    while case .dictionary(let dictionary) = value, let name = names.popFirst() {
      guard let member = dictionary[name] else { return nil }
      value = member
    }
    guard case .string(let text) = value else { return nil }
    guard !names.isEmpty else { return text }
    guard var json = try? JSONText(text).value else { return nil }
    for name in names {
      guard case .object(let members) = json, let member = members.last(where: { $0.name.hasSameBytes(as: name) })
      else { return nil }
      json = member.value
    }
    guard case .string(let text) = json else { return nil }
    return text
  }
}

/// A key with one parameter, split once so that it can be compared with many keys.
struct KeyPattern {
  private let before: [UInt8]
  private let after: [UInt8]
  private let isLiteral: Bool

  /// - Parameter template: the key; from its first `${` to the last `}` it matches any text.
  init(_ template: String) {
    let bytes = Array(template.utf8)
    let start = template.firstRange(of: "${").map {
      template.utf8.distance(from: template.startIndex, to: $0.lowerBound)
    }
    let end = bytes.lastIndex(of: UInt8(ascii: "}"))
    if let start, let end, start < end {
      (before, after, isLiteral) = (Array(bytes[..<start]), Array(bytes[(end + 1)...]), false)
    } else {
      (before, after, isLiteral) = (bytes, [], true)
    }
  }

  func matches(_ key: String) -> Bool { isLiteral ? key.utf8.elementsEqual(before) : text(in: key) != nil }

  func text(in key: String) -> String? {
    let bytes = key.utf8
    guard !isLiteral, bytes.count > before.count + after.count, bytes.starts(with: before),
      bytes.suffix(after.count).elementsEqual(after)
    else { return nil }
    return String(decoding: bytes.dropFirst(before.count).dropLast(after.count), as: UTF8.self)
  }
}

extension Recipe {
  /// Whether the name of the target contains a write key, even if it is already filled in.
  package var takesWriteKey: Bool { (unfilledTarget ?? target).parameters.contains(RecipeParameter.writeKey.name) }

  /// Whether the recipe has a parameter of this name, even if it is already filled in.
  package func takes(_ parameter: String) -> Bool {
    parameter == RecipeParameter.writeKey.name
      ? takesWriteKey : values[parameter] != nil || parameters.contains { $0.name == parameter }
  }

  /// The recipe with values in place of its parameters. Those without a value stay.
  package func filled(_ values: [String: String]) -> Recipe {
    let values = RecipeParameter.values(values, of: reference.id)
    let known = parameters.filter { parameter in values[parameter.name].map(parameter.accepts) ?? false }
    guard !known.isEmpty else { return self }
    func key(_ key: String) -> String { known.reduce(key) { $0.replacing($1.place, with: values[$1.name] ?? "") } }
    func template(_ template: NameTemplate) -> NameTemplate {
      NameTemplate(
        template.parts.map { part in
          guard case .parameter(let name) = part, known.contains(where: { $0.name == name }) else { return part }
          return .text(values[name] ?? "")
        })
    }
    var recipe = self
    recipe.parameters.removeAll(where: known.contains)
    for parameter in known { recipe.values[parameter.name] = values[parameter.name] }
    recipe.unfilledTarget = unfilledTarget ?? target
    recipe.target =
      switch target {
      case .suite(let name): .suite(template(name))
      case .plist(let path): .plist(template(path))
      case .archive(let path): .archive(template(path))
      case .jsonFiles(let path): .jsonFiles(in: template(path))
      }
    func filled(_ source: SourceStore) -> SourceStore {
      switch source {
      case .suite(let name): .suite(template(name))
      case .plist(let paths): .plist(paths.map(template))
      case .json(let path): .json(template(path))
      case .file(let paths, let name, let orText): .file(paths.map(template), as: key(name), orText: orText)
      case .archive(let paths, let name): .archive(paths.map(template), as: name.map(key))
      case .table(let path, let table): .table(template(path), table)
      }
    }
    recipe.sources = sources.map(filled)
    recipe.generations = generations.map {
      var generation = $0
      generation.keys = generation.keys.map(key)
      generation.files = generation.files.map(filled)
      return generation
    }
    recipe.rules = rules.map { rule in
      var rule = rule
      rule.changeKeys(key)
      rule.forEach = rule.forEach.map(key)
      rule.freshWithout = rule.freshWithout.map(key)
      rule.knownWith = rule.knownWith.map(key)
      rule.describes = rule.describes.map(key)
      return rule
    }
    for (index, rule) in leftBehind.enumerated() {
      recipe.leftBehind[index].key = key(rule.key)
      recipe.leftBehind[index].file = rule.file.map(template)
    }
    recipe.elsewhere = elsewhere.map { $0.filled(template) }
    recipe.legacyPrefixes = legacyPrefixes.map(key)
    recipe.marks = Set(bytesOf: marks.map(\.text).map(key))
    recipe.migrator?.moves = migrator?.moves.map(key) ?? []
    recipe.migrator?.mark = migrator?.mark.map(key)
    recipe.optOutKeys = optOutKeys.map(key)
    recipe.comparedKeys = comparedKeys.map(key)
    return recipe
  }

  /// The values of a parameter that the SDK's own keys and the names of its files in a container show, sorted. Only keys
  /// and names with a single parameter show it. Without any, the value that the recipe's places state.
  /// - Parameter isLegacy: without the files that the new SDK has too.
  package func values(
    of parameter: RecipeParameter, in container: Container, isLegacy: Bool = false
  ) -> [String] {
    let own = isLegacy ? newSDKsFiles : []
    let patterns = marks.lazy.map(\.text)
      .filter { $0.occurrences(of: parameter.place) == 1 && $0.occurrences(of: "${") == 1 }.map(KeyPattern.init)
    var found = Set(
      (sources.filter { !own.contains($0) }.flatMap { $0.values(of: parameter.name, in: container) }
        + (target.isFolder ? target.values(of: parameter.name, in: container) : [])).filter(parameter.accepts))
    for path in Set(bytesOf: sources.filter(\.hasKeys).flatMap { $0.paths(in: container, [:]) }) {
      for entry in container.store(path.text)?.dictionary?.entries ?? [] {
        for pattern in patterns {
          if let text = pattern.text(in: entry.key), parameter.accepts(text) { found.insert(text) }
        }
      }
    }
    if found.isEmpty, let stated = statedValue(of: parameter.name, in: container) { return [stated] }
    return found.sorted()
  }

  /// The value of a parameter in the first file, as the legacy SDK reads them, that has a valid one in one of its places.
  package func statedValue(of name: String, in container: Container) -> String? {
    let stated = parameterPlaces.filter { $0.parameter == name }
    guard !stated.isEmpty else { return nil }
    let parameter = parameters.first { $0.name == name } ?? .writeKey
    for file in LegacySources.places(self, container, [:]) where file.source.hasKeys {
      guard let entries = container.store(file.path)?.dictionary?.entries else { continue }
      for place in stated {
        for entry in entries where entry.key.hasSameBytes(as: place.key) {
          if let text = place.text(in: entry.value), parameter.accepts(text) { return text }
        }
      }
    }
    return nil
  }

  /// The write keys in the names of the new SDK's files.
  package func keysOfFiles(in container: Container) -> [String] {
    takesWriteKey ? target.values(of: RecipeParameter.writeKey.name, in: container) : []
  }

  /// The value in the name of the target: that of the only file, or, without a file, the one that a place states.
  package func shownValue(of name: String, in container: Container) -> String? {
    let values = target.values(of: name, in: container)
    return values.isEmpty ? statedValue(of: name, in: container) : values.count == 1 ? values.first : nil
  }

  /// Whether the recipe cannot be followed without a value of the parameter. Otherwise, only names of files to read
  /// contain it, and no such file exists.
  package func requires(_ parameter: RecipeParameter) -> Bool {
    target.parameters.contains(parameter.name)
      || rules.contains { rule in
        ([rule.target, rule.forEach ?? ""] + rule.candidates.flatMap(\.keys)).contains { $0.contains(parameter.place) }
      }
  }

  /// Why the recipe cannot be followed, as a sentence: two fields write one key, or a field reads what another one writes,
  /// so that a second run would write something else. Nil if there is no such clash.
  package var clash: String? {
    var targets: Set<StringByBytes> = []
    for rule in rules where !targets.insert(rule.target) { return "Two fields write the key \(rule.target)." }
    if let family = familyClash { return family.sentence }
    guard readsTarget else { return nil }
    for rule in rules {
      for candidate in rule.candidates {
        if let key = candidate.keys.first(where: { !$0.hasSameBytes(as: rule.target) && targets.contains($0) }) {
          return "The field \(rule.target) reads the key \(key), which another field writes in the same file."
        }
        if !candidate.source.key.hasSameBytes(as: rule.target), candidate.keys.containsBytes(of: rule.target) {
          return "A condition of the field \(rule.target) tests the key that the field writes in the same file."
        }
      }
    }
    return nil
  }

  /// The recipe with values in place of all parameters that it needs: the given ones, and those that a container shows.
  package func filled(_ given: [String: String], in container: Container) throws(ParameterGap) -> Recipe {
    let given = RecipeParameter.values(given, of: reference.id)
    var recipe = self
    var values = given
    for parameter in parameters where values[parameter.name] == nil {
      var found = self.values(of: parameter, in: container)
      // A stranger's container can have thousands.
      if (2...16).contains(found.count), !requires(parameter) {
        let legacy = self.values(of: parameter, in: container, isLegacy: true)
        if legacy.isEmpty { recipe.readNewSDKsFiles(of: found, parameter) }
        if legacy.count <= 1 { found = legacy }
      }
      guard found.count <= 1 else { throw .several(parameter, found) }
      if found.isEmpty, requires(parameter) { throw .unknown(parameter, recipe: reference.id) }
      values[parameter.name] = found.first
    }
    recipe = recipe.filled(values)
    // The files that other values name are not read, and may be newer than those that are.
    for parameter in parameters where !requires(parameter) {
      guard let value = given[parameter.name] else { continue }
      let shown = self.values(of: parameter, in: container)
      guard !shown.isEmpty, !shown.containsBytes(of: value) else { continue }
      let doubt = "The container has files of another \(parameter.title), and none of the given one."
      for rule in recipe.rules.indices where recipe.rules[rule].group == .identity {
        for index in recipe.rules[rule].candidates.indices { recipe.rules[rule].candidates[index].doubt = doubt }
      }
    }
    return recipe
  }

  /// Of parameters with several values in a container, those under which the recipe writes one of these keys.
  package func values(writing keys: [String], in container: Container) -> [String: String] {
    let keys = Set(bytesOf: keys)
    return parameters.reduce(into: [:]) { given, parameter in
      let found = values(of: parameter, in: container)
      guard found.count > 1 else { return }
      given[parameter.name] = found.first { value in
        filled([parameter.name: value]).rules.contains { keys.contains($0.target) }
      }
    }
  }

  /// The files of the generations that the new SDK has too.
  private var newSDKsFiles: Set<SourceStore> { Set(generations.filter(\.isNewSDKs).flatMap(\.files)) }

  /// Reads the files of all values that the new SDK has too: they need no choice, because no legacy file shows a value.
  private mutating func readNewSDKsFiles(of values: [String], _ parameter: RecipeParameter) {
    let own = newSDKsFiles
    let filled = values.map { self.filled([parameter.name: $0]) }
    sources = sources.indices.flatMap { index in
      own.contains(sources[index]) ? filled.map { $0.sources[index] } : [sources[index]]
    }
    for index in generations.indices where generations[index].isNewSDKs {
      generations[index].files = filled.flatMap { $0.generations[index].files }
    }
  }
}

extension Plan {
  /// The write key that the legacy files state, and where.
  package func statedWriteKey(in container: Container) -> (key: String, place: String)? {
    let name = RecipeParameter.writeKey.name
    for recipe in recipePlans.map(\.definition) {
      guard let key = recipe.statedValue(of: name, in: container) else { continue }
      return (key, recipe.parameterPlaces.first { $0.parameter == name }?.words ?? "")
    }
    return nil
  }
}

extension String {
  /// How often a text occurs. Comparing characters instead of bytes would take a tenth of an audit's time.
  fileprivate func occurrences(of text: String) -> Int { utf8.indices.count { utf8[$0...].starts(with: text.utf8) } }
}

package enum ParameterGap: Error, Hashable, Sendable {
  case several(RecipeParameter, [String])
  /// It shows none, and the recipe with this id needs one.
  case unknown(RecipeParameter, recipe: String)

  var text: FindingText {
    switch self {
    case .several(let parameter, let values):
      """
      The container has several values of the \(words: parameter.title): \(list: values.map { "\(value: $0)" }). Choose \
      one with -P \(words: parameter.name)=VALUE.
      """
    case .unknown(let parameter, let recipe):
      """
      The \(words: parameter.title) is unknown: recipe \(words: recipe) needs it. Give it with \
      -P \(words: parameter.name)=VALUE.
      """
    }
  }

  /// Not escaped: escape it for display.
  package var description: String { text.text(source: nil) }
}
