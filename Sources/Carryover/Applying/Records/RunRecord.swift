import CarryoverSystem
package import PropertyLists

/// The decisions of a run and the files that it changed, as in `record.json` in the run's folder.
struct RunRecord: Hashable {
  enum State: String {
    /// The run may or may not have changed files; the files themselves show it.
    case applying
    case done
  }

  var id: RunID
  var kind: RunKind
  var state: State
  var container: RecordedContainer
  var moment: Moment
  var recipe: RecipeReference
  var otherRecipes: [RecipeReference] = []
  var tool: String
  var rolledBack: RunID?
  var fields: [RecordedField]
  var files: [RecordedFile]
  /// Whether the copies of the files were removed to free their space, so that only the record is left.
  var isPruned = false
  /// For a cleanup, the file that contains the removed values.
  var heldIn: HeldIn?
  var batch: BatchID?
  /// The reason that the record is not the user's own, by its seal; nil if it is.
  var foreign: ForeignReason?

  /// Whether this user's Carryover wrote it.
  var isOwn: Bool { foreign == nil }
}

struct RecordedField: Hashable {
  /// The target key; for a cleanup, the legacy key.
  @StringByBytes var id: String
  var recipe: String?
  /// The key's file, relative to the container's root; nil if the run has only one file.
  var file: String?
  /// The decision: `migrate`, `skip`, `keep` or `edit`; nil if the field needed none.
  var decision: String?
  var legacy: RecordedValue?
  var proposed: RecordedValue?
  var before: RecordedValue?
  var after: RecordedValue?
  var outcome: Outcome
  var findings: [String]
}

struct RecordedFile: Hashable {
  @StringByBytes var path: String
  var before: RecordedState
  var after: RecordedState
  /// The folders created for the file or removed with it; outermost first, relative to the container's root.
  var folders: [String]
}

/// A recorded state of a file, and the place of its bytes in the run's folder.
enum RecordedState: Hashable {
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

  /// Whether another state has the same bytes, or both are missing.
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
}

extension RecordedField {
  var name: String { FieldOwner.name(id, of: recipe) }
}

extension RecordedFile {
  /// The recorded form of a change. The number distinguishes files with the same name.
  init(_ change: FileChange, number: Int) {
    let name = "\(number)-" + Self.shortened(change.path.split(separator: "/").last ?? "")
    self.init(
      path: change.path, before: RecordedState(change.before, name: name),
      after: RecordedState(change.after, name: name), folders: change.folders)
  }

  /// File systems allow 255 bytes, which include the number before the name and the suffix of a temporary file.
  private static func shortened(_ name: Substring) -> String {
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
    var members = [
      JSONMember("schema", .string(Self.schema)),
      JSONMember("id", .string(id.text)),
      JSONMember("kind", .string(kind.rawValue)),
      JSONMember("state", .string(state.rawValue)),
      JSONMember("moment", .string(moment.text)),
      JSONMember("milliseconds", .string(String(moment.millisecondsSince1970))),
      JSONMember("tool", .string(tool)),
      JSONMember("recipe", recipe.json), JSONMember("container", container.json),
    ]
    if !otherRecipes.isEmpty { members.append(JSONMember("otherRecipes", .array(otherRecipes.map(\.json)))) }
    if let rolledBack { members.append(JSONMember("rolledBack", .string(rolledBack.text))) }
    if let batch { members.append(JSONMember("batch", .string(batch.text))) }
    if let heldIn { members.append(JSONMember("heldIn", heldIn.json)) }
    if isPruned { members.append(JSONMember("pruned", .boolean(true))) }
    members.append(JSONMember("files", .array(files.map(\.json))))
    members.append(JSONMember("fields", .array(fields.map(\.json))))
    return .object(members)
  }
}

extension RecipeReference {
  var json: JSONValue {
    .object(
      [JSONMember("id", .string(id)), JSONMember("version", JSONValue(version)), JSONMember("title", .string(title))]
        + fileMembers)
  }

  package var fileMembers: [JSONMember] {
    digest.map { [JSONMember("sha256", .string($0))] } ?? []
  }
}

extension RecordedContainer {
  var json: JSONValue {
    let members = [("kind", kind.rawValue), ("bundleID", bundleID), ("name", name), ("root", root)]
    return .object(members.compactMap { name, text in text.map { JSONMember(name, .string($0)) } })
  }
}

