import PropertyLists

/// What the caller knows better than the container, and how much of a container is read.
public struct ContainerOptions: Hashable, Sendable {
  /// The app's bundle identifier; found in the container where this is nil.
  package var bundleID: String?
  /// The folder for locks, backups and records; `.carryover` in the container's root where this is nil.
  package var stateDirectory: String?
  /// The user's home folder, by which a Mac's own library is known beside those in `/Users`; nil where nobody tells.
  package var home: String?
  /// Which container is meant, where there are several at the path.
  package var selection: ContainerSelection?
  /// How much is read.
  package var limits: ContainerLimits

  /// Options; all can be left out.
  /// - Parameters:
  ///   - bundleID: the app's bundle identifier; nil to find it in the container.
  ///   - stateDirectory: the folder for locks, backups and records; nil for `.carryover` in the container's root.
  ///   - home: the user's home folder, by which a Mac's own library is known beside those in `/Users`.
  ///   - selection: which container is meant, where there are several at the path.
  public init(
    bundleID: String? = nil, stateDirectory: String? = nil, home: String? = nil, selection: ContainerSelection? = nil
  ) {
    self.init(
      bundleID: bundleID, stateDirectory: stateDirectory, home: home, selection: selection, limits: ContainerLimits())
  }

  /// Options with limits of their own.
  package init(
    bundleID: String? = nil, stateDirectory: String? = nil, home: String? = nil,
    selection: ContainerSelection? = nil, limits: ContainerLimits
  ) {
    self.bundleID = bundleID
    self.stateDirectory = stateDirectory
    self.home = home
    self.selection = selection
    self.limits = limits
  }
}

/// How much of a container is read. What lies beyond a limit is left out and said so, never silently.
package struct ContainerLimits: Hashable, Sendable {
  /// The largest single file, in bytes.
  package var fileBytes: Int
  /// All stores together, in bytes.
  package var totalBytes: Int
  /// How many stores are listed.
  package var stores: Int
  /// How many folders inside `Library/Application Support`, and inside `Documents`, are looked into.
  package var folders: Int
  /// How many steps SQLite's machine may take to count the events of one database, or to read the index of a backup.
  package var databaseSteps: Int
  /// The largest file index of a device backup, in bytes. It is held in memory.
  package var databaseBytes: Int
  /// How far a folder or an archive is searched for containers.
  package var search: SearchLimits

  /// Limits as given; the defaults are far beyond what apps leave behind.
  package init(
    fileBytes: Int = 128 << 20, totalBytes: Int = 512 << 20, stores: Int = 2_000, folders: Int = 500,
    databaseSteps: Int = 50_000_000, databaseBytes: Int = 1 << 30, search: SearchLimits = SearchLimits()
  ) {
    self.fileBytes = max(0, fileBytes)
    self.totalBytes = max(0, totalBytes)
    self.stores = max(0, stores)
    self.folders = max(0, folders)
    self.databaseSteps = max(0, databaseSteps)
    self.databaseBytes = max(0, databaseBytes)
    self.search = search
  }

  /// The limits for reading one property list.
  ///
  /// No file an app leaves behind has more values than bytes; a crafted one that refers to the same values again and
  /// again may not unfold into much more than that, since there can be many such files.
  func propertyList(of size: Int) -> PropertyListLimits {
    PropertyListLimits(fileSize: fileBytes, nodes: min(size, 1 << 32) * 4 + 4_096)
  }

  /// The limits for reading one JSON text, which unfolds into no more values than it has bytes.
  func json(of size: Int) -> JSONLimits { JSONLimits(size: fileBytes, values: min(size, 10_000_000)) }
}

/// How far a folder or an archive is searched for containers. What lies beyond is counted or said, never silently left.
package struct SearchLimits: Hashable, Sendable {
  /// How many folders deep containers may lie. Those of a simulated device count as lying in its folder.
  package var depth: Int
  /// How many folders are looked into.
  package var folders: Int
  /// How many containers are listed.
  package var candidates: Int

  /// Limits as given.
  package init(depth: Int = 4, folders: Int = 20_000, candidates: Int = 1_000) {
    self.depth = max(0, depth)
    self.folders = max(1, folders)
    self.candidates = max(1, candidates)
  }
}
