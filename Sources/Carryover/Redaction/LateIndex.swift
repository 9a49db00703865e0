import CarryoverSystem

/// An index that is made when something is looked for, and once.
final class LateIndex: Hashable, Sendable {
  private let made = Locked<SensitiveIndex?>(nil)

  /// The index.
  /// - Parameter make: makes it of what was learned, which is the same at every call.
  func value(_ make: () -> SensitiveIndex) -> SensitiveIndex {
    made.withLock { made in
      if let made { return made }
      let new = make()
      made = new
      return new
    }
  }

  /// It follows from what was learned, and whether it was made yet says nothing.
  static func == (left: LateIndex, right: LateIndex) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
