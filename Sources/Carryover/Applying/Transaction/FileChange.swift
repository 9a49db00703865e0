import CarryoverSystem

/// The change of one file by a run. A run is a list of these.
struct FileChange: Hashable {
  /// The path, relative to the container's root.
  var path: String
  /// The file before the run.
  var before: FileState
  /// The file after the run.
  var after: FileState
  /// The folders to create for the file or, if the file is removed, to remove if they are empty; outermost first,
  /// relative to the root.
  var folders: [String] = []
  /// Whether a new file may belong to the current user if it cannot be given to its intended owner. An existing file
  /// must keep its owner.
  var mayBeOurs = false

  /// The state before or after the run.
  subscript(side: RunStore.Side) -> FileState {
    switch side {
    case .before: before
    case .after: after
    }
  }

  /// The opposite change.
  var reversed: FileChange { FileChange(path: path, before: after, after: before, folders: folders) }
}
