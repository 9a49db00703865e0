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
