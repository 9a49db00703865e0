import CarryoverSystem
/// Paths as text, split by bytes, because a slash and a following combining mark are one `Character`.
enum PathText {
  /// Begins the name of the folder that an extraction fills, and renames when it is whole.
  static let stagingPrefix = ".carryover-extract-"

  /// A path without empty components, `.` components and a trailing slash; absolute if there is a working directory.
  /// `..` stays, because its meaning depends on links.
  static func cleaned(_ path: String, workingDirectory: String?) -> String {
    var start = ""
    if !isAbsolute(path), let workingDirectory, isAbsolute(workingDirectory) { start = workingDirectory + "/" }
    let full = start + path
    let parts = FilePath.components(full).filter { $0 != "." }
    if isAbsolute(full) { return "/" + parts.joined(separator: "/") }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  static func parent(_ path: String) -> String {
    if path == "/" { return path }
    let name = FilePath.name(of: path)
    if path == "." { return ".." }
    if name == ".." { return path + "/.." }
    let rest = path.utf8.dropLast(name.utf8.count)
    if rest.isEmpty { return "." }
    return rest.count == 1 ? "/" : String(Substring(rest.dropLast()))
  }

  /// A path inside a folder; either may be empty.
  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty { return path }
    if path.isEmpty { return folder }
    return folder.utf8.last == FilePath.slash ? folder + path : folder + "/" + path
  }

  /// Whether a path precedes another in byte order, which is the same in every locale.
  static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

  /// Not macOS's `._name`, with the attributes that a foreign disk cannot store.
  static func isPropertyListName(_ name: String) -> Bool {
    name.count > 6 && name.suffix(6).lowercased() == ".plist" && !name.hasPrefix("._")
  }

  static func isJSONName(_ name: String) -> Bool {
    name.count > 5 && name.suffix(5).lowercased() == ".json" && !name.hasPrefix("._")
  }

  /// Whether a file is named like a store, in folders where apps also have documents.
  static func isStoreName(_ name: String) -> Bool { isPropertyListName(name) || isJSONName(name) }

  static func hasNoExtension(_ name: String) -> Bool { !name.utf8.dropFirst().contains(UInt8(ascii: ".")) }

  /// The name of the file that iCloud has replaced by a placeholder with this name; nil if it is not one.
  static func placeholder(_ name: String) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(".icloud"), name.utf8.count > 8 else { return nil }
    return String(name.dropFirst().dropLast(7))
  }

  /// Whether a file is named like an archive. Only for hints: the content determines the kind of a file.
  static func isArchiveName(_ name: String) -> Bool { !name.hasPrefix("._") && archiveEnding(of: name) != nil }

  static func withoutArchiveEnding(_ name: String) -> String {
    archiveEnding(of: name).map { String(decoding: name.utf8.dropLast($0.utf8.count), as: UTF8.self) } ?? name
  }

  private static func archiveEnding(of name: String) -> String? {
    let end = String(decoding: name.utf8.suffix(8), as: UTF8.self).lowercased()
    return archiveEndings.first { end.hasSuffix($0) }
  }

  private static let archiveEndings = [".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"]

  private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == FilePath.slash }
}
