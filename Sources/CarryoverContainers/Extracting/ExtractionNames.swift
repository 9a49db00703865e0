package import Carryover
import CarryoverSystem

/// Names for the folders of several extracted containers. The paths are untrusted. Each name is a single path component
/// of visible characters, does not start with a dot, hyphen or space, and is unique even on a disk that ignores case.
package struct ExtractionNames {
  private var taken: Set<String> = []

  package init() {}

  /// - Parameter path: the container's path, which continues in its archive: `Case4711/Anna.zip`, `Two.zip/Anna.xcappdata`.
  package mutating func name(_ path: String, _ kind: ContainerKind) -> String {
    let parts = FilePath.components(path).map(PathText.withoutArchiveEnding)
    var stem = parts.joined(separator: "-")
    if stem.hasSuffix(Self.packageEnding) { stem = String(stem.dropLast(Self.packageEnding.count)) }
    stem = Self.harmless(stem)
    let end = kind == .xcappdata ? Self.packageEnding : ""
    var (name, number) = (stem + end, 1)
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(stem)-\(number)\(end)"
    }
    return name
  }

  private static let packageEnding = ".xcappdata"
  /// In bytes; disks allow 255.
  private static let longest = 200

  private static func harmless(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.drop(while: { [".", "-", " "].contains($0) }) {
      let next = DisplayText.hasShape(scalar) ? String(scalar) : "_"
      guard result.utf8.count + next.utf8.count <= longest else { break }
      result += next
    }
    return result.isEmpty ? "container" : result
  }
}
