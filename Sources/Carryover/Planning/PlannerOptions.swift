package import PropertyLists

/// Options of a plan, in addition to the recipe, the container and the moment.
public struct PlannerOptions: Hashable, Sendable {
  /// The values of the recipe's parameters, by name. With the bundle identifier, they form the target's name.
  package var parameters: [String: String]
  /// The target file, relative to the container's root; nil for the recipe's own target.
  package var targetPath: String?
  /// The version of the new SDK that will read the target; nil for the current version.
  package var targetSDK: SDKVersion?
  /// The fields that earlier runs settled: see `Migrator.settled`.
  package var settled: [StringByBytes: SettledField]
  /// The legacy values that cleanups in effect removed: see `Migrator.removedByCleanups`.
  package var removed: [KeyPlace: PropertyListValue]
  /// The codes of the blocking findings to allow.
  package var allowed: Set<FindingCode>

  /// Options for a recipe without parameters.
  /// - Parameter allowed: the codes of the blocking findings to allow.
  public init(allowed: Set<FindingCode> = []) { self.init(parameters: [:], allowed: allowed) }

  /// Options with parameter values, the new SDK's version and the results of earlier runs.
  package init(
    parameters: [String: String], targetPath: String? = nil, targetSDK: SDKVersion? = nil,
    settled: [StringByBytes: SettledField] = [:], removed: [KeyPlace: PropertyListValue] = [:],
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

/// A version number: major, minor, patch.
package struct SDKVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The numbers, most significant first.
  package var numbers: [Int]

  /// Parses "1.2.0" or "1.2"; nil unless the text is one to four decimal numbers between dots.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, (1...4).contains(parts.count) else { return nil }
    self.numbers = numbers
  }

  /// Compares number by number. Missing numbers count as zero.
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

/// The result for a field of the newest run in effect, and what earlier runs did.
package struct SettledField: Hashable, Sendable {
  /// The legacy value that the run used.
  package var legacy: PropertyListValue?
  /// The value in the target after the run; nil if there was none.
  package var left: PropertyListValue?
  /// The run's id.
  package var runID: String
  /// Whether the field was rolled back while other fields of the run are in effect: the user may not want its value.
  package var isRolledBack: Bool
  /// Whether the decision was to keep the target's own value, or none.
  package var isKept: Bool
  /// Whether an earlier run in effect left a value, whatever the newest one did.
  package var isWrittenEarlier = false
  /// Whether the newest run says nothing of the field.
  package var isOfEarlierRun = false

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
