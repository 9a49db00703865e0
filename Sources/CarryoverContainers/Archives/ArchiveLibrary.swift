import CCarryoverArchive

/// libarchive, loaded when the first archive is opened: the command starts as fast as without it, and runs without it.
final class ArchiveLibrary {
  let pointer: OpaquePointer

  /// The library under the first of the names that there is; nil where there is none.
  init?(names: [String] = ArchiveLibrary.names) {
    let loaded = names.lazy.compactMap { carryover_archive_library_load($0) }.first
    guard let loaded else { return nil }
    pointer = loaded
  }

  /// The name and version that the library gives itself.
  var version: String? { carryover_archive_library_version(pointer).map { String(cString: $0) } }

  deinit { carryover_archive_library_free(pointer) }

  #if canImport(Darwin)
    static let names = [
      "/usr/lib/libarchive.2.dylib", "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib",
      "/usr/local/opt/libarchive/lib/libarchive.13.dylib",
    ]
  #else
    static let names = ["libarchive.so.13", "libarchive.so"]
  #endif
}

/// Whether archives can be opened here.
package enum ArchiveSupport {
  /// The name and version of the library that reads them; nil where it cannot be loaded.
  package static var library: String? { ArchiveLibrary().map { $0.version ?? "libarchive" } }
}
