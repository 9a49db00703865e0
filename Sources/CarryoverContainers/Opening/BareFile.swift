import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists

/// A single property list. Its folder is the root, and its companions in the folder are stores too.
///
/// Companions are files whose names say that they belong to the same app. Other files in the folder are not read,
/// because they may belong to anyone.
struct BareFile {
  private let name: String
  private let document: PropertyListDocument
  private var reader: StoreReader

  /// A file, by its name in the reader's root.
  init(name: String, document: PropertyListDocument, reader: StoreReader) {
    self.name = name
    self.document = document
    self.reader = reader
  }

  /// The container of the file and its companions.
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
