import Carryover
import CarryoverSystem
import CarryoverVendors

/// Reads the stores of a container within the limits. Stores that cannot be read are kept with the reason. Of an
/// archive, it sees what `KeptContent` keeps.
struct StoreReader {
  let fileSystem: any FileSystem
  let root: String
  let limits: ContainerLimits
  private let files: [StoreFile]
  let observer: OpeningObserver
  private let memory: StoreMemory?
  var dataFolder = ""
  private(set) var stores: [Store] = []
  /// The files and folders that recipes name without reading them, in the order of reading.
  var signs: [String] = []
  private(set) var notices: [String] = []
  /// The files that are only in iCloud, by the paths that they would have.
  var placeholders: [String] = []
  /// Files without an extension, which may be stores too: their first bytes decide, once all others are read.
  var unnamed: [String] = []
  var bytesLeft: Int
  private(set) var isFull = false

  init(
    fileSystem: any FileSystem, root: String, limits: ContainerLimits, files: [StoreFile] = [],
    observer: OpeningObserver = .none, memory: StoreMemory? = nil
  ) {
    self.memory = memory
    self.fileSystem = fileSystem
    self.root = root
    self.limits = limits
    self.files = files
    self.observer = observer
    bytesLeft = limits.totalBytes
  }

  /// What recipes say of the file at a path.
  func named(_ path: String) -> [StoreFile] {
    let folder = dataFolder.isEmpty ? "" : dataFolder + "/"
    guard path.utf8.starts(with: folder.utf8) else { return [] }
    let inside = String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    return files.filter { $0.path.matches(inside) }
  }

  /// Reads one store. Any item at the path is listed, because nothing else can be written there.
  /// - Parameter isCertain: whether it is a store even if it cannot be read.
  mutating func readStore(_ path: String, _ said: [StoreFile] = [], isCertain: Bool = true) throws(ContainerError) {
    guard !isFull else { return }
    try observer.report(OpeningProgress(.stores, done: stores.count), at: root)
    let content: StoreContent
    var size: Int?
    var bytes: [UInt8]?
    var modified: Moment?
    var companions: [PlanBasis] = []
    var states: [FileStatus?] = []
    do {
      guard let status = try fileSystem.status(onDisk(path)) else {
        return add(
          path,
          .unreadable("\(ContainerWording.named(path)) is listed but cannot be found: it may have been removed."))
      }
      if status.kind == .regular { (size, modified) = (Int(exactly: status.size), status.modified) }
      states = [status] + (said.isEmpty ? [] : ["-wal", "-journal"].map { try? fileSystem.status(onDisk(path + $0)) })
      if case .store(let known)? = memory?.recall(path, states) {
        bytesLeft = max(0, bytesLeft - (known.size ?? 0))
        if known.problem != nil, !isCertain { return }
        return add(known)
      }
      switch status.kind {
      case .regular:
        let tables = said.compactMap(\.table)
        // A recipe only adds readings: a file that is no database is read as without it.
        let isDatabase = try tables.isEmpty ? false : FileSignature(head(of: path)) == .database
        (content, bytes) = try isDatabase ? database(path, tables) : self.content(path, said, size: status.size)
        if isDatabase { companions = logs(of: path) }
      case .directory, .symbolicLink, .other: content = .unreadable(ContainerWording.unreadable(path, status.kind))
      }
    } catch {
      content = .unreadable(ContainerWording.unreadable(path, error))
    }
    var store = Store(path: path, content: content, size: size, bytes: bytes)
    store.modified = modified
    store.companions = companions
    memory?.remember(path, states, .store(store))
    if case .unreadable = content, !isCertain { return }
    add(store)
  }

  mutating func add(_ path: String, _ content: StoreContent) { add(Store(path: path, content: content)) }

  private mutating func add(_ store: Store) {
    guard stores.count < limits.stores else {
      isFull = true
      notices.append("There are more than \(limits.stores) stores: the others are not shown.")
      return
    }
    stores.append(store)
  }

  mutating func note(_ sentence: String) { notices.append(sentence) }

  /// The bundle identifier under a key in a small property list that describes the container; nil if there is none.
  mutating func bundleID(_ key: String, inFile path: String) -> String? {
    switch describing(path) {
    case .document(let document):
      switch document.dictionary?[key] {
      case .string(let text): return text
      case nil: break
      default: note("\(ContainerWording.quoted(path)) has a bundle identifier that is not text; it was not used.")
      }
    case .unreadable(let sentence): note("\(sentence) The bundle identifier in it is unknown.")
    case .json, .database, nil: break
    }
    return nil
  }

