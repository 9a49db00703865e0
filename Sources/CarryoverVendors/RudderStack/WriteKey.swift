public import Carryover
package import PropertyLists

extension NameTemplate {
  /// The suite of the new SDK: `<bundle id>.analytics.<write key>`.
  package static let analytics: NameTemplate = [.bundleID, ".analytics.", .parameter(PlannerOptions.writeKeyParameter)]
}

extension Container {
  /// The write keys for which the container holds a suite of its app, sorted; none while the app is unknown.
  ///
  /// A suite counts by its name, whether or not it could be read.
  public var writeKeys: [String] { values(of: PlannerOptions.writeKeyParameter, inSuites: .analytics) }
}

extension PlannerOptions {
  /// The parameter that names the new SDK's suite.
  package static let writeKeyParameter = "write-key"

  /// Options with the write key of the new SDK's source, which names the target suite.
  public init(writeKey: String, allowed: Set<FindingCode> = []) {
    self.init(parameters: [Self.writeKeyParameter: writeKey], allowed: allowed)
  }

  /// The same with what the new SDK's version and earlier runs say.
  package init(
    writeKey: String, targetPath: String? = nil, targetSDK: SDKVersion?, settled: [Field.ID: SettledField] = [:],
    removed: [KeyPlace: PropertyListValue] = [:], allowed: Set<FindingCode> = []
  ) {
    self.init(
      parameters: [Self.writeKeyParameter: writeKey], targetPath: targetPath, targetSDK: targetSDK, settled: settled,
      removed: removed, allowed: allowed)
  }
}
