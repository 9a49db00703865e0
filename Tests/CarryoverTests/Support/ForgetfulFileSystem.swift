/// A file system that takes a file by one name and never has it: its making and removal succeed, and nothing is there.
struct ForgetfulFileSystem: FileSystemLayer {
  let base: any FileSystem
  let forgotten: String

  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    if destination == forgotten { return try base.remove(source) }
    try base.rename(source, to: destination, mode)
  }

  func remove(_ path: String) throws(FileSystemError) {
    if path == forgotten { return }
    try base.remove(path)
  }
}
