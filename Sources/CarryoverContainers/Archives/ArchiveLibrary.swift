import CCarryoverArchive

/// libarchive, loaded when the first archive is opened, so that the command starts fast and runs without the library.
final class ArchiveLibrary {
  let pointer: OpaquePointer

  /// Loads the first of the named libraries that exists; nil if none does.
  init?(names: [String] = ArchiveLibrary.names) {
    let loaded = names.lazy.compactMap { carryover_archive_library_load($0) }.first
    guard let loaded else { return nil }
    pointer = loaded
  }

  /// The library's own name and version.
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

/// Whether this machine can open archives.
package enum ArchiveSupport {
  /// The name and version of the library that reads archives; nil if it cannot be loaded.
  package static var library: String? { ArchiveLibrary().map { $0.version ?? "libarchive" } }
}
