import CarryoverSystem
import PropertyLists

extension Container {
  /// The folder of the preferences files, relative to the root; empty for a single property list, whose companions are
  /// beside it.
  package var preferencesFolder: String {
    kind == .propertyList ? "" : dataPath("Library/Preferences")
  }

  /// The path of a suite's file, relative to the root: in the preferences folder, or beside a single property list.
  ///
  /// Nil if a value in the name is unknown or not valid.
  package func path(ofSuite template: NameTemplate, _ parameters: [String: String] = [:]) -> String? {
    template.name(naming(parameters)).map { preferencesPath($0 + NameTemplate.fileExtension) }
  }

  /// The path, relative to the root, of a recipe's file in the app's data container. Beside a single property list,
  /// only the file's name.
  package func path(ofFile template: NameTemplate, _ parameters: [String: String] = [:]) -> String? {
    template.name(naming(parameters)).map { kind == .propertyList ? FilePath.name(of: $0) : dataPath($0) }
  }

  /// The values of a parameter for which the container has a suite, sorted. A suite named after an app counts only if
  /// it is this one's.
  ///
  /// Suites are found by name, even if they cannot be read.
  package func values(of parameter: String, inSuites template: NameTemplate) -> [String] {
    let isNamedAfterApp = template.parts.contains(.bundleID)
    guard bundleID != nil || !isNamedAfterApp else { return [] }
    let values = stores.lazy
      .filter { store in store.path.hasSameBytes(as: preferencesPath(store.name)) }
      .flatMap { store in template.readings(ofFileName: store.name) }
      .filter { !isNamedAfterApp || $0[NameTemplate.bundleID] == bundleID }
      .compactMap { $0[parameter] }
    return Set(values).sorted()
  }

  /// The values of a parameter for which the container has a store in such a folder, sorted. A folder named after an app
  /// counts only if it is this one's.
  package func values(of parameter: String, inFolders template: NameTemplate) -> [String] {
    let data = dataPath("")
    let values = Set(bytesOf: stores.map { DurableFiles.folder(of: $0.path) }).lazy.map(\.text)
      .filter { $0.utf8.starts(with: data.utf8) }
      .flatMap { folder in
        template.readings(of: String(decoding: folder.utf8.dropFirst(data.utf8.count), as: UTF8.self))
      }
      .filter { reading in reading[NameTemplate.bundleID].map { $0 == bundleID } ?? true }
      .compactMap { $0[parameter] }
    return Set(values).sorted()
  }

  /// The parameters' values, including the bundle identifier.
  private func naming(_ parameters: [String: String]) -> [String: String] {
    bundleID.map { parameters.merging([NameTemplate.bundleID: $0]) { _, own in own } } ?? parameters
  }

  func preferencesPath(_ name: String) -> String {
    preferencesFolder.isEmpty ? name : preferencesFolder + "/" + name
  }
}