extension RecordedFile {
  var json: JSONValue {
    .object([
      JSONMember("path", .string(path)), JSONMember("before", before.json), JSONMember("after", after.json),
      JSONMember("folders", JSONValue(folders)),
    ])
  }
}

extension RecordedState {
  fileprivate var json: JSONValue {
    guard case .file(let name, let attributes, let digest) = self else { return .string("absent") }
    var members = [
      JSONMember("name", .string(name)), JSONMember("mode", .string(String(attributes.mode, radix: 8))),
    ]
    if let owner = attributes.owner {
      members.append(JSONMember("user", JSONValue(Int(owner.user))))
      members.append(JSONMember("group", JSONValue(Int(owner.group))))
    }
    return .object(members + digest.members)
  }
}

extension RecordedField {
  fileprivate var json: JSONValue {
    let place = [("recipe", recipe), ("file", file)].compactMap { name, text in
      text.map { JSONMember(name, .string($0)) }
    }
    return .object(
      [JSONMember("id", .string(id))] + place + [
        JSONMember("decision", JSONValue(decision)),
        JSONMember("legacy", Self.json(legacy)),
        JSONMember("proposed", Self.json(proposed)),
        JSONMember("before", Self.json(before)),
        JSONMember("after", Self.json(after)),
        JSONMember("outcome", .string(outcome.rawValue)),
        JSONMember("findings", JSONValue(findings)),
      ])
  }

  private static func json(_ value: RecordedValue?) -> JSONValue {
    switch value {
    case nil: .null
    case .whole(let value): CodedValue.json(value)
    case .summary(let kind, let digest): .object([JSONMember("type", .string(kind.rawValue))] + digest.members)
    }
  }
}

extension RunRecord {
  /// Reads a record. Unknown members are ignored, so that later versions may add some.
  package init(_ reader: RecordReader) throws(RunError) {
    let path = reader.path
    let schema = try reader.text("schema", in: reader.root)
    guard schema == Self.schema else {
      throw schema.hasPrefix("carryover.run/") ? .newerRecord(path: path, schema: schema) : reader.damaged("schema")
    }
    guard let id = RunID(try reader.text("id", in: reader.root)) else { throw reader.damaged("id") }
    guard let kind = RunKind(rawValue: try reader.text("kind", in: reader.root)) else { throw reader.damaged("kind") }
    guard let state = State(rawValue: try reader.text("state", in: reader.root)) else { throw reader.damaged("state") }
    guard let milliseconds = Int64(try reader.text("milliseconds", in: reader.root)) else {
      throw reader.damaged("milliseconds")
    }
    var heldIn: HeldIn?
    if let json = reader.root["heldIn"] { heldIn = try HeldIn(json, reader) }
    var otherRecipes: [RecipeReference] = []
    if reader.root["otherRecipes"] != nil {
      for item in try reader.items("otherRecipes", in: reader.root) {
        otherRecipes.append(try RecipeReference(item, reader))
      }
    }
    var rolledBack: RunID?
    if kind == .rollback {
      rolledBack = RunID(try reader.text("rolledBack", in: reader.root))
      guard rolledBack != nil else { throw reader.damaged("rolledBack") }
    }
    var batch: BatchID?
    if let text = try reader.optionalText("batch", in: reader.root) {
      guard let id = BatchID(text) else { throw reader.damaged("batch") }
      batch = id
    }
    var files: [RecordedFile] = []
    for item in try reader.items("files", in: reader.root, limit: RunStore.mostFiles) {
      files.append(try RecordedFile(item, reader))
    }
    guard Set(files.map(\.path)).count == files.count else { throw reader.damaged("files") }
    var fields: [RecordedField] = []
    for item in try reader.items("fields", in: reader.root) { fields.append(try RecordedField(item, reader)) }
    self.init(
      id: id, kind: kind, state: state,
      container: try RecordedContainer(reader.root["container"] ?? .null, reader),
      moment: Moment(millisecondsSince1970: milliseconds),
      recipe: try RecipeReference(reader.root["recipe"] ?? .null, reader), otherRecipes: otherRecipes,
      tool: try reader.text("tool", in: reader.root), rolledBack: rolledBack, fields: fields, files: files,
      isPruned: reader.root["pruned"] == .boolean(true), heldIn: heldIn, batch: batch)
  }
}

