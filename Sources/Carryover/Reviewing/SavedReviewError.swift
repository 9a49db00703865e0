package import CarryoverSystem
import PropertyLists

/// Why decisions that were kept cannot be read, or none can be kept, as data; the sentences are beside it. None of it
/// keeps anybody from reviewing.
package enum SavedReviewError: Error, Hashable, Sendable {
  /// The file at a path is not what a review keeps.
  case damaged(path: String, PlanDamage)
  /// Something else stands in the place of the file or of its folder.
  case occupied(path: String, FileKind)
  /// The container lies in an archive or a backup, which is only read.
  case wrapped(ContainerWrapper)
  /// The container is live, and writing into it was not allowed.
  case live
  /// The decisions would be longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// The user's key cannot be read or made.
  case stateKey(StateKeyError)
  /// A file operation failed.
  case file(FileSystemError)
}

extension SavedReviewError: CustomStringConvertible {
  /// What is the matter, in whole sentences. Everything that comes from a file system is escaped for display.
  package var description: String {
    switch self {
    case .damaged(let path, .laterSchema(let schema)):
      "\(DisplayText.quoted(path)) is from a later version of Carryover (\(DisplayText.harmless(ValueWording.cut(schema)))). "
        + "It is not changed."
    case .damaged(let path, let damage):
      "\(DisplayText.quoted(path)) contains no valid decisions: "
        + "\(damage.phrase(schema: ReviewDocument.schema)). It is not changed until there are new decisions to save."
    case .occupied(let path, let kind): "\(DisplayText.quoted(path)) is \(kind.inPlaceOfFolder). It is not changed."
    case .wrapped(let wrapper):
      "The container is in \(wrapper.form == .archive ? "a read-only archive" : "a read-only backup"). To save decisions, "
        + "name a folder with --state-dir."
    case .live: "The container is live. Nothing is written into it without --live."
    case .tooLong(let limit): "The decisions are longer than \(limit) bytes."
    case .stateKey(let error): error.description
    case .file(let error): error.description
    }
  }
}
