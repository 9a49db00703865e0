package import Carryover
import CarryoverSystem

/// A recipe in a file, with what only the file says.
package struct RecipeFile: Sendable {
  package var recipe: Recipe
  package var sources: [String]
  package var tests: [RecipeTest]
  package var root: RecipeNode

  /// The format that this version of Carryover reads, in the first line of a file.
  package static let format = "recipe/1"

  static let schemaPath = "Documentation/Schemas/recipe-1.json"

  /// The name of the suite to write in a draft, until its author names one.
  static let placeholder = "NEW-SUITE"

  /// Reads a file, and says what is wrong in it, by place. The file is nil if an issue is an error.
  /// - Parameter known: the recipes beside which it is used.
  package static func read(
    _ bytes: [UInt8], vendors: [any Vendor], beside known: [Recipe] = []
  ) -> (file: RecipeFile?, issues: [LintIssue]) {
    LintLog.read(bytes) { root, log in
      let file = RecipeDecoder(log: log, vendors: vendors).file(root)
      if let file { RecipeAdvice(file: file, known: known, log: log).report() }
      return file
    }
  }
}

struct RecipeDecoder {
  let log: LintLog
  let vendors: [any Vendor]
  /// The parameters that keys and file names can contain, besides the bundle identifier and the write key.
  var parameters: [RecipeParameter] = []
  var parameterPlaces: [ParameterPlace] = []

  func file(_ root: RecipeNode) -> RecipeFile? {
    guard var map = RecipeMap(root, of: "A recipe", log) else { return nil }
    guard isFormatKnown(&map) else { return nil }
    var decoder = self
    let parameters = map.take("parameters")
    decoder.takeParameters(parameters)
    log.allowed = allowed(map.take("lint"))
    return decoder.file(&map, parameters, root)
  }

  private static let mostPatterns = 128

  private func file(_ map: inout RecipeMap, _ parameters: RecipeNode?, _ root: RecipeNode) -> RecipeFile? {
    let id = map.require("id").flatMap(identifier)
    let version = map.require("version")?.number(log, from: 1)
    let title = map.requireWords("title")
    let about = map.words("about")
    let sources = map.take("sources-read")?.texts(log) ?? []
    let vendor = map.choice("vendor", of: vendors.map { ($0.name, $0) })
    let legacySDK = map.words("legacy-sdk")
    let migrator = map.take("migrator").flatMap(migrator)
    let inTheApp = map.words("in-the-app")
    let reads = self.sources(map.require("read"))
    let generations = generations(map.take("generations"), of: reads)
    let target = map.require("write").flatMap(target)
    if let target, reads.flatMap(\.files).contains(where: { $0.path.words == target.words }) {
      log.report(
        .sameFile, map.place, "The file to write, \(DisplayText.quoted(target.words)), is also read in another way.")
    }
    let detect = map.require("detect")
    let marks = keys(detect)
    if let detect, marks.isEmpty {
      log.report(.notDetectable, detect.place, "Name at least one key that only this SDK writes.")
    }
    let prefixes = keys(map.take("key-prefixes"))
    let isOnlyByName = map.flag("only-by-name")
    let newest = map.text("newest-prefix")
    let optOuts = map.take("opt-out-keys")
    let optOut = keys(optOuts)
    let compared = keys(map.take("compared-keys"))
    let findings = findings(map.take("findings"), of: id)
    let rules = fields(map.require("fields"), vendor, findings)
    if optOuts == nil, !rules.contains(where: { $0.group == .consent }) {
      log.report(
        .noOptOut, map.place, "Add opt-out-keys: the keys that say that the user opted out, [] if the SDK stores none.")
    }
    let leftBehind = map.take("not-migrated")?.items(log)?.compactMap(leftBehind) ?? []
    let elsewhere = elsewhere(map.take("elsewhere"), beside: reads)
    // Each key of a container is compared with each of them.
    let places = elsewhere.reduce(0) { $0 + $1.patternCount }
    let patterns = prefixes.count + leftBehind.count { $0.prefix != nil || $0.file != nil } + places
    if patterns > Self.mostPatterns {
      log.report(
        .tooLarge, map.place,
        "key-prefixes, not-migrated and elsewhere have at most \(Self.mostPatterns) prefixes, files and keys.")
    }
    let tests = tests(map.take("tests"))
    map.end()
    guard let id, let version, let title, let target else { return nil }
    checkFiles(rules, of: target, map.place)
    let recipe = Recipe(
      reference: RecipeReference(id: id, version: version, title: title), about: about, vendor: vendor,
      legacySDK: legacySDK,
      migrator: migrator, inTheApp: inTheApp, parameters: self.parameters, parameterPlaces: parameterPlaces,
      target: target, sources: reads,
      generations: generations, rules: rules, leftBehind: leftBehind, elsewhere: elsewhere,
      legacyPrefixes: prefixes, marks: marks, isOnlyByName: isOnlyByName,
      newestPrefix: newest, optOutKeys: optOut, comparedKeys: compared)
    checkGenerations(recipe, map.place, isDeclared: root[["generations"]].place)
    warn(recipe, parameters: parameters)
    // A key that two fields write has been reported with its place.
    let families = rules.indices.filter { rules[$0].forEach != nil }
    if families.count > 32 {
      log.report(.tooLarge, root[["fields", "\(families[32])", "for-each"]].place, "A recipe has at most 32 for-each.")
    }
    if let family = recipe.familyClash {
      log.report(.family, root[["fields", "\(family.place)", "for-each"]].place, family.sentence)
    } else if Set(bytesOf: rules.map(\.target)).count == rules.count, let clash = recipe.clash {
      log.report(.clash, map.place, clash)
    }
    return RecipeFile(recipe: recipe, sources: sources, tests: tests, root: root)
  }

