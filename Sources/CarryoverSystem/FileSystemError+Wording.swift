public import PropertyLists

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystemError: CustomStringConvertible, Described {
  /// One sentence: what could not be done, where, why, and what to do about it. The path is escaped for display.
  package var words: String {
    "Could not \(operation.rawValue) \(DisplayText.quoted(path)): \(cause); \(remedy)."
  }

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
    case .system(let number): remedy(number)
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

  private func remedy(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "check its permissions and those of its folder, and who owns them"
    case ENOENT, ENOTDIR: "check the path"
    case ENOSPC: "free some space on that disk and try again"
    case EDQUOT: "free some of your quota on that disk and try again"
    case EFBIG: "raise the limit on the size of files (ulimit -f), or copy the files to another disk"
    case EROFS: "copy it to a disk that can be written to"
    case EIO: "check that disk; the data on it may be damaged"
    case EMFILE, ENFILE: "close some programs and try again"
    case ELOOP: "replace the symbolic links on that path with folders"
    case EEXIST: "move the existing file away"
    case ENAMETOOLONG: "move it to a shorter path"
    case EXDEV: "keep that folder on one disk"
    case EDEADLK: "finish the current change before you start another"
    case ENOTEMPTY: "check what is still in it"
    default: "try again; if it happens again, check the disk"
    }
  }
}

extension UnsafePath {
  package var phrase: String {
    switch self {
    case .malformed: "it is not a plain path inside the container"
    case .throughLink: "it leads through a symbolic link"
    case .isLink: "it is a symbolic link, and links are not followed"
    case .wrongKind: "it, or a folder on the way to it, is not what is needed there: a folder, or a regular file"
    }
  }
}
