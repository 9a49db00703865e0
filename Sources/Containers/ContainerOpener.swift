public import Carryover
import PropertyLists

/// Opens what support is sent: an Xcode package, an app's data folder, or one property list.
///
/// What a path is, is told by its content, never by its name. Opening only reads, works on a read-only container, and
/// follows no symbolic link in its place or inside it.
public struct ContainerOpener: Sendable {
  private let fileSystem: any FileSystem

  /// An opener that reads through a file system.
  public init(fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
  }

  /// Opens the container at a path.
  ///
  /// Its root and state folder are the same however the path is spelled: links and `..` on the way are resolved. The last
  /// component may be no link.
  ///
  /// Stores that cannot be read are in the container, each with its reason; they are no error here. A `Library` or
  /// `Library/Preferences` that cannot be looked into is one.
  /// - Parameter path: an `.xcappdata` package or its `AppData`, a folder with an app's `Library` in it, or a property
  ///   list; relative to the working directory or absolute.
  /// - Throws: `ContainerError` when the path cannot be opened at all, or when `options.bundleID` cannot be one.
  public func open(
    _ path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> Container {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw ContainerError(path, .invalidPath) }
    if let bundleID = options.bundleID, !Container.isValidBundleID(bundleID) {
      throw ContainerError(path, .invalidBundleID(bundleID))
    }
    let given = PathText.cleaned(path, workingDirectory: Platform.workingDirectory)
    let located = try reading(given) { () throws(FileSystemError) in try fileSystem.location(of: given) }
    do throws(ContainerError) {
      var container = try open(at: located, options)
      if let name = name(of: container, given: given, located: located) { container.name = name }
      container.liveness = liveness(of: container, home: options.home)
      return container
    } catch {
      // People look for what they have given.
      throw error.path == located ? ContainerError(given, error.kind) : error
    }
  }

  private func open(at path: String, _ options: ContainerOptions) throws(ContainerError) -> Container {
    switch try reading(path, { () throws(FileSystemError) in try fileSystem.status(path)?.kind }) {
    case nil: throw ContainerError(path, .notFound)
    case .symbolicLink: throw ContainerError(path, .symbolicLink)
    case .other: throw ContainerError(path, .notFileOrFolder)
    case .regular: return try openFile(path, options)
    case .directory: return try openFolder(path, options)
    }
  }

  /// The name of a folder in the path that was given; nil where that does not name it.
  private func name(of container: Container, given: String, located: String) -> String? {
    guard container.kind != .propertyList else { return nil }
    let name = PathText.lastComponent(container.root == located ? given : PathText.parent(given))
    return name == ".." || name == "." ? nil : name
  }

  /// What the container's app data belongs to, by its real path. A property list by itself is not the folder it lies in:
  /// one in a home folder has no part in the preferences there.
  private func liveness(of container: Container, home: String?) -> Liveness? {
    let home = home.map { (try? fileSystem.resolve($0)) ?? $0 }
    let data = container.kind == .propertyList ? container.name : container.dataFolder
    return Liveness(ofDataAt: PathText.join(container.root, data), home: home)
  }

  private func stateDirectory(_ options: ContainerOptions, beside root: String) -> String {
    guard let given = options.stateDirectory else { return PathText.join(root, Self.stateName) }
    let full = PathText.cleaned(given, workingDirectory: Platform.workingDirectory)
    // In a folder that is not there, nothing is kept yet, and nothing can be.
    return (try? fileSystem.location(of: full)) ?? full
  }

  private func openFolder(_ path: String, _ options: ContainerOptions) throws(ContainerError) -> Container {
    let recognition = FolderRecognition(fileSystem: fileSystem)
    switch try reading(path, { () throws(FileSystemError) in try recognition.recognise(path) }) {
    case .package(let root, let hasInfo):
      return try openFolder(.xcappdata, root: root, dataFolder: FolderRecognition.dataName, hasInfo: hasInfo, options)
    case .dataContainer:
      return try openFolder(.folder, root: path, dataFolder: "", hasInfo: false, options)
    case .refused(let kind):
      throw ContainerError(path, kind)
    }
  }