  /// The names in a folder; none if it is missing or not a folder. A link is a notice and is not followed.
  mutating func names(inFolder path: String) -> [String] {
    do {
      switch try fileSystem.status(onDisk(path))?.kind {
      case .directory: return try fileSystem.list(onDisk(path))
      case .symbolicLink:
        note(
          "\(ContainerWording.quoted(path)) is a symbolic link, which is not followed: stores behind it are not shown.")
      case .regular, .other, nil: break
      }
    } catch {
      note("\(ContainerWording.quoted(path)) could not be listed: \(error.cause). Stores in it are not shown.")
    }
    return []
  }

  func isFolder(_ path: String) -> Bool { (try? fileSystem.status(onDisk(path)))?.kind == .directory }

  /// The names in a folder, none of whose parents is a link; none if there is no such folder.
  func folderNames(_ path: String) -> [String] {
    guard fileSystem.kind(at: path, below: root) == .directory else { return [] }
    return (try? fileSystem.list(onDisk(path))) ?? []
  }

  func onDisk(_ path: String) -> String { PathText.join(root, path) }

  private func describing(_ path: String) -> StoreContent? {
    do throws(FileSystemError) {
      guard let status = try fileSystem.status(onDisk(path)) else { return nil }
      guard status.kind == .regular else { return .unreadable(ContainerWording.unreadable(path, status.kind)) }
      return document(try fileSystem.read(onDisk(path), limit: min(limits.fileBytes, Self.infoBytes)), path)
    } catch {
      return .unreadable(ContainerWording.unreadable(path, error))
    }
  }

  private func document(_ image: FileImage, _ path: String) -> StoreContent {
    do throws(PropertyListError) {
      return .document(try PropertyListDocument(bytes: image.bytes, limits: limits.propertyList(of: image.bytes.count)))
    } catch {
      if FileSignature.isAndroidPreferences(image.bytes) {
        return .unreadable("\(ContainerWording.named(path)) is a preferences file of Android, not a property list.")
      }
      return .unreadable(ContainerWording.unreadable(path, error))
    }
  }

  private func json(_ image: FileImage, _ path: String) -> StoreContent {
    do throws(JSONError) {
      return .json(try JSONText(bytes: image.bytes, limits: limits.json(of: image.bytes.count)))
    } catch {
      return .unreadable(ContainerWording.unreadable(path, error))
    }
  }

  private mutating func content(
    _ path: String, _ said: [StoreFile], size: Int64
  ) throws(FileSystemError) -> (content: StoreContent, bytes: [UInt8]?) {
    if size > bytesLeft, size <= limits.fileBytes {
      let limit = ContainerWording.size(limits.totalBytes)
      return (
        .unreadable(
          "\(ContainerWording.named(path)) was not read: the stores before it reach the limit of \(limit) in total."),
        nil
      )
    }
    let image = try fileSystem.read(onDisk(path), limit: limits.fileBytes)
    bytesLeft = max(0, bytesLeft - image.bytes.count)
    let isList =
      PathText.isPropertyListName(path)
      || !PathText.isJSONName(path) && FileSignature.isPropertyList(image.bytes)
    let content = isList ? document(image, path) : json(image, path)
    guard case .unreadable = content else { return (content, image.bytes) }
    if AsyncStorage.isValue(path) {
      let sentence = "\(ContainerWording.named(path)) is text that is not JSON, so it is not shown."
      return (.unreadable(sentence), image.bytes)
    }
    guard !said.isEmpty else { return (content, image.bytes) }
    // Some SDKs name JSON like a property list. The other error could quote the value, which may be all there is.
    let other = isList ? json(image, path) : document(image, path)
    guard case .unreadable = other else { return (other, image.bytes) }
    return (.unreadable("\(ContainerWording.named(path)) is neither JSON nor a property list."), image.bytes)
  }

  func head(of path: String) throws(FileSystemError) -> [UInt8] {
    try fileSystem.read(onDisk(path), from: 0, count: FileSignature.length)
  }

  /// Far more than the few hundred bytes of these files.
  private static let infoBytes = 1 << 20

  /// - Throws: `ContainerError` if `Library` or `Library/Preferences` exists but cannot be listed. It may contain the
  ///   app's values, so the container would wrongly look empty.
  mutating func readStores(dataFolder: String) throws(ContainerError) {
    self.dataFolder = dataFolder
    try readLibrary(PathText.join(dataFolder, "Library"), isNeeded: true)
    let documents = PathText.join(dataFolder, "Documents")
    try readAll(below: documents, names(inFolder: documents), where: PathText.isStoreName)
  }

  /// A folder that cannot be listed is only a notice: it has no values of the app itself.
  mutating func readGroup(_ folder: String) throws(ContainerError) {
    try readFiles(names(inFolder: folder), in: folder, where: PathText.isStoreName)
    try readLibrary(folder + "/Library", isNeeded: false)
  }