extension RecipeReference {
  fileprivate init(_ json: JSONValue, _ reader: RecordReader) throws(RunError) {
    self.init(
      id: try reader.text("id", in: json), version: try reader.number("version", in: json),
      title: try reader.text("title", in: json), digest: try reader.optionalText("sha256", in: json))
  }
}

extension RecordedContainer {
  init(_ json: JSONValue, _ reader: RecordReader) throws(RunError) {
    guard let kind = ContainerKind(rawValue: try reader.text("kind", in: json)) else { throw reader.damaged("kind") }
    self.init(
      kind: kind, bundleID: try reader.optionalText("bundleID", in: json),
      name: try reader.optionalText("name", in: json), root: try reader.optionalText("root", in: json))
  }
}

extension RecordedFile {
  init(_ json: JSONValue, _ reader: RecordReader) throws(RunError) {
    let path = try reader.text("path", in: json)
    guard (try? ContainerPath.components(path)) != nil else { throw reader.damaged("path") }
    let folders = try reader.texts("folders", in: json)
    // A rollback removes these folders if they are empty. Only folders on the file's path can have been created for it.
    for folder in folders {
      guard path.utf8.starts(with: (folder + "/").utf8), (try? ContainerPath.components(folder)) != nil else {
        throw reader.damaged("folders")
      }
    }
    self.init(
      path: path, before: try RecordedState("before", json, reader), after: try RecordedState("after", json, reader),
      folders: folders)
  }
}

extension RecordedState {
  fileprivate init(_ member: String, _ file: JSONValue, _ reader: RecordReader) throws(RunError) {
    let json = file[member] ?? .null
    if json == .string("absent") {
      self = .absent
      return
    }
    // A name with a slash would lead out of the run's own folder.
    let name = try reader.text("name", in: json)
    guard (try? ContainerPath.components(name))?.count == 1 else { throw reader.damaged(member) }
    guard let mode = UInt32(try reader.text("mode", in: json), radix: 8) else { throw reader.damaged("mode") }
    var owner: FileAttributes.Owner?
    if json["user"] != nil {
      guard let user = UInt32(exactly: try reader.number("user", in: json)),
        let group = UInt32(exactly: try reader.number("group", in: json))
      else { throw reader.damaged("user") }
      owner = FileAttributes.Owner(user: user, group: group)
    }
    self = .file(
      name: name, attributes: FileAttributes(mode: mode, owner: owner), digest: try reader.digest(json))
  }
}

extension RecordedField {
  fileprivate init(_ json: JSONValue, _ reader: RecordReader) throws(RunError) {
    guard let outcome = Outcome(rawValue: try reader.text("outcome", in: json)) else { throw reader.damaged("outcome") }
    let decision: String? = if case .string(let word)? = json["decision"] { word } else { nil }
    self.init(
      id: try reader.text("id", in: json), recipe: try reader.optionalText("recipe", in: json),
      file: try reader.optionalText("file", in: json), decision: decision, legacy: try reader.value("legacy", in: json),
      proposed: try reader.value("proposed", in: json), before: try reader.value("before", in: json),
      after: try reader.value("after", in: json), outcome: outcome, findings: try reader.texts("findings", in: json))
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

extension RecordedContainer {
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

extension RunRecord {
  func belongs(to container: RecordedContainer) -> Bool { !container.differs(from: self.container) }
}

/// The file that contained the values a cleanup removed, in its state at that time.
struct HeldIn: Hashable {
  var path: String
  var digest: ContentDigest

  init(path: String, bytes: [UInt8]) {
    self.path = path
    digest = ContentDigest(bytes)
  }

  func matches(_ bytes: [UInt8]) -> Bool { digest.matches(bytes) }

  var json: JSONValue {
    .object([JSONMember("path", .string(path))] + digest.members)
  }

  init(_ json: JSONValue, _ reader: RecordReader) throws(RunError) {
    path = try reader.text("path", in: json)
    guard (try? ContainerPath.components(path)) != nil else { throw reader.damaged("heldIn") }
    digest = try reader.digest(json)
  }
}
