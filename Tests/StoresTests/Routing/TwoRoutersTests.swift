import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

@Suite("Migrations of several routers that wait for each other")
struct TwoRoutersTests {
  private actor Meeting {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { missing = count }

    func arrive() async {
      missing -= 1
      if missing > 0 { return await withCheckedContinuation { waiting.append($0) } }
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private func key(_ name: String, _ body: @escaping @Sendable () async throws -> String?) -> GivenKey {
    GivenKey(name: name) { router, key in
      let value = try await body()
      try await router.set("\(name) of \(value ?? "nothing")", for: key)
      return .migrated
    }
  }

  @Test("routers that wait for each other in a circle end with an error that names it (E7)", arguments: [2, 3])
  func circle(count: Int) async throws {
    let meeting = Meeting(of: count)
    let benches = (0..<count).map { _ in RouterBench(defaults: ["old": "before"]) }
    let routers = benches.map { $0.router() }
    let plain = (0..<count).map { GivenKey(name: "k\($0)") { _, _ in .nothingToMigrate } }
    let keys = (0..<count).map { index in
      let next = (index + 1) % count
      return key("k\(index)") {
        await meeting.arrive()
        return try await routers[next].get(plain[next])
      }
    }
    let errors = await withTaskGroup(of: StorageRouterError?.self) { group in
      for (router, key) in zip(routers, keys) {
        group.addTask {
          do throws(StorageRouterError) {
            _ = try await router.get(key)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(!errors.isEmpty)
    for error in errors {
      guard case .circle(let places) = error.reason else {
        Issue.record("\(error)")
        continue
      }
      #expect(Set(places) == Set(plain.map(\.place)) && places.count == count)
      for key in plain { #expect(error.description.contains("“\(key.name)”")) }
    }
    for bench in benches { #expect(try bench.defaults.names() == ["old"]) }
  }

  @Test("a migration that another router's migration asks for may ask for the first one's key (E7)")
  func nested() async throws {
    let benches = (0..<2).map { _ in RouterBench(defaults: ["old": "before"]) }
    let routers = benches.map { $0.router() }
    let plain = GivenKey(name: "a") { _, _ in .nothingToMigrate }
    let inner = key("b") {
      #expect(try await routers[0].forceMigration(for: plain) == .nothingToMigrate)
      return try await routers[0].get(plain)
    }
    let outer = key("a") { try await routers[1].get(inner) }
    #expect(try await routers[0].get(outer) == "a of b of nothing")
  }

  @Test("what a migration has begun and left behind is in no circle with it (E7)")
  func leftBehind() async throws {
    let benches = (0..<2).map { _ in RouterBench(defaults: ["old": "before"]) }
    let routers = benches.map { $0.router() }
    let left = Noted<Task<String?, any Error>>()
    let (ended, begun) = (Meeting(of: 2), Meeting(of: 2))
    let plain = GivenKey(name: "a") { _, _ in .nothingToMigrate }
    let waiting = key("b") {
      await begun.arrive()
      return try await routers[0].get(plain)
    }
    let first = key("a") {
      left.add(
        Task {
          await ended.arrive()
          return try await routers[1].get(waiting)
        })
      return "first"
    }
    #expect(try await routers[0].get(first) == "a of first")
    await ended.arrive()
    await begun.arrive()
    #expect(try await left.all.first?.value == "b of a of first")
  }
}
