import Carryover
import PropertyLists

/// The parts of a drafted recipe, as they are written.
struct DraftTree {
  private let id: String
  private let chosen: [DraftKeys.Chosen]
  private let omitted: [String]
  /// Whether the container is a single property list, whose place on a device is unknown.
  private let isLoose: Bool
  private var fields: [RecipeNode] = []
  private var notMigrated: [RecipeNode] = []
  private var given: [RecipeNode.Entry] = []
  var target = RecipeFile.placeholder
  var expected: RecipeNode = ["fields": [:]]

  var hasFields: Bool { !fields.isEmpty }

  init(id: String, _ chosen: [DraftKeys.Chosen], _ omitted: [String], isLoose: Bool, _ redaction: Redaction) {
    (self.id, self.chosen, self.omitted, self.isLoose) = (id, chosen, omitted, isLoose)
    var standIns = StandIns(redaction)
    for part in chosen {
      for item in part.items { add(item) }
      guard !part.items.isEmpty else { continue }
      let path = part.source.template.replacing("${\(NameTemplate.bundleID)}", with: RecipeTest.usualBundleID)
      RecipeNode.merge(.init(path, part.given(&standIns)), into: &given)
    }
  }

  private mutating func add(_ item: DraftSource.Item) {
    switch item.rule {
    case .field(let form, let steps, let hint):
      var source: [RecipeNode.Entry] = [.init("key", .init(.text(item.source.key)))]
      if let member = item.source.member { source.append(.init("member", .init(.text(member)))) }
      if !steps.isEmpty { source.append(.init("steps", .init(.list(steps.map { .init(.text($0)) })))) }
      var field: RecipeNode = [
        "key": .init(.text(item.name)), "group": "other", "form": .init(.text(form.rawValue)),
        "from": [.init(.map(source))],
      ]
      field.comments = [hint].compactMap(\.self)
      fields.append(field)
    case .notMigrated(let reason, let hint):
      var entry: RecipeNode = ["key": .init(.text(item.source.key)), "because": .init(.text(reason))]
      if item.isSecret, case .map(let entries) = entry.content {
        entry.content = .map(entries + [.init("secret", .init(.boolean(true)))])
      }
      entry.comments = [hint].compactMap(\.self)
      notMigrated.append(entry)
    }
  }

  /// The file's content, with a comment wherever the author decides.
  var recipe: RecipeNode {
    var entries: [RecipeNode.Entry] = []
    func add(_ key: String, _ value: RecipeNode, _ comments: String?...) {
      let comments = comments.compactMap(\.self)
      entries.append(.init(key, RecipeNode(value.content, comments: comments)))
    }
    let head = [
      "yaml-language-server: $schema=\(RecipeFile.schemaPath)", "$schema: \(RecipeFile.schemaPath)",
      "A draft. Its values are stand-ins. Decide what the comments ask for, then remove them.",
    ]
    entries.append(.init("carryover", RecipeNode(.text(RecipeFile.format), comments: head + omitted)))
    add("id", .init(.text(id)))
    add("version", .init(.integer("1")))
    add("title", .init(.text(id)), "A short title: from which SDK to which.")
    add(
      "read", .init(.list(chosen.map(\.source.entry))),
      isLoose ? "Where is the file on a device?" : "The files to read, most trusted first.")
    add("write", ["suite": .init(.text(target))], "The suite that the new SDK reads.")
    add("detect", .init(.list(detected.map { .init(.text($0)) })), "Keep only keys that no other SDK writes.")
    add(
      "opt-out-keys", .init(.list([])),
      "Keys that say that the user opted out, if no field of the group consent migrates them.")
    add(
      "fields", .init(.list(fields)), "",
      "key: what the new SDK reads. group: identity, traits, session, app, consent (an opt-out) or other.",
      hasMembers ? "Without member, a source is the whole file, as JSON text." : nil)
    if !notMigrated.isEmpty { add("not-migrated", .init(.list(notMigrated)), "", "Give the reason, for users.") }
    let test: RecipeNode = ["name": "every key", "given": .init(.map(given)), "expect": expected]
    add("tests", [test], "", "Add a test for each kind of user: logged in, anonymous, opted out.")
    return RecipeNode(.map(entries))
  }

  private var hasMembers: Bool { chosen.contains { $0.items.contains { $0.source.member != nil } } }

  /// The keys of the sources, each once.
  private var detected: [String] {
    var seen: Set<String> = []
    return chosen.flatMap { $0.items.map(\.source.key) }.filter { seen.insert($0).inserted }
  }
}

extension RecipeNode {
  /// Adds an entry. A map that is there already gets the new map's entries: the tables of one database.
  fileprivate static func merge(_ entry: Entry, into entries: inout [Entry]) {
    guard let place = entries.firstIndex(where: { $0.key == entry.key }) else { return entries.append(entry) }
    guard case .map(var old) = entries[place].value.content, case .map(let new) = entry.value.content else { return }
    for entry in new { merge(entry, into: &old) }
    entries[place].value.content = .map(old)
  }
}

extension DraftKeys.Chosen {
  /// The file in a test, with stand-ins for its values.
  fileprivate func given(_ standIns: inout StandIns) -> RecipeNode {
    switch source.shape {
    case .keys, .table:
      let keys = items.compactMap { item in
        (item.isSecret ? standIns.secret(item.value) : standIns.value(item.value))
          .flatMap { RecipeNode(propertyList: $0) }.map { RecipeNode.Entry(item.name, $0) }
      }
      if case .table(let name) = source.shape { return ["sqlite": .init(.map([.init(name, .init(.map(keys)))]))] }
      // A file with only one of these keys would be read in another way.
      let isPlain = keys.count != 1 || !["plist", "sqlite"].contains(keys[0].key)
      return isPlain ? .init(.map(keys)) : ["plist": .init(.map(keys))]
    case .root:
      let root = items.first.flatMap { standIns.value($0.value) }.flatMap { RecipeNode(propertyList: $0) }
      return ["plist": root ?? "text"]
    case .object:
      var members = items.compactMap { item in item.json.map { JSONMember(item.name, standIns.json($0)) } }
      // An object with one member can stand for the member's value.
      if members.count == 1, items[0].source.member != nil { members.append(JSONMember("other", .null)) }
      return .init(.text(JSONValue.object(members).text()))
    case .json: return .init(.text(items.first?.json.map { standIns.json($0).text() } ?? "null"))
    }
  }
}
