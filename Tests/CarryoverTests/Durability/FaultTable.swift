import CarryoverSystem
import Testing

/// How many faults of each kind the tests of a suite have injected, and how many containers came out wrong: printed
/// when the suite has ended. A kind that injected nothing has shown nothing, and fails.
final class FaultTable: Sendable {
  @TaskLocal static var current: FaultTable?

  private let rows = Locked<[String: (injected: Int, stopped: Int, wrong: Int)]>([:])
  private let found = Locked<Set<String>>([])

  /// Notes what one test of a kind has done, and fails the test for a container that came out wrong.
  static func note(_ kind: String, _ job: FaultedJob, _ results: FaultResults) {
    current?.rows.withLock {
      $0[kind, default: (0, 0, 0)].injected += results.injected
      $0[kind, default: (0, 0, 0)].stopped += results.stopped
      $0[kind, default: (0, 0, 0)].wrong += results.wrong.count
    }
    current?.found.withLock { $0.formUnion(results.findings) }
    #expect(results.injected > 0, "\(kind), \(job.testDescription): nothing was injected")
    // The first few tell; thousands would hide them.
    for wrong in results.wrong.prefix(5) { Issue.record("\(kind), \(job.testDescription): \(wrong)") }
    if results.wrong.count > 5 { Issue.record("\(kind), \(job.testDescription): \(results.wrong.count) in all") }
  }

  fileprivate var text: String {
    let rows = rows.withLock { $0 }
    let width = rows.keys.map(\.count).max() ?? 0
    func right(_ text: String) -> String { String(repeating: " ", count: max(0, 10 - text.count)) + text }
    func line(_ kind: String, _ columns: [String]) -> String {
      kind + String(repeating: " ", count: max(0, width - kind.count)) + columns.map(right).joined() + "\n"
    }
    return line("", ["injected", "stopped", "wrong"])
      + rows.sorted { $0.key < $1.key }.map { kind, row in
        line(kind, [row.injected, row.stopped, row.wrong].map { "\($0)" })
      }.joined()
  }

  /// What is documented and did not happen, where the whole suite ran.
  fileprivate var outdated: [String] {
    let kinds = rows.withLock { $0.count }
    let found = found.withLock { $0 }
    return kinds < Self.kinds ? [] : DocumentedStops.all.filter { !found.contains($0) }
  }

  private static let kinds = 14
}

struct FaultResults {
  var injected = 0
  var wrong: [String] = []
  /// How many recoveries stopped where that is documented, and where.
  var stopped = 0
  var findings: Set<String> = []

  /// Counts one fault; `problems` is empty where the container came out right.
  mutating func add(_ place: @autoclosure () -> String, _ problems: [String]) {
    injected += 1
    let entries = problems.map(DocumentedStops.entry)
    findings.formUnion(entries.compactMap(\.self))
    if problems.isEmpty { return }
    if entries.contains(nil) { wrong.append(place() + ": " + problems.joined(separator: "; ")) } else { stopped += 1 }
  }
}

struct PrintsFaultTable: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let table = FaultTable()
    try await FaultTable.$current.withValue(table) { try await function() }
    print(table.text, terminator: "")
    for entry in table.outdated { Issue.record("no longer found: \(entry)") }
  }
}
