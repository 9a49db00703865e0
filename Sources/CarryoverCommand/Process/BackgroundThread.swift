import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread that gets no signals: they are for the one that has the terminal.
final class BackgroundThread: Sendable {
  private let body: @Sendable () -> Void
  private let thread = Locked<pthread_t?>(nil)

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// - Returns: false if the system starts no thread.
  func start() -> Bool {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    #if canImport(Darwin)
      var started: pthread_t?
    #else
      var started = pthread_t()
    #endif
    let code = pthread_create(
      &started, nil,
      { own in
        #if canImport(Darwin)
          Unmanaged<BackgroundThread>.fromOpaque(own).takeRetainedValue().body()
        #else
          if let own { Unmanaged<BackgroundThread>.fromOpaque(own).takeRetainedValue().body() }
        #endif
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard code == 0 else {
      Unmanaged.passUnretained(self).release()
      return false
    }
    let running = started
    thread.withLock { $0 = running }
    return true
  }

  /// Waits until it is over.
  func join() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let running { pthread_join(running, nil) }
  }
}
