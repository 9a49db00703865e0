import Carryover

/// The app groups that came with a container: folders beside its `Library`, each with a `Library` of its own.
enum AppGroups {
  /// The folders of the groups, relative to the container's root.
  static func folders(dataFolder: String, _ reader: inout StoreReader) -> [String] {
    var folders: [String] = []
    for place in places {
      let folder = PathText.join(dataFolder, place)
      for name in reader.names(inFolder: folder) where !name.hasPrefix(".") && reader.isFolder(folder + "/" + name) {
        guard folders.count < reader.limits.folders else {
          reader.note(ContainerWording.tooManyFolders(folder, limit: reader.limits.folders))
          return folders
        }
        folders.append(folder + "/" + name)
      }
    }
    return folders
  }

  /// As a device backup and `extract` have them, and as a device does.
  private static let places = ["AppGroups", "Shared/AppGroup"]
}
