public import Carryover
package import PropertyLists

extension NameTemplate {
  /// The suite of the new SDK: `<bundle id>.analytics.<write key>`.
  package static let analytics: NameTemplate = [.bundleID, ".analytics.", .parameter(PlannerOptions.writeKeyParameter)]
}

extension Container {
  /// The write keys for which the container has a suite of its app, sorted. Empty if the app is unknown. Suites are
  /// found by name, even if they cannot be read.
  public var writeKeys: [String] { values(of: PlannerOptions.writeKeyParameter, inSuites: .analytics) }
}

extension PlannerOptions {
  /// The parameter that names the new SDK's suite.
  package static let writeKeyParameter = PlanRequest.writeKey

  /// Options for a migration to the new SDK.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source, which is part of the suite's name; nil while it is unknown.
  ///   - targetPath: the target file, relative to the container's root; nil for the new SDK's suite.
  ///   - allowed: the codes of blocking findings to allow.
  public init(writeKey: String?, targetPath: String? = nil, allowed: Set<FindingCode> = []) {
    self.init(writeKey: writeKey, targetPath: targetPath, targetSDK: nil, allowed: allowed)
  }

  /// Options that also depend on the new SDK's version and on earlier runs.
  package init(
    writeKey: String?, targetPath: String? = nil, targetSDK: SDKVersion?, settled: [StringByBytes: SettledField] = [:],
    removed: [KeyPlace: PropertyListValue] = [:], allowed: Set<FindingCode> = []
  ) {
    self.init(
      parameters: writeKey.map { [Self.writeKeyParameter: $0] } ?? [:], targetPath: targetPath, targetSDK: targetSDK,
      settled: settled, removed: removed, allowed: allowed)
  }
}