  /// A name, or a map that says how the migrator behaves too.
  private func migrator(_ node: RecipeNode) -> VendorMigrator? {
    guard case .map = node.content else { return node.words(log).map { VendorMigrator($0) } }
    guard var map = RecipeMap(node, of: "A migrator", log) else { return nil }
    let name = map.requireWords("name")
    let runs = map.choice("runs", of: VendorMigrator.Runs.allCases.map { ($0.rawValue, $0) })
    let removes = map.flag("removes")
    let moves = keys(map.take("moves"))
    let mark = map.take("mark").flatMap(key)
    map.end()
    return name.map { VendorMigrator($0, runs: runs ?? .whenCalled, removes: removes, moves: moves, mark: mark) }
  }

  /// Whether this version of Carryover reads the file's format. If not, nothing else in it can be judged.
  private func isFormatKnown(_ map: inout RecipeMap) -> Bool {
    guard let node = map.take("carryover"), let format = node.text(log) else {
      log.report(.format, map.place, "A recipe begins with “carryover: \(RecipeFile.format)”.")
      return false
    }
    guard format == RecipeFile.format else {
      let isLater = format.hasPrefix("recipe/")
      log.report(
        isLater ? .tooNew : .format, node.place,
        isLater
          ? "This version of Carryover reads \(RecipeFile.format) only. Use a newer one."
          : "A recipe begins with “carryover: \(RecipeFile.format)”.")
      return false
    }
    return true
  }

  static func isIdentifier(_ text: String, _ length: ClosedRange<Int>) -> Bool {
    length.contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  private func identifier(_ node: RecipeNode) -> String? {
    guard let id = node.text(log) else { return nil }
    if Self.isIdentifier(id, 3...64) { return id }
    return log.refuse(.badID, node.place, "An id has 3 to 64 characters: a to z, 0 to 9 and -.")
  }
}

/// A file with a policy: decisions by finding, which an app's team keeps with its app.
package enum PolicyFile {
  package static let format = "policy/1"

  /// Reads a file, and says what is wrong in it, by place. The policy is nil if an issue is an error.
  package static func read(_ bytes: [UInt8], codes: [FindingCode]) -> (policy: DecisionPolicy?, issues: [LintIssue]) {
    let (policy, issues) = LintLog.read(bytes) { self.policy($0, codes, $1) }
    return (policy, issues)
  }

  private static func policy(_ root: RecipeNode, _ codes: [FindingCode], _ log: LintLog) -> DecisionPolicy? {
    guard var map = RecipeMap(root, of: "A policy", format: format, log) else { return nil }
    let decide = map.require("decide")
    map.end()
    let sentence = "Decisions are a map: the codes of findings with what to do."
    guard let entries = decide?.entries(log, orSay: sentence) else { return nil }
    var policy = DecisionPolicy()
    let asking = codes.filter(\.asks)
    for entry in entries {
      guard let code = asking.first(where: { $0.rawValue == entry.key }) else {
        let isKnown = codes.contains { $0.rawValue == entry.key }
        log.report(
          .unknownName, entry.place,
          isKnown
            ? "The finding \(entry.key) asks for no decision."
            : "There is no finding \(DisplayText.quoted(entry.key)). \(log.suggest(entry.key, asking.map(\.rawValue)))")
        continue
      }
      let choices = DecisionPolicy.Choice.choices(for: code)
      guard let choice = entry.value.text(log).flatMap({ name in choices.first { $0.rawValue == name } }) else {
        log.report(
          .unknownName, entry.value.place,
          "\(code.rawValue) can be decided with \(choices.map(\.rawValue).joined(separator: " or ")).")
        continue
      }
      policy.choices[code] = choice
    }
    return policy
  }
}

/// What could be better in a recipe without errors.
struct RecipeAdvice {
  let file: RecipeFile
  let known: [Recipe]
  let log: LintLog

