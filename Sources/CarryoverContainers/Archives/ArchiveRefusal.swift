/// Why an archive is refused. Nothing of it was written anywhere.
package enum ArchiveRefusal: Error, Hashable, Sendable {
  /// An entry without a name, or with one that cannot be read as the text it claims to be: its number, from 1.
  case namelessEntry(Int)
  /// An entry with a name from the root of a disk.
  case absoluteName(String)
  /// An entry whose name leads out of the archive by `..`.
  case climbingName(String)
  /// An entry with a longer name than any system has: its beginning.
  case longName(String)
  /// A symbolic link that leads out of the archive, or could.
  case linkOut(String, target: String)
  /// A hard link to something that is no file before it in the archive.
  case hardLinkOut(String, target: String)
  /// An entry in something that is no folder.
  case insideFile(String, file: String)
  /// Two entries with one name.
  case repeatedName(String)
  /// A device, a pipe or a socket.
  case specialFile(String)
  /// An entry that needs a password.
  case encrypted(String)
  /// There are more entries than the limit.
  case tooManyEntries(limit: Int)
  /// The names are longer than the limit, all together.
  case tooLongNames(limit: Int)
  /// What a tar archive says of one entry before its bytes is longer than the limit, in bytes.
  case endlessDescription(limit: Int)
  /// One file is larger than the limit, in bytes.
  case tooLargeFile(String, limit: Int)
  /// All files together are larger than the limit, in bytes.
  case tooLarge(limit: Int)
  /// The archive unpacks to more than so many times its own size.
  case expandsTooMuch(times: Int)
  /// A part of an archive that was made in several volumes.
  case severalVolumes
  /// A compressed file with another compressed file in it.
  case compressedTwice
  /// A compressed file that is no archive, or a damaged one.
  case unrecognised
  /// The archive ends before its end.
  case truncated
  /// The file was replaced or written to while it was read.
  case changed
  /// Something in the archive is damaged; the library's words for it.
  case damaged(String)
}
