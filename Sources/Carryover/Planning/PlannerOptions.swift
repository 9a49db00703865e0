package import PropertyLists

/// What a plan depends on beside the recipe, the container and the moment.
public struct PlannerOptions: Hashable, Sendable {
  /// The values of the recipe's parameters, by name. With the bundle id they make up the target's name.
  package var parameters: [String: String]
  /// The target file, relative to the container's root, if it is not the one that the recipe names.
  package var targetPath: String?
  /// The version of the new SDK that will read the target; nil for the present one.
  package var targetSDK: SDKVersion?
  /// What earlier runs settled, field by field: see `Migrator.settled`.
  package var settled: [Field.ID: SettledField]
  /// What cleanups that hold have removed from the legacy stores: see `Migrator.removedByCleanups`.
  package var removed: [KeyPlace: PropertyListValue]
  /// Codes of blocking findings that are allowed by name.
  package var allowed: Set<FindingCode>

  /// Options for a recipe without parameters.
  /// - Parameter allowed: codes of blocking findings that are allowed by name.
  public init(allowed: Set<FindingCode> = []) { self.init(parameters: [:], allowed: allowed) }

  /// Options with the values of parameters, and with what the new SDK's version and earlier runs say.
  package init(
    parameters: [String: String], targetPath: String? = nil, targetSDK: SDKVersion? = nil,
    settled: [Field.ID: SettledField] = [:], removed: [KeyPlace: PropertyListValue] = [:],
    allowed: Set<FindingCode> = []
  ) {
    self.parameters = parameters
    self.targetPath = targetPath
    self.targetSDK = targetSDK
    self.settled = settled
    self.removed = removed
    self.allowed = allowed
  }
}

/// A version in numbers: major, minor, patch.
package struct SDKVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The numbers, most significant first.
  package var numbers: [Int]

  /// Reads "1.2.0" or "1.2"; nil for anything but decimal numbers between dots.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, (1...4).contains(parts.count) else { return nil }
    self.numbers = numbers
  }

  /// Compares number by number; missing ones count as zero.
  package static func < (left: SDKVersion, right: SDKVersion) -> Bool {
    for index in 0..<max(left.numbers.count, right.numbers.count) {
      let (leftNumber, rightNumber) = (left.number(index), right.number(index))
      if leftNumber != rightNumber { return leftNumber < rightNumber }
    }
    return false
  }

  /// The numbers with dots between them.
  package var description: String { numbers.map(String.init).joined(separator: ".") }

  private func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
}

/// How the newest run that still stands left a field.
package struct SettledField: Hashable, Sendable {
  /// The legacy value it was decided on.
  package var legacy: PropertyListValue?
  /// What the run left in the target; nil when it left nothing there.
  package var left: PropertyListValue?
  /// The run's id.
  package var runID: String
  /// Whether what the run wrote was rolled back, while other fields of it are in effect: somebody may not want it.
  package var isRolledBack: Bool
  /// Whether somebody decided to leave the target's own value, or none.
  package var isKept: Bool

  /// A settled field from its parts.
  package init(
    legacy: PropertyListValue?, left: PropertyListValue?, runID: String, isRolledBack: Bool = false,
    isKept: Bool = false
  ) {
    self.legacy = legacy
    self.left = left
    self.runID = runID
    self.isRolledBack = isRolledBack
    self.isKept = isKept
  }
}