  private mutating func readLibrary(_ library: String, isNeeded: Bool) throws(ContainerError) {
    let names = try isNeeded ? namesNeeded(inFolder: library) : names(inFolder: library)
    try readFiles(names, in: library, where: PathText.isStoreName)
    if names.contains("Preferences") {
      let folder = library + "/Preferences"
      let names = try isNeeded ? namesNeeded(inFolder: folder) : self.names(inFolder: folder)
      try readAll(below: folder, names, where: PathText.isPropertyListName)
    }
    if names.contains("Caches") {
      let folder = library + "/Caches"
      let names = self.names(inFolder: folder)
      // Files without an extension are what was downloaded.
      try readFiles(names, in: folder, where: PathText.isPropertyListName, andUnnamed: false)
      if library == PathText.join(dataFolder, "Library") { addSigns(below: names, in: folder) }
    }
    if names.contains("Application Support") {
      let folder = library + "/Application Support"
      try readAll(below: folder, self.names(inFolder: folder), where: PathText.isStoreName)
    }
  }

  /// Adds the files that recipes name in any folder of the caches. These folders may be large, and are not listed.
  private mutating func addSigns(below names: [String], in caches: String) {
    let wanted = files.filter(\.isSign).compactMap { file -> String? in
      guard file.path.parts.count == 3, file.path.parts.starts(with: ["Library/Caches/", .any]),
        case .text(let name) = file.path.parts[2]
      else { return nil }
      return name
    }
    guard !wanted.isEmpty else { return }
    for folder in names.map({ "\(caches)/\($0)" }) where isFolder(folder) {
      for path in wanted.map({ folder + $0 }) where (try? fileSystem.status(onDisk(path)))?.kind == .regular {
        signs.append(path)
      }
    }
  }

  private mutating func readFiles(
    _ names: [String], in folder: String, where isStore: (String) -> Bool, andUnnamed: Bool = true
  ) throws(ContainerError) {
    for name in names {
      if let name = PathText.placeholder(name) {
        placeholders.append(PathText.join(folder, name))
        continue
      }
      let path = PathText.join(folder, name)
      let named = named(path)
      if named.contains(where: \.isSign) { signs.append(path) }
      let said = named.filter { !$0.isSign }
      if isStore(name) || !said.isEmpty {
        try readStore(path, said)
      } else if andUnnamed, PathText.hasNoExtension(name), unnamed.count < limits.others {
        unnamed.append(path)
      }
    }
  }

  private func namesNeeded(inFolder path: String) throws(ContainerError) -> [String] {
    let place = onDisk(path)
    do throws(FileSystemError) {
      let kind = try fileSystem.status(place)?.kind
      if kind == nil { return [] }
      // Any other item fails here, with the system's error.
      if kind != .symbolicLink { return try fileSystem.list(place) }
    } catch {
      throw ContainerError(place, error.reason.isDenied ? .permissionDenied : .failed(error))
    }
    throw ContainerError(root, .linkedFolder(path))
  }

  /// Reads the stores in a folder and in those below it, level by level, so that deep folders never displace shallow ones.
  private mutating func readAll(
    below folder: String, _ names: [String], where isStore: (String) -> Bool
  ) throws(ContainerError) {
    var folders = [folder]
    var next = 0
    var isCut = false
    while next < folders.count {
      let folder = folders[next]
      let names = next == 0 ? names : self.names(inFolder: folder)
      next += 1
      try readFiles(names, in: folder, where: isStore)
      for name in names where !PathText.isStoreName(name) {
        let inner = folder + "/" + name
        // If the kind is unknown, the listing reports the error.
        guard (try? isFile(inner)) != true else { continue }
        if folders.count <= limits.folders { folders.append(inner) } else { isCut = true }
      }
    }
    if isCut { note(ContainerWording.tooManyFolders(folder, limit: limits.folders)) }
  }

  /// Reads the files without an extension that begin like a property list or JSON, except logs.
  mutating func readUnnamed() throws(ContainerError) {
    for path in unnamed {
      guard !isFull else { return }
      try observer.report(OpeningProgress(.stores, done: stores.count), at: root)
      guard let status = try? fileSystem.status(onDisk(path)), status.kind == .regular else { continue }
      switch memory?.recall(path, [status]) {
      case .store(let known)? where known.problem == nil:
        try readStore(path)
        continue
      case .other?: continue
      case .store?, nil: break
      }
      guard let head = try? head(of: path) else { continue }
      switch FileSignature.data(head) {
      case .propertyList: try readStore(path)
      case .json: try readStore(path, isCertain: AsyncStorage.isValue(path))
      case nil where AsyncStorage.isValue(path): try readStore(path)
      case .database, nil: break
      }
    }
  }

  private func isFile(_ path: String) throws(FileSystemError) -> Bool {
    switch try fileSystem.status(onDisk(path))?.kind {
    case .directory, .symbolicLink: false
    case .regular, .other, nil: true
    }
  }

