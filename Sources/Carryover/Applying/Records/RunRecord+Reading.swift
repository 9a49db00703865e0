import CarryoverSystem
import PropertyLists

extension RunRecord {
  /// Reads a record. Unknown members are ignored, so that later versions may add some.
  /// - Throws: `newerRecord` for a later schema, `damagedRecord` if the document is not a record.
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
