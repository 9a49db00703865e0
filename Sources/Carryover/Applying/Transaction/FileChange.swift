/// What stands, or is to stand, at a path.
enum FileState: Hashable {
  /// No file.
  case absent
  /// A file with these bytes and attributes.
  case file(bytes: [UInt8], attributes: FileAttributes)

  /// The bytes; nil for no file.
  var bytes: [UInt8]? {
    if case .file(let bytes, _) = self { bytes } else { nil }
  }

  /// The attributes; nil for no file.
  var attributes: FileAttributes? {
    if case .file(_, let attributes) = self { attributes } else { nil }
  }

  /// The state a file was read in.
  init(_ image: FileImage?) {
    guard let image else {
      self = .absent
      return
    }
    self = .file(bytes: image.bytes, attributes: FileAttributes(image.status))
  }

  /// A file to be written.
  init(bytes: [UInt8], attributes: FileAttributes) { self = .file(bytes: bytes, attributes: attributes) }
}

/// The attributes of a file that a run keeps.
struct FileAttributes: Hashable {
  /// The permission bits, without set-user-id and its like.
  var mode: UInt32
  /// The owner; nil for whoever runs it.
  var owner: Owner?

  init(mode: UInt32, owner: Owner?) {
    self.mode = mode & 0o777
    self.owner = owner
  }

  init(_ status: FileStatus) {
    self.init(mode: status.mode, owner: Owner(user: status.user, group: status.group))
  }

  /// Who a file belongs to.
  struct Owner: Hashable {
    var user: UInt32
    var group: UInt32
  }
}

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
