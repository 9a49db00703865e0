/// The current or the intended state of a path.
package enum FileState: Hashable {
  /// No file.
  case absent
  /// A file with these bytes and attributes.
  case file(bytes: [UInt8], attributes: FileAttributes)

  /// The bytes; nil if there is no file.
  package var bytes: [UInt8]? {
    if case .file(let bytes, _) = self { bytes } else { nil }
  }

  /// The attributes; nil if there is no file.
  package var attributes: FileAttributes? {
    if case .file(_, let attributes) = self { attributes } else { nil }
  }

  /// The state of a file that was read.
  package init(_ image: FileImage?) {
    guard let image else {
      self = .absent
      return
    }
    self = .file(bytes: image.bytes, attributes: FileAttributes(image.status))
  }

  /// A file to be written.
  package init(bytes: [UInt8], attributes: FileAttributes) { self = .file(bytes: bytes, attributes: attributes) }
}

/// The attributes of a file that a run preserves.
package struct FileAttributes: Hashable {
  /// The permission bits, without set-user-id and its like.
  package var mode: UInt32
  /// The owner; nil for the user who runs Carryover.
  package var owner: Owner?

  package init(mode: UInt32, owner: Owner?) {
    self.mode = mode & 0o777
    self.owner = owner
  }

  package init(_ status: FileStatus) {
    self.init(mode: status.mode, owner: Owner(user: status.user, group: status.group))
  }

  /// The owner of a file.
  package struct Owner: Hashable {
    package var user: UInt32
    package var group: UInt32

    package init(user: UInt32, group: UInt32) {
      self.user = user
      self.group = group
    }
  }
}
