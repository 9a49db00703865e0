import CarryoverSystem
import PropertyLists

/// The new bytes of a file, and what they must contain.
struct TargetEdit: Hashable {
  let path: String
  let changes: [KeyChange]
  let forms: [StringByBytes: TargetForm]
  private let others: [PropertyListDictionary.Entry]
  let bytes: [UInt8]

  /// Applies changes to a file, or creates a new one.
  ///
  /// An existing file keeps its format and all other keys.
  /// - Parameter format: the format of a new file, which an existing one must suit; nil for a file that must exist.
  init(
    _ file: KeyedFile?, path: String, changes: [KeyChange], forms: [StringByBytes: TargetForm],
    format: KeyedFile.Format? = nil
  ) throws(RunError) {
    if let format, let problem = file?.problem(as: format) { throw .unreadable(path: path, reason: problem.reason) }
    self.path = path
    self.changes = changes
    self.forms = forms
    let changed = Set(bytesOf: changes.map(\.key))
    others = file?.dictionary.entries.filter { !changed.contains($0.key) } ?? []
    do throws(KeyedFile.Problem) {
      if let file {
        bytes = try file.editing(
          changes.map { change in change.after.map { .set(change.key, $0) } ?? .remove(change.key) })
      } else {
        let entries = changes.compactMap { change in
          change.after.map { PropertyListDictionary.Entry(key: change.key, value: $0) }
        }
        bytes = try KeyedFile.encode(PropertyListDictionary(entries: entries), as: format ?? .binary)
      }
    } catch {
      throw .notEncodable(path: path, reason: error.reason)
    }
  }

  /// The edit of a file by changes that were made in it.
  init(_ file: KeyedFile, changes made: ChangedStore) throws(RunError) {
    path = made.path
    changes = made.keys
    forms = [:]
    bytes = made.file.bytes
    let changed = Set(bytesOf: made.keys.map(\.key))
    others = file.dictionary.entries.filter { !changed.contains($0.key) }
  }

  /// The problem in written bytes; nil if they contain the changes, nothing else has changed, and the target's reader
  /// accepts each value.
  func problem(in bytes: [UInt8]) -> VerificationProblem? {
    let dictionary: PropertyListDictionary
    do {
      dictionary = try KeyedFile(bytes: bytes, path: path).dictionary
    } catch {
      return .unreadable(error.reason)
    }
    let index = dictionary.indexed()
    for change in changes {
      let value = index[change.key]
      guard value == change.after else { return .valueDiffers(key: change.key) }
      if let value, let mismatch = forms[change.key]?.mismatch(value) { return .form(field: change.key, mismatch) }
    }
    let changed = Set(bytesOf: changes.map(\.key))
    guard dictionary.entries.filter({ !changed.contains($0.key) }) == others else { return .otherKeyChanged }
    return nil
  }
}

/// The current stores, each read at most once.
struct ReadStores {
  let files: DurableFiles
  let root: String
  var known: [StringByBytes: ReadStore] = [:]

  /// The store at a path relative to the root. A file without keys has no values; the target must have keys.
  mutating func store(_ path: String) throws(RunError) -> ReadStore {
    if let known = known[path] { return known }
    let resolved = try ContainerPath.resolve(path, in: root, files.fileSystem)
    let image = resolved.status == nil ? nil : try read(resolved.absolute)
    let store = ReadStore(resolved: resolved, image: image, parsed: ParsedFile(image?.bytes, path: path))
    known[path] = store
    return store
  }

  mutating func requireEditable(_ paths: [String]) throws(RunError) {
    for path in paths {
      let store = try store(path)
      if let links = store.image?.status.links, links > 1 { throw .hardLinked(path: path, links: links) }
      if let problem = store.parsed.problem { throw .unreadable(path: path, reason: problem) }
    }
  }

  private func read(_ path: String) throws(RunError) -> FileImage {
    try RunError.attempt(files.fileSystem.read(path, limit: DurableFiles.largestFile))
  }

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
      return try store(entry.store).parsed[entry.key]
    } catch {
      if case .unsafePath = error { return nil }
      throw error
    }
  }
}

struct ReadStore {
  var resolved: ResolvedPath
  var image: FileImage?
  var parsed: ParsedFile
}

/// A file by its keys, or the reason that it has none.
struct ParsedFile {
  private(set) var file: KeyedFile?
  private var index: PropertyListDictionaryIndex?
  /// The reason that it has no keys, as a sentence; nil for a file with keys and for a missing one.
  private(set) var problem: String?

  init(_ bytes: [UInt8]?, path: String) {
    guard let bytes else { return }
    do throws(KeyedFile.Problem) {
      let parsed = try KeyedFile(bytes: bytes, path: path)
      file = parsed
      index = parsed.dictionary.indexed()
    } catch {
      problem = error.reason
    }
  }

  var entries: [PropertyListDictionary.Entry] { file?.dictionary.entries ?? [] }

  subscript(key: String) -> PropertyListValue? { index?[key] }

  /// The keys whose values differ between two states of a file. Those of the named fields come first.
  static func changedKeys(_ before: ParsedFile, _ after: ParsedFile, first: [String]) -> [String] {
    let (old, new) = (before.entries, after.entries)
    return (first + keys(of: old, differingFrom: new) + keys(of: new, differingFrom: old)).distinct()
      .filter { before[$0] != after[$0] }
  }

  /// The keys whose value or position differs. A run changes few of many keys, so most are the same.
  private static func keys(
    of entries: [PropertyListDictionary.Entry], differingFrom others: [PropertyListDictionary.Entry]
  ) -> [String] {
    entries.indices.filter { !others.indices.contains($0) || entries[$0] != others[$0] }.map { entries[$0].key }
  }
}
