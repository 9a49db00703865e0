import Carryover
import CarryoverSystem

/// The reason that an archive is refused. None of it was written.
package enum ArchiveRefusal: Error, Hashable, Sendable {
  /// An entry without a name, or whose name is not in its stated encoding: its number, from 1.
  case namelessEntry(Int)
  case absoluteName(String)
  case climbingName(String)
  /// An entry whose name is longer than on any system: the start of the name.
  case longName(String)
  case linkOut(String, target: String)
  case hardLinkOut(String, target: String)
  case insideFile(String, file: String)
  case repeatedName(String)
  case specialFile(String)
  case encrypted(String)
  case tooManyEntries(limit: Int)
  case tooLongNames(limit: Int)
  case endlessDescription(limit: Int)
  case tooLargeFile(String, limit: Int)
  case tooLarge(limit: Int)
  case expandsTooMuch(times: Int)
  case severalVolumes
  case compressedTwice
  case unrecognised
  case truncated
  case changed
  /// The archive is damaged; the library's message.
  case damaged(String)
}

enum ArchiveWording {
  /// The defect of an archive, its place, and what to do.
  /// - Parameter archive: the archive's path, escaped for display.
  static func sentence(_ archive: String, _ refusal: ArchiveRefusal) -> String {
    switch refusal {
    case .namelessEntry(let number):
      "\(archive) was not opened: its entry \(number) has no name that can be read. Pack the files again."
    case .absoluteName(let name):
      "\(archive) was not opened: \(quoted(name)) in it is an absolute path outside of the archive. \(distrust)"
    case .climbingName(let name):
      "\(archive) was not opened: \(quoted(name)) in it leads out of the archive. \(distrust)"
    case .longName(let name):
      "\(archive) was not opened: the name \(quoted(name)) in it is too long or too deep. Pack the files again."
    case .linkOut(let name, let target):
      "\(archive) was not opened: the link \(quoted(name)) in it leads to \(quoted(target)), which may be outside."
        + " Pack the files again without that link."
    case .hardLinkOut(let name, let target):
      "\(archive) was not opened: \(quoted(name)) in it is a hard link to \(quoted(target)), which is not an earlier file of"
        + " the archive. Pack the files again."
    case .insideFile(let name, let file):
      "\(archive) was not opened: \(quoted(name)) in it is in \(quoted(file)), which is not a folder. \(distrust)"
    case .repeatedName(let name): "\(archive) was not opened: it contains \(quoted(name)) twice. Pack the files again."
    case .specialFile(let name):
      "\(archive) was not opened: \(quoted(name)) in it is a device, a pipe or a socket. Pack the files without it."
    case .encrypted(let name):
      "\(archive) was not opened: \(quoted(name)) in it is encrypted. Extract it with its password, then give the folder."
    case .tooManyEntries(let limit):
      "\(archive) was not opened: it has more than \(limit) entries. Pack only the app's container."
    case .tooLongNames(let limit):
      "\(archive) was not opened: the names in it are longer than \(size(limit)) together. Pack only the app's container."
    case .endlessDescription(let limit):
      "\(archive) was not opened: the description of one file is longer than \(size(limit))."
        + " \(distrust)"
    case .tooLargeFile(let name, let limit):
      "\(archive) was not opened: \(quoted(name)) in it is larger than \(size(limit)). Pack the files without it."
    case .tooLarge(let limit):
      "\(archive) was not opened: it unpacks to more than \(size(limit)). Pack only the app's container."
    case .expandsTooMuch(let times):
      "\(archive) was not opened: it unpacks to more than \(times) times its size, as archives made to fill a disk do."
        + " If you trust it, extract it first, then give the folder."
    case .severalVolumes:
      "\(archive) is one of several volumes, which cannot be opened: join them, or pack the files into one archive."
    case .compressedTwice: "\(archive) is compressed more than once: decompress it once, then open what comes out."
    case .unrecognised:
      "\(archive) is a damaged archive, or a compressed file of another kind: extract it first, or ask for it again."
    case .truncated: "\(archive) is truncated. Ask for the file again."
    case .changed: "\(archive) changed while it was read: wait until nothing writes to it, and try again."
    case .damaged(let cause):
      "\(archive) is a damaged archive\(cause.isEmpty ? "" : " (\(shown(cause)))"). Ask for the file again."
    }
  }

  static let rootedNames =
    "Names in the archive begin with a slash, as in a copy of a whole file system: they are shown without it."

  static func missingLibrary(_ archive: String) -> String {
    "\(archive) is an archive, and libarchive, which opens them, was not found: install it (on Debian and Ubuntu the"
      + " package libarchive13; macOS has it), or extract the archive and give the folder."
  }

  private static let distrust = "Do not extract it; ask where it comes from."

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 30 ? "\(bytes >> 30) GiB" : bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
  }

  private static func quoted(_ text: String) -> String { "“" + shown(text) + "”" }

  private static func shown(_ text: String) -> String {
    let limit = 300
    let scalars = text.unicodeScalars
    return DisplayText.harmless(String(String.UnicodeScalarView(scalars.prefix(limit))))
      + (scalars.count > limit ? "…" : "")
  }
}
