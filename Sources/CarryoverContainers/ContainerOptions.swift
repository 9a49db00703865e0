package import Carryover
import CarryoverVendors

/// Facts that only the caller of an opener knows, and limits.
public struct ContainerOptions: Hashable, Sendable {
  package var bundleID: String?
  package var stateDirectory: String?
  package var home: String?
  package var selection: ContainerSelection?
  package var limits = ContainerLimits()
  /// Whether the tables of databases will be read: of an archive, their bytes are then read when it is opened.
  package var readsTables = false
  /// The files that recipes read whatever their names are; by default, those of the built-in recipes.
  package var files = Self.builtInFiles
  private static let builtInFiles = Recipe.builtIn.flatMap(\.files)

  /// All options are optional.
  /// - Parameters:
  ///   - bundleID: the app's bundle identifier; nil finds it in the container.
  ///   - stateDirectory: the folder for locks, backups and records; nil uses `.carryover` in the container's root.
  ///   - home: the user's home folder. Data in it, as in any folder in `/Users`, may be in use by this Mac.
  ///   - selection: selects one of the containers at the path; nil if no selection is needed.
  public init(
    bundleID: String? = nil, stateDirectory: String? = nil, home: String? = nil, selection: ContainerSelection? = nil
  ) {
    self.bundleID = bundleID
    self.stateDirectory = stateDirectory
    self.home = home
    self.selection = selection
  }
}

/// The limits for reading a container, far beyond the data of any app; what is beyond is reported. Sizes are in bytes.
package struct ContainerLimits: Hashable, Sendable {
  var fileBytes = 128 << 20
  var totalBytes = 512 << 20
  var stores = 2_000
  /// The number of folders to search in `Library/Application Support`, in `Library/Preferences` and in `Documents`.
  var folders = 500
  /// The number of files of other kinds to look at: a few bytes of each are read.
  var others = 100_000
  /// The number of SQLite steps for counting the events of a database, or for reading the index of a backup.
  var databaseSteps = 50_000_000
  /// The size of a device backup's file index, which is read into memory.
  var databaseBytes = 1 << 30
  package var search = SearchLimits()
  /// For the tables of databases, which only inspecting, browsing and comparing read.
  package var tables = TableLimits()

  /// No app's file has more values than bytes. A malicious file can refer to the same values again and again, so this
  /// limit is not much higher: there may be many such files.
  func propertyList(of size: Int) -> PropertyListLimits {
    PropertyListLimits(fileSize: fileBytes, nodes: min(size, 1 << 32) * 4 + 4_096)
  }

  /// The limits for reading one JSON text, which has no more values than bytes.
  func json(of size: Int) -> JSONLimits { JSONLimits(size: fileBytes, values: min(size, 10_000_000)) }
}

/// The limits for searching a folder or an archive for containers. Everything beyond them is counted or reported.
package struct SearchLimits: Hashable, Sendable {
  /// The depth of containers, in folders. Those of a simulated device count as directly in the device's folder.
  var depth = 4
  var folders = 20_000
  package var candidates = 1_000

  /// For work on every container, which must not miss one: far more than any backup has.
  package static let mostCandidates = 100_000
}

/// Selects one of several containers at a path.
public enum ContainerSelection: Hashable, Sendable {
  /// The container at this path, relative to the opened path. In a backup, the app's bundle identifier.
  case path(String)
  /// The only container of the app with this bundle identifier.
  case app(String)
}

package struct OpeningProgress: Hashable, Sendable {
  package enum Stage: String, Sendable {
    case archive
    case backup
    case search
    case stores
    case extracting
  }

  package var stage: Stage
  /// The work that is done: bytes of an archive, rows of an index, or files.
  package var done: Int
  package var total: Int?

  package init(_ stage: Stage, done: Int, total: Int? = nil) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}

/// Receives the progress of the work, and can cancel it.
package struct OpeningObserver: Sendable {
  private let body: @Sendable (OpeningProgress) -> Bool

  /// - Parameter body: gets the progress every few milliseconds of work; false cancels the work.
  package init(_ body: @escaping @Sendable (OpeningProgress) -> Bool) { self.body = body }

  package static let none = OpeningObserver { _ in true }

  func goesOn(_ progress: OpeningProgress) -> Bool { body(progress) }

  func report(_ progress: OpeningProgress, at path: String) throws(ContainerError) {
    guard body(progress) else { throw ContainerError(path, .cancelled) }
  }
}
