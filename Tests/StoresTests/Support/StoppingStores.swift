import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation

enum LastOperation: CaseIterable {
  case before
  case after
}

/// Stores that stop working at an operation, counted over all of them, as if the process had been killed there.
struct StoppingStores {
  private let stores: [CountingStore]
  private let counted = Tally()

  init(_ stores: [CountingStore]) { self.stores = stores }

  /// The operations since they were told to stop.
  var count: Int { counted.value }

  func stop(at number: Int, _ last: LastOperation) {
    counted.reset()
    for store in stores {
      store.fail { [counted] _, _ in
        let count = counted.next()
        return count > number || last == .before && count == number
      }
      if last == .after { store.failAfterwards { [counted] in counted.value == number } }
    }
  }

  func goOn() {
    for store in stores {
      store.fail(nil)
      store.failAfterwards(nil)
    }
  }

  private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func reset() { lock.withLock { count = 0 } }
    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }
}

struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 to below `sides`.
  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }
}
