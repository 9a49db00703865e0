import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The workers of an audit. A crash or a hang affects one input; the worker is replaced.
struct WorkerPool {
  let arguments: [String]
  let count: Int
  let limit: Duration
  /// Whether rows are delivered in the order of the inputs. If not, a slow input delays no other.
  var isInOrder = true

  private var workers: [WorkerProcess] = []
  /// Inputs to send again, first ones first.
  private var again: [WorkerProcess.Pending] = []
  /// Answers that wait for those before them, by the number of the input.
  private var answers: [Int: [[UInt8]]] = [:]
  private var nextAnswer: Int
  private let step: Int
  private var isAtEnd = false
  /// Workers in a row that ended before they said anything.
  private var failedStarts = 0

  init(arguments: [String], count: Int, limit: Duration, first: Int, step: Int = 1) {
    self.arguments = arguments
    self.count = max(1, count)
    self.limit = limit
    (nextAnswer, self.step) = (first, step)
  }

  /// How many answers may wait, so that a slow input does not fill the memory.
  private static let window = 1_024
  /// One that is being worked on, and one that the worker finds when it is done.
  private static let inFlight = 2

  /// - Parameters:
  ///   - next: nil at the end.
  ///   - deliver: takes the rows of an input, without line ends.
  ///   - goesOn: if false, the rest is not audited.
  /// - Throws: what `deliver` throws, and a failure if no worker can be started.
  mutating func run(
    _ next: () -> WorkerMessage.Input?, _ deliver: (Int, [[UInt8]]) throws -> Void, goesOn: () -> Bool
  ) throws {
    defer { for worker in workers { worker.end() } }
    // A worker that has gone is noticed when its answer is read.
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    while goesOn() {
      try fill(next)
      guard workers.contains(where: { !$0.pending.isEmpty }) || !(isAtEnd && again.isEmpty) else { break }
      try listen(deliver)
      try endSlowWorkers(deliver)
    }
  }

  private mutating func fill(_ next: () -> WorkerMessage.Input?) throws {
    for turn in 0..<Self.inFlight {
      for worker in workers where worker.pending.count == turn && worker.pending.first?.isRetry != true {
        if let pending = take(next, isAlone: turn == 0) { worker.send(pending) }
      }
      while turn == 0, workers.count < count, let pending = take(next, isAlone: true) {
        let worker = try WorkerProcess(arguments)
        workers.append(worker)
        worker.send(pending)
      }
    }
  }

  /// - Parameter isAlone: whether the worker has no other input. One that crashed a worker is audited alone, so that no
  ///   other input suffers.
  private mutating func take(_ next: () -> WorkerMessage.Input?, isAlone: Bool) -> WorkerProcess.Pending? {
    if let place = again.firstIndex(where: { !$0.isRetry || isAlone }) { return again.remove(at: place) }
    guard !isAtEnd, answers.count < Self.window else { return nil }
    let input = next()
    isAtEnd = input == nil
    return input.map { WorkerProcess.Pending(input: $0) }
  }

  private mutating func listen(_ deliver: (Int, [[UInt8]]) throws -> Void) throws {
    var descriptors = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    guard poll(&descriptors, nfds_t(descriptors.count), 100) > 0 else { return }
    for (worker, descriptor) in zip(workers, descriptors) where descriptor.revents != 0 {
      var hasEnded = false
      try worker.read { event in
        switch event {
        case .rows(let input, let rows):
          answers[input.number] = rows
          try self.deliver(deliver)
        case .ended: hasEnded = true
        }
      }
      if worker.isReady { failedStarts = 0 }
      if hasEnded { try replace(worker, .crashed, deliver) }
    }
  }

  private mutating func endSlowWorkers(_ deliver: (Int, [[UInt8]]) throws -> Void) throws {
    for worker in workers where !worker.pending.isEmpty && worker.began.duration(to: .now) > limit {
      try replace(worker, .timeout, deliver)
    }
  }

  /// After a crash, its input is tried once more; the inputs behind it are sent again.
  private mutating func replace(
    _ worker: WorkerProcess, _ outcome: AuditOutcome, _ deliver: (Int, [[UInt8]]) throws -> Void
  ) throws {
    worker.end()
    workers.removeAll { $0 === worker }
    if !worker.isReady {
      failedStarts += 1
      guard failedStarts < 8 else {
        throw CommandFailure(
          "The workers end as soon as they start. Check the memory limit of this shell (ulimit -v).", .error)
      }
      again = worker.pending + again
      return
    }
    guard var first = worker.pending.first else { return }
    let others = Array(worker.pending.dropFirst())
    if outcome == .crashed, !first.isRetry {
      first.isRetry = true
      again = others + again + [first]
      return
    }
    again = others + again
    answers[first.input.number] = AuditedContainer(outcome).lines(number: first.input.number, path: first.input.shown)
      .map { Array($0.utf8) }
    try self.deliver(deliver)
  }

  private mutating func deliver(_ deliver: (Int, [[UInt8]]) throws -> Void) throws {
    guard isInOrder else {
      for (number, rows) in answers { try deliver(number, rows) }
      answers = [:]
      return
    }
    while let rows = answers.removeValue(forKey: nextAnswer) {
      try deliver(nextAnswer, rows)
      nextAnswer += step
    }
  }
}