  private func openFolder(
    _ kind: ContainerKind, root: String, dataFolder: String, hasInfo: Bool, _ options: ContainerOptions
  ) throws(ContainerError) -> Container {
    var reader = StoreReader(fileSystem: fileSystem, root: root, limits: options.limits)
    let statements = statements(kind, dataFolder: dataFolder, hasInfo: hasInfo, options, &reader)
    try reader.readStores(dataFolder: dataFolder)
    var container = Container(
      kind: kind, root: root, dataFolder: dataFolder, bundleID: nil,
      stores: reader.stores.sorted { PathText.precedes($0.path, $1.path) },
      unsentEvents: UnsentEventsFinder(reader: reader).find(dataFolder: dataFolder),
      stateDirectory: stateDirectory(options, beside: root))
    let prefix = container.preferencesFolder + "/"
    var finder = BundleIDFinder()
    let answer = finder.find(
      statements: statements, preferences: container.stores.filter { $0.path.hasPrefix(prefix) })
    container.bundleID = answer?.bundleID
    container.bundleIDOrigin = answer?.origin
    container.notices = reader.notices + finder.notices
    return container
  }

  /// What the caller and the container's own description say of the bundle identifier, most trusted first.
  private func statements(
    _ kind: ContainerKind, dataFolder: String, hasInfo: Bool, _ options: ContainerOptions, _ reader: inout StoreReader
  ) -> [BundleIDFinder.Statement] {
    if let bundleID = options.bundleID {
      return [BundleIDFinder.Statement(bundleID: bundleID, origin: .option, path: "")]
    }
    var statements: [BundleIDFinder.Statement] = []
    let info = FolderRecognition.infoName
    if hasInfo, let text = reader.bundleID("CFBundleIdentifier", inFile: info) {
      statements.append(BundleIDFinder.Statement(bundleID: text, origin: .appDataInfo, path: info))
    }
    if kind == .xcappdata, !hasInfo { reader.note(ContainerWording.missingInfo(info)) }
    for folder in Set([dataFolder, ""]).sorted(by: >) {
      let metadata = PathText.join(folder, FolderRecognition.metadataName)
      if let text = reader.bundleID("MCMMetadataIdentifier", inFile: metadata) {
        statements.append(BundleIDFinder.Statement(bundleID: text, origin: .containerMetadata, path: metadata))
      }
    }
    return statements
  }

  private func openFile(_ path: String, _ options: ContainerOptions) throws(ContainerError) -> Container {
    let limit = options.limits.fileBytes
    let image = try reading(path) { () throws(FileSystemError) in try fileSystem.read(path, limit: limit) }
    let document: PropertyListDocument
    do throws(PropertyListError) {
      document = try PropertyListDocument(
        bytes: image.bytes, limits: options.limits.propertyList(of: image.bytes.count))
    } catch {
      throw ContainerError(path, refusal(of: image.bytes, error))
    }
    let folder = PathText.parent(path)
    let reader = StoreReader(fileSystem: fileSystem, root: folder, limits: options.limits)
    var file = BareFile(name: PathText.lastComponent(path), document: document, reader: reader)
    return file.container(bundleID: options.bundleID, stateDirectory: stateDirectory(options, beside: folder))
  }

  /// What a file is that could not be read as a property list.
  private func refusal(of bytes: [UInt8], _ error: PropertyListError) -> ContainerError.Kind {
    switch error.kind {
    case .emptyFile, .openStepText, .jsonText, .unrecognised:
      switch FileSignature(bytes) {
      case .archive(let form): .archive(form)
      case .database: .database
      case nil: .notPropertyList(error)
      }
    default: .corruptPropertyList(error)
    }
  }

  private func reading<Result>(
    _ path: String, _ body: () throws(FileSystemError) -> Result
  ) throws(ContainerError) -> Result {
    do {
      return try body()
    } catch {
      switch error.reason {
      case .system(let number) where Platform.isDenial(number): throw ContainerError(error.path, .permissionDenied)
      case .system(let number) where Platform.isAbsence(number): throw ContainerError(error.path, .notFound)
      case .tooLarge(let limit): throw ContainerError(error.path, .tooLarge(limit: limit))
      case .notRegular(.symbolicLink): throw ContainerError(error.path, .symbolicLink)
      case .notRegular(.other): throw ContainerError(error.path, .notFileOrFolder)
      default: throw ContainerError(path, .failed(error))
      }
    }
  }

  private static let stateName = ".carryover"
}
