import CarryoverSystem
import PropertyLists

/// The decisions of a run and the files that it changed, as in `record.json` in the run's folder.
struct RunRecord: Hashable {
  /// The progress of a run.
  enum State: String {
    /// The run may or may not have changed files; the files themselves show it.
    case applying
    /// It is complete.
    case done
  }

  var id: RunID
  var kind: RunKind
  var state: State
  var container: RecordedContainer
  /// The moment when the run began.
  var moment: Moment
  /// The run's recipe; if there are several, the first.
  var recipe: RecipeReference
  /// The run's other recipes.
  var otherRecipes: [RecipeReference] = []
  /// The version of the tool.
  var tool: String
  /// The run that it rolled back; nil unless the run is a rollback.
  var rolledBack: RunID?
  var fields: [RecordedField]
  var files: [RecordedFile]
  /// Whether the copies of the files were removed to free their space, so that only the record is left.
  var isPruned = false
  /// For a cleanup, the file that contains the removed values.
  var heldIn: HeldIn?
  /// The batch of the run; nil for a run by itself.
  var batch: BatchID?
  /// The reason that the record is not the user's own, by its seal; nil if it is.
  var foreign: ForeignReason?

  /// Whether this user's Carryover wrote it.
  var isOwn: Bool { foreign == nil }
}

/// The result of a run for one field.
struct RecordedField: Hashable {
  /// The target key; for a cleanup, the legacy key.
  @StringByBytes var id: String
  /// The id of the field's recipe; nil in a run of one recipe.
  var recipe: String?
  /// The key's file, relative to the container's root; nil if the run has only one file.
  var file: String?
  /// The decision: `migrate`, `skip`, `keep` or `edit`; nil if the field needed none.
  var decision: String?
  /// The legacy value found.
  var legacy: RecordedValue?
  /// The plan's proposal.
  var proposed: RecordedValue?
  /// The target's value before the run.
  var before: RecordedValue?
  /// The target's value after the run.
  var after: RecordedValue?
  var outcome: Outcome
  /// The codes of the field's findings.
  var findings: [String]
}

/// One file of a run, before and after.
struct RecordedFile: Hashable {
  /// The path, relative to the container's root.
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

  /// Whether these are the recorded bytes.
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
