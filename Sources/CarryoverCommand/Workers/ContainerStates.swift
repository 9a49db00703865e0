import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

/// Finds the states of containers while the user chooses one. Workers read them, so nothing waits for a container that
/// crashes or stalls its reader.
final class ContainerStates: Sendable {
  private struct Work {
    /// The numbers of the containers to read, the next one first.
    var queue: ArraySlice<Int>
    /// The numbers of those that workers have.
    var sent: Set<Int> = []
    var news: [Int: ContainerState] = [:]
    var thread: BackgroundThread?
    var isRunning = false
    var isOver = false
  }

  private let path: String
  private let candidates: [ContainerCandidate]
  private let arguments: [String]
  private let wake: @Sendable () -> Void
  private let work: Locked<Work>

  private static let limit = Duration.seconds(15)

  init(_ candidates: [ContainerCandidate], at path: String, arguments: [String], wake: @escaping @Sendable () -> Void) {
    (self.candidates, self.path, self.arguments, self.wake) = (candidates, path, arguments, wake)
    work = Locked(Work(queue: Array(candidates.indices)[...]))
    start()
  }

  func news() -> [Int: ContainerState] {
    work.withLock { work in
      defer { work.news = [:] }
      return work.news
    }
  }

  func readAgain(_ some: [ContainerCandidate]) {
    let some = Set(some)
    let numbers = candidates.indices.filter { some.contains(candidates[$0]) }
    guard !numbers.isEmpty else { return }
    work.withLock { $0.queue.append(contentsOf: numbers) }
    start()
  }

  func end() {
    work.withLock { $0.isOver = true }
    join()
  }

  private func start() {
    let isToStart = work.withLock { work in
      defer { work.isRunning = work.isRunning || !work.isOver }
      return !work.isRunning && !work.isOver
    }
    guard isToStart else { return }
    join()
    let thread = BackgroundThread { [self] in run() }
    work.withLock { $0.thread = thread }
    guard !thread.start() else { return }
    fail("not read: the system could not start a thread")
    wake()
  }

  /// Waits until all are read.
  func join() {
    let thread = work.withLock { work in
      defer { work.thread = nil }
      return work.thread
    }
    thread?.join()
  }

  /// On a thread of its own.
  private func run() {
    var told = ContinuousClock.now
    repeat {
      var pool = WorkerPool(
        arguments: arguments, count: min(ThisProcess.processors, candidates.count), limit: Self.limit, first: 1)
      pool.isInOrder = false
      do {
        try pool.run(
          {
            self.next.map {
              WorkerMessage.Input(number: $0 + 1, path: self.path, shown: nil, container: self.candidates[$0].path)
            }
          }, { self.take($1, of: $0 - 1) },
          goesOn: {
            // Several at once: each frame costs time that the workers need.
            if told.duration(to: .now) >= .milliseconds(100), self.work.withLock({ !$0.news.isEmpty }) {
              told = .now
              self.wake()
            }
            return !self.work.withLock { $0.isOver }
          })
      } catch {
        fail("not read: the workers could not be started")
      }
      wake()
    } while goesOn
  }

  /// Whether containers were added after the workers were done.
  private var goesOn: Bool {
    work.withLock { work in
      work.isRunning = !work.isOver && !work.queue.isEmpty
      return work.isRunning
    }
  }

  /// Nil while none is waiting.
  private var next: Int? {
    work.withLock { work in
      let number = work.queue.popFirst()
      if let number { work.sent.insert(number) }
      return number
    }
  }

  private func take(_ rows: [[UInt8]], of number: Int) {
    let unit = (try? AuditRowReader.units(in: rows))?.last
    note([number: unit?.state(of: candidates[number]) ?? .failed("not read: the worker's answer is not valid")])
  }

  private func fail(_ reason: String) {
    let left = work.withLock { work in
      work.isRunning = false
      defer { (work.queue, work.sent) = ([], []) }
      return work.sent.union(work.queue)
    }
    note(Dictionary(left.map { ($0, .failed(reason)) }) { first, _ in first })
  }

  private func note(_ states: [Int: ContainerState]) {
    work.withLock { work in
      work.news.merge(states) { $1 }
      work.sent.subtract(states.keys)
    }
  }
}

extension AuditUnit {
  fileprivate func state(of candidate: ContainerCandidate) -> ContainerState {
    let reason = code.map { ": " + $0.replacing("-", with: " ") } ?? ""
    return switch outcome {
    case .audited, .nothingToMigrate:
      .planned(
        PlannedContainer(
          fields.compactMap(\.planned), findings: findings.compactMap(FindingCode.init(rawValue:)),
          severities: Dictionary(
            uniqueKeysWithValues: Severity.allCases.compactMap { level in severities[level.rawValue].map { (level, $0) }
            }), isBlocked: isBlocked, users: users, bundleID: candidate.bundleID == nil ? bundleID : nil))
    case .unreadable where code == AuditedContainer.severalCode: .several
    case .refused where code == AuditedContainer.interruptedCode: .interrupted
    case .refused: .failed("no plan" + reason)
    case .unreadable: .failed("cannot be read" + reason)
    case .encrypted: .failed("encrypted")
    case .changed: .failed("cannot be read: it changed while being read")
    case .timeout: .failed("cannot be read: it took too long")
    case .crashed: .failed("cannot be read: its reader crashed")
    }
  }
}

extension AuditUnit.Field {
  fileprivate var planned: PlannedContainer.Field? {
    guard let status = FieldStatus(rawValue: status), let group = FieldGroup(rawValue: group) else { return nil }
    return PlannedContainer.Field(
      status, group, findings: findings.compactMap(FindingCode.init(rawValue:)), hasProposal: isProposed)
  }
}
