import CarryoverSystem
import PropertyLists

/// The current stores, each read at most once.
struct ReadStores {
  private let files: DurableFiles
  private let root: String
  private var images: [StringByBytes: ReadStore] = [:]

  init(_ files: DurableFiles, root: String) {
    self.files = files
    self.root = root
  }

  /// The store at a path relative to the root. A file without keys has no values; the target must have keys.
  mutating func store(_ path: String) throws(RunError) -> ReadStore {
    if let known = images[path] { return known }
    let resolved = try ContainerPath.resolve(path, in: root, files.fileSystem)
    var store = ReadStore(resolved: resolved)
    if resolved.status != nil {
      store.image = try read(resolved.absolute)
      do throws(KeyedFile.Problem) {
        store.file = try KeyedFile(bytes: store.image?.bytes ?? [], path: path)
        store.index = store.file?.dictionary.indexed()
      } catch {
        store.problem = error.reason
      }
    }
    images[path] = store
    return store
  }

  private func read(_ path: String) throws(RunError) -> FileImage {
    try RunError.early(files.fileSystem.read(path, limit: DurableFiles.largestFile))
  }

  /// The values that have changed since the plan was made.
  mutating func stale(_ basis: [PlanBasis]) throws(RunError) -> [PlanBasis] {
    var stale: [PlanBasis] = []
    for entry in basis {
      let isSame = try entry.isFile ? stands(entry) : value(entry) == entry.value
      if !isSame { stale.append(entry) }
    }
    return stale
  }

  /// Whether a whole file has not changed since the plan. A file behind a link counts as missing, as for the plan.
  private func stands(_ entry: PlanBasis) throws(RunError) -> Bool {
    let place = root + "/" + entry.store
    do {
      let resolved = try ContainerPath.resolve(entry.store, in: root, files.fileSystem)
      guard resolved.status != nil else { return entry.value == nil }
    } catch {
      guard case .unsafePath(_, let problem) = error else { throw error }
      let isThere = problem != .throughLink && (try? files.fileSystem.status(place)) != nil
      return entry.value == (isThere ? PlanBasis.presence : nil)
    }
    // A file that could not be read for the plan need not be readable now.
    guard let value = entry.value, value != PlanBasis.presence else { return entry.value != nil }
    return value == PlanBasis.contents(try read(place).bytes)
  }

  /// The current value at a place. A source behind a link counts as missing, as it did for the plan. The target, which
  /// must not be a link, is read separately.
  private mutating func value(_ entry: PlanBasis) throws(RunError) -> PropertyListValue? {
    do {
      return try store(entry.store).index?[entry.key]
    } catch {
      if case .unsafePath = error { return nil }
      throw error
    }
  }
}

/// One current store.
struct ReadStore {
  var resolved: ResolvedPath
  /// The file; nil if it does not exist.
  var image: FileImage?
  /// The file by its keys; nil if it has none.
  var file: KeyedFile?
  var index: PropertyListDictionaryIndex?
  /// The reason that it has no keys, as a sentence.
  var problem: String?
}
