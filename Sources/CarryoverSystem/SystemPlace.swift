import CCarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A place for a system call: a path, and the folder from which it starts unless it is absolute.
struct SystemPlace {
  /// The folder's descriptor; `AT_FDCWD` for the working directory.
  var folder: Int32
  var path: String

  /// The path's bytes, for the system.
  var bytes: [CChar] { SystemName.bytes(path) }

  init(_ path: String) { self.init(path, in: AT_FDCWD) }

  init(_ path: String, in folder: Int32) {
    self.folder = folder
    self.path = path
  }
}

extension SystemCalls {
  /// Opens a folder to reach its contents, following no link in any component.
  ///
  /// If the system has no call for that, or forbids it, opens each component from the one before it.
  /// - Parameters:
  ///   - place: a path without `.`, `..` and empty components.
  ///   - walking: whether to avoid that call anyway.
  /// - Throws: `tooManyLinks` for a link.
  static func openFolder(_ place: SystemPlace, walking: Bool) throws(SystemErrorNumber) -> Int32 {
    try check(place)
    if !walking {
      do {
        return try openFolderAtOnce(place)
      } catch {
        // Some sandboxes answer an unknown call with the second error.
        guard error == .noSuchCall || error == .notPermitted else { throw error }
      }
    }
    return try walk(place)
  }

  /// Opens a folder in one call, following no link in any component.
  static func openFolderAtOnce(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    try repeated { carryover_open_nofollow(place.folder, place.bytes) }
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
      return try repeated { carryover_open_component(place.folder, place.bytes) }
    } catch {
      // A link is not a folder; systems differ in which of the two errors they report.
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
