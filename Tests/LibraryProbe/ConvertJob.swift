import CarryoverVendors
import Foundation
import PropertyLists

/// Decisions and events of several processes that change Convert's files at once: an app and its extension.
struct ConvertJob: Job {
  private static let count = 50
  private static let goals = (0..<count).map { "g\($0)" }

  private static func files(_ folder: String) -> ConvertFiles { ConvertFiles(applicationSupport: folder + "/Shared") }

  private static func subject(_ visitor: String) -> ConvertDecisions.Subject {
    ConvertDecisions.Subject(project: "1-2", visitor: visitor)
  }

  func prepare(_ folder: String) throws {
    _ = try Self.files(folder).updateDecisions { $0.reach(goal: "first", Self.subject("there before")) }
  }

  func run(_ folder: String) async throws -> String {
    let name = "process-\(ProcessInfo.processInfo.processIdentifier)"
    for goal in Self.goals {
      _ = try Self.files(folder).updateDecisions { $0.reach(goal: goal, Self.subject(name)) }
      let event = try ConvertQueue([
        ["visitors": [["visitorId": .string(name), "events": [["goalId": .string(goal)]]]]]
      ])
      try Self.files(folder).updateQueue { $0.append(event) }
    }
    return "\(Self.count) goals"
  }

  func check(_ folder: String) async throws -> [String] {
    let decisions = try Self.files(folder).decisions()
    let queue = try Self.files(folder).queue() ?? ConvertQueue()
    func goals(_ visitor: String) -> Int? {
      decisions[Self.subject(visitor)]?["goalTriggered"]?.members?.count
    }
    let names = decisions.visitors.filter { $0.hasPrefix("process-") }
    let counts: [(what: String, found: Int?, wanted: Int?)] = names.flatMap { name in
      [
        ("the count of goals of \(name)", goals(name), Self.count),
        ("the count of events of \(name)", queue.eventCount(of: name), Self.count),
      ]
    }
    return differences(
      [("the count of earlier goals", goals("there before"), 1), ("the count of processes", names.count, 3)] + counts)
  }
}
