/// Paths as text. Nothing here touches the file system.
enum PathText {
  /// A path without empty and `.` components and without a slash at the end, made absolute where a working directory is
  /// known. `..` stays, since what it means depends on links.
  static func cleaned(_ path: String, workingDirectory: String?) -> String {
    var start = ""
    if !path.hasPrefix("/"), let workingDirectory, workingDirectory.hasPrefix("/") { start = workingDirectory + "/" }
    let full = start + path
    let parts = full.split(separator: "/").filter { $0 != "." }
    if full.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The folder that a cleaned path lies in.
  static func parent(_ path: String) -> String {
    if path == "/" { return "/" }
    let name = lastComponent(path)
    if path == "." { return ".." }
    if name == ".." { return path + "/.." }
    // By bytes: a mark that combines with the slash does not hide it.
    let rest = String(decoding: path.utf8.dropLast(name.utf8.count), as: UTF8.self)
    if rest.isEmpty { return "." }
    return rest == "/" ? "/" : String(decoding: rest.utf8.dropLast(), as: UTF8.self)
  }

  /// The last component of a cleaned path; the path itself where it is `/`.
  static func lastComponent(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? path
  }

  /// A path inside a folder; either may be empty.
  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty { return path }
    if path.isEmpty { return folder }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
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
}
