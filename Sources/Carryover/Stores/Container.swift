package import CarryoverSystem
package import PropertyLists

/// An app's data as received, opened for reading: what kind it is, whose it is, and every store in it.
///
/// A container is a snapshot: the bytes of its stores as they were when it was opened.
public struct Container: Sendable {
  /// The form in which it came.
  package var kind: ContainerKind
  /// The root's path on this machine, which tells it from other containers: absolute, and without links, `.` and `..`.
  /// Every other path is relative to it.
  public var root: String
  /// What the container is called where it is shown: its name in the path that was opened.
  public var name: String
  /// The folder that is the app's data container, relative to the root: `AppData` in an Xcode download, empty where
  /// the root itself is it.
  package var dataFolder: String
  /// The app's bundle identifier, when known.
  public var bundleID: String?
  /// How the bundle identifier was learnt.
  package var bundleIDOrigin: BundleIDOrigin?
  /// The names of files that belong to a property list that came by itself, whether or not they are beside it.
  package var companions: Set<String> = []
  /// The templates of the suites that may be beside a bare property list.
  package var companionSuites: [NameTemplate] = []
  /// The stores, in a stable order: by path.
  package var stores: [Store]
  /// Files that hold events the legacy SDK had not sent yet.
  package var unsentEvents: [UnsentEvents]
  /// Files whose being there says something, whatever is in them: that a queue is being sent.
  package var signs: [String] = []
  /// The folder for locks, backups and records (`.carryover`), on this machine; spelled as the root is.
  package var stateDirectory: String
  /// What was left out or not believed while opening, each as a sentence, in the order it was met.
  public var notices: [String]
  /// What the container belongs to that may be running, so that it is only read until that is allowed by name; nil for a
  /// copy, which nobody else uses.
  package var liveness: Liveness?
  /// The archive or backup that it lies in and that is only read; nil for one that stands on the disk as it is.
  package var wrapper: ContainerWrapper?

  /// A container from its parts.
  package init(
    kind: ContainerKind, root: String, name: String? = nil, dataFolder: String, bundleID: String?,
    bundleIDOrigin: BundleIDOrigin? = nil,
    stores: [Store], unsentEvents: [UnsentEvents] = [], stateDirectory: String, notices: [String] = [],
    liveness: Liveness? = nil, wrapper: ContainerWrapper? = nil
  ) {
    self.kind = kind
    self.root = root
    self.name = name ?? root.split(separator: "/").last.map(String.init) ?? root
    self.dataFolder = dataFolder
    self.bundleID = bundleID
    self.bundleIDOrigin = bundleIDOrigin
    self.stores = stores
    self.unsentEvents = unsentEvents
    self.stateDirectory = stateDirectory
    self.notices = notices
    self.liveness = liveness
    self.wrapper = wrapper
  }

  /// The store at a path relative to the root.
  package func store(_ path: String) -> Store? { stores.first { $0.path == path } }

  /// A path inside the app's data container, relative to the root.
  package func dataPath(_ path: String) -> String { dataFolder.isEmpty ? path : dataFolder + "/" + path }
}

/// The form in which a container came. The raw value is the word in JSON output.
package enum ContainerKind: String, Sendable {
  /// An Xcode download: a package with `AppDataInfo.plist` and `AppData/`.
  case xcappdata
  /// An app's data container: a folder with `Library/`.
  case folder
  /// One property list by itself.
  case propertyList = "property-list"
}

/// What a container lies in, where it is not on the disk as it is.
package struct ContainerWrapper: Hashable, Sendable {
  /// The forms of wrappers. The raw value is the word in JSON output.
  package enum Form: String, Sendable {
    /// An archive such as a `.zip`.
    case archive
    /// A device backup.
    case backup
  }

  /// What it is.
  package var form: Form
  /// Its path on this machine.
  package var path: String

  /// A wrapper from its parts.
  package init(_ form: Form, path: String) {
    self.form = form
    self.path = path
  }
}

/// How a bundle identifier was learnt, most trusted first.
package enum BundleIDOrigin: String, Sendable {
  /// It was given by the caller.
  case option
  /// `AppDataInfo.plist` in an Xcode download.
  case appDataInfo = "app-data-info"
  /// The container manager's metadata.
  case containerMetadata = "container-metadata"
  /// The prefix of an analytics suite's file name that matches a preferences file.
  case suite = "analytics-suite"
  /// The only preferences file it could be.
  case singleCandidate = "single-candidate"
}

/// One key-value file of a container.
package struct Store: Sendable {
  /// The path, relative to the container's root.
  package var path: String
  /// What could be read of it.
  package var content: StoreContent
  /// The file's size in bytes; nil for one that is no file, or is not there.
  package var size: Int?
  /// When the file was last written; nil where that is not known.
  package var modified: Moment?
  /// The checksum of the bytes of a file that could not be read, so that it can be told from another one; nil for any
  /// other.
  package private(set) var checksum: String?

  /// A store from its parts.
  /// - Parameters:
  ///   - size: the file's size, where the content does not tell it.
  ///   - bytes: the file's bytes, where the content does not have them.
  package init(path: String, content: StoreContent, size: Int? = nil, bytes: [UInt8]? = nil) {
    self.path = path
    self.content = content
    self.size = size ?? content.size
    if case .unreadable = content { checksum = bytes.map(Checksum.text) }
  }

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The root dictionary, when the store could be read and has one.
  package var dictionary: PropertyListDictionary? {
    if case .document(let document) = content, case .dictionary(let dictionary) = document.root {
      dictionary
    } else {
      nil
    }
  }
}

/// What could be read of a store.
package enum StoreContent: Sendable {
  /// A property list.
  case document(PropertyListDocument)
  /// JSON.
  case json(JSONText)
  /// Nothing: the reason, as a sentence that says what is wrong and where.
  case unreadable(String)

  /// The bytes it was read from; nil where nothing was.
  var size: Int? {
    switch self {
    case .document(let document): document.bytes.count
    case .json(let text): text.text.utf8.count
    case .unreadable: nil
    }
  }
}

/// A database of events that the legacy SDK had not sent yet.
package struct UnsentEvents: Hashable, Sendable {
  /// The path, relative to the container's root.
  package var path: String
  /// How many events it holds; nil when that cannot be told (encrypted or damaged).
  package var count: Int?

  /// Unsent events from their parts.
  package init(path: String, count: Int?) {
    self.path = path
    self.count = count
  }
}
