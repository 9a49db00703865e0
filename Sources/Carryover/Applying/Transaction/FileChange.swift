import CarryoverSystem

/// What one run makes of one file. A run is a list of these.
struct FileChange: Hashable {
  /// The path, relative to the container's root.
  var path: String
  /// What stands there when the run begins.
  var before: FileState
  /// What is to stand there when it has ended.
  var after: FileState
  /// The folders to make for it, or, where the file goes, to remove if they are empty; outermost first, relative to the
  /// root.
  var folders: [String] = []
  /// Whether a file that nobody had before may belong to whoever runs this, where it cannot be given to the owner it is
  /// meant for. A file that was there has an owner who must not lose it.
  var mayBeOurs = false

  /// The state on one side of the run.
  subscript(side: RunStore.Side) -> FileState {
    switch side {
    case .before: before
    case .after: after
    }
  }

  /// The change back.
  var reversed: FileChange { FileChange(path: path, before: after, after: before, folders: folders) }
}
