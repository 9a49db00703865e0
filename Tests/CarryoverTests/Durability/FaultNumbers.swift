import Carryover
import CarryoverStorage
import CarryoverSystem

enum FaultNumbers {
  static func errors(_ operation: FileSystemError.Operation) -> [Int32] {
    switch operation {
    case .read: [Errno.inputOutput, Errno.interrupted, Errno.access, Errno.tooManyFiles, Errno.tooManyLinks]
    case .inspect, .list: [Errno.inputOutput, Errno.access, Errno.tooManyFiles, Errno.tooManyLinks]
    case .create:
      [
        Errno.inputOutput, Errno.access, Errno.noSpace, Errno.tooManyFiles, Errno.readOnly, Errno.tooManyLinks,
        Errno.exists, Errno.interrupted, Errno.quota,
      ]
    case .write: [Errno.inputOutput, Errno.noSpace, Errno.interrupted, Errno.quota]
    case .synchronize: [Errno.inputOutput, Errno.noSpace, Errno.interrupted, Errno.quota]
    case .close: [Errno.inputOutput, Errno.interrupted, Errno.noSpace, Errno.quota]
    // A new file may stay ours where it cannot be given away, so that is no fault.
    case .setOwner: [Errno.inputOutput, Errno.readOnly]
    case .setMode: [Errno.inputOutput, Errno.notPermitted, Errno.readOnly]
    case .makeDirectory:
      [Errno.inputOutput, Errno.exists, Errno.noSpace, Errno.access, Errno.readOnly, Errno.quota]
    case .rename:
      [
        Errno.inputOutput, Errno.otherDisk, Errno.access, Errno.noSpace, Errno.readOnly, Errno.invalid, Errno.busy,
        Errno.exists, Errno.quota,
      ]
    case .remove: [Errno.inputOutput, Errno.access, Errno.busy, Errno.readOnly]
    // A folder in which somebody has put something stays, so that is no fault; the concurrent writer does it for real.
    case .removeDirectory: [Errno.inputOutput, Errno.access, Errno.busy, Errno.readOnly]
    case .lock:
      [Errno.inputOutput, Errno.access, Errno.noSpace, Errno.tooManyFiles, Errno.readOnly, Errno.tooManyLinks]
    }
  }

  /// The faults that strike an operation without ending the process. All of them, or those whose handling can differ:
  /// most error numbers are passed on as they are.
  static func faults(_ logged: LoggedOperation, all: Bool) -> [FaultPlan.Fault] {
    let numbers = errors(logged.operation)
    let special = [Errno.inputOutput, Errno.exists, Errno.notPermitted, Errno.interrupted]
    var faults = numbers.filter { all || special.contains($0) }.map { FaultPlan.Fault.error($0) }
    switch logged.operation {
    case .write:
      let counts = Set([0, 1, max(0, logged.payload.count - 1)]).sorted()
      faults += counts.map { .partialWrite(count: $0, Errno.noSpace) }
      faults += counts.filter { $0 < logged.payload.count }.map { .lostBytes(count: $0) }
    case .rename: faults += [.unsupported, .errorAfter(Errno.inputOutput)]
    case .remove, .makeDirectory, .removeDirectory, .synchronize: faults.append(.errorAfter(Errno.inputOutput))
    default: break
    }
    return faults
  }
}
