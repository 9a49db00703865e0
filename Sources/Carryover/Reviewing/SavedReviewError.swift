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
      "\(DisplayText.quoted(path)) is of a later version (\(DisplayText.harmless(ValueWording.cut(schema)))); it is left "
        + "as it is."
    case .damaged(let path, let damage):
      "\(DisplayText.quoted(path)) holds no decisions that can be read: "
        + "\(damage.phrase(schema: ReviewDocument.schema)). It is left as it is until there are new ones to keep."
    case .occupied(let path, let kind): "\(DisplayText.quoted(path)) is \(kind.inPlaceOfFolder); it is left as it is."
    case .wrapped(let wrapper):
      "The container lies in \(wrapper.form == .archive ? "an archive" : "a backup"), which is only read; --state-dir "
        + "names a folder to keep them in."
    case .live: "The container is live, and nothing is written into it without --live."
    case .tooLong(let limit): "They would take more than \(limit) bytes."
    case .stateKey(let error): error.description
    case .file(let error): error.description
    }
  }
}
