import Carryover
public import CarryoverStorage
import CarryoverSystem

/// Why Convert's data could not be read, written or moved.
public enum ConvertError: Error, Sendable {
  /// A file could not be read or written, or is no JSON.
  case file(JSONFileError)
  /// A file is JSON and not of the form the SDK writes.
  case form(path: String)
  /// The queue is being sent, by the sign beside it; it may not be touched.
  case uploading(path: String)
  /// A store of the visitor's id failed.
  case store(DataStoreError)
  /// The id that a visitor was to get is empty, which the SDK takes for none.
  case emptyVisitor
}

extension ConvertError: CustomStringConvertible {
  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .form(let path):
      "\(DisplayText.quoted(path)) is not of the form Convert's SDK writes; keep it aside and restore it from a copy."
    case .uploading(let path):
      "The queue is being sent, as \(DisplayText.quoted(path)) says; wait until that file is gone."
    case .store(let error): error.description
    case .emptyVisitor: "A visitor's id cannot be empty; give the id that the visitor is to have."
    }
  }
}
