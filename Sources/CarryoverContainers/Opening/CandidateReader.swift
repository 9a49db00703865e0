import Carryover

/// Reads only the parts of a container that identify its app.
struct CandidateReader {
  let place: Place
  let limits: ContainerLimits

  /// The container at the place, as a candidate.
  /// - Parameter path: the path that selects it.
  func candidate(_ path: String, _ kind: ContainerKind) -> ContainerCandidate {
    let dataFolder = kind == .xcappdata ? FolderRecognition.dataName : ""
    var reader = StoreReader(fileSystem: place.fileSystem, root: place.path, limits: limits)
    let description = ContainerDescription(kind: kind, dataFolder: dataFolder, hasInfo: kind == .xcappdata)
    let preferences = PathText.join(dataFolder, "Library/Preferences")
    var finder = BundleIDFinder()
    let answer = finder.find(
      statements: description.statements(&reader),
      preferences: reader.names(inFolder: preferences).filter(PathText.isPropertyListName).map {
        Store(path: PathText.join(preferences, $0), content: .unreadable(""))
      })
    return ContainerCandidate(
      path: path, kind: kind, bundleID: answer?.bundleID, name: PathText.lastComponent(place.path),
      groups: AppGroups.folders(dataFolder: dataFolder, &reader).map(PathText.lastComponent))
  }
}
