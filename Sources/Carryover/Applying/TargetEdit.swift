import PropertyLists

/// The target file before and after a change.
struct TargetEdit {
  let path: String
  let changes: [KeyChange]
  /// The form that each field's reader requires.
  let forms: [StringByBytes: TargetForm]
  /// The entries that do not change.
  private let others: [PropertyListDictionary.Entry]
  /// The new bytes.
  let bytes: [UInt8]

  /// Applies changes to a file, or creates a new one.
  ///
  /// An existing file keeps its format and all other keys.
  /// - Parameter format: the format of a new file, which an existing one must suit; nil for a file that must exist.
  init(
    _ file: KeyedFile?, path: String, changes: [KeyChange], forms: [StringByBytes: TargetForm],
    format: KeyedFile.Format? = nil
  ) throws(RunError) {
    if let format, let problem = file?.problem(as: format) { throw .unreadable(path: path, reason: problem.reason) }
    self.path = path
    self.changes = changes
    self.forms = forms
    let changed = Set(bytesOf: changes.map(\.key))
    others = file?.dictionary.entries.filter { !changed.contains($0.key) } ?? []
    do throws(KeyedFile.Problem) {
      if let file {
        bytes = try file.editing(
          changes.map { change in change.after.map { .set(change.key, $0) } ?? .remove(change.key) })
      } else {
        let entries = changes.compactMap { change in
          change.after.map { PropertyListDictionary.Entry(key: change.key, value: $0) }
        }
        bytes = try KeyedFile.encode(PropertyListDictionary(entries: entries), as: format ?? .binary)
      }
    } catch {
      throw .notEncodable(path: path, reason: error.reason)
    }
  }

  /// The problem in written bytes; nil if they contain the changes, nothing else has changed, and the target's reader
  /// accepts each value.
  func problem(in bytes: [UInt8]) -> VerificationProblem? {
    let dictionary: PropertyListDictionary
    do {
      dictionary = try KeyedFile(bytes: bytes, path: path).dictionary
    } catch {
      return .unreadable(error.reason)
    }
    let index = dictionary.indexed()
    for change in changes {
      let value = index[change.key]
      guard value == change.after else { return .valueDiffers(key: change.key) }
      if let value, let mismatch = forms[change.key]?.mismatch(value) { return .form(field: change.key, mismatch) }
    }
    let changed = Set(bytesOf: changes.map(\.key))
    guard dictionary.entries.filter({ !changed.contains($0.key) }) == others else { return .otherKeyChanged }
    return nil
  }
}
