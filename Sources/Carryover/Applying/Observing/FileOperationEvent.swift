package import CarryoverSystem

/// One thing a run did to the file system, or failed to do: for whoever wants to see how a run was made.
///
/// Events come in the order in which things were done. They name files and sizes, never what a file holds.
package struct FileOperationEvent: Hashable, Sendable {
  /// What was done. The raw value is a stable word.
  package enum Action: String, CaseIterable, Sendable {
    /// The lock was taken.
    case lock
    /// A folder was made.
    case makeFolder = "make-folder"
    /// A new file was written.
    case write
    /// A file's bytes and attributes were brought to the disk.
    case synchronize
    /// A folder's entries were brought to the disk.
    case synchronizeFolder = "synchronize-folder"
    /// A file was given another name.
    case rename
    /// Two files changed places.
    case exchange
    /// A file was removed.
    case remove
    /// A folder was removed.
    case removeFolder = "remove-folder"
    /// A file was read back in its place and is what it should be.
    case verify
  }

  /// What a file is for. The raw value is a stable word.
  package enum Purpose: String, CaseIterable, Sendable {
    /// A file of the app's.
    case file
    /// A file of the app's under the name it has while it waits beside its destination.
    case temporary
    /// A file as it was before the run.
    case backup
    /// A file as it is to be after the run.
    case copy
    /// The record of a run.
    case record
    /// What decides a run.
    case journal
    /// The lock.
    case lock
    /// A folder, or anything else.
    case other
  }

  /// What was done.
  package var action: Action
  /// To what, relative to the container's root where it is in it.
  package var path: String
  /// What that is for.
  package var purpose: Purpose
  /// The name it was given, or with what it changed places.
  package var destination: String?
  /// How many bytes were written, or read back.
  package var size: Int?
  /// Why it failed; nil for what was done.
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

/// Is told of everything a run does to the file system, while the run is made and on its thread. It must not take long,
/// and it cannot stop the run.
package typealias FileOperationObserver = @Sendable (FileOperationEvent) -> Void
