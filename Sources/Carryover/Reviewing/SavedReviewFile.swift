package import CarryoverSystem
import PropertyLists

/// The saved decisions of a container's reviews: `review.json` in its state folder. Only its owner can read it.
///
/// There are two files of the same format. `review.json` is on the disk when a write returns. `review.json.draft` is
/// written during the review without waiting for the disk, and is removed after the next write of `review.json`. A
/// power cut loses at most the decisions since that write. The later file counts.
///
/// No lock is used: each file is replaced atomically, and the last of several reviews wins. Containers that share a
/// state folder have separate files.
package struct SavedReviewFile: Sendable {
  private var fileSystem: any FileSystem
  private let container: Container
  /// The number of the process, so that two processes never write the same temporary file.
  private let writer: Int32
  private let tool: String
  private let key: any StateKeySource
  package let path: String

  var draft: String { path + ".draft" }

  package init(
    fileSystem: any FileSystem, container: Container, writer: Int32, toolVersion: String, key: any StateKeySource
  ) {
    self.fileSystem = fileSystem
    self.container = container
    self.writer = writer
    tool = toolVersion
    self.key = key
    path = FilePath.join(container.stateDirectory, Self.name(container))
  }

  /// The saved decisions for a plan's recipe, the reason that they are not the user's own, and the error of an unreadable
  /// file. Those for the plan's target precede others: the target may not have been known when they were made, or may not
  /// be known now. The user's own decisions precede those that came with the container. Writes nothing.
  /// - Parameter plan: the plan of one recipe.
  package func read(for plan: Plan) -> (review: SavedReview?, foreign: ForeignReason?, problem: SavedReviewError?) {
    if let problem = folderProblem { return (nil, nil, problem) }
    let (whole, recent) = (look(path), look(draft))
    let problem = whole.problem ?? recent.problem
    for found in [Self.later(whole, recent)].compactMap(\.self) + [whole, recent].filter({ $0.foreign != nil }) {
      let reviews = found.document?.reviews.filter { $0.recipe == plan.recipe.id } ?? []
      if let review = reviews.first(where: { $0.target == plan.target?.path }) ?? reviews.first {
        return (review, found.foreign, problem)
      }
    }
    return (nil, nil, problem)
  }

  /// Every saved review, of any recipe and target. Writes nothing.
  package var reviews: [SavedReview] {
    guard folderProblem == nil else { return [] }
    return [look(path), look(draft)].flatMap { $0.document?.reviews ?? [] }
  }

  /// Saves decisions, which replace those for the same recipe and target. No decisions remove these.
  ///
  /// A damaged file is replaced only if there are decisions. A later version's file or any other item never is.
  /// - Parameters:
  ///   - targets: other targets of the recipe whose decisions they replace too, because the same review has had them.
  ///   - durably: whether to wait until the file is on the disk.
  package func write(
    _ review: SavedReview, replacing targets: [String?] = [], durably: Bool, allowing allowed: Set<FindingCode> = []
  ) throws(SavedReviewError) {
    try requireWritable(allowing: allowed)
    // Another process may replace the folder with a link meanwhile.
    var confined = self
    confined.fileSystem = try converting(
      try fileSystem.confined(to: [FilePath.folder(of: container.stateDirectory)]), SavedReviewError.file)
    try confined.keep(review, replacing: targets + [review.target], durably: durably)
  }

  private func keep(_ review: SavedReview, replacing targets: [String?], durably: Bool) throws(SavedReviewError) {
    if let problem = folderProblem { throw problem }
    let (whole, recent) = (look(path), look(draft))
    if let problem = whole.obstacle ?? recent.obstacle { throw problem }
    let document = Self.later(whole, recent)?.document
    var reviews = document?.reviews.filter { $0.recipe != review.recipe || !targets.contains($0.target) } ?? []
    if !review.decisions.isEmpty { reviews.insert(review, at: 0) }
    let key = try converting(try self.key.obtain(), SavedReviewError.stateKey)
    do throws(FileSystemError) {
      let foreign = [whole, recent].filter { $0.foreign != nil }.map(\.path)
      if !foreign.isEmpty {
        var files = DurableFiles(fileSystem)
        _ = try Discarded.move(foreign, in: container.stateDirectory, &files)
      }
      guard !reviews.isEmpty else {
        return try remove([whole, recent].filter { $0.own != nil }.map(\.path), durably: durably)
      }
      let new = ReviewDocument(
        tool: tool, number: (document?.number ?? 0) + 1, reviews: Array(reviews.prefix(ReviewDocument.mostReviews)))
      let bytes = try Array((StateSeal(key, of: container.root, fileSystem).sealed(new.json).text() + "\n").utf8)
      guard bytes.count <= ReviewDocument.largest else {
        throw FileSystemError(.write, path, .tooLarge(limit: ReviewDocument.largest))
      }
      try place(bytes, durably: durably)
    } catch {
      if case .tooLarge(let limit) = error.reason { throw .tooLong(limit: limit) }
      throw .file(error)
    }
  }

  /// If several containers share a folder, the name identifies the container.
  private static func name(_ container: Container) -> String {
    let recorded = RecordedContainer(container)
    guard recorded.name != nil || recorded.root != nil else { return "review.json" }
    let identity = [recorded.kind.rawValue, recorded.name ?? "", recorded.root ?? ""].joined(separator: "\0")
    return "review-\(Checksum.text(Array(identity.utf8))).json"
  }

  private func requireWritable(allowing allowed: Set<FindingCode>) throws(SavedReviewError) {
    guard FilePath.isWithin(container.stateDirectory, container.root) else { return }
    if let wrapper = container.wrapper { throw .wrapped(wrapper) }
    if container.liveness != nil, !allowed.contains(.liveRunningStore) { throw .live }
  }

  private var folderProblem: SavedReviewError? {
    do throws(FileSystemError) {
      guard let kind = try fileSystem.status(container.stateDirectory)?.kind, kind != .directory else { return nil }
      return .occupied(path: container.stateDirectory, kind)
    } catch {
      return .file(error)
    }
  }

  private func look(_ path: String) -> Found {
    var found = Found(path: path)
    do throws(FileSystemError) {
      guard let kind = try fileSystem.status(path)?.kind else { return found }
      guard kind == .regular else { throw FileSystemError(.read, path, .notRegular(kind)) }
      let image = try fileSystem.read(path, limit: ReviewDocument.largest)
      let known: StateKey?
      do throws(StateKeyError) {
        known = try key.existing()
      } catch {
        found.problem = .stateKey(error)
        return found
      }
      var seal: StateSeal?
      if let known { seal = try StateSeal(known, of: container.root, fileSystem) }
      do throws(DocumentDamage) {
        let (document, json) = try ReviewDocument.read(image.bytes)
        found.document = document
        found.foreign = StateSeal.foreignReason(of: json, ownedBy: image.status.user, fileSystem.user, seal)
      } catch {
        found.problem = .damaged(path: path, error)
      }
    } catch {
      switch error.reason {
      case .tooLarge(let limit): found.problem = .damaged(path: path, .tooLong(limit: limit))
      case .notRegular(let kind): found.problem = .occupied(path: path, kind)
      case .system(SystemErrorNumber.noEntry.number): break
      default: found.problem = .file(error)
      }
    }
    return found
  }

  private static func later(_ whole: Found, _ recent: Found) -> Found? {
    [whole, recent].filter { $0.own != nil }.max { ($0.own?.number ?? 0) < ($1.own?.number ?? 0) }
  }

  private struct Found {
    let path: String
    var document: ReviewDocument?
    var foreign: ForeignReason?
    var problem: SavedReviewError?

    var own: ReviewDocument? { foreign == nil ? document : nil }

    var obstacle: SavedReviewError? {
      switch problem {
      case .damaged(_, .laterSchema): problem
      case .damaged: nil
      // A file that cannot be read at this moment may still contain decisions.
      default: problem
      }
    }
  }

  private func place(_ bytes: [UInt8], durably: Bool) throws(FileSystemError) {
    let folder = container.stateDirectory
    var files = DurableFiles(fileSystem, isDurable: durably)
    do throws(FileSystemError) {
      try put(bytes, in: durably ? path : draft, &files)
    } catch {
      // Another review may have removed the temporary file, or emptied the folder.
      guard error.reason == .system(SystemErrorNumber.noEntry.number) else { throw error }
      try put(bytes, in: durably ? path : draft, &files)
    }
    guard durably else { return }
    // The creator of the folder may not have flushed its name to the disk.
    try files.synchronizeFolder(FilePath.folder(of: folder))
    if try fileSystem.status(draft)?.kind == .regular { try fileSystem.remove(draft) }
    clearTemporaries(in: folder)
  }

  private func put(_ bytes: [UInt8], in file: String, _ files: inout DurableFiles) throws(FileSystemError) {
    let folder = container.stateDirectory
    if try fileSystem.status(folder) == nil { try makeFolder(folder) }
    try files.replace(file, with: bytes, through: "\(path).\(writer)\(Self.temporaryEnding)")
  }

  private func clearTemporaries(in folder: String) {
    let beginning = FilePath.name(of: path) + "."
    for name in (try? fileSystem.list(folder)) ?? []
    where name.hasPrefix(beginning) && name.hasSuffix(Self.temporaryEnding) {
      try? fileSystem.remove(FilePath.join(folder, name))
    }
  }

  private static let temporaryEnding = ".tmp"

  private func makeFolder(_ folder: String) throws(FileSystemError) {
    do {
      try fileSystem.makeDirectory(folder, mode: 0o700)
    } catch {
      guard error.reason == .system(SystemErrorNumber.exists.number) else { throw error }
    }
  }

  /// Removes files, and the folder if it is empty then.
  private func remove(_ own: [String], durably: Bool) throws(FileSystemError) {
    guard !own.isEmpty else { return }
    for file in own { try fileSystem.remove(file) }
    var files = DurableFiles(fileSystem)
    if durably { try files.synchronizeFolder(container.stateDirectory) }
    // It is no error if the folder stays: it has runs or other files.
    if (try? fileSystem.list(container.stateDirectory))?.isEmpty == true {
      try? fileSystem.removeDirectory(container.stateDirectory)
    }
  }
}
