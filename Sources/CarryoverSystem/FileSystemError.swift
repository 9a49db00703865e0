public import PropertyLists

/// Why a file operation failed.
public struct FileSystemError: Error, Hashable, Sendable {
  package var operation: Operation
  /// The path of the file or folder.
  public var path: String
  package var reason: Reason

  /// The operations, in words that fit "could not … PATH".
  package enum Operation: String, Sendable {
    case read, list, inspect, create, write, synchronize, close, rename, remove, lock
    case setOwner = "set the owner of"
    case setMode = "set the mode of"
    case makeDirectory = "make the folder"
    case removeDirectory = "remove the folder"
  }

  package enum Reason: Hashable, Sendable {
    case system(Int32)
    /// Another process has the lock; its id if the lock file contains it.
    case busy(holder: Int32?)
    case tooLarge(limit: Int)
    case notRegular(FileKind)
    /// The path leads, or may lead, outside the folders to which the file system is confined.
    case unsafe(UnsafePath)
    case unsupported
    case readOnlyTree
    /// The backup lists the file but does not contain it.
    case notInBackup
    /// The archive contains the file, but its content is not read in the archive itself: the archive is too large, or
    /// nothing reads such files.
    case beyondArchiveLimit

    package var isDenied: Bool {
      self == .system(SystemErrorNumber.denied.number) || self == .system(SystemErrorNumber.notPermitted.number)
    }

    /// Whether nothing is at the path, or a folder on the way is something else.
    package var isAbsence: Bool {
      self == .system(SystemErrorNumber.noEntry.number) || self == .system(SystemErrorNumber.notFolder.number)
    }

    package var isExistence: Bool {
      self == .system(SystemErrorNumber.exists.number) || self == .system(SystemErrorNumber.notEmpty.number)
    }
  }

  var isMissing: Bool { reason == .system(SystemErrorNumber.noEntry.number) }

  package init(_ operation: Operation, _ path: String, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

/// Why a confined file system refuses a path.
package enum UnsafePath: String, Hashable, Sendable {
  /// It is absolute, empty, or has a component that is empty, `.`, `..` or contains a null byte.
  case malformed
  case throughLink
  case isLink
  /// A component before the last is not a folder, or the last is not a regular file.
  case wrongKind

  package var phrase: String {
    switch self {
    case .malformed: "it is not a plain path inside the container"
    case .throughLink: "it leads through a symbolic link"
    case .isLink: "it is a symbolic link, and links are not followed"
    case .wrongKind: "it, or a folder on the way to it, is not what is needed there: a folder, or a regular file"
    }
  }
}

extension FileSystemError: CustomStringConvertible, Described {
  /// One sentence: what could not be done, where, why, and what to do about it. The path is escaped for display.
  package var words: String { "Could not \(operation.rawValue) \(DisplayText.quoted(path)): \(cause); \(remedy)." }

  /// The reason, in a few words: the system's own text, or ours.
  package var cause: String {
    switch reason {
    case .system(let number): SystemCalls.text(ofError: number)
    case .busy(let holder?): "process \(holder) is working on it"
    case .busy(nil): "another process is working on it"
    case .tooLarge(let limit): "it is larger than \(limit) bytes"
    case .notRegular(.symbolicLink): "it is a symbolic link, and links are not followed"
    case .notRegular(.directory): "it is a folder"
    case .notRegular: "it is not a regular file"
    case .unsafe(let problem): problem.phrase
    case .unsupported: "this file system cannot do that"
    case .readOnlyTree: "it is in a read-only archive or backup"
    case .notInBackup: "the backup lists it without its content"
    case .beyondArchiveLimit: "its content is not read in the archive itself"
    }
  }

  private var remedy: String {
    switch reason {
    case .system(let number): SystemErrorNumber(number: number).remedy
    case .busy: "wait until it has ended and try again"
    case .tooLarge: "check that this is the file you mean"
    case .notRegular(.symbolicLink): "name the file it points to, or replace the link with the file"
    case .notRegular: "check that this is the file you mean"
    case .unsafe(.malformed): "name a file inside the container"
    case .unsafe: "replace the link with the folder or file itself"
    case .unsupported: "copy the files to another disk"
    case .readOnlyTree, .beyondArchiveLimit: "extract the app's files first with “carryover extract”"
    case .notInBackup: "ask for a complete backup, or for the container itself"
    }
  }
}
