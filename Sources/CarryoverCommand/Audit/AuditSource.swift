import CarryoverSystem
import PropertyLists

/// The rows of a complete audit, and what it was asked.
struct AuditSource {
  let rows: AuditRowFile
  /// The audit's options; nil if only the rows were named.
  let about: JSONValue?

  /// - Parameter path: the folder of the audit, or a file with its rows.
  /// - Throws: a failure if nothing is there, or the audit is not complete.
  init(_ path: String) throws {
    let fileSystem = POSIXFileSystem()
    let shown = DisplayText.visible(path)
    func isThere(_ path: String) -> Bool { (try? fileSystem.resolve(path)) != nil }
    guard isThere(path) else { throw CommandFailure("There is nothing at “\(shown)”: check the path.", .error) }
    guard (try? fileSystem.list(path)) != nil else {
      (rows, about) = (AuditRowFile(path, in: fileSystem), nil)
      return
    }
    let parts = AuditParts(path)
    about = try AuditParts.document(in: path)
    guard isThere(parts.allRows) else {
      throw CommandFailure(
        about == nil
          ? "“\(shown)” is not the folder of an audit. Name a folder that carryover audit --output made, or its rows."
          : "The audit in “\(shown)” is not complete. Add --resume to its command to continue.", .error)
    }
    if let shard = about?["shard"]?.stringValue.flatMap(AuditShard.init(argument:)), shard != .whole {
      throw CommandFailure(
        "“\(shown)” is shard \(shard.text) of an audit. Merge all its shards with carryover audit merge.", .error)
    }
    rows = AuditRowFile(parts.allRows, in: fileSystem, rows: try AuditSeal(of: path)?.rows)
  }
}
