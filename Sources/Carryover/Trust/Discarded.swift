import CarryoverSystem

/// The folder for discarded state that came with a container: `discarded/1`, `discarded/2`, ….
enum Discarded {
  /// Moves files and folders of a state folder into a new folder, in this order. Missing ones are skipped. Nothing is
  /// deleted.
  /// - Returns: the new folder.
  static func move(
    _ paths: [String], in state: String, _ files: inout DurableFiles
  ) throws(FileSystemError) -> String {
    let fileSystem = files.fileSystem
    var discarded = state + "/discarded"
    // There may be a link or a file in its place that came with the container.
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
