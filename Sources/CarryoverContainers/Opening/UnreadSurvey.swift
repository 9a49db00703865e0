import Carryover
import CarryoverSystem

extension OpenedContainer {
  /// Reads the tables of the container's databases, and counts the files that are not stores. Only what shows or compares
  /// stores needs either. A single property list has no other files: those beside it may belong to anyone.
  package mutating func countUnread(
    limits: ContainerLimits = ContainerLimits(), tables: TableLimits = TableLimits(), observer: OpeningObserver = .none
  ) throws(ContainerError) {
    var limits = limits
    limits.tables = tables
    try countUnread(limits: limits, observer: observer, memory: nil)
  }

  mutating func countUnread(
    limits: ContainerLimits, observer: OpeningObserver = .none, memory: StoreMemory?
  ) throws(ContainerError) {
    guard container.kind != .propertyList else { return }
    var survey = UnreadSurvey(container, fileSystem, memory)
    try survey.run(limits, observer)
    container.unread = survey.result
    container.stores = survey.stores
  }
}

private struct UnreadSurvey {
  private let root: String
  private let fileSystem: any FileSystem
  private let memory: StoreMemory?
  /// The paths of what was read, or means something by its existence.
  private var known: Set<StringByBytes>
  private let state: String
  private(set) var result = UnreadFiles()
  private(set) var stores: [Store]
  private var databases: [String]
  /// Files that are named like those that SQLite has beside a database.
  private var besides: Set<StringByBytes> = []

  init(_ container: Container, _ fileSystem: any FileSystem, _ memory: StoreMemory?) {
    self.memory = memory
    (root, self.fileSystem, state) = (container.root, fileSystem, container.stateDirectory)
    stores = container.stores
    known = Set(bytesOf: container.stores.map(\.path) + container.signs)
    // Of the databases with unsent events, those are counted; the tables are shown as any others.
    databases = container.unsentEvents.map(\.path)
    for store in container.stores {
      known.formUnion(store.companions.map { StringByBytes($0.store) })
      if case .database = store.content { databases.append(store.path) }
    }
    for path in databases {
      known.insert(StringByBytes(path))
      known.formUnion(Self.besides.map { StringByBytes(path + $0) })
    }
    for folder in ["", container.dataFolder] {
      known.insert(StringByBytes(PathText.join(folder, FolderContainer.metadataName)))
    }
    known.insert(StringByBytes(FolderContainer.infoName))
  }

  private static let besides = ["-wal", "-shm", "-journal"]

  mutating func run(_ limits: ContainerLimits, _ observer: OpeningObserver) throws(ContainerError) {
    var folders = [""]
    var next = 0
    var looked = 0
    search: while next < folders.count {
      let folder = folders[next]
      next += 1
      for name in (try? fileSystem.list(PathText.join(root, folder))) ?? [] where !Self.isSystems(name) {
        looked += 1
        guard looked <= limits.others else {
          result.isCut = true
          break search
        }
        if looked % 100 == 0 { try observer.report(OpeningProgress(.stores, done: looked), at: root) }
        let path = PathText.join(folder, name)
        let place = PathText.join(root, path)
        let status = try? fileSystem.status(place)
        switch status?.kind {
        case .directory: if place != state, path != ContainerReading.stateName { folders.append(path) }
        case .regular: if !known.contains(StringByBytes(path)) { look(at: path, place, status) }
        case .symbolicLink, .other, nil: break
        }
      }
    }
    try readTables(limits, observer)
    result.data.sort { PathText.precedes($0.path, $1.path) }
    result.others = result.others.sortedByBytes()
  }

