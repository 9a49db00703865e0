import CarryoverRestore
import CarryoverUserDefaults
import Foundation
import PropertyLists

/// Defaults in memory that count what is set and can be cut off at any of it, as a crash would.
final class MemoryDomain: DefaultsDomain, @unchecked Sendable {
  let label: String
  private let lock = NSLock()
  private var contents: [String: PropertyListValue]
  private var count = 0
  private var listed = 0
  private let budget: Budget
  private let refused: Set<String>
  var observer: ((String) -> Void)?

  /// How many writes are left before everything fails; shared by the domains of one app.
  final class Budget: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int
    init(_ left: Int = .max) { self.left = left }

    func spend() -> Bool {
      lock.withLock {
        guard left > 0 else { return false }
        left -= 1
        return true
      }
    }
  }

  /// - Parameter refused: keys that nothing can be put under.
  init(
    _ label: String, _ contents: [String: PropertyListValue] = [:], budget: Budget = Budget(),
    refusing refused: Set<String> = []
  ) {
    self.refused = refused
    self.label = label
    self.contents = contents
    self.budget = budget
  }

  func restarted(budget: Budget = Budget()) -> MemoryDomain { MemoryDomain(label, all, budget: budget) }

  var all: [String: PropertyListValue] { lock.withLock { contents } }
  var writes: Int { lock.withLock { count } }
  var listings: Int { lock.withLock { listed } }

  func value(for key: String) -> PropertyListValue? { lock.withLock { contents[key] } }

  func values(where isWanted: (String) -> Bool) -> PropertyListDictionary {
    lock.withLock { listed += 1 }
    return PropertyListDictionary(
      entries: all.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
  }

  func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
    guard !refused.contains(key), budget.spend() else { throw .notWritten(label) }
    lock.withLock {
      contents[key] = value
      count += 1
    }
    observer?(key)
  }

  func remove(_ key: String) throws(DefaultsDomainError) {
    guard budget.spend() else { throw .notWritten(label) }
    lock.withLock {
      contents[key] = nil
      count += 1
    }
  }

  func synchronize() throws(DefaultsDomainError) {
    guard budget.spend() else { throw .notWritten(label) }
  }
}
