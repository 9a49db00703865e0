import CarryoverSystem

/// An index that is created once, at the first search.
final class LateIndex: Hashable, Sendable {
  private let made = Locked<SensitiveIndex?>(nil)

  /// The index.
  /// - Parameter make: creates it from the learned values, which are the same for every call.
  func value(_ make: () -> SensitiveIndex) -> SensitiveIndex {
    made.withLock { made in
      if let made { return made }
      let new = make()
      made = new
      return new
    }
  }

  /// The index depends only on the learned values, so its existence does not matter.
  static func == (left: LateIndex, right: LateIndex) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