  private mutating func look(at path: String, _ place: String, _ status: FileStatus?) {
    result.count += 1
    defer {
      let isNamed = result.data.last?.path != path && !besides.contains(StringByBytes(path))
      if isNamed, result.others.count < UnreadFiles.named { result.others.append(path) }
    }
    let form: UnreadFiles.Form?
    switch memory?.recall(path, [status]) {
    case .other(let known)?: form = known
    case .store?, nil:
      guard let head = try? fileSystem.read(place, from: 0, count: FileSignature.length) else {
        result.unknown += 1
        return
      }
      form = FileSignature.data(head)
      // A database is remembered with its tables.
      if form != .database { memory?.remember(path, [status], .other(form)) }
    }
    if form == nil, Self.besides.contains(where: path.endsWithBytes(of:)) { besides.insert(StringByBytes(path)) }
    if let form { result.data.append(UnreadFiles.DataFile(path: path, form: form)) }
    if form == .database { databases.append(path) }
  }

  /// Makes each database a store, or adds the tables to the store that it is.
  private mutating func readTables(_ limits: ContainerLimits, _ observer: OpeningObserver) throws(ContainerError) {
    var bytesLeft = limits.totalBytes
    var keptBytes = limits.tables.keptBytes
    for path in databases.sorted(by: PathText.precedes).prefix(limits.tables.databases)
    where stores.count < limits.stores {
      try observer.report(OpeningProgress(.stores, done: stores.count), at: root)
      let place = PathText.join(root, path)
      guard let status = try? fileSystem.status(place), status.kind == .regular, status.size <= Int64(bytesLeft) else {
        continue
      }
      bytesLeft -= Int(status.size)
      let states = [status] + ["-wal", "-journal"].map { try? fileSystem.status(place + $0) }
      if case .store(let known)? = memory?.recall(path, states, tables: true),
        known.tables?.keptBytes ?? 0 <= keptBytes
      {
        keptBytes -= known.tables?.keptBytes ?? 0
        add(known, at: path)
        continue
      }
      var store = Store(path: path, content: .database([:]), size: Int(status.size))
      store.modified = status.modified
      do throws(DatabaseImage.Failure) {
        let image = try DatabaseImage(reading: place, fileSystem: fileSystem, limit: limits.fileBytes)
        var reader = TableReader(image, limits.tables, steps: limits.databaseSteps, bytesLeft: keptBytes)
        let tables = reader.read()
        if tables?.isWhole == false {
          // Only the bytes can then tell whether two states are equal.
          store = Store(path: path, content: store.content, size: store.size, bytes: image.bytes)
          store.modified = status.modified
        }
        store.tables = tables
        store.tables?.keptBytes = keptBytes - reader.bytesLeft
        keptBytes = reader.bytesLeft
        if store.tables == nil { store.content = .unreadable(ContainerWording.damagedDatabase(path)) }
      } catch {
        store.content = .unreadable(ContainerWording.unreadable(path, error))
      }
      memory?.remember(path, states, .store(store), tables: true)
      add(store, at: path)
    }
    stores.sort { PathText.precedes($0.path, $1.path) }
  }

  /// Adds a database as a store, or its tables to the store that it is.
  private mutating func add(_ store: Store, at path: String) {
    if let place = stores.firstIndex(where: { $0.path.hasSameBytes(as: path) }) {
      stores[place].tables = store.tables
      // Recipes' tables are null then, which would be shown as values.
      if store.tables == nil { stores[place].content = store.content }
    } else if store.tables == nil, known.contains(StringByBytes(path)) {
      // Its events could not be counted either, which is said with them.
      return
    } else {
      stores.append(store)
    }
    take(path)
  }

  /// Counts neither a database that is a store now nor the files beside it.
  private mutating func take(_ path: String) {
    let before = result.data.count
    result.data.removeAll { $0.path.hasSameBytes(as: path) }
    result.count -= before - result.data.count
    for suffix in Self.besides where besides.remove(StringByBytes(path + suffix)) != nil { result.count -= 1 }
  }

  /// Whether a file belongs to the file system rather than to the app: what macOS leaves, and placeholders of iCloud.
  private static func isSystems(_ name: String) -> Bool {
    name == ".DS_Store" || name.hasPrefix("._") || PathText.placeholder(name) != nil
  }
}
