import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The status of the disk that a folder is on.
package struct DiskStatus: Hashable, Sendable {
  /// The free space in bytes.
  package let free: Int64

  /// Nil if the system does not report it.
  package init?(of folder: String) {
    var status = statvfs()
    guard statvfs(SystemName.bytes(folder), &status) == 0 else { return nil }
    let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    self.free = overflow ? .max : Int64(clamping: free)
  }
}
