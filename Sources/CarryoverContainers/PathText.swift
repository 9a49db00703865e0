/// Paths as text. Nothing here touches the file system.
///
/// Paths are taken apart by bytes: a slash before a combining mark is no character of its own, and still a slash.
enum PathText {
  /// A path without empty and `.` components and without a slash at the end, made absolute where a working directory is
  /// known. `..` stays, since what it means depends on links.
  static func cleaned(_ path: String, workingDirectory: String?) -> String {
    var start = ""
    if !isAbsolute(path), let workingDirectory, isAbsolute(workingDirectory) { start = workingDirectory + "/" }
    let full = start + path
    let parts = components(full).filter { $0 != "." }
    if isAbsolute(full) { return "/" + parts.joined(separator: "/") }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The folder that a cleaned path lies in.
  static func parent(_ path: String) -> String {
    if path == "/" { return "/" }
    let name = lastComponent(path)
    if path == "." { return ".." }
    if name == ".." { return path + "/.." }
    let rest = path.utf8.dropLast(name.utf8.count)
    if rest.isEmpty { return "." }
    return rest.count == 1 ? "/" : String(Substring(rest.dropLast()))
  }

  /// The last component of a cleaned path; the path itself where it is `/`.
  static func lastComponent(_ path: String) -> String {
    let end = path.utf8.reversed().drop { $0 == slash }
    if end.isEmpty { return path }
    return String(decoding: end.prefix { $0 != slash }.reversed(), as: UTF8.self)
  }

  /// The names on the way, without empty ones.
  static func components(_ path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// A path inside a folder; either may be empty.
  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty { return path }
    if path.isEmpty { return folder }
    return folder.utf8.last == slash ? folder + path : folder + "/" + path
  }

  /// Whether one path comes before another, by their bytes: the order that no locale changes.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// Whether a file's name says that it is a property list.
  ///
  /// `._name` is what macOS leaves beside a file whose attributes a foreign disk could not hold.
  static func isPropertyListName(_ name: String) -> Bool {
    name.count > 6 && name.suffix(6).lowercased() == ".plist" && !name.hasPrefix("._")
  }

  /// Whether a file's name says that it is JSON.
  static func isJSONName(_ name: String) -> Bool {
    name.count > 5 && name.suffix(5).lowercased() == ".json" && !name.hasPrefix("._")
  }

  /// Whether a file's name says that it is a store where apps keep documents too.
  static func isStoreName(_ name: String) -> Bool { isPropertyListName(name) || isJSONName(name) }

  /// Whether a file's name says that it is an archive. Only for a hint: what a file is, its content tells.
  static func isArchiveName(_ name: String) -> Bool {
    let name = name.lowercased()
    return !name.hasPrefix("._") && archiveEndings.contains { name.hasSuffix($0) }
  }

  private static let archiveEndings = [".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"]

  private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  private static let slash = UInt8(ascii: "/")
}
