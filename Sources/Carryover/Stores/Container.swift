import CarryoverSystem
package import PropertyLists

/// An app's data, opened for reading: the form of the container, its app, and every store in it.
///
/// A container is a snapshot: it has the bytes of its stores from when it was opened.
public struct Container: Sendable {
  package var kind: ContainerKind
  /// The root's absolute path on this machine, without links, `.` and `..`. It identifies the container. All other
  /// paths are relative to it.
  public var root: String
  /// The name for display: the container's name in the path that was opened.
  public var name: String
  /// The app's data container, relative to the root: `AppData` in an Xcode download, empty if it is the root itself.
  package var dataFolder: String
  /// The app's bundle identifier; nil if it is unknown.
  public var bundleID: String?
  package var bundleIDOrigin: BundleIDOrigin?
  /// The names of the files that belong to a single property list, whether or not they exist.
  package var companions: Set<StringByBytes> = []
  /// The name templates of the suites that may be beside a single property list.
  package var companionSuites: [NameTemplate] = []
  package var stores: [Store]
  package var unsentEvents: [UnsentEvents]
  /// Files and folders whose existence alone means something: markers of an SDK, and those that a recipe does not
  /// migrate.
  package var signs: [String] = []
  /// The folder for locks, backups and records (`.carryover`) on this machine; resolved like the root.
  package var stateDirectory: String
  /// The files that are not stores; nil if they were not counted.
  package var unread: UnreadFiles?
  /// Notices about skipped or rejected data, each as a sentence, in the order of reading.
  public var notices: [String]
  /// The live system that the container belongs to. It is then read-only, unless the finding is allowed. Nil for a copy
  /// that nothing else uses.
  package var liveness: Liveness?
  /// The read-only archive or backup with the container; nil if the container is directly on the disk.
  package var wrapper: ContainerWrapper?

  package init(
    kind: ContainerKind, root: String, name: String? = nil, dataFolder: String, bundleID: String?,
    bundleIDOrigin: BundleIDOrigin? = nil,
    stores: [Store], unsentEvents: [UnsentEvents] = [], stateDirectory: String, notices: [String] = []
  ) {
    self.kind = kind
    self.root = root
    self.name = name ?? FilePath.name(of: root)
    self.dataFolder = dataFolder
    self.bundleID = bundleID
    self.bundleIDOrigin = bundleIDOrigin
    self.stores = stores
    self.unsentEvents = unsentEvents
    self.stateDirectory = stateDirectory
    self.notices = notices
  }

  package func store(_ path: String) -> Store? { stores.first { $0.path.hasSameBytes(as: path) } }

  /// The store with a path; if there is none, all that ``Store/isNamed(_:)`` finds.
  package func stores(named name: String) -> [Store] {
    let exact = stores.filter { $0.path.hasSameBytes(as: name) }
    return exact.isEmpty ? stores.filter { $0.isNamed(name) } : exact
  }

  package func dataPath(_ path: String) -> String { dataFolder.isEmpty ? path : dataFolder + "/" + path }

  /// The possible paths of a group's suite, relative to the root; none for another suite. Backups and `extract` name a
  /// group's folder after the group, devices do not.
  func groupPaths(ofSuite template: NameTemplate, _ parameters: [String: String]) -> [String] {
    guard template.isGroup, kind != .propertyList, let own = path(ofSuite: template, parameters) else { return [] }
    let file = FilePath.name(of: own)
    let group = dataPath("AppGroups/\(file.dropLast(NameTemplate.fileExtension.count))/Library/Preferences/\(file)")
    let shared = stores.map(\.path).filter { path in
      path.beginsWithBytes(of: dataPath("Shared/AppGroup/"))
        && path.endsWithBytes(of: "/Library/Preferences/" + file)
    }
    return [group] + shared
  }

  func isInAppGroup(_ path: String) -> Bool {
    ["AppGroups/", "Shared/AppGroup/"].contains { path.beginsWithBytes(of: dataPath($0)) }
  }

  /// The folder of the preferences files, relative to the root; empty for a single property list, whose companions are
  /// beside it.
  package var preferencesFolder: String { kind == .propertyList ? "" : dataPath("Library/Preferences") }

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
    let values = Set(bytesOf: stores.map { FilePath.folder(of: $0.path) }).lazy.map(\.text)
      .filter { $0.utf8.starts(with: data.utf8) }
      .flatMap { folder in
        template.readings(of: String(decoding: folder.utf8.dropFirst(data.utf8.count), as: UTF8.self))
      }
      .filter { reading in reading[NameTemplate.bundleID].map { $0 == bundleID } ?? true }
      .compactMap { $0[parameter] }
    return Set(values).sorted()
  }

  private func naming(_ parameters: [String: String]) -> [String: String] {
    bundleID.map { parameters.merging([NameTemplate.bundleID: $0]) { _, own in own } } ?? parameters
  }

  func preferencesPath(_ name: String) -> String { preferencesFolder.isEmpty ? name : preferencesFolder + "/" + name }
}

/// The form of a container. The raw value is the word in JSON output.
package enum ContainerKind: String, Sendable, JSONConvertible {
  /// An Xcode download: a package with `AppDataInfo.plist` and `AppData/`.
  case xcappdata
  /// An app's data container: a folder with `Library/`.
  case folder
  case propertyList = "property-list"
}

