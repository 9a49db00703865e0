import CarryoverSystem

/// Where a state folder keeps what came with a container and was put out of the way: `discarded/1`, `discarded/2`, ….
enum Discarded {
  /// Moves files and folders of a state folder into a new folder, in their order; those that are not there are passed
  /// over. Nothing is deleted.
  /// - Returns: the new folder.
  static func move(
    _ paths: [String], in state: String, _ files: inout DurableFiles
  ) throws(FileSystemError) -> String {
    let fileSystem = files.fileSystem
    var discarded = state + "/discarded"
    // A link or a file may have come along in its place.
    while let kind = try fileSystem.status(discarded)?.kind, kind != .directory { discarded += "-" }
    if try fileSystem.status(discarded) == nil { try fileSystem.makeDirectory(discarded, mode: 0o700) }
    var number = 1
    while try fileSystem.status("\(discarded)/\(number)") != nil { number += 1 }
    let place = "\(discarded)/\(number)"
    try fileSystem.makeDirectory(place, mode: 0o700)
    for path in paths where try fileSystem.status(path) != nil {
      try fileSystem.rename(path, to: place + "/" + FilePath.name(of: path), .replacing)
      try files.synchronizeFolder(FilePath.folder(of: path))
    }
    for folder in [place, discarded, state] { try files.synchronizeFolder(folder) }
    return place
  }
}
