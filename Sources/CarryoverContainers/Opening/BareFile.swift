import Carryover
import CarryoverSystem
import CarryoverVendors

extension ContainerReading {
  func file() throws(ContainerError) -> Container {
    let path = place.path
    let limit = options.limits.fileBytes
    let image = try place.reading(try place.fileSystem.read(path, limit: limit))
    let limits = options.limits.propertyList(of: image.bytes.count)
    let document = try converting(try PropertyListDocument(bytes: image.bytes, limits: limits)) {
      ContainerError(path, Self.refusal(of: image.bytes, $0))
    }
    if case .string(let name)? = document.dictionary?["NSURLNameKey"],
      PathText.placeholder(FilePath.name(of: path)) == name
    {
      throw ContainerError(path, .placeholder(name))
    }
    let folder = PathText.parent(path)
    let reader = StoreReader(
      fileSystem: place.fileSystem, root: folder, limits: options.limits, observer: observer, memory: memory)
    var file = BareFile(name: FilePath.name(of: path), document: document, reader: reader)
    return try file.container(bundleID: options.bundleID, stateDirectory: stateDirectory(beside: folder))
  }

  private static func refusal(of bytes: [UInt8], _ error: PropertyListError) -> ContainerError.Kind {
    if FileSignature.isAndroidPreferences(bytes) { return .androidData }
    guard error.reason.isOtherFormat else { return .corruptPropertyList(error) }
    if FileSignature(bytes) == .database { return .database }
    return ZipEnd(bytes.suffix(ZipEnd.longest)) == nil ? .notPropertyList(error) : .precededArchive
  }
}

/// A single property list. Its folder is the root, and files whose names say that they belong to the same app are
/// stores too. Others in the folder may belong to anyone.
struct BareFile {
  let name: String
  let document: PropertyListDocument
  var reader: StoreReader

  mutating func container(bundleID: String?, stateDirectory: String) throws(ContainerError) -> Container {
    // A folder that cannot be listed has no companions; the file itself was read.
    let names = (try? reader.fileSystem.list(reader.root)) ?? []
    let answer = bundleID.map { BundleIDFinder.Answer(bundleID: $0, origin: .option) } ?? nameAnswer(names)
    reader.add(name, .document(document))
    for companion in names where companion != name && isCompanion(companion, bundleID: answer?.bundleID) {
      try reader.readStore(companion)
    }
    var container = Container(
      kind: .propertyList, root: reader.root, name: name, dataFolder: "", bundleID: answer?.bundleID,
      bundleIDOrigin: answer?.origin, stores: reader.stores.sorted { PathText.precedes($0.path, $1.path) },
      stateDirectory: stateDirectory, notices: reader.notices)
    container.companions = Set(bytesOf: Self.legacyNames)
    container.companionSuites = Recipe.namedSuites
    return container
  }

  /// The bundle identifier in the file's name, or in the names of preferences and a suite beside it.
  private func nameAnswer(_ names: [String]) -> BundleIDFinder.Answer? {
    let readings = BundleIDFinder.suiteOwners(ofFileName: name)
    let beside = readings.filter { names.contains($0 + ".plist") }
    // A bundle identifier may itself contain `.analytics.`; no suite has the legacy SDK's keys.
    let isSuite = !readings.isEmpty && (!beside.isEmpty || !BundleIDFinder.hasLegacyKeys(store))
    if isSuite {
      let owners = beside.isEmpty ? readings : beside
      guard owners.count == 1 else { return nil }
      return owners.first.map { BundleIDFinder.Answer(bundleID: $0, origin: .suite) }
    }
    if let stem = BundleIDFinder.stem(name), stem.contains(".") {
      return BundleIDFinder.Answer(bundleID: stem, origin: .singleCandidate)
    }
    let owners = BundleIDFinder.suiteOwners(names)
    guard owners.count == 1 else { return nil }
    return owners.first.map { BundleIDFinder.Answer(bundleID: $0, origin: .suite) }
  }

  private func isCompanion(_ name: String, bundleID: String?) -> Bool {
    if Self.legacyNames.contains(name) { return true }
    guard let bundleID else { return false }
    return name == bundleID + ".plist" || BundleIDFinder.suiteOwners(ofFileName: name).contains(bundleID)
  }

  /// The names of the files that SDKs store beside an app's preferences.
  private static let legacyNames = Set(
    Recipe.builtIn.flatMap { recipe -> [String] in
      var paths: [String] = []
      for case .plist(let templates) in recipe.sources { paths += templates.map(\.words) }
      if case .archive(let path) = recipe.target, let path = path.name([:]) { paths.append(path) }
      return paths.map(FilePath.name)
    })

  private var store: Store { Store(path: name, content: .document(document)) }
}
