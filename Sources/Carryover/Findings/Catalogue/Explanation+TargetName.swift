/// What is known about the findings on the target: what it is called.
extension Explanation {
  static let targetManyWriteKeys = Explanation(
    title: "there are suites of several write keys",
    happens: "The container holds suites of several write keys, and each is a target of its own.",
    legacyReads: "The legacy SDK has one set of values, whatever the write key.",
    guideSays: "The guide initialises one migrator with one write key. It does not say what to do for several.",
    helperWrites: """
      The helper fills the suite of its write key and deletes the source, so that nothing is left for the others.
      """,
    weWrite: "Carryover lists the write keys, fills the suite that was named, and keeps the source.",
    whatToDo: "Choose a suite with --write-key, and run again for another.")

  static let targetNoBundleID = Explanation(
    title: "the bundle id is unknown, so the target has no name",
    happens: "The app's bundle id is unknown, and the name of the target's file begins with it.",
    legacyReads: "The legacy SDK uses the preferences of the app it runs in, and needs no bundle id.",
    guideSays: "The guide runs inside the app, where the bundle id is known.",
    helperWrites: "The helper does nothing without a bundle id, and says nothing.",
    weWrite: "Carryover shows what it can and applies nothing until the bundle id is named.",
    whatToDo: "Give the bundle id with --bundle-id.")

  static let targetNoWriteKey = Explanation(
    title: "the write key is unknown, so the target has no name",
    happens: "The write key is unknown, and the name of the target's file ends with it.",
    legacyReads: "The legacy SDK's stores do not depend on the write key.",
    guideSays: "The guide passes the write key of the iOS source to the migrator.",
    helperWrites: "The helper is given the write key by the app, so the case does not come up.",
    weWrite: """
      Carryover takes the write key from the only suite in the container, if there is one. Otherwise it applies \
      nothing until the key is named.
      """,
    whatToDo: "Give the write key of the new SDK's source with --write-key.")
}
