import Carryover
import CarryoverSystem
import PropertyLists

/// Reads the container at a place that is one.
struct ContainerReading {
  let place: Place
  let options: ContainerOptions
  let observer: OpeningObserver

  /// The container, in the form in which it was found.
  func container(_ form: ContainerChoice.Form) throws(ContainerError) -> Container {
    switch form {
    case .folder(let kind, let root, let dataFolder, let hasInfo):
      try folder(ContainerDescription(kind: kind, dataFolder: dataFolder, hasInfo: hasInfo), root: root)
    case .file: try file()
    }
  }

  private func folder(_ description: ContainerDescription, root: String) throws(ContainerError) -> Container {
    let dataFolder = description.dataFolder
    var reader = StoreReader(
      fileSystem: place.fileSystem, root: root, limits: options.limits, files: options.files, observer: observer)
    let statements = statements(description, &reader)
    try reader.readStores(dataFolder: dataFolder)
    for group in AppGroups.folders(dataFolder: dataFolder, &reader) { try reader.readGroup(group) }
    try reader.readUnnamed()
    let finder = UnsentEventsFinder(reader: reader)
    var container = Container(
      kind: description.kind, root: root, dataFolder: dataFolder, bundleID: nil,
      stores: reader.stores.sorted { PathText.precedes($0.path, $1.path) },
      unsentEvents: finder.find(dataFolder: dataFolder), stateDirectory: stateDirectory(beside: root))
    container.signs = SignFinder(reader: reader).find(dataFolder: dataFolder) + reader.signs.sorted()
    let prefix = container.preferencesFolder + "/"
    var bundleIDs = BundleIDFinder()
    let answer = bundleIDs.find(
      statements: statements, preferences: container.stores.filter { $0.path.hasSameBytes(as: prefix + $0.name) })
    container.bundleID = answer?.bundleID
    container.bundleIDOrigin = answer?.origin
    let placeholders = reader.placeholders.isEmpty ? [] : [ContainerWording.placeholders(reader.placeholders)]
    container.notices = reader.notices + placeholders + bundleIDs.notices
    return container
  }

  /// The bundle identifiers that the caller and the container's own files state, most trusted first.
  private func statements(
    _ description: ContainerDescription, _ reader: inout StoreReader
  ) -> [BundleIDFinder.Statement] {
    if let bundleID = options.bundleID {
      return [BundleIDFinder.Statement(bundleID: bundleID, origin: .option, path: "")]
    }
    return description.statements(&reader)
  }

  private func file() throws(ContainerError) -> Container {
    let path = place.path
    let limit = options.limits.fileBytes
    let image = try place.reading { () throws(FileSystemError) in try place.fileSystem.read(path, limit: limit) }
    let document: PropertyListDocument
    do throws(PropertyListError) {
      document = try PropertyListDocument(
        bytes: image.bytes, limits: options.limits.propertyList(of: image.bytes.count))
    } catch {
      throw ContainerError(path, Self.refusal(of: image.bytes, error))
    }
    if case .string(let name)? = document.dictionary?["NSURLNameKey"],
      PathText.placeholder(PathText.lastComponent(path)) == name
    {
      throw ContainerError(path, .placeholder(name))
    }
    let folder = PathText.parent(path)
    let reader = StoreReader(fileSystem: place.fileSystem, root: folder, limits: options.limits, observer: observer)
    var file = BareFile(name: PathText.lastComponent(path), document: document, reader: reader)
    return try file.container(bundleID: options.bundleID, stateDirectory: stateDirectory(beside: folder))
  }

  /// The kind of a file that could not be read as a property list.
  private static func refusal(of bytes: [UInt8], _ error: PropertyListError) -> ContainerError.Kind {
    if FileSignature.isAndroidPreferences(bytes) { return .androidData }
    return
      switch error.kind
    {
    case .emptyFile, .openStepText, .jsonText, .unrecognised:
      if FileSignature(bytes) == .database {
        .database
      } else if ZipEnd(bytes.suffix(ZipEnd.longest)) != nil {
        .precededArchive
      } else {
        .notPropertyList(error)
      }
    default: .corruptPropertyList(error)
    }
  }

  private func stateDirectory(beside root: String) -> String {
    guard let given = options.stateDirectory else { return PathText.join(root, Self.stateName) }
    let full = PathText.cleaned(given, workingDirectory: Platform.workingDirectory)
    // In a folder that does not exist, nothing is stored yet, and nothing can be.
    return (try? place.fileSystem.location(of: full)) ?? full
  }

  /// The default name of the state folder in a container's root.
  static let stateName = ".carryover"
}
