import CarryoverSystem
import PropertyLists

/// The decisions of a run and the files that it changed, as in `record.json` in the run's folder.
struct RunRecord: Hashable {
  enum State: String, JSONConvertible {
    /// The run may or may not have changed files; the files themselves show it.
    case applying
    case done
  }

  var id: RunID
  var kind: RunKind
  var state: State
  var container: RecordedContainer
  var moment: Moment
  /// Nil for an edit, and for its rollback.
  var recipe: RecipeReference?
  var otherRecipes: [RecipeReference] = []
  var tool: String
  var rolledBack: RunID?
  var fields: [RecordedField]
  var files: [RecordedFile]
  /// Whether the copies of the files were removed to free their space, so that only the record is left.
  var isPruned = false
  var heldIn: HeldIn?
  var batch: BatchID?
  /// The reason that the record is not the user's own, by its seal; nil if it is.
  var foreign: ForeignReason?

  var isOwn: Bool { foreign == nil }

  func belongs(to container: RecordedContainer) -> Bool { !container.differs(from: self.container) }
}

struct RecordedField: Hashable {
  /// The target key; for a cleanup, the legacy key.
  @StringByBytes var id: String
  var recipe: String?
  /// The key's file, relative to the container's root; nil if the run has only one file.
  var file: String?
  /// The decision: `migrate`, `skip`, `keep` or `edit`; nil if the field needed none.
  var decision: String?
  /// Whether the field was left unwritten only because the target kept another user, whom it does not describe.
  var isFollowing = false
  var legacy: SavedValue?
  var proposed: SavedValue?
  var before: SavedValue?
  var after: SavedValue?
  var outcome: Outcome
  var findings: [String]
  /// Whether the field was not in the run. Earlier versions do not record it.
  var isOmitted = false

  var name: String { FieldOwner.name(id, of: recipe) }
}

struct RecordedFile: Hashable {
  @StringByBytes var path: String
  var before: RecordedState
  var after: RecordedState
  /// The folders created for the file or removed with it; outermost first, relative to the container's root.
  var folders: [String]
}

enum RecordedState: Hashable, JSONConvertible {
  case absent
  case file(name: String, attributes: FileAttributes, digest: ContentDigest)

  /// The recorded form of a state. Its bytes are stored under `name` in one of the run's two folders.
  init(_ state: FileState, name: String) {
    switch state {
    case .absent: self = .absent
    case .file(let bytes, let attributes):
      self = .file(name: name, attributes: attributes, digest: ContentDigest(bytes))
    }
  }

  func hasContent(of other: RecordedState) -> Bool {
    switch (self, other) {
    case (.absent, .absent): true
    case (.file(_, _, let digest), .file(_, _, let others)): digest == others
    default: false
    }
  }

  func matches(_ bytes: [UInt8]?) -> Bool {
    switch (self, bytes) {
    case (.absent, nil): true
    case (.file(_, _, let digest), let bytes?): digest.matches(bytes)
    default: false
    }
  }

  var json: JSONValue {
    guard case .file(let name, let attributes, let digest) = self else { return "absent" }
    let described = JSONValue.object(present: [
      "name": name, "mode": String(attributes.mode, radix: 8), "user": attributes.owner?.user,
      "group": attributes.owner?.group,
    ])
    return described.adding(digest.members)
  }

  fileprivate init(_ member: String, _ file: RecordReader) throws(RunError) {
    if file.root[member] == .string("absent") {
      self = .absent
      return
    }
    let reader = try file.object(member)
    // A name with a slash would lead out of the run's own folder.
    let name = try reader.text("name")
    guard (try? ContainerPath.components(name))?.count == 1 else { throw reader.damage(member) }
    let mode = try reader.parsed("mode") { UInt32($0, radix: 8) }
    var owner: FileAttributes.Owner?
    if reader.has("user") {
      guard let user = UInt32(exactly: try reader.number("user")),
        let group = UInt32(exactly: try reader.number("group"))
      else { throw reader.damage("user") }
      owner = FileAttributes.Owner(user: user, group: group)
    }
    self = .file(name: name, attributes: FileAttributes(mode: mode, owner: owner), digest: try reader.digest())
  }
}

extension RecordedFile {
  init(_ change: FileChange, number: Int) {
    let name = "\(number)-" + Self.shortened(FilePath.name(of: change.path))
    self.init(
      path: change.path, before: RecordedState(change.before, name: name),
      after: RecordedState(change.after, name: name), folders: change.folders)
  }

  /// File systems allow 255 bytes, which include the number before the name and the suffix of a temporary file.
  private static func shortened(_ name: String) -> String {
    var result = ""
    for character in name {
      guard result.utf8.count + character.utf8.count <= 200 else { break }
      result.append(character)
    }
    return result
  }
}

