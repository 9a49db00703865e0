extension FindingCode {
  /// The SDK has data in a place that the recipe does not read.
  package static let sourceElsewhere = FindingCode(
    "source.elsewhere", .warning, .informs,
    Explanation(
      title: "the SDK has data in a place that the recipe does not read",
      happens: """
        An SDK's version, platform or settings can change where it stores data: another folder, an app group, a second \
        instance. The container has data in such a place, which the recipe knows but does not read.
        """,
      legacyReads: "The version of the legacy SDK that stored the data there reads it there.",
      guideSays: "The guide of a vendor seldom mentions these places.",
      helperWrites: "Whether the vendor's migrator reads the place depends on the vendor and the version.",
      weWrite: """
        Carryover migrates nothing from there, names the file or the keys, and says that the verdict is not certain.
        """,
      whatToDo: """
        If the app used this place, edit the fields by hand, or write a recipe that reads it. Otherwise do nothing.
        """))
}

extension Observation {
  /// The SDK has data in a place that the recipe does not read.
  /// - Parameter reason: the recipe's own sentence.
  package static func sourceElsewhere(_ sdk: String, _ names: [String], _ reason: String) -> Observation {
    let shown = names.map { "\($0, limit: 160)" as FindingText }
    return Observation(
      .sourceElsewhere,
      """
      \(words: sdk) has data here that is not migrated: \(list: shown). \(words: reason)
      """,
      remedy: "If the app used this place, edit the fields by hand, or write a recipe that reads it.",
      verdict: .doubt("\(file: names.first ?? "") is not read"))
  }
}
