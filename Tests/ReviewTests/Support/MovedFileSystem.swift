/// The real file system, with one folder under another name: recordings then name no temporary folder.
struct MovedFileSystem: ForwardingFileSystem {
  let base: any FileSystem = POSIXFileSystem()
  let name: String
  let place: String

  init(_ name: String, at place: String) {
    self.name = name
    self.place = place
  }

  func place(of path: String) -> String { path.hasPrefix(name) ? place + path.dropFirst(name.count) : path }

  func resolve(_ path: String) throws(FileSystemError) -> String {
    let resolved = try base.resolve(place(of: path))
    return resolved.hasPrefix(place) ? name + resolved.dropFirst(place.count) : resolved
  }
}
