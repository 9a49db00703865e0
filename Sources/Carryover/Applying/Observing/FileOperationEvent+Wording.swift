import CarryoverSystem

extension FileOperationEvent: CustomStringConvertible {
  /// The operation or its failure, as a sentence without its full stop. Paths are not escaped: escape them for display.
  package var description: String {
    guard let failure else { return "\(done) \(object)\(size.map { ", \($0) \($0 == 1 ? "byte" : "bytes")" } ?? "")" }
    return "could not \(failure.operation.rawValue) \(object): \(failure.cause)"
  }

  private var done: String {
    switch action {
    case .lock: "locked"
    case .makeFolder: "created"
    case .write: "wrote"
    case .synchronize, .synchronizeFolder: "flushed"
    case .rename: "renamed"
    case .exchange: "exchanged"
    case .remove, .removeFolder: "removed"
    case .verify: "verified"
    }
  }

  private var object: String {
    let thing = noun + path
    guard let destination else { return thing }
    return "\(thing) \(action == .exchange ? "with" : "to") \(destination)"
  }

  private var noun: String {
    switch (action, purpose) {
    case (.makeFolder, _), (.synchronizeFolder, _), (.removeFolder, _): "the folder "
    case (_, .temporary): "the temp file "
    case (_, .backup): "the backup "
    case (_, .copy): "the copy "
    case (_, .record): "the record "
    case (_, .journal): "the journal "
    case (_, .lock): "the state folder with "
    case (_, .file), (_, .other): ""
    }
  }
}
