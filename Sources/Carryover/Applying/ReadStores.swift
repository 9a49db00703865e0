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
  mutating func store(_ path: String) throws(MigrationError) -> ReadStore {
    if let known = images[path] { return known }
    let resolved = try ContainerPath.resolve(path, in: root, files.fileSystem)
    var store = ReadStore(resolved: resolved)
    if resolved.status != nil {
      do {
        store.image = try files.fileSystem.read(resolved.absolute, limit: DurableFiles.largestFile)
      } catch {
        throw .file(error, .nothingChanged)
      }
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

  /// The values a plan rests on that are no longer what they were.
  mutating func stale(_ basis: [PlanBasis]) throws(MigrationError) -> [PlanBasis] {
    var stale: [PlanBasis] = []
    for entry in basis where try value(entry) != entry.value { stale.append(entry) }
    return stale
  }

  /// What stands at a place now. A source behind a link is none, as it was none for the plan; the target, which must
  /// not be one, is read by itself.
  private mutating func value(_ entry: PlanBasis) throws(MigrationError) -> PropertyListValue? {
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