package struct ContainerWrapper: Hashable, Sendable {
  package enum Form: String, Sendable {
    case archive
    case backup
  }

  package var form: Form
  package var path: String

  package init(_ form: Form, path: String) {
    self.form = form
    self.path = path
  }

  package var explanation: String { happened + " " + Self.remedy }

  package var notice: String { "Read-only \(form.rawValue). To migrate, extract the container with carryover extract." }

  var happened: String { "The container is in the read-only \(form.rawValue) \(DisplayText.quoted(path))." }

  static let remedy = "Extract the app's files with “carryover extract”, then open the new folder."
}

package enum BundleIDOrigin: String, Sendable, JSONConvertible {
  case option
  /// `AppDataInfo.plist` in an Xcode download.
  case appDataInfo = "app-data-info"
  /// The container manager's metadata.
  case containerMetadata = "container-metadata"
  /// The names of the snapshots or the saved state that the system makes of the app's screens.
  case savedState = "saved-state"
  /// The prefix of an analytics suite's file name that matches a preferences file.
  case suite = "analytics-suite"
  /// The only preferences file that can be the app's.
  case singleCandidate = "single-candidate"
}

package struct UnsentEvents: Hashable, Sendable {
  package var path: String
  /// The number of events; nil if it is unknown, because the database is encrypted or damaged.
  package var count: Int?

  package init(path: String, count: Int?) {
    self.path = path
    self.count = count
  }
}

extension NameTemplate {
  /// Whether it is the name of an app group, and so of the suite that the group's apps share.
  package var isGroup: Bool { if case .text(let text)? = parts.first { text.hasPrefix("group.") } else { false } }
  var groupPaths: [String] { isGroup ? ["AppGroups/\(words)/Library/Preferences/\(words).plist"] : [] }
}

package struct ContainerCandidate: Hashable, Sendable {
  /// The path, relative to the opened path. In a backup, the app's bundle identifier.
  package var path: String
  /// Nil for an archive in a folder: a search does not open it, so it may have any number of containers, or none.
  package var kind: ContainerKind?
  /// The bundle identifier of the app or the app group; nil if the container does not state it.
  package var bundleID: String?
  package var name: String
  package var files: Int?
  /// The number of files that are in the backup's list but have no content.
  package var missing: Int
  package var groups: [String]

  /// The name, if it says more than the path and the bundle identifier; otherwise nil.
  package var ownName: String? { name == bundleID || name == path || path.endsWithBytes(of: "/" + name) ? nil : name }

  /// `archive`, or the kind of the container.
  package var form: String { kind?.rawValue ?? ContainerWrapper.Form.archive.rawValue }

  package var isOfSystem: Bool {
    guard let bundleID else { return false }
    return bundleID.hasPrefix("com.apple.") || bundleID.contains(".com.apple.")
  }

  package init(
    path: String, kind: ContainerKind?, bundleID: String?, name: String, files: Int? = nil, missing: Int = 0,
    groups: [String] = []
  ) {
    self.path = path
    self.kind = kind
    self.bundleID = bundleID
    self.name = name
    self.files = files
    self.missing = missing
    self.groups = groups
  }
}

/// The files of a container that are not stores: how many there are, and which of them look like data.
package struct UnreadFiles: Hashable, Sendable {
  package enum Form: String, Sendable {
    case propertyList = "property-list"
    case json, database = "sqlite"

    package var words: String {
      switch self {
      case .propertyList: "property list"
      case .json: "JSON"
      case .database: "SQLite"
      }
    }
  }

  package struct DataFile: Hashable, Sendable {
    package var path: String
    package var form: Form

    package init(path: String, form: Form) {
      self.path = path
      self.form = form
    }
  }

  package var count = 0
  package var data: [DataFile] = []
  /// The paths of the first files that do not look like data.
  package var others: [String] = []
  package var unknown = 0
  package var isCut = false

  package init() {}

  package var brief: String? {
    guard count > 0 else { return nil }
    let files = count == 1 && !isCut ? "1 other file was" : "\(isCut ? "More than " : "")\(count) other files were"
    let looks =
      switch (data.count, count) {
      case (0, _): ""
      case (1, 1): "; it looks like data"
      case (1, _): "; 1 looks like data"
      default: "; \(data.count) look like data"
      }
    return files + " not read" + looks
  }

  /// The same with the first files, those that look like data before others, as sentences; nil if there are none.
  package var sentence: String? {
    guard let brief else { return nil }
    let names =
      data.prefix(Self.named).map { "“\(DisplayText.named($0.path))” (\($0.form.words))" }
      + others.map { "“\(DisplayText.named($0))”" }
    let named = names.prefix(Self.named)
    let more = count > named.count && !named.isEmpty ? " and \(count - named.count) more" : ""
    let list = named.isEmpty ? "" : ": " + named.joined(separator: ", ") + more
    let unknown =
      switch unknown {
      case 0: ""
      case 1 where count == 1: " Its content was not examined."
      case count: " Their content was not examined."
      case 1: " The content of 1 was not examined."
      default: " The content of \(unknown) was not examined."
      }
    return brief + list + "." + unknown
  }

  package static let named = 5
}
