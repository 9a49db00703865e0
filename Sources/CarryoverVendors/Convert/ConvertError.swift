import Carryover
public import CarryoverStorage
public import CarryoverSystem
public import PropertyLists

/// Why Convert's data could not be read, written or moved.
public enum ConvertError: Error, Sendable {
  /// A file could not be read or written.
  case file(FileSystemError)
  /// A file is not valid JSON.
  case corrupt(path: String, JSONError)
  /// A file is JSON and not of the form the SDK writes.
  case form(path: String)
  /// The queue is being sent, by the sign beside it; it may not be touched.
  case uploading(path: String)
  /// A store of the visitor's id failed.
  case store(DataStoreError)
  /// The id that a visitor was to get is empty, which the SDK takes for none.
  case emptyVisitor
}

extension ConvertError: CustomStringConvertible, Described {
  /// What happened, where, and what to do.
  package var words: String {
    switch self {
    case .file(let error): error.description
    case .corrupt(let path, let error): JSONFileError.corrupt(path: path, error).description
    case .form(let path):
      "\(DisplayText.quoted(path)) is not in the form that Convert's SDK writes; set it aside and restore it from a copy."
    case .uploading(let path):
      "The queue is being sent, as \(DisplayText.quoted(path)) says; wait until that file is removed."
    case .store(let error): error.description
    case .emptyVisitor: "A visitor's id cannot be empty; give the id that the visitor is to have."
    }
  }
}

extension ConvertError {
  init(_ error: JSONFileError) {
    switch error {
    case .file(let error): self = .file(error)
    case .corrupt(let path, let error): self = .corrupt(path: path, error)
    }
  }
}
