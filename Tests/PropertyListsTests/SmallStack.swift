import Foundation
import Testing

/// Does work on a thread with a stack of 512 KiB, and expects it to end with "done". The frames of an unoptimised build
/// are up to eight times as large as those of a release.
func onSmallStack(_ work: @escaping @Sendable () throws -> String) {
  // Read once the thread has signalled.
  nonisolated(unsafe) var outcome = ""
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { outcome = try work() } catch { outcome = "\(error)" }
    done.signal()
  }
  #if DEBUG
    thread.stackSize = 4 << 20
  #else
    thread.stackSize = 512 << 10
  #endif
  thread.start()
  guard done.wait(timeout: .now() + 120) == .success else {
    Issue.record("The thread did not finish.")
    return
  }
  #expect(outcome == "done")
}
