package import CarryoverSystem

/// A file operation of a run, or its failure.
///
/// Events arrive in the order of the operations. They contain file names and sizes, never a file's content.
package struct FileOperationEvent: Hashable, Sendable {
  /// The operation. The raw value is a stable word.
  package enum Action: String, CaseIterable, Sendable {
    /// The lock was taken.
    case lock
    /// A folder was created.
    case makeFolder = "make-folder"
    /// A new file was written.
    case write
    /// A file's bytes and attributes were flushed to the disk.
    case synchronize
    /// A folder's entries were flushed to the disk.
    case synchronizeFolder = "synchronize-folder"
    /// A file was renamed.
    case rename
    /// Two files changed places.
    case exchange
    /// A file was removed.
    case remove
    /// A folder was removed.
    case removeFolder = "remove-folder"
    /// A file was read back and is correct.
    case verify
  }

  /// The purpose of a file. The raw value is a stable word.
  package enum Purpose: String, CaseIterable, Sendable {
    /// A file of the app.
    case file
    /// A new file of the app, under its temporary name beside its destination.
    case temporary
    /// A file from before the run.
    case backup
    /// A file for after the run.
    case copy
    /// The record of a run.
    case record
    /// The journal that decides a run.
    case journal
    /// The lock.
    case lock
    /// A folder, or anything else.
    case other
  }

  /// The operation.
  package var action: Action
  /// The path, relative to the container's root if it is inside the container.
  package var path: String
  /// The purpose of the file.
  package var purpose: Purpose
  /// The new name, or the other file of an exchange.
  package var destination: String?
  /// The number of bytes written or read back.
  package var size: Int?
  /// The reason for a failure; nil if the operation succeeded.
  package var failure: FileSystemError?

  /// An event from its parts.
  package init(
    _ action: Action, _ path: String, purpose: Purpose, destination: String? = nil, size: Int? = nil,
    failure: FileSystemError? = nil
  ) {
    self.action = action
    self.path = path
    self.purpose = purpose
    self.destination = destination
    self.size = size
    self.failure = failure
  }
}

/// Receives every change that a run makes to the file system, on the run's thread. It must return quickly, and cannot
/// stop the run.
package typealias FileOperationObserver = @Sendable (FileOperationEvent) -> Void
