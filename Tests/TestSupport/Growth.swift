#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How the cost of work grows with how much there is, in processor time of this thread alone: neither a busy machine nor
/// a slow one changes it.
package enum Growth {
  /// Work in proportion takes 4 times as long for four times as much, a comparison of each with each 16 times.
  package static let most = 9.0

  /// How many times as long the work on four times as much takes; each the least of several, until it is below `bound`.
  package static func factor<Subject>(
    from count: Int, below bound: Double = most, _ make: (Int) throws -> Subject,
    _ work: (inout Subject) throws -> Void
  ) rethrows -> Double {
    let subjects = (few: try make(count), many: try make(4 * count))
    var (few, many) = (Double.infinity, Double.infinity)
    for _ in 0..<3 where !(many / few < bound) {
      many = min(many, try time(subjects.many, work))
      few = min(few, try time(subjects.few, work))
    }
    return many / few
  }

  private static func time<Subject>(_ subject: Subject, _ work: (inout Subject) throws -> Void) rethrows -> Double {
    var subject = subject
    let start = now()
    try work(&subject)
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
