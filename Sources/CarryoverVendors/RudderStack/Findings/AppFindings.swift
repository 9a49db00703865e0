package import Carryover

extension FindingCode {
  static let rudderStackAppCodes: [FindingCode] = [.appBuildNotInteger, .appVersionInOldKey, .appVersionNotString]

  package static let appBuildNotInteger = FindingCode(
    "app.build-not-integer", .warning, .informs, brief: "not an integer",
    title: "the build is not an integer, or is an integer in an unusual form",
    happens: """
      The build, such as "4.2.0-rc1", is not a 64-bit integer. Or it is an integer in an unusual form, such as \
      "00420" or "+420".
      """,
    legacyReads: "The legacy SDK stores the build as a string, so any text is possible.",
    guideSays: "The guide migrates the build as an integer. It does not say what to do with other text.",
    helperWrites: "RudderStack's migrator silently skips a build that is not an integer.",
    weWrite: "Carryover writes the integer if only its form changes. Otherwise it does not migrate rudder.app_build.",
    whatToDo: """
      If rudder.app_build is not migrated, the new SDK reads -1. To prevent that, set the field to your app's \
      current build number (an integer).
      """,
    // rudder-sdk-swift 1.3.1: LifecycleTrackingPlugin.swift:96.
    inTheApp: "Make CFBundleVersion an integer: the new SDK stores any other build as 0.")

  package static let appVersionInOldKey = FindingCode(
    "app.version-in-old-key", .warning, .asks,
    title: "only the older key has a version, or its version differs",
    happens: """
      The version is in its older key, rl_application_info_key. The newer key, rl_application_version_key, is absent \
      or has another value.
      """,
    legacyReads:
      "When it starts, the legacy SDK moves the older key's value to the newer key, replacing the value there.",
    guideSays: "The guide reads rl_application_version_key. It does not mention the older key.",
    helperWrites: """
      RudderStack's migrator ignores the older key. If only that key has a version, none is written and "Application \
      Installed" is sent again.
      """,
    weWrite: "Carryover proposes the older key's version, offers the newer one if there is one, and asks.",
    whatToDo:
      "Accept the proposal, because the legacy SDK would use the same version. Or choose the newer key's version.")

  package static let appVersionNotString = FindingCode(
    "app.version-not-string", .warning, .asks,
    title: "the version is not stored as a string",
    happens: "The app's version is stored as something other than a string, such as a number.",
    legacyReads: "The legacy SDK writes a string, the app's CFBundleShortVersionString.",
    guideSays: "The guide migrates the version as a string. It does not say what to do with a number.",
    helperWrites: "RudderStack's migrator drops the version, and \"Application Installed\" is sent again.",
    weWrite: "Carryover proposes the text of a number, and asks. Other types have no proposal.",
    whatToDo: "Accept the text if it is the app's version, edit it, or skip the field.")
}

extension Observation {
  /// The build is not an integer. `normalised` is the integer that it reads as, if only its form would change.
  package static func appBuildNotInteger(_ text: String, normalised: Int64?) -> Observation {
    let key: FindingText = "\(sourceKey: "rl_application_build_key")"
    guard let normalised else {
      return Observation(
        .appBuildNotInteger,
        """
        The build is not migrated: \(key) is \(quoted: text), not an integer. The new SDK stores the build as an \
        integer and reads anything else as absent.
        """,
        remedy: "Set the field to your app's current build number (an integer). Otherwise it is not migrated.",
        verdict: .cause("\(key) is not an integer"))
    }
    return Observation(
      .appBuildNotInteger,
      "\(key) is \(quoted: text), which is migrated as the integer \(String(normalised), madeFrom: text).",
      remedy: "Nothing to do if the number is right. Otherwise edit or skip the field.")
  }

  package static func appVersionInOldKey(old: String, new: String?) -> Observation {
    let what: FindingText =
      if let new {
        """
        The two keys of the version differ: rl_application_info_key is \(quoted: old), rl_application_version_key \
        \(quoted: new). Carryover proposes the first, which the legacy SDK moves over the second when it starts.
        """
      } else {
        """
        “Application Installed” would be sent again: only rl_application_info_key has the version. RudderStack's \
        migrator ignores that older key. It is \(quoted: old).
        """
      }
    return Observation(
      .appVersionInOldKey, what, remedy: "Accept it: the legacy SDK takes this value when it starts.",
      verdict: .cause("the version is in rl_application_info_key, which RudderStack's migrator ignores"))
  }

  package static func appVersionNotString(_ value: PropertyListValue) -> Observation {
    Observation(
      .appVersionNotString,
      """
      “Application Installed” would be sent again: the version is \(typed: value), not a string. RudderStack's \
      migrator drops it.
      """,
      remedy: "Accept the text if there is a proposal, edit it, or skip the field.",
      verdict: .cause("the version is not stored as a string, and RudderStack's migrator drops it"))
  }
}