extension RunRecord {
  /// The schema of the records that this version writes. A later one is refused; unknown members are allowed.
  static let schema = "carryover.run/1"

  /// The record to write, without its seal. It is also meant for people to read.
  var document: JSONValue {
    .object(present: [
      "schema": Self.schema, "id": id, "kind": kind, "state": state, "moment": moment,
      "milliseconds": String(moment.millisecondsSince1970), "tool": tool, "recipe": recipe, "container": container,
      "otherRecipes": otherRecipes.isEmpty ? nil : otherRecipes, "rolledBack": rolledBack, "batch": batch,
      "heldIn": heldIn, "pruned": isPruned ? true : nil, "files": files, "fields": fields,
    ])
  }

  /// Unknown members are ignored, so that later versions may add some.
  package init(_ reader: RecordReader) throws(RunError) {
    try reader.require([Self.schema], ["carryover.run/"])
    let id = try reader.parsed("id") { RunID($0) }
    let kind = try reader.parsed("kind", RunKind.init)
    let state = try reader.parsed("state", State.init)
    let heldIn = reader.has("heldIn") ? try HeldIn(reader.object("heldIn")) : nil
    let recipe = reader.has("recipe") ? try RecipeReference(recorded: reader.object("recipe")) : nil
    if recipe == nil, [.apply, .cleanup].contains(kind) { throw reader.damage("recipe") }
    let others = reader.has("otherRecipes") ? try reader.list("otherRecipes", RecipeReference.init(recorded:)) : []
    let rolledBack = kind == .rollback ? try reader.parsed("rolledBack") { RunID($0) } : nil
    let batch = reader.has("batch") ? try reader.parsed("batch") { BatchID($0) } : nil
    let files = try reader.files("files")
    let fields = try reader.list("fields") { (field) throws(RunError) in try RecordedField(field) }
    self.init(
      id: id, kind: kind, state: state, container: try RecordedContainer(reader.object("container")),
      moment: try reader.moment(), recipe: recipe, otherRecipes: others,
      tool: try reader.text("tool"), rolledBack: rolledBack, fields: fields, files: files,
      isPruned: reader.flag("pruned"), heldIn: heldIn, batch: batch)
  }
}

extension RecipeReference: JSONConvertible {
  package var json: JSONValue {
    .object(present: ["id": id, "version": version, "title": title, "sha256": digest])
  }

  fileprivate init(recorded reader: RecordReader) throws(RunError) {
    self.init(
      id: try reader.text("id"), version: try reader.number("version"), title: try reader.text("title"),
      digest: try reader.optional("sha256"))
  }
}

extension RecordedFile: JSONConvertible {
  var json: JSONValue { .object(["path": path, "before": before, "after": after, "folders": folders]) }

  init(_ reader: RecordReader) throws(RunError) {
    let path = try reader.text("path")
    guard (try? ContainerPath.components(path)) != nil else { throw reader.damage("path") }
    let folders = try reader.texts("folders")
    // A rollback removes these folders if they are empty. Only folders on the file's path can have been created for it.
    for (place, folder) in folders.enumerated() {
      guard path.utf8.starts(with: (folder + "/").utf8), (try? ContainerPath.components(folder)) != nil else {
        throw reader.damage("folders[\(place)]")
      }
    }
    self.init(
      path: path, before: try RecordedState("before", reader), after: try RecordedState("after", reader),
      folders: folders)
  }
}

extension RecordedField: JSONConvertible {
  init(
    id: String, recipe: String? = nil, file: String? = nil, decision: String?, isFollowing: Bool = false,
    legacy: PropertyListValue?, proposed: PropertyListValue?, before: PropertyListValue?, after: PropertyListValue?,
    outcome: Outcome, findings: [String], isOmitted: Bool = false
  ) {
    let recorded = { (value: PropertyListValue?) in value.map { SavedValue($0) } }
    self.init(
      id: id, recipe: recipe, file: file, decision: decision, isFollowing: isFollowing, legacy: recorded(legacy),
      proposed: recorded(proposed), before: recorded(before), after: recorded(after), outcome: outcome,
      findings: findings, isOmitted: isOmitted)
  }

  /// Values and the decision may be null; what older records lack is absent.
  var json: JSONValue {
    .object(present: [
      "id": id, "recipe": recipe, "file": file, "decision": JSONValue(decision), "following": isFollowing ? true : nil,
      "legacy": JSONValue(legacy), "proposed": JSONValue(proposed), "before": JSONValue(before),
      "after": JSONValue(after), "outcome": outcome, "findings": findings, "omitted": isOmitted ? true : nil,
    ])
  }

