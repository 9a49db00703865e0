import CarryoverSystem

/// The live system that a container belongs to, whose preferences daemon may have the container's files in memory.
///
/// Only the path decides. In doubt, a container counts as live: a false alarm costs an option, but cfprefsd could
/// discard a migration of a live container. Letters are compared without regard to ASCII case, because such disks may
/// ignore case.
package enum Liveness: Hashable, Sendable {
  /// A simulated device, by its id as in the path.
  case simulator(device: String)
  /// A Mac's own library, by its home folder.
  case home(String)

  /// The live system of the app data at a path; nil if none is known.
  ///
  /// * A simulator's data is below `CoreSimulator/Devices/<device id>/data/Containers`, in `Data/Application/<id>` or
  ///   `Shared/AppGroup/<id>`, anywhere in the path, because a device set can be in any folder. A backup with all of
  ///   these folders therefore counts as live; a container that was copied out of them does not.
  /// * A Mac's data is in `Library/Preferences`, `Library/Containers/<bundle id>/Data` or directly in a home folder.
  ///   Home folders are the folders in `/Users` and the given one. They count only at the start of the path: the copy
  ///   of a home on another disk is not live.
  package init?(ofDataAt path: String, home: String? = nil) {
    guard path.utf8.first == FilePath.slash else { return nil }
    let names = Self.components(path)
    if let device = Self.device(names) {
      self = .simulator(device: device)
    } else if let count = Self.homeLength(names, home), Self.isLibrary(names.dropFirst(count)) {
      self = .home("/" + names.prefix(count).joined(separator: "/"))
    } else {
      return nil
    }
  }

  private static func components(_ path: String) -> [String] {
    path.utf8.split(separator: FilePath.slash).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The id of the simulated device in a path; the innermost if there are several.
  private static func device(_ names: [String]) -> String? {
    let inside = [["Containers", "Data", "Application"], ["Containers", "Shared", "AppGroup"]]
    for start in names.indices.reversed() where matches(names.dropFirst(start), ["CoreSimulator", "Devices"]) {
      let rest = names.dropFirst(start + 2)
      guard let device = rest.first, device.isUUID, matches(rest.dropFirst(), ["data"]) else { continue }
      let data = rest.dropFirst(2)
      if inside.contains(where: { matches(data, $0) && data.dropFirst($0.count).first.map(\.isUUID) == true }) {
        return device
      }
    }
    return nil
  }

  /// The number of leading components of a path that form a home folder; nil if there is none.
  private static func homeLength(_ names: [String], _ home: String?) -> Int? {
    if let home, home.utf8.first == FilePath.slash {
      let given = components(home)
      if !given.isEmpty, matches(names[...], given) { return given.count }
    }
    return names.count >= 2 && matches(names[...], ["Users"]) ? 2 : nil
  }

  private static func isLibrary(_ names: ArraySlice<String>) -> Bool {
    if names.isEmpty || matches(names, ["Library", "Preferences"]) { return true }
    return matches(names, ["Library", "Containers"]) && matches(names.dropFirst(3), ["Data"])
  }

  private static func matches(_ names: ArraySlice<String>, _ expected: [String]) -> Bool {
    guard names.count >= expected.count else { return false }
    return zip(names, expected).allSatisfy { $0.utf8.elementsEqual($1.utf8) { lowered($0) == lowered($1) } }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
