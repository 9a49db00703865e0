import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists

/// A property list that came by itself: its folder is the root, and its companions in it are stores too.
///
/// Companions are the files that belong to the same app by their names. Whatever else lies in the folder is not read: it
/// may be anybody's.
struct BareFile {
  private let name: String
  private let document: PropertyListDocument
  private var reader: StoreReader

  /// A file by its name in the reader's root.
  init(name: String, document: PropertyListDocument, reader: StoreReader) {
    self.name = name
    self.document = document
    self.reader = reader
  }

  /// The container that the file and its companions are.
  mutating func container(bundleID: String?, stateDirectory: String) throws(ContainerError) -> Container {
    // A folder that cannot be listed has no companions to offer; the file itself was read.
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
    container.companions = Self.legacyNames
    container.companionSuites = Recipe.namedSuites
    return container
  }

  /// The bundle identifier by the file's name, or by an app's preferences and suite beside it.
  private func nameAnswer(_ names: [String]) -> BundleIDFinder.Answer? {
    let readings = BundleIDFinder.suiteOwners(ofFileName: name)
    let beside = readings.filter { names.contains($0 + ".plist") }
    // A bundle identifier may itself have `.analytics.` in it; the legacy SDK's keys are in no suite.
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

  /// The names of the files that SDKs keep beside an app's preferences.
  private static let legacyNames = Set(
    Recipe.builtIn.flatMap(\.sources).flatMap { source -> [String] in
      if case .plist = source { source.places.map(PathName.last) } else { [] }
    })

  private var store: Store { Store(path: name, content: .document(document)) }
}
