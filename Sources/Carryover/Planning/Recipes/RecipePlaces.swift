import CarryoverSystem
import PropertyLists

package enum SourceStore: Hashable, Sendable {
  /// A suite of defaults: a property list in the preferences folder. The name of the app's own suite,
  /// `UserDefaults.standard`, is the bundle identifier.
  case suite(NameTemplate)
  /// The first existing one of these property lists, relative to the app's data container.
  case plist([NameTemplate])
  /// A JSON document, relative to the app's data container, which a rule's checks read as a whole.
  case json(NameTemplate)
  /// The first existing one of these files, relative to the app's data container, whose whole value is under one key. A
  /// JSON object with only this key stands for the value in it: SDKs that write JSON wrap text and numbers so. With
  /// `orText`, a file that is neither JSON nor a property list is a line of text.
  case file([NameTemplate], as: String, orText: Bool = false)
  /// The first existing one of these keyed archives, relative to the app's data container: the keys of its root
  /// dictionary, or its whole root under one key.
  case archive([NameTemplate], as: String?)
  /// A table of a SQLite database, relative to the app's data container. The table is only read.
  case table(NameTemplate, KeyValueTable)

  /// The possible paths of its file in a container. The recipe reads the first one that exists.
  package func paths(in container: Container, _ parameters: [String: String]) -> [String] {
    switch self {
    // The path must exist, so any bundle identifier will do.
    case .suite(.app):
      [container.bundleID.map { container.preferencesPath($0 + NameTemplate.fileExtension) }].compactMap { $0 }
    case .suite(let name):
      container.groupPaths(ofSuite: name, parameters) + [container.path(ofSuite: name, parameters)].compactMap { $0 }
    case .plist, .file, .archive, .json, .table: templates.compactMap { container.path(ofFile: $0, parameters) }
    }
  }

  package var places: [String] {
    switch self {
    case .suite(let name): name.groupPaths + ["Library/Preferences/\(name.words).plist"]
    case .plist, .file, .archive, .json: templates.map(\.words)
    case .table(let path, let table): ["\(path.words), the table \(table.name)"]
    }
  }

  /// The key of a file's whole value; nil for a file with keys of its own.
  package var wholeKey: String? {
    switch self {
    case .file(_, let key, _): key
    case .archive(_, let key): key
    case .suite, .plist, .json, .table: nil
    }
  }

  package var words: String { places.joined(separator: " or ") }
  package var isJSON: Bool { if case .json = self { true } else { false } }

  /// Whether it is a property list with the SDK's keys, which can be removed one by one.
  package var hasKeys: Bool {
    switch self {
    case .suite, .plist: true
    case .json, .file, .archive, .table: false
    }
  }

  /// A suite's name, or the paths of other files.
  package var templates: [NameTemplate] {
    switch self {
    case .suite(let name), .json(let name), .table(let name, _): [name]
    case .plist(let paths), .file(let paths, _, _), .archive(let paths, _): paths
    }
  }

  package func values(of parameter: String, in container: Container) -> Set<String> {
    if case .suite(let name) = self {
      return name.parameters == [parameter] ? Set(container.values(of: parameter, inSuites: name)) : []
    }
    let mine = templates.filter { $0.parameters == [parameter] && !$0.parts.contains(.bundleID) }
    return Set(
      mine.flatMap { template in
        container.stores.flatMap { store in
          template.fileName.readings(of: store.name).compactMap { $0[parameter] }.filter { value in
            container.path(ofFile: template, [parameter: value])?.hasSameBytes(as: store.path) == true
          }
        }
      })
  }

  package var files: [StoreFile] {
    switch self {
    case .suite: []
    // Property lists are found by their extension.
    case .plist(let paths), .archive(let paths, _):
      paths.filter { !$0.words.hasSuffix(NameTemplate.fileExtension) }.map { StoreFile($0) }
    // JSON is found by its extension only in these folders.
    case .json(let path):
      ["Library/Application Support/", "Documents/"].contains(where: path.words.hasPrefix)
        && path.words.hasSuffix(".json") ? [] : [StoreFile(path)]
    case .file(let paths, _, _): paths.map { StoreFile($0) }
    case .table(let path, let table): [StoreFile(path, table: table)]
    }
  }
}

