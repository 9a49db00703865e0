import Carryover
import CarryoverStorage
import CarryoverSystem

/// What is to go wrong, and when. Operations are counted from 1.
struct FaultPlan: Sendable {
  enum Fault: Equatable, Sendable {
    /// It changes nothing and reports this error number; a handle is closed all the same.
    case error(Int32)
    /// It has its effect and reports this error number, as on a disk behind a network.
    case errorAfter(Int32)
    /// It changes nothing, and its file system says that it has no such operation.
    case unsupported
    /// A write takes only this many bytes and then reports the error; another operation only reports it.
    case partialWrite(count: Int, Int32)
    /// A write takes only this many bytes and reports success.
    case lostBytes(count: Int)
    /// It changes nothing and reports success. Only for operations that give nothing back.
    case ignored
    case crashBefore
    case crashAfter
  }

  var faults: [Int: Fault] = [:]
  /// From this operation on, everything that writes fails with the error number.
  var deadFrom: (operation: Int, error: Int32)?
  var intrusions: [Int: @Sendable (inout MemoryState) -> Void] = [:]
  /// Faults strike only these operations, and only these are counted; all where nil.
  var only: Set<FileSystemError.Operation>?
  var keepsDisks = false
  var counted = 0
}

struct LoggedOperation: Equatable, CustomStringConvertible {
  var operation: FileSystemError.Operation
  var path: String
  var destination: String?
  var payload: [UInt8] = []

  var description: String { "\(operation) \(path)" + (destination.map { " to \($0)" } ?? "") }
}

extension FileSystemError.Operation {
  /// Whether the operation can change a disk; asking for a durable write counts.
  var writes: Bool {
    switch self {
    case .read, .list, .inspect, .close: false
    default: true
    }
  }
}
