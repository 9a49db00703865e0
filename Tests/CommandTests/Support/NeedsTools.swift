import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Marks what needs strace. `make test` passes over it and `make test-all` runs it.
  static var needsTools: Self {
    .enabled("make test-all runs it") { ProcessInfo.processInfo.environment["CARRYOVER_TESTS"] == "all" }
  }
}
