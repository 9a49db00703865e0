package import CarryoverSystem
import PropertyLists

/// The reason that decisions cannot be read or saved. It does not prevent a review.
package enum SavedReviewError: Error, Hashable, Sendable {
  /// The file at this path does not contain saved decisions.
  case damaged(path: String, PlanDamage)
  /// There is something else in the place of the file or of its folder.
  case occupied(path: String, FileKind)
  /// The container is in an archive or a backup, which is read-only.
  case wrapped(ContainerWrapper)
  /// The container is live, and writing to it was not allowed.
  case live
  /// The decisions would be longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// The user's key cannot be read or created.
  case stateKey(StateKeyError)
  /// A file operation failed.
  case file(FileSystemError)
}

extension SavedReviewError: CustomStringConvertible {
  /// The problem, in whole sentences. Text from a file system is escaped for display.
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
