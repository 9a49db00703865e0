import PropertyLists

/// The effect of an apply on a target file.
package struct FilePreview: Hashable, Sendable {
  /// The path, relative to the container's root.
  package var path: String
  /// The file's format, which does not change; for a new file, its future format.
  package var format: KeyedFile.Format
  /// The file's size in bytes; nil if it does not exist yet.
  package var sizeBefore: Int?
  /// The size of the new file, in bytes.
  package var sizeAfter: Int
  /// The number of the file's keys that are not fields of the plan.
  package var otherKeys: Int
}

extension Plan {
  /// The effect of these decisions on each target file, computed from the opened container. Writes nothing.
  /// - Returns: one preview for each target that was read.
  /// - Throws: `notEncodable`, like an apply.
  package func filePreviews(_ decisions: Decisions, in container: Container?) throws(RunError) -> [FilePreview] {
    let decisions = completed(decisions)
    var previews: [FilePreview] = []
    for target in targets {
      if let preview = try filePreview(target, decisions, in: container) { previews.append(preview) }
    }
    return previews
  }

  private func filePreview(
    _ target: TargetSummary, _ decisions: Decisions, in container: Container?
  ) throws(RunError) -> FilePreview? {
    var document: KeyedFile?
    if target.exists {
      guard let container, let found = try? target.keyed(in: container) else { return nil }
      document = found
    }
    let own = fields.filter { file(of: $0)?.hasSameBytes(as: target.path) == true }
    let forms = Dictionary(firstOf: own.map { ($0.key, $0.form) })
    let changes = own.compactMap { $0.change(decisions[$0.id], of: $0.key) }
    let edit = try TargetEdit(document, path: target.path, changes: changes, forms: forms, format: target.format)
    let others = document?.dictionary.entries.count { forms[$0.key] == nil } ?? 0
    return FilePreview(
      path: target.path, format: document?.format ?? target.format,
      sizeBefore: document?.bytes.count,
      sizeAfter: edit.bytes.count, otherKeys: others)
  }
}