  private var recipe: Recipe { file.recipe }

  func report() {
    reportUnreadFiles()
    reportSharedMarks()
    reportTests()
    let title = file.root[["title"]]
    if recipe.reference.title.unicodeScalars.count > Self.widestTitle {
      log.report(.badWords, title.place, "A title has at most \(Self.widestTitle) characters.")
    }
    if file.sources.isEmpty {
      log.report(.noSources, file.root.place, "Add sources-read: what you read to write the recipe.")
    }
  }

  private static let widestTitle = 72

  /// Files with one key that nothing names. Of the keys in other files, only a container knows.
  private func reportUnreadFiles() {
    let named = recipe.knownKeys.union(recipe.conditionKeys).union(recipe.marks)
      .union(bytesOf: recipe.comparedKeys)
    let others = recipe.optOutKeys
    for (index, source) in recipe.sources.enumerated() {
      let place = file.root[["read", "\(index)"]].place
      if source.isJSON, recipe.knowledge.vendor == nil {
        log.report(.unreadFile, place, "Only a vendor's checks read a json: file. Use file: with as: instead.")
      }
      // An opt-out may be a member of the value.
      guard let key = source.wholeKey, !named.contains(key),
        !others.contains(where: { $0.hasSameBytes(as: key) || $0.beginsWithBytes(of: key + ".") }),
        !recipe.leftBehind.contains(where: { $0.matches(key) })
      else { continue }
      log.report(.unreadFile, place, "No field reads the key \(DisplayText.quoted(key)) of this file.")
    }
  }

  /// Keys of detect that another recipe has too. A recipe that is followed only by name finds nothing with them.
  private func reportSharedMarks() {
    guard !recipe.isOnlyByName else { return }
    let theirs = known.filter { !$0.isOnlyByName && $0.reference.id != recipe.reference.id }.map {
      (id: $0.reference.id, marks: Set(bytesOf: $0.marks.map { Self.shape($0.text) }))
    }
    let detect = file.root[["detect"]]
    guard case .list(let items) = detect.content else { return }
    for item in items {
      guard case .text(let key) = item.content, let other = theirs.first(where: { $0.marks.contains(Self.shape(key)) })
      else { continue }
      log.report(
        .sharedMark, item.place, "The built-in recipe \(other.id) has the mark \(DisplayText.quoted(key)) too.")
    }
  }

  /// A key with its parameters unnamed.
  private static func shape(_ key: String) -> String {
    let parts = key.split(separator: "${", omittingEmptySubsequences: false)
    let rests = parts.dropFirst().map { part in part.firstIndex(of: "}").map { part[$0...] } ?? part }
    return ([parts[0]] + rests).joined(separator: "${")
  }

  private func reportTests() {
    guard !file.tests.isEmpty else {
      return log.report(.noTests, file.root.place, "Add tests: what plans for some files say.")
    }
    let unusual: Set<FieldStatus> = [.absent, .needsDecision, .dropped]
    let isThere = file.tests.contains { test in
      test.fields.values.contains { unusual.contains($0.status) }
        || test.findings?.contains { !$0.hasPrefix("target.") && !$0.hasPrefix("consent.") } == true
    }
    if !isThere {
      log.report(
        .noDamage, file.root[["tests"]].place,
        "Add a test with a missing value, a value of another type or a damaged file.")
    }
  }
}
