import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Restoring, tried again")
struct RestorationRetryTests {
  /// A domain whose writes reach the disk only when they are let.
  private final class Reluctant: DefaultsDomain, @unchecked Sendable {
    private let memory = MemoryDomain("suite")
    private let lock = NSLock()
    private var failures: Int
    private var attempts = 0
    init(failures: Int) { self.failures = failures }
    var label: String { "suite" }
    var synchronizations: Int { lock.withLock { attempts } }
    func value(for key: String) -> PropertyListValue? { memory.value(for: key) }
    func values(where isWanted: (String) -> Bool) -> PropertyListDictionary { memory.values(where: isWanted) }
    func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
      try memory.set(value, for: key)
    }
    func remove(_ key: String) throws(DefaultsDomainError) { try memory.remove(key) }
    func synchronize() throws(DefaultsDomainError) {
      let fails = lock.withLock {
        attempts += 1
        failures -= 1
        return failures >= 0
      }
      if fails { throw .notWritten(label) }
    }
  }

  private static func migrator(_ standard: any DefaultsDomain, _ target: any DefaultsDomain) -> PersistentMigrator {
    PersistentMigrator(
      writeKey: "wk",
      places: LegacyPersistence(
        standard: standard, target: target, library: FileManager.default.temporaryDirectory.appending(path: "none"),
        bundleIdentifier: "com.acme.shop"),
      now: { Date(timeIntervalSince1970: 1_763_640_200) })
  }

  @Test("what did not reach the disk is not done: the same start may try again, and has it written (A19)")
  func notWritten() {
    let target = Reluctant(failures: 1)
    let migrator = Self.migrator(MemoryDomain("standard", ["rl_anonymous_id": "anonymous"]), target)
    guard case .failed = migrator.restorePersistence().status else {
      Issue.record("not failed")
      return
    }
    #expect(migrator.restorePersistence().status == .done)
    #expect(target.synchronizations == 2 && target.value(for: "anonymous_id") == "anonymous")
    #expect(migrator.restorePersistence().status == .doneBefore)
  }

  @Test("one value that nests too deep is left out, and the others are restored (A15, A19)")
  func deepValue() {
    var deep: PropertyListValue = "x"
    for _ in 0..<520 { deep = .array([deep]) }
    let target = MemoryDomain("suite")
    let report = Self.migrator(
      MemoryDomain("standard", ["rl_anonymous_id": "anonymous", "rl_traits": deep]), target
    ).restorePersistence()
    #expect(report.status == .done && target.value(for: "anonymous_id") == "anonymous")
  }

  @Test("errors escape names for display (A19)")
  func escaped() {
    for error in [DefaultsDomainError.refused("a\n\u{1b}[2J"), .notWritten("a\n\u{1b}[2J"), .badName("a\n\u{1b}[2J")] {
      #expect(error.description.contains(#"“a\n\u{1B}[2J”"#) && !error.description.contains("\n"))
    }
  }
}
