import Carryover

/// The app groups in a container: folders beside its `Library`, each with its own `Library`.
enum AppGroups {
  /// The folders of the app groups, relative to the container's root.
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

  /// The layout of a device backup and of `extract`, and that of a device.
  private static let places = ["AppGroups", "Shared/AppGroup"]
}