/// The file that a recipe writes, or the folder with its files.
package enum RecipeTarget: Hashable, Sendable {
  /// A suite of defaults: a property list in the preferences folder. It can be a source too: a rule whose target key is
  /// its source key converts the value in place.
  case suite(NameTemplate)
  /// A property list, relative to the app's data container.
  case plist(NameTemplate)
  /// A keyed archive of a dictionary, relative to the app's data container. Its name does not end with `.plist`.
  case archive(NameTemplate)
  /// A folder, relative to the app's data container, with a JSON file for each key: an object with the key alone.
  case jsonFiles(in: NameTemplate)

  private var template: NameTemplate {
    switch self {
    case .suite(let name): name
    case .plist(let path), .archive(let path), .jsonFiles(let path): path
    }
  }

  var format: KeyedFile.Format {
    switch self {
    case .suite, .plist: .binary
    case .archive: .archive
    case .jsonFiles: .json
    }
  }

  /// The reason that a cleanup removes nothing from the sources, as a sentence; nil if it can compare the target.
  var cleanupProblem: String? {
    switch self {
    case .suite, .plist: nil
    case .archive: "A cleanup cannot check a target that is a keyed archive."
    case .jsonFiles: "A cleanup cannot check a target that is a folder."
    }
  }

  package var isFolder: Bool { if case .jsonFiles = self { true } else { false } }

  /// Whether the file belongs to the system: no recipe file may write it.
  package var belongsToSystem: Bool {
    let parts = FilePath.components(words).map { $0.lowercased() }
    return (format == .binary ? parts.suffix(1) : parts[...]).contains { name in
      ["com.apple.", "<bundle id>.com.apple", "."].contains(where: name.beginsWithBytes)
    }
  }

  package func files(of keys: [String]) -> [StoreFile] {
    switch self {
    case .suite, .plist: []
    case .archive(let path): [StoreFile(path)]
    case .jsonFiles(let folder): keys.map { StoreFile(NameTemplate(folder.parts + [.text("/" + $0)])) }
    }
  }

  /// The parameters in the file's name, besides the bundle identifier.
  package var parameters: [String] { template.parameters }

  /// The file, relative to the container's root; nil if the app or a value in its name is unknown or not valid.
  package func path(in container: Container, _ parameters: [String: String]) -> String? {
    guard container.bundleID != nil else { return nil }
    switch self {
    // A single property list is the app's own preferences, regardless of its name.
    case .suite(.app) where container.kind == .propertyList: return container.name
    case .suite(let name): return container.path(ofSuite: name, parameters)
    case .plist, .archive, .jsonFiles: return container.path(ofFile: template, parameters)
    }
  }

  /// Whether a file, relative to the app's data container, has the target's name with any values of its parameters.
  func isNamed(_ path: String) -> Bool {
    guard !parameters.isEmpty else { return false }
    return switch self {
    case .suite(let name): NameTemplate(["Library/Preferences/"] + name.parts + [".plist"]).matches(path)
    case .plist(let name), .archive(let name): name.matches(path)
    case .jsonFiles: false
    }
  }

  package func values(of parameter: String, in container: Container) -> [String] {
    switch self {
    case .suite(let name): return container.values(of: parameter, inSuites: name)
    case .plist, .archive: return []
    case .jsonFiles(let folder): return container.values(of: parameter, inFolders: folder)
    }
  }

  package var words: String {
    switch self {
    case .suite(let name): "Library/Preferences/\(name.words).plist"
    case .plist(let path), .archive(let path): path.words
    case .jsonFiles(let path): path.words + "/"
    }
  }
}
