/// The real file system, with one folder under another name: recordings then name no temporary folder.
struct MovedFileSystem: FileSystemLayer {
  let base: any FileSystem = POSIXFileSystem()
  let name: String
  let place: String

  init(_ name: String, at place: String) {
    self.name = name
    self.place = place
  }

  private func place(of path: String) -> String { path.hasPrefix(name) ? place + path.dropFirst(name.count) : path }

  func resolve(_ path: String) throws(FileSystemError) -> String {
    let resolved = try base.resolve(place(of: path))
    return resolved.hasPrefix(place) ? name + resolved.dropFirst(place.count) : resolved
  }
  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    try base.read(place(of: path), limit: limit)
  }
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try base.read(place(of: path), from: offset, count: count)
  }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(place(of: path)) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(place(of: path)) }
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try base.create(place(of: path), mode: mode)
  }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try base.rename(place(of: source), to: place(of: destination), mode)
  }
  func remove(_ path: String) throws(FileSystemError) { try base.remove(place(of: path)) }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try base.makeDirectory(place(of: path), mode: mode)
  }
  func removeDirectory(_ path: String) throws(FileSystemError) { try base.removeDirectory(place(of: path)) }
  func synchronizeFile(_ path: String) throws(FileSystemError) { try base.synchronizeFile(place(of: path)) }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) { try base.synchronizeDirectory(place(of: path)) }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try base.lock(place(of: path), mode: mode, waiting: waiting)
  }
}
