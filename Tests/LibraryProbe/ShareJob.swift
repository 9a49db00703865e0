import CarryoverUserDefaults
import Foundation
import PropertyLists

/// Values of several processes that write one suite at once: an app and its extension.
struct ShareJob: Job {
  private static let suite = "com.acme.shared"
  private static let count = 50

  func prepare(_ folder: String) throws {
    let domain = try UserDefaultsDomain(suite: Self.suite)
    try domain.set("there before", for: "first")
    try domain.synchronize()
  }

  func run(_ folder: String) async throws -> String {
    let domain = try UserDefaultsDomain(suite: Self.suite)
    let name = "process-\(ProcessInfo.processInfo.processIdentifier)"
    for number in 0..<Self.count {
      try domain.set(.string(name), for: "\(name).\(number)")
      try domain.synchronize()
    }
    return "\(Self.count) values"
  }

  func check(_ folder: String) async throws -> [String] {
    let domain = try UserDefaultsDomain(suite: Self.suite)
    let keys = try domain.values { $0.hasPrefix("process-") }.entries.map(\.key)
    let processes = Set(keys.compactMap { $0.split(separator: ".").first })
    func number(_ value: Int) -> PropertyListValue { .integer(PropertyListInteger(Int64(value))) }
    return differences([
      ("the value of before", try domain.value(for: "first"), "there before"),
      ("the count of processes", number(processes.count), 3),
      ("the count of values", number(keys.count), number(3 * Self.count)),
    ])
  }
}