  fileprivate init(_ reader: RecordReader) throws(RunError) {
    let outcome = try reader.parsed("outcome", Outcome.init)
    self.init(
      id: try reader.text("id"), recipe: try reader.optional("recipe"), file: try reader.optional("file"),
      decision: reader.root["decision"]?.stringValue, isFollowing: reader.flag("following"),
      legacy: try reader.recorded("legacy"),
      proposed: try reader.recorded("proposed"), before: try reader.recorded("before"),
      after: try reader.recorded("after"), outcome: outcome,
      findings: try reader.texts("findings"), isOmitted: reader.flag("omitted"))
  }
}

/// The container of a run. Several containers can share a state folder, but none may change another's runs.
struct RecordedContainer: Hashable {
  var kind: ContainerKind
  var bundleID: String?
  /// The file's name, for a single property list: other files in its folder have the same root.
  var name: String?
  /// The resolved path of the root, if the state folder is elsewhere. A container that contains its own state folder
  /// may be moved or copied with it.
  var root: String?
}

extension RecordedContainer: JSONConvertible {
  var json: JSONValue { .object(present: ["kind": kind, "bundleID": bundleID, "name": name, "root": root]) }

  init(_ reader: RecordReader) throws(RunError) {
    self.init(
      kind: try reader.parsed("kind", ContainerKind.init), bundleID: try reader.optional("bundleID"),
      name: try reader.optional("name"), root: try reader.optional("root"))
  }

  init(_ container: Container) {
    let isInside =
      FilePath.isWithin(container.stateDirectory, container.root) && container.stateDirectory != container.root
    self.init(
      kind: container.kind, bundleID: container.bundleID,
      name: container.kind == .propertyList ? container.name : nil, root: isInside ? nil : container.root)
  }

  /// Whether this is another container than the recorded one.
  ///
  /// The bundle identifier only matters if the root does. Otherwise it proves nothing, and a caller may give it to one
  /// command and not to the next.
  func differs(from recorded: RecordedContainer) -> Bool {
    guard kind == recorded.kind, name == recorded.name, root == recorded.root else { return true }
    guard root != nil, let bundleID, let other = recorded.bundleID else { return false }
    return bundleID != other
  }
}

struct HeldIn: Hashable, JSONConvertible {
  var path: String
  var digest: ContentDigest

  init(path: String, bytes: [UInt8]) {
    self.path = path
    digest = ContentDigest(bytes)
  }

  func matches(_ bytes: [UInt8]) -> Bool { digest.matches(bytes) }

  var json: JSONValue { .object([JSONMember("path", path.json)] + digest.members) }

  init(_ reader: RecordReader) throws(RunError) {
    path = try reader.text("path")
    guard (try? ContainerPath.components(path)) != nil else { throw reader.damage("heldIn") }
    digest = try reader.digest()
  }
}

typealias RecordReader = JSONReader<RunError>

extension RecordReader {
  init(_ bytes: [UInt8], path: String) throws(RunError) {
    try self.init(bytes, JSONLimits()) { damage in
      switch damage {
      case .laterSchema(let schema): .newerRecord(path: path, schema: schema)
      case .otherForm: .damagedRecord(path: path, reason: DocumentDamage.member("schema").sentence)
      default: .damagedRecord(path: path, reason: damage.sentence)
      }
    }
  }

  func files(_ member: String) throws(RunError) -> [RecordedFile] {
    let files = try list(member, limit: RunStore.mostFiles) { (item) throws(RunError) in try RecordedFile(item) }
    guard Set(bytesOf: files.map(\.path)).count == files.count else { throw damage(member) }
    return files
  }

  func digest() throws(RunError) -> ContentDigest {
    guard let digest = ContentDigest(root) else { throw damage("size or sha256") }
    return digest
  }

  fileprivate func recorded(_ member: String) throws(RunError) -> SavedValue? {
    has(member) ? try value(member) : nil
  }
}

extension DocumentDamage {
  fileprivate var sentence: String {
    let phrase = phrase()
    return phrase.prefix(1).uppercased() + phrase.dropFirst() + "."
  }
}

extension RunRecord {
  func checkReadable(path: String, limit: Int = RunStore.largestRecord - RunStore.roomForSeal) throws(RunError) {
    let bytes = Array((document.text(pretty: true) + "\n").utf8)
    guard bytes.count <= limit else {
      throw .notEncodable(path: path, reason: "It would be longer than \(limit) bytes.")
    }
    do {
      _ = try RunRecord(RecordReader(bytes, path: path))
    } catch {
      guard case .damagedRecord(_, let reason) = error else { throw error }
      throw .notEncodable(path: path, reason: reason)
    }
  }
}
