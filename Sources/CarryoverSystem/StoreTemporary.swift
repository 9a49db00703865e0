/// The name of a temporary file. No two writes share a name, and it contains the id of the process that writes.
package enum StoreTemporary {
  /// Distinguishes this process from an earlier one with the same id.
  private static let token = String(UInt32.random(in: .min ... .max), radix: 16)
  private static let prefix = ".carryover-store-"
  private static let suffix = ".tmp"

  /// A new name.
  package static var new: String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(prefix)\(SystemCalls.processID)-\(token)-\(number)\(suffix)"
  }

  /// Removes the leftovers of killed writes from a folder. A failure does not matter: the next call tries again.
  package static func removeLeftOvers(in folder: String, _ fileSystem: any FileSystem) {
    for file in (try? fileSystem.list(folder)) ?? [] where isLeftOver(file) {
      try? fileSystem.remove(FilePath.join(folder, file))
    }
  }

  /// Whether a file is the temporary file of a process that no longer runs.
  static func isLeftOver(_ file: String) -> Bool {
    guard file.hasPrefix(prefix), file.hasSuffix(suffix) else { return false }
    let parts = file.dropFirst(prefix.count).dropLast(suffix.count).split(separator: "-")
    guard parts.count == 3, let process = Int32(parts[0]) else { return false }
    return process == SystemCalls.processID ? parts[1] != token : !SystemCalls.isRunning(process)
  }
}
