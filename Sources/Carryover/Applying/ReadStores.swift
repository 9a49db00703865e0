import CarryoverSystem
import PropertyLists

/// Stores as they are now, each read at most once.
struct ReadStores {
  private let files: DurableFiles
  private let root: String
  private var images: [String: ReadStore] = [:]

  init(_ files: DurableFiles, root: String) {
    self.files = files
    self.root = root
  }

  /// The store at a path relative to the root. One that is no property list has no values; the target's must be one.
  mutating func store(_ path: String) throws(RunError) -> ReadStore {
    if let known = images[path] { return known }
    let resolved = try ContainerPath.resolve(path, in: root, files.fileSystem)
    var store = ReadStore(resolved: resolved)
    if resolved.status != nil {
      store.image = try read(resolved.absolute)
      do throws(PropertyListError) {
        store.document = try PropertyListDocument(bytes: store.image?.bytes ?? [])
        store.index = store.document?.dictionary?.indexed()
      } catch {
        store.problem = error.description
      }
    }
    images[path] = store
    return store
  }

  private func read(_ path: String) throws(RunError) -> FileImage {
    try RunError.early(files.fileSystem.read(path, limit: DurableFiles.largestFile))
  }

  /// The values a plan rests on that are no longer what they were.
  mutating func stale(_ basis: [PlanBasis]) throws(RunError) -> [PlanBasis] {
    var stale: [PlanBasis] = []
    for entry in basis {
      let isSame = try entry.isFile ? stands(entry) : value(entry) == entry.value
      if !isSame { stale.append(entry) }
    }
    return stale
  }

  /// Whether a file is as a whole what it was for the plan. Behind a link there is none, as there was none for the plan.
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
    // What could not be read then need not be read now.
    guard let value = entry.value, value != PlanBasis.presence else { return entry.value != nil }
    return value == PlanBasis.contents(try read(place).bytes)
  }

  /// What stands at a place now. A source behind a link is none, as it was none for the plan; the target, which must
  /// not be one, is read by itself.
  private mutating func value(_ entry: PlanBasis) throws(RunError) -> PropertyListValue? {
    do {
      return try store(entry.store).index?[entry.key]
    } catch {
      if case .unsafePath = error { return nil }
      throw error
    }
  }
}

/// One store as it is now.
struct ReadStore {
  var resolved: ResolvedPath
  /// The file; nil where there is none.
  var image: FileImage?
  var document: PropertyListDocument?
  var index: PropertyListDictionaryIndex?
  /// Why it could not be read, as a sentence.
  var problem: String?
}
