/// The reason that an archive is refused. None of it was written.
package enum ArchiveRefusal: Error, Hashable, Sendable {
  /// An entry without a name, or whose name is not in its stated encoding: its number, from 1.
  case namelessEntry(Int)
  /// An entry with an absolute path.
  case absoluteName(String)
  /// An entry whose name leads out of the archive with `..`.
  case climbingName(String)
  /// An entry whose name is longer than on any system: the start of the name.
  case longName(String)
  /// A symbolic link that leads or could lead out of the archive.
  case linkOut(String, target: String)
  /// A hard link to something that is not an earlier file in the archive.
  case hardLinkOut(String, target: String)
  /// An entry inside something that is not a folder.
  case insideFile(String, file: String)
  /// Two entries with the same name.
  case repeatedName(String)
  /// A device, a pipe or a socket.
  case specialFile(String)
  /// An entry that requires a password.
  case encrypted(String)
  /// There are more entries than the limit.
  case tooManyEntries(limit: Int)
  /// The names together are longer than the limit, in bytes.
  case tooLongNames(limit: Int)
  /// The description of an entry in a tar archive is longer than the limit, in bytes.
  case endlessDescription(limit: Int)
  /// One file is larger than the limit, in bytes.
  case tooLargeFile(String, limit: Int)
  /// All files together are larger than the limit, in bytes.
  case tooLarge(limit: Int)
  /// The archive unpacks to more than this multiple of its size.
  case expandsTooMuch(times: Int)
  /// A part of an archive in several volumes.
  case severalVolumes
  /// A compressed file inside another compressed file.
  case compressedTwice
  /// A compressed file that is not an archive, or a damaged one.
  case unrecognised
  /// The archive is truncated.
  case truncated
  /// The file was replaced or changed while it was read.
  case changed
  /// The archive is damaged; the library's message.
  case damaged(String)
}
