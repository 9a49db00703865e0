/// The progress of opening a large container, backup or archive.
package struct OpeningProgress: Hashable, Sendable {
  /// The current work.
  package enum Stage: String, Sendable {
    /// Reading the entries of an archive.
    case archive
    /// Reading the file index of a backup.
    case backup
    /// Searching folders for containers.
    case search
    /// Reading the stores of a container.
    case stores
    /// Writing files to a new folder.
    case extracting
  }

  /// The current work.
  package var stage: Stage
  /// The work that is done: bytes of an archive, rows of an index, or files.
  package var done: Int
  /// The total work, in the same units; nil if it is unknown.
  package var total: Int?

  /// Progress from its parts.
  package init(_ stage: Stage, done: Int, total: Int? = nil) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}

/// Receives the progress of the work, and can cancel it.
package struct OpeningObserver: Sendable {
  private let body: @Sendable (OpeningProgress) -> Bool

  /// An observer.
  /// - Parameter body: receives the progress at least every few milliseconds of work. If it returns false, the work
  ///   ends with `ContainerError.Kind.cancelled`.
  package init(_ body: @escaping @Sendable (OpeningProgress) -> Bool) { self.body = body }

  /// An observer that ignores the progress and never cancels.
  package static let none = OpeningObserver { _ in true }

  /// Reports the progress; false cancels the work.
  func goesOn(_ progress: OpeningProgress) -> Bool { body(progress) }

  /// Reports the progress.
  /// - Throws: `cancelled` if the observer cancels the work.
  func report(_ progress: OpeningProgress, at path: String) throws(ContainerError) {
    guard body(progress) else { throw ContainerError(path, .cancelled) }
  }
}
