import CCarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A place as a system call takes it: a path, and the folder at which it begins unless it is absolute.
struct SystemPlace {
  /// The folder's descriptor; the working directory has a number of its own.
  var folder: Int32
  var path: String

  init(_ path: String) { self.init(path, in: AT_FDCWD) }

  init(_ path: String, in folder: Int32) {
    self.folder = folder
    self.path = path
  }
}

extension SystemCalls {
  /// Opens a folder only to reach what stands in it, following no link in any component.
  ///
  /// Where the system has no call for that, or forbids it, each component is opened from the one before it.
  /// - Parameters:
  ///   - place: a path without `.`, `..` and empty components.
  ///   - walking: whether to do without that call all the same.
  /// - Throws: `tooManyLinks` for a link.
  static func openFolder(_ place: SystemPlace, walking: Bool) throws(SystemErrorNumber) -> Int32 {
    try check(place)
    if !walking {
      do {
        return try openFolderAtOnce(place)
      } catch {
        // Some sandboxes answer a call that they do not know with the second.
        guard error == .noSuchCall || error == .notPermitted else { throw error }
      }
    }
    return try walk(place)
  }

  /// The same in one call.
  static func openFolderAtOnce(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    try repeated { carryover_open_nofollow(place.folder, place.path) }
  }

  private static func walk(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    var reached = place.folder
    let top = place.path.utf8.first == FilePath.slash ? ["/"] : []
    for name in top + FilePath.components(place.path) {
      let previous = reached
      defer { if previous != place.folder { try? closeFile(previous) } }
      reached = try step(SystemPlace(name, in: previous))
    }
    return reached
  }

  private static func step(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    do {
      return try repeated { carryover_open_component(place.folder, place.path) }
    } catch {
      // A link is no folder; which of the two it is said to be differs from system to system.
      guard error == .notFolder, let kind = try? attributes(at: place).kind, kind == .symbolicLink else {
        throw error
      }
      throw .tooManyLinks
    }
  }

  private static func repeated(_ call: () -> Int32) throws(SystemErrorNumber) -> Int32 {
    while true {
      let descriptor = call()
      if descriptor >= 0 { return descriptor }
      let failure = lastError()
      guard failure == .interrupted else { throw failure }
    }
  }
}
