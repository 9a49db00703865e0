import Foundation
import Synchronization
import Testing

/// Does work on a thread with a stack of 512 KiB, and expects it to end with "done".
func onSmallStack(_ work: @escaping @Sendable () throws -> String) {
  let outcome = Mutex("did not finish")
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let message: String
    do { message = try work() } catch { message = "\(error)" }
    outcome.withLock { $0 = message }
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  #expect(done.wait(timeout: .now() + 120) == .success)
  #expect(outcome.withLock { $0 } == "done")
}
