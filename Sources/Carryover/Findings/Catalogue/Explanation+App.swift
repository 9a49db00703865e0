/// What is known about the findings on the app's version and build.
extension Explanation {
  static let appBuildNotInteger = Explanation(
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
      """)

  static let appVersionInOldKey = Explanation(
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
    whatToDo: "Confirm it, because the legacy SDK would have done the same; or take the newer key's version.")

  static let appVersionNotString = Explanation(
    title: "the version is stored as another type",
    happens: "The app's version is stored as another type than a string, such as a number.",
    legacyReads: "The legacy SDK writes a string, the app's CFBundleShortVersionString.",
    guideSays: "The guide migrates the version as a string. It does not say what to do with a number.",
    helperWrites: "The helper drops the version, and \"Application Installed\" is sent again.",
    weWrite: "Carryover proposes the text of a number, and asks; other types have no proposal.",
    whatToDo: "Confirm the text where it is the app's version, edit it, or skip the field.")
}
