import CarryoverSystem
public import PropertyLists

extension DataStoreError: CustomStringConvertible, Described {
  /// What happened, where, and what to do; names and labels are escaped for display.
  package var words: String {
    let what = name.map { "\(DisplayText.quoted($0)) in \(DisplayText.quoted(store))" } ?? DisplayText.quoted(store)
    let because = cause.map { " (\(ErrorText.withoutValues($0)))" } ?? ""
    return "Could not \(operation.rawValue) \(what): \(explanation)\(because); \(remedy)."
  }

  private var explanation: String {
    switch reason {
    case .failed: "the store failed"
    case .wrongType(let kind): "it is a \(kind), not data"
    case .notInteger: "it is not an integer"
    case .badName(.empty): "a name cannot be empty"
    case .badName(.tooLong): "the name is too long for this store"
    case .badName(.reserved): "the store reserves names of this form"
    case .tooLarge(let limit): "there are more than \(limit) bytes"
    case .readOnly: "the store can only be read"
    case .locked: "the store is locked until the device is unlocked"
    case .keyUnavailable: "the key it is encrypted with is not available"
    case .wrongKey: "it was encrypted with another key"
    case .cutOff: "it is not as long as its header says"
    case .tampered: "it does not authenticate: it was changed after it was encrypted, or comes from another name"
    case .unrecognised: "it is not in the format of this store"
    case .newerFormat(let found, let known): "it is in format \(found), but this version knows formats up to \(known)"
    case .occupied: "it exists already"
    case .verification: "it does not contain what was written"
    }
  }

  private var remedy: String {
    switch reason {
    case .failed, .verification: "try again; if it happens again, check the disk"
    case .wrongType, .notInteger: "check that the name is the one the app used"
    case .badName: "choose another name"
    case .tooLarge: "keep large data in a file of its own"
    case .readOnly: "work on a copy that can be written to"
    case .locked: "try again after the first unlock"
    case .keyUnavailable: "check the key's provider"
    case .wrongKey: "use the key it was written with; nothing was overwritten"
    case .cutOff, .tampered, .unrecognised:
      "set it aside, and restore it from a backup; nothing was overwritten"
    case .occupied: "remove one of the two, or set it aside; nothing was overwritten"
    case .newerFormat: "update the app; nothing was overwritten"
    }
  }
}
