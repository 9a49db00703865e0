#if os(Linux)
  import Foundation

  /// Runs everything that is asynchronous on the thread that asks for it. Otherwise a job moves from thread to thread, and
  /// strace, which counts the calls of each thread by itself, could not be told which write to strike.
  final class OneThread: SerialExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private static let shared = OneThread()

    private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private func add(_ job: UnownedJob) {
      condition.lock()
      jobs.append(job)
      condition.signal()
      condition.unlock()
    }

    private func next() -> UnownedJob {
      condition.lock()
      defer { condition.unlock() }
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }

    /// Runs something to its end, which must end the process.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
      guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
        FileHandle.standardError.write(Data("the runtime has no hook to run everything on one thread\n".utf8))
        exit(70)
      }
      symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in OneThread.shared.add(job) }
      Task { await body() }
      while true { shared.next().runSynchronously(on: shared.asUnownedSerialExecutor()) }
    }
  }
#endif
