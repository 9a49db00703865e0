import Carryover
import CarryoverVendors

struct BundleIDFinder {
  struct Answer: Hashable {
    var bundleID: String
    var origin: BundleIDOrigin
    /// The file, for a notice if its statement is not a valid bundle identifier.
    var path = ""
  }

  private(set) var notices: [String] = []

  /// The answer from the statements, most trusted first, then from the names and keys of the preferences files.
  ///
  /// Nil if no source states it, or if two preferences files are equally likely: a wrong answer would put a user's
  /// values where no app reads them.
  mutating func find(statements: [Answer], preferences: [Store]) -> Answer? {
    let refused = statements.prefix { !Container.isValidBundleID($0.bundleID) }
    let answer = statements.dropFirst(refused.count).first ?? Self.answer(preferences)
    notices += refused.map { ContainerWording.refusedBundleID($0.bundleID, in: $0.path, instead: answer) }
    return answer
  }

  private static func answer(_ preferences: [Store]) -> Answer? {
    let owners = suiteOwners(preferences.map(\.name))
    if owners.isEmpty { return candidate(preferences).map { Answer(bundleID: $0, origin: .singleCandidate) } }
    guard owners.count == 1 else { return nil }
    return owners.first.map { Answer(bundleID: $0, origin: .suite) }
  }

  /// The bundle identifiers `X` for which both `X.plist` and a suite `X.analytics.….plist` are among the names.
  static func suiteOwners(_ names: [String]) -> Set<String> {
    let stems = Set(names.compactMap(Self.stem))
    return Set(names.flatMap(suiteOwners(ofFileName:)).filter(stems.contains))
  }

  static func suiteOwners(ofFileName name: String) -> Set<String> {
    Set(Recipe.namedSuites.flatMap { $0.readings(ofFileName: name) }.compactMap { $0[NameTemplate.bundleID] })
  }

  /// The name of a property list without `.plist`; nil if it is not a valid bundle identifier.
  static func stem(_ name: String) -> String? {
    guard name.hasSuffix(".plist") else { return nil }
    let stem = String(name.dropLast(6))
    return Container.isValidBundleID(stem) ? stem : nil
  }

  static func hasLegacyKeys(_ store: Store) -> Bool {
    let entries = store.dictionary?.entries ?? []
    return entries.contains { entry in Traces.builtIn.keyPrefixes.contains(where: entry.key.beginsWithBytes) }
  }

  /// The only preferences file with the legacy SDK's keys, or the only one that can be the app's own.
  private static func candidate(_ preferences: [Store]) -> String? {
    let own = preferences.filter { suiteOwners(ofFileName: $0.name).isEmpty }
    let legacy = own.filter(hasLegacyKeys)
    let possible = legacy.isEmpty ? own.filter { !isForeign($0.name) } : legacy
    guard possible.count == 1, let only = possible.first else { return nil }
    return stem(only.name)
  }

  /// Whether a preferences file is not the app's own. SDKs' files are known by their whole names: the vendors have
  /// apps, too, whose bundle identifiers begin alike.
  private static func isForeign(_ name: String) -> Bool {
    guard let stem = stem(name), stem.contains(".") else { return true }
    let lowercased = stem.lowercased()
    return foreignPrefixes.contains { lowercased.hasPrefix($0) } || KnownSDK.preferences.contains(stem)
      || sdkSuites.contains { $0.matches(stem) }
  }

  private static let foreignPrefixes = ["com.apple.", "group."]
  /// The suites that recipes read or write, except those named after the app.
  private static let sdkSuites = Recipe.builtIn.flatMap { recipe -> [NameTemplate] in
    var suites = recipe.sources.compactMap { if case .suite(let name) = $0 { name } else { nil } }
    if case .suite(let name) = recipe.target { suites.append(name) }
    return suites.filter { !$0.parts.contains(.bundleID) }
  }
}

struct FolderContainer: Hashable {
  static let infoName = "AppDataInfo.plist"
  static let dataName = "AppData"
  static let libraryName = "Library"
  static let metadataName = ".com.apple.mobile_container_manager.metadata.plist"

  var kind: ContainerKind
  var root: String
  var hasInfo = false

  var dataFolder: String { kind == .xcappdata ? Self.dataName : "" }

  /// The bundle identifiers that its files state, most trusted first.
  func statements(_ reader: inout StoreReader) -> [BundleIDFinder.Answer] {
    var statements: [BundleIDFinder.Answer] = []
    let info = Self.infoName
    if hasInfo, let text = reader.bundleID("CFBundleIdentifier", inFile: info) {
      statements.append(BundleIDFinder.Answer(bundleID: text, origin: .appDataInfo, path: info))
    }
    if kind == .xcappdata, !hasInfo {
      reader.note("\(ContainerWording.quoted(info)) is missing: the package is read without it.")
    }
    for folder in Set([dataFolder, ""]).sorted(by: >) {
      let metadata = PathText.join(folder, Self.metadataName)
      if let text = reader.bundleID("MCMMetadataIdentifier", inFile: metadata) {
        statements.append(BundleIDFinder.Answer(bundleID: text, origin: .containerMetadata, path: metadata))
      }
    }
    if let (bundleID, path) = savedState(reader) {
      statements.append(BundleIDFinder.Answer(bundleID: bundleID, origin: .savedState, path: path))
    }
    return statements
  }

  /// The bundle identifier in the names of the snapshots and the saved state that the system makes of the app's screens,
  /// and their folder; nil if there are none, or of several apps, as in a Mac's own library.
  private func savedState(_ reader: StoreReader) -> (bundleID: String, path: String)? {
    let library = PathText.join(dataFolder, Self.libraryName)
    var found: [String: String] = [:]
    for (folder, end) in [("SplashBoard/Snapshots", " - "), ("Saved Application State", ".savedState")] {
      let path = PathText.join(library, folder)
      for name in reader.folderNames(path) {
        guard let range = name.utf8.firstRange(of: end.utf8) else { continue }
        let bundleID = String(name[..<range.lowerBound])
        if Container.isValidBundleID(bundleID) { found[bundleID] = path }
      }
    }
    guard found.count == 1, let only = found.first else { return nil }
    return (only.key, only.value)
  }
}
