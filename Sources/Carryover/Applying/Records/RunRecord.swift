import CarryoverSystem

/// What a run decided and which files it changed, as written to `record.json` in the run's folder.
struct RunRecord: Hashable {
  /// How far a run has come.
  enum State: String {
    /// It may have changed files, or not yet; the files themselves tell.
    case applying
    /// It is complete.
    case done
  }

  var id: RunID
  var kind: RunKind
  var state: State
  /// The container; nil in records of earlier versions.
  var container: RecordedContainer?
  /// When the run began.
  var moment: Moment
  /// Which recipe made the plan that was applied; the first of several.
  var recipe: RecipeReference
  /// The recipes beside it.
  var otherRecipes: [RecipeReference] = []
  /// The version of the tool.
  var tool: String
  /// The run that was taken back, for a rollback.
  var rolledBack: RunID?
  var fields: [RecordedField]
  var files: [RecordedFile]
  /// Whether the copies of the files were removed to free their space; the record alone is left.
  var isPruned = false
  /// For a cleanup, the file that holds what it removed.
  var heldIn: HeldIn?
  /// Why it is not this user's own, as its seal tells; nil where it is.
  var foreign: ForeignReason?

  /// Whether this user's Carryover wrote it.
  var isOwn: Bool { foreign == nil }
}

/// What became of one field in a run.
struct RecordedField: Hashable {
  /// The target key; for a cleanup, the legacy key.
  var id: String
  /// The id of the recipe whose field it is; nil in a run of one recipe.
  var recipe: String?
  /// The file the key stands in, relative to the container's root; nil where the run has one file only.
  var file: String?
  /// What was decided: `migrate`, `skip`, `keep` or `edit`; nil where a clean field needed no decision.
  var decision: String?
  /// The legacy value found.
  var legacy: RecordedValue?
  /// What the plan proposed.
  var proposed: RecordedValue?
  /// What the target held before.
  var before: RecordedValue?
  /// What the target held after.
  var after: RecordedValue?
  var outcome: Outcome
  /// The codes of the field's findings.
  var findings: [String]
}

/// One file of a run, before and after.
struct RecordedFile: Hashable {
  /// The path, relative to the container's root.
  var path: String
  var before: RecordedState
  var after: RecordedState
  /// The folders the run made for the file, or removed with it; outermost first, relative to the container's root.
  var folders: [String]
}

/// What a file was, and where in the run's folder its bytes are.
enum RecordedState: Hashable {
  case absent
  case file(name: String, attributes: FileAttributes, digest: ContentDigest)

  /// A state as it is recorded, with its bytes under `name` in one of the run's two folders.
  init(_ state: FileState, name: String) {
    switch state {
    case .absent: self = .absent
    case .file(let bytes, let attributes):
      self = .file(name: name, attributes: attributes, digest: ContentDigest(bytes))
    }
  }

  /// Whether another state had the same bytes, or was absent too.
  func hasContent(of other: RecordedState) -> Bool {
    switch (self, other) {
    case (.absent, .absent): true
    case (.file(_, _, let digest), .file(_, _, let others)): digest == others
    default: false
    }
  }

  /// Whether bytes are those that were recorded.
  func matches(_ bytes: [UInt8]?) -> Bool {
    switch (self, bytes) {
    case (.absent, nil): true
    case (.file(_, _, let digest), let bytes?): digest.matches(bytes)
    default: false
    }
  }
}

extension RecordedField {
  /// `RECIPE/FIELD` in a run of several recipes, otherwise the key.
  var name: String { FieldOwner.name(id, of: recipe) }
}

extension RecordedFile {
  /// A change as it is recorded; the number tells apart files of one name.
  init(_ change: FileChange, number: Int) {
    let name = "\(number)-" + Self.shortened(change.path.split(separator: "/").last ?? "")
    self.init(
      path: change.path, before: RecordedState(change.before, name: name),
      after: RecordedState(change.after, name: name), folders: change.folders)
  }

  /// File systems take 255 bytes; the number before the name and a temporary's ending behind it need some.
  private static func shortened(_ name: Substring) -> String {
    var result = ""
    for character in name {
      guard result.utf8.count + character.utf8.count <= 200 else { break }
      result.append(character)
    }
    return result
  }
}
