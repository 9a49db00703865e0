import Carryover
public import CarryoverStorage
public import CarryoverSystem
public import PropertyLists

/// An error in reading, writing or migrating Convert's data.
public enum ConvertError: Error, Sendable {
  /// A file could not be read or written.
  case file(FileSystemError)
  /// A file is not valid JSON.
  case corrupt(path: String, JSONError)
  /// The file is valid JSON, but does not have the form that the SDK writes.
  case form(path: String)
  /// The SDK is sending the queue, because this file exists beside it. The queue must not be changed then.
  case uploading(path: String)
  /// A store of the visitor's id failed.
  case store(DataStoreError)
  /// The visitor's new id is empty. The SDK treats an empty id as none.
  case emptyVisitor
}

extension ConvertError: CustomStringConvertible, Described {
  /// The problem, its place, and what to do.
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
