package import Carryover
package import PropertyLists

extension FindingCode {
  /// The build is no integer; `normalised` is the integer it reads as where only its form would change.
  package static let appBuildNotInteger = FindingCode(
    "app.build-not-integer", .warning, .informs, brief: "not an integer",
    Explanation(
      title: "the build is no integer, or one written another way",
      happens: """
        The build is no integer that fits into 64 bits, such as "4.2.0-rc1", or one that is written another way, such \
        as "00420" or "+420".
        """,
      legacyReads: "The legacy SDK stores the build as a string, so that any text is possible.",
      guideSays: "The guide migrates the build as an integer. It does not say what to do with a build that is none.",
      helperWrites: "The helper skips a build that is no integer, without a word.",
      weWrite: "Carryover writes the integer where only its form changes, and leaves out rudder.app_build otherwise.",
      whatToDo: """
        Edit rudder.app_build to the integer the app now ships with, or leave it out: the new SDK then reads -1.
        """))
}

extension Observation {
  /// The build is no integer; `normalised` is the integer it reads as where only its form would change.
  package static func appBuildNotInteger(_ text: String, normalised: Int64?) -> Observation {
    let key: FindingText = "\(sourceKey: "rl_application_build_key")"
    guard let normalised else {
      return Observation(
        .appBuildNotInteger,
        """
        \(key) is \(quoted: text), which is not an integer that fits. The new SDK stores the build as an integer and reads \
        anything else as none. The reference migrator skips it without a word.
        """,
        remedy: "Edit the field to the integer the app now ships with, or leave it out.")
    }
    return Observation(
      .appBuildNotInteger,
      "\(key) is \(quoted: text), which is the integer \(String(normalised), madeFrom: text) written another way.",
      remedy: "Nothing to do if the number is right; edit or skip the field otherwise.")
  }
}

extension FindingCode {
  /// The version stands in its older key, alone or with another value.
  package static let appVersionInOldKey = FindingCode(
    "app.version-in-old-key", .warning, .asks,
    Explanation(
      title: "only the older key has a version, or it differs",
      happens: """
        The version stands in its older key, rl_application_info_key: either alone, or with another value than \
        rl_application_version_key has.
        """,
      legacyReads: "The legacy SDK moves the older key's value over the newer key's when it starts.",
      guideSays: "The guide reads rl_application_version_key. The older key does not occur in it.",
      helperWrites: """
        The helper ignores the older key. Where that key stands alone, no version is written and "Application \
        Installed" is sent again.
        """,
      weWrite: "Carryover proposes the older key's version, offers the newer one where there is one, and asks.",
      whatToDo: "Confirm it, because the legacy SDK would have done the same; or take the newer key's version."))
}

extension Observation {
  /// The version stands in its older key, alone or with another value.
  package static func appVersionInOldKey(old: String, new: String?) -> Observation {
    let what: FindingText =
      if let new {
        """
        rl_application_info_key says \(quoted: old), rl_application_version_key says \(quoted: new). The legacy SDK moves the \
        older key over the newer one when it starts; so does this proposal.
        """
      } else {
        """
        The version \(quoted: old) stands only in its older key, rl_application_info_key. The reference migrator ignores that \
        key: “Application Installed” is sent again.
        """
      }
    return Observation(
      .appVersionInOldKey, what, remedy: "Confirm it: the legacy SDK takes this value when it starts.")
  }
}

extension FindingCode {
  /// The version is stored with another type.
  package static let appVersionNotString = FindingCode(
    "app.version-not-string", .warning, .asks,
    Explanation(
      title: "the version is stored as another type",
      happens: "The app's version is stored as another type than a string, such as a number.",
      legacyReads: "The legacy SDK writes a string, the app's CFBundleShortVersionString.",
      guideSays: "The guide migrates the version as a string. It does not say what to do with a number.",
      helperWrites: "The helper drops the version, and \"Application Installed\" is sent again.",
      weWrite: "Carryover proposes the text of a number, and asks; other types have no proposal.",
      whatToDo: "Confirm the text where it is the app's version, edit it, or skip the field."))
}

extension Observation {
  /// The version is stored with another type.
  package static func appVersionNotString(_ value: PropertyListValue) -> Observation {
    Observation(
      .appVersionNotString,
      """
      The version is \(typed: value), where the new SDK needs a string. The reference migrator drops it: \
      “Application Installed” is sent again.
      """,
      remedy:
        "Confirm the text, edit it, or skip it.")
  }
}
