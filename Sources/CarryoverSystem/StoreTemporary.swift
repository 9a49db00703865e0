/// The file under another name while it is written: no two writes share one, and it tells whose it is.
package enum StoreTemporary {
  /// Tells this process from an earlier one of the same number.
  private static let token = String(UInt32.random(in: .min ... .max), radix: 16)
  private static let prefix = ".carryover-store-"
  private static let suffix = ".tmp"

  /// A name that nothing has yet.
  package static var new: String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(prefix)\(SystemCalls.processID)-\(token)-\(number)\(suffix)"
  }

  /// Removes what writes that were killed have left in a folder. A failure is none: the next one tries again.
  package static func removeLeftOvers(in folder: String, _ fileSystem: any FileSystem) {
    for file in (try? fileSystem.list(folder)) ?? [] where isLeftOver(file) {
      try? fileSystem.remove(FilePath.join(folder, file))
    }
  }

  /// Whether it is a temporary of a process that is no longer there.
  static func isLeftOver(_ file: String) -> Bool {
    guard file.hasPrefix(prefix), file.hasSuffix(suffix) else { return false }
    let parts = file.dropFirst(prefix.count).dropLast(suffix.count).split(separator: "-")
    guard parts.count == 3, let process = Int32(parts[0]) else { return false }
    return process == SystemCalls.processID ? parts[1] != token : !SystemCalls.isRunning(process)
  }
}
