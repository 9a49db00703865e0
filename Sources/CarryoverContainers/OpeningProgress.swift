/// How far the opening of a large container, backup or archive has come.
package struct OpeningProgress: Hashable, Sendable {
  /// What is being done.
  package enum Stage: String, Sendable {
    /// The entries of an archive are read.
    case archive
    /// The file index of a backup is read.
    case backup
    /// Folders are searched for containers.
    case search
    /// The stores of a container are read.
    case stores
    /// Files are written to a new folder.
    case extracting
  }

  /// What is being done.
  package var stage: Stage
  /// How much is done: bytes of an archive, rows of an index, files otherwise.
  package var done: Int
  /// How much there is, in the same units; nil where that is not known.
  package var total: Int?

  /// Progress from its parts.
  package init(_ stage: Stage, done: Int, total: Int? = nil) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}

/// Is told now and then how far the work has come, and can end it.
package struct OpeningObserver: Sendable {
  private let body: @Sendable (OpeningProgress) -> Bool

  /// An observer.
  /// - Parameter body: gets the progress, at least every few milliseconds of work; false ends the work with
  ///   `ContainerError.Kind.cancelled`.
  package init(_ body: @escaping @Sendable (OpeningProgress) -> Bool) { self.body = body }

  /// Nobody, who never ends the work.
  package static let none = OpeningObserver { _ in true }

  /// Tells the progress; false when the work is to end.
  func goesOn(_ progress: OpeningProgress) -> Bool { body(progress) }

  /// Tells the progress.
  /// - Throws: `cancelled` when the work is to end.
  func report(_ progress: OpeningProgress, at path: String) throws(ContainerError) {
    guard body(progress) else { throw ContainerError(path, .cancelled) }
  }
}