  /// The tables of a database that recipes read. A database without one of them has no values in it.
  mutating func database(
    _ path: String, _ tables: [KeyValueTable]
  ) throws(FileSystemError) -> (content: StoreContent, bytes: [UInt8]?) {
    let bytes = try fileSystem.read(onDisk(path), limit: min(limits.fileBytes, bytesLeft)).bytes
    bytesLeft -= bytes.count
    do throws(DatabaseImage.Failure) {
      let image = try DatabaseImage(bytes, of: onDisk(path), fileSystem: fileSystem, limit: limits.fileBytes)
      let different = tables.distinct { StringByBytes($0.label) }
      return (.database(KeyValueTables.read(different, of: image, limits)), bytes)
    } catch {
      return (.unreadable(ContainerWording.unreadable(path, error)), bytes)
    }
  }

  /// The files that belong to a database: a change in one of them changes its content.
  func logs(of path: String) -> [PlanBasis] {
    ["-wal", "-journal"].map { suffix in
      let image = try? fileSystem.read(onDisk(path + suffix), limit: limits.fileBytes)
      let isThere = (try? fileSystem.status(onDisk(path + suffix))) != nil
      return PlanBasis(
        file: path + suffix, value: image.map { PlanBasis.contents($0.bytes) } ?? (isThere ? PlanBasis.presence : nil))
    }
  }

  /// The folders of the app groups, beside `Library` and each with its own, relative to the container's root.
  mutating func appGroups(in dataFolder: String) -> [String] {
    var folders: [String] = []
    // The layout of a device backup and of `extract`, and that of a device.
    for place in ["AppGroups", "Shared/AppGroup"] {
      let folder = PathText.join(dataFolder, place)
      for name in names(inFolder: folder) where !name.hasPrefix(".") && isFolder(folder + "/" + name) {
        guard folders.count < limits.folders else {
          note(ContainerWording.tooManyFolders(folder, limit: limits.folders))
          return folders
        }
        folders.append(folder + "/" + name)
      }
    }
    return folders
  }

  func markers(in dataFolder: String) -> [String] {
    Traces.builtIn.signs.filter { fileSystem.kind(at: $0, below: onDisk(dataFolder)) != nil }
      .map { PathText.join(dataFolder, $0) }
  }

  /// The databases of the legacy SDK's unsent events, by path. A database that cannot be read has no count.
  func unsentEvents(in dataFolder: String) -> [UnsentEvents] {
    var found: [UnsentEvents] = []
    for folder in ["Library", "Documents", "Library/Application Support", "Library/Caches"]
    where fileSystem.kind(at: folder, below: onDisk(dataFolder)) == .directory {
      for name in Traces.builtIn.eventDatabases {
        let path = PathText.join(dataFolder, folder + "/" + name)
        switch (try? fileSystem.status(onDisk(path)))?.kind {
        case .regular: found.append(UnsentEvents(path: path, count: countEvents(onDisk(path))))
        case .symbolicLink, .other: found.append(UnsentEvents(path: path, count: nil))
        case .directory, nil: break
        }
      }
    }
    return found.sorted { PathText.precedes($0.path, $1.path) }
  }

  /// The number of rows in the table `events` that are not marked as sent, including those in a log beside it; nil if
  /// they cannot be counted, as in an encrypted database.
  private func countEvents(_ path: String) -> Int? {
    guard let image = try? DatabaseImage(reading: path, fileSystem: fileSystem, limit: limits.fileBytes) else {
      return nil
    }
    // Before 1.14.0, the table had no status column, and the SDK deleted a row when it was sent.
    for column in ["status", "0"] {
      // 100 times the rows that the legacy SDK stores.
      let query = TableQuery(
        table: "events", statement: "SELECT \(column) FROM main.events", maximumSteps: limits.databaseSteps,
        maximumRows: 1_000_000)
      var count = 0
      // The status bit for a sent row. The other bit is for the device's own destinations.
      switch query.run(on: image, { if (($0.integer(0) ?? 0) & 2) == 0 { count += 1 } }) {
      case .finished: return count
      case .notPossible: continue
      case .damaged, .tooMuch: return nil
      }
    }
    return nil
  }
}

/// The files of React Native's AsyncStorage: `manifest.json`, and a file for each long value, named after its key's MD5.
enum AsyncStorage {
  /// Whether a path is that of a value. It is text that is usually, but not always, JSON.
  static func isValue(_ path: String) -> Bool {
    let parts = FilePath.components(path)
    guard parts.count > 1, folders.contains(parts[parts.count - 2]), let name = parts.last else { return false }
    return name.utf8.count == 32 && [UInt8](hexadecimal: name) != nil
  }

  private static let folders: Set = ["RCTAsyncLocalStorage_V1", "RCTAsyncLocalStorage"]
}
