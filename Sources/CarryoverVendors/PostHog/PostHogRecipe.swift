// Made from Recipes/posthog-before-3-20.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from PostHog's SDK before version 3.20 (posthog-ios 1 to 3.19) to version 3.20 or later.
  ///
  /// Sources: the public sources of posthog-ios 1.0.0 and 2.1.0, PHGFileStorage.m, PHGPayloadManager.m and
  /// PHGPostHogIntegration.m; the public sources of posthog-ios 3.0.0, PostHogStorage.swift; the public sources of
  /// posthog-ios 3.69, PostHogStorage.swift and PostHogStorageManager.swift.
  package static let postHogBefore320 = Recipe(
    reference: RecipeReference(id: "posthog-before-3-20", version: 1, title: "PostHog before 3.20 → 3.20"),
    about: """
      Migrates from PostHog's SDK before version 3.20 (posthog-ios 1 to 3.19) to version 3.20 or later.

      Every version writes a JSON file for each value. Since 3.20, they are in a folder that is named after the project
      token, and the SDK moves the earlier files there at each start. It moves them to the project that starts first: if an app has
      two projects, the other one counts its users as new.

      Versions 1 and 2 can encrypt the files. Carryover cannot read such files, and reports them.
      """,
    legacySDK: "PostHog's SDK before 3.20",
    migrator: VendorMigrator("PostHog's migrator", runs: .atEachStart, removes: true),
    inTheApp: """
      PostHog's SDK moves the files itself, to the folder of the project that starts first. In an app with several
      projects, start the one to which the files belong first. No later version reads files that versions 1 and 2
      encrypted: call identify() again.
      """,
    parameters: [RecipeParameter("project-token", "project token", form: .name)],
    target: .jsonFiles(in: ["Library/Application Support/", .bundleID, "/", .parameter("project-token")]),
    sources: [
      .file([["Library/Application Support/", .bundleID, "/posthog.distinctId"]], as: "posthog.distinctId"),
      .file([["Library/Application Support/", .bundleID, "/posthog.anonymousId"]], as: "posthog.anonymousId"),
      .file([["Library/Application Support/", .bundleID, "/posthog.isIdentified"]], as: "posthog.isIdentified"),
      .file([["Library/Application Support/", .bundleID, "/posthog.optOut"]], as: "posthog.optOut"),
      .file([["Library/Application Support/", .bundleID, "/posthog.groups"]], as: "posthog.groups"),
    ],
    rules: [
      FieldRule(
        target: "posthog.anonymousId", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("posthog.anonymousId"), [])],
        freshWithout: ["posthog.distinctId"],
        isMigratedByVendor: true,
        loss: .newUser),
      FieldRule(
        target: "posthog.distinctId", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("posthog.distinctId"), [])],
        isMigratedByVendor: true,
        loss: .loggedOut),
      FieldRule(
        target: "posthog.isIdentified", group: .identity, form: .boolean,
        candidates: [Candidate(SourceKey("posthog.isIdentified"), [.boolean])],
        describes: "posthog.distinctId",
        isMigratedByVendor: true,
        loss: .lost("the mark that the user is identified", .data),
        reader: .cast),
      FieldRule(
        target: "posthog.optOut", group: .consent, form: .boolean,
        candidates: [Candidate(SourceKey("posthog.optOut"), [.boolean])],
        isMigratedByVendor: true,
        loss: .trackedAgain,
        reader: .cast),
    ],
    leftBehind: [LeftBehind("posthog.groups", because: "PostHog's migrator moves it.")],
    elsewhere: [
      Elsewhere(
        .keys([Glob("PHGAnonymousId"), Glob("PHGDistinctId")], suite: .app),
        because:
          "On tvOS, versions 1 and 2 store the ids in the preferences, which later versions and the recipe do not read."
      ),
      Elsewhere(
        .files(["Library/Caches/", .parameter("*"), "/posthog.anonymousId"]),
        because: "On tvOS, version 3.20.1 and later look for the files in the caches, which the recipe does not read."),
      Elsewhere(
        .files(["AppGroups/", .parameter("*"), "/Library/Application Support/", .parameter("*"), "/posthog.distinctId"]
        ),
        because: "With appGroupIdentifier, the SDK stores its files in the app group, which the recipe does not read."),
      Elsewhere(
        .files([
          "AppGroups/", .parameter("*"), "/Library/Application Support/", .parameter("*"), "/posthog.anonymousId",
        ]), because: "With appGroupIdentifier, the SDK also stores the anonymous id in the app group."),
    ],
    marks: ["posthog.anonymousId", "posthog.distinctId"],
    optOutKeys: ["posthog.optOut"])
}
