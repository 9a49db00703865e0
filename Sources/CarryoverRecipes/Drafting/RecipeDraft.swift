package import Carryover
import CarryoverSystem

/// A recipe file to begin with, made from a container. It has the container's keys and types, and none of its values.
package struct RecipeDraft {
  package let text: String
  /// What was chosen for it, and what is not in it, each as a sentence.
  package let remarks: [String]

  /// - Parameters:
  ///   - patterns: the keys to migrate; all but the system's if there are none.
  ///   - target: the suite that the new SDK reads; nil if the author has to name it.
  ///   - redaction: what is personal in the container, whose values it has learned.
  package init(
    id: String, from choice: DraftChoice, of container: Container, matching patterns: [Glob], to target: String?,
    builtIn: [Recipe], _ redaction: Redaction
  ) throws(DraftError) {
    if let source = choice.sources.first(where: { $0.isPersonal(redaction) }) {
      throw DraftError(
        description:
          "The path \(DisplayText.quoted(redaction.text(source.path))) has a part that differs between users or "
          + "apps, so a recipe cannot name the file.")
    }
    let keys = DraftKeys(choice.sources, matching: patterns, redaction)
    let omitted = keys.omitted.sentences
    guard !keys.chosen.isEmpty else { throw .noKeys(paths: choice.sources.map(\.name), omitted: omitted) }
    var tree = DraftTree(id: id, keys.chosen, omitted, isLoose: container.kind == .propertyList, redaction)
    guard tree.hasFields else {
      throw DraftError(
        description:
          "None of the values can be a field: they are lists, dates, real numbers or secrets. Choose other keys "
          + "with --keys, or another store with --store.")
    }
    let count = keys.chosen.map(\.items.count).reduce(0, +)
    remarks = [choice.sentence(keys: count)].compactMap(\.self) + omitted
    tree.target = target.map { Self.template($0, container.bundleID) } ?? "new-suite"
    tree.expected = try Self.expected(of: tree, builtIn)
    if target == nil { tree.target = RecipeFile.placeholder }
    text = YAMLWriter.text(tree.recipe)
  }

  /// What a plan for the draft's own test says, as its readers and its planner have it.
  private static func expected(of tree: DraftTree, _ builtIn: [Recipe]) throws(DraftError) -> RecipeNode {
    let (file, issues) = RecipeFile.read(Array(YAMLWriter.text(tree.recipe).utf8), vendors: [])
    guard let file, let test = file.tests.first, let container = test.container(for: file.recipe) else {
      let sentence = issues.first { $0.code.severity == .error }?.message ?? "The draft cannot be read."
      throw DraftError(description: "The recipe would not be valid. \(sentence)")
    }
    let plan = Planner(file.recipe.asTested(beside: builtIn)).plan(container, now: test.now)
    let findings = RecipeTest.findings(of: plan).sorted()
    // What is written needs no status.
    let others = plan.fields.filter { $0.status != .ready }.map {
      ($0.id, RecipeNode(.text(RecipeTest.word($0.status))))
    }
    let written = plan.changes([:]).compactMap { change in
      change.after.flatMap { RecipeNode(propertyList: $0) }.map { RecipeNode.Entry(change.key, $0) }
    }
    var entries: [RecipeNode.Entry] = [.init("findings", .init(.list(findings.map { .init(.text($0)) })))]
    let isHeldUp = !plan.undecided([:]).isEmpty || !plan.blockers(after: [:]).isEmpty
    if !isHeldUp { entries.append(.init("written", .init(.map(written)))) }
    if !others.isEmpty { entries.insert(.init("fields", .init(.map(others.map { .init($0, $1) }))), at: 0) }
    return .init(.map(entries))
  }

  /// A name of a file with `${bundle-id}` in place of the app's bundle identifier.
  static func template(_ name: String, _ bundleID: String?) -> String {
    guard let bundleID, let range = name.firstRange(of: bundleID) else { return name }
    let (before, after) = (name[..<range.lowerBound], name[range.upperBound...])
    guard before.isEmpty || before.last == ".", after.isEmpty || after.first == "." else { return name }
    return before + "${\(NameTemplate.bundleID)}" + after
  }
}

extension RecipeTest {
  /// The container that the test describes, in memory; nil if a file of it cannot be one.
  fileprivate func container(for recipe: Recipe) -> Container? {
    let known = recipe.files.compactMap(\.table)
    let stores = given.compactMap { file, content -> Store? in
      let path = file.text
      switch content {
      case .propertyList(let root):
        return (try? PropertyListDocument.encode(root, as: .binary)).flatMap { Store(path, $0) }
      case .archive(let root): return (try? KeyedArchive.encode(root)).flatMap { Store(path, $0) }
      case .text(let text): return (try? JSONText(text)).map { Store(path: path, content: .json($0)) }
      case .database(let tables):
        let entries = tables.map { name, rows in
          let label = known.first { $0.name == name }?.label ?? name
          return PropertyListDictionary.Entry(key: label, value: .dictionary(rows))
        }
        return Store(path: path, content: .database(PropertyListDictionary(entries: entries)))
      }
    }
    guard stores.count == given.count else { return nil }
    return Container(
      kind: .folder, root: "/", dataFolder: "", bundleID: bundleID, stores: stores.sorted { $0.path < $1.path },
      stateDirectory: "/")
  }
}

extension Store {
  fileprivate init?(_ path: String, _ bytes: [UInt8]) {
    guard let document = try? PropertyListDocument(bytes: bytes) else { return nil }
    self.init(path: path, content: .document(document))
  }
}

/// Why a recipe cannot be drafted, as a sentence.
package struct DraftError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package static func noPlace(path: String) -> DraftError {
    DraftError(
      description:
        "\(DisplayText.quoted(path)) is in a place that recipes do not read. They read files below the app's "
        + "Library and Documents.")
  }

  /// No key of the stores is wanted, or can be in a recipe. No paths stand for all stores.
  package static func noKeys(paths: [String], omitted: [String]) -> DraftError {
    let stores = paths.isEmpty ? "No store" : paths.map(DisplayText.quoted).joined(separator: ", ")
    let sentences = ["\(stores) has no key for the draft.", "Choose others with --keys or --store."] + omitted
    return DraftError(description: sentences.joined(separator: " "))
  }
}

extension DraftKeys.Omitted {
  /// What is not in a draft, each as a sentence without a value.
  var sentences: [String] {
    var sentences: [String] = []
    func add(_ count: Int, _ one: String, _ several: String) {
      if count > 0 { sentences.append("Not in the draft: \(count) \(count == 1 ? one : several).") }
    }
    let shown = personal.prefix(3).map { DisplayText.harmless(String($0.unicodeScalars.prefix(80))) }.joined(
      separator: ", ")
    add(personal.count, "key with personal data, \(shown)", "keys with personal data, such as \(shown)")
    add(ofSystem, "key of the system", "keys of the system")
    add(unusable, "key that a recipe cannot name", "keys that a recipe cannot name")
    add(repeated, "key whose name another field has", "keys whose names other fields have")
    add(members, "member of JSON that cannot be a field", "members of JSON that cannot be fields")
    add(
      beyond, "more key; a draft has at most \(DraftKeys.most)",
      "more keys; a draft has at most \(DraftKeys.most), so choose with --keys")
    return sentences
  }
}
